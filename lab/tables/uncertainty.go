package tables

import (
	"math"
	"slices"

	"banditsim/internal/words"
	"banditsim/lab/deep"
	"banditsim/results/stats"
)

// An UncertaintyResult has the records of the experiment on what networks know that they do not know.
type UncertaintyResult struct {
	Identity deep.UncertaintyIdentity `json:"identity"`
	Records  []deep.UncertaintyRecord `json:"records"`
}

// An uncertaintyMeasure is a number of a record.
type uncertaintyMeasure struct {
	name, header, doc, unit string
	more                    bool // larger is better
	get                     func(r *deep.UncertaintyRecord) float64
}

// uncertaintyMeasures are those of the table, of all records alike; outside is the first set of images of none of the classes.
var uncertaintyMeasures = []uncertaintyMeasure{
	{"accuracy", "ACC %", "images held out whose class has the largest probability", "%", true, func(r *deep.UncertaintyRecord) float64 { return 100 * r.Accuracy }},
	{"log_loss", "log loss", "mean of −log p of the class of an image held out, times 1,000", "0.001 nats", false, func(r *deep.UncertaintyRecord) float64 { return 1000 * r.LogLoss }},
	{"calibration", "ECE %", "expected calibration error on images held out, 15 bins", "%", false, func(r *deep.UncertaintyRecord) float64 { return 100 * r.Calibration }},
	{"brier", "Brier ‰", "mean of (p − 1/K)² over outside images and the K classes", "‰", false, func(r *deep.UncertaintyRecord) float64 { return 1000 * r.Outside[0].Brier }},
	{"entropy", "entropy", "mean entropy of the predictions of outside images", "nats", true, func(r *deep.UncertaintyRecord) float64 { return r.Outside[0].Entropy }},
	{"auroc", "AUROC", "probability that an image held out has a larger greatest probability than one outside", "", true, func(r *deep.UncertaintyRecord) float64 { return r.Outside[0].AUROC }},
	{"single", "", "accuracy of the first of the models alone", "%", true, func(r *deep.UncertaintyRecord) float64 { return 100 * r.Single }},
}

// An UncertaintyMethod is a method over its seeds.
type UncertaintyMethod struct {
	Name, Label       string
	Gradients, Models int
	Measures          []stats.Estimate // in the order of uncertaintyMeasures
}

// An UncertaintyDifference is a comparison of two methods by a measure, paired by seed: Method less Other.
type UncertaintyDifference struct {
	Measure       string         `json:"measure"`
	Method, Other string         `json:"-"`
	Difference    stats.Estimate `json:"difference"`
	P             words.Float    `json:"p"` // NaN for one seed; of Student's t, corrected by Holm over all comparisons of the claims
	Better        bool           `json:"better"`
}

// An UncertaintyClaim is one of the paper's, with our verdict.
type UncertaintyClaim struct {
	Claim   string
	Paper   string // the paper's figures, of ResNet20
	Verdict string // "holds", "holds in part", "not shown", "does not hold", or "not compared"
	Against []UncertaintyDifference
}

// An UncertaintySummary summarizes the experiment.
type UncertaintySummary struct {
	Identity deep.UncertaintyIdentity
	Seeds    int
	Methods  []UncertaintyMethod
	Claims   []UncertaintyClaim
}

// SummarizeUncertainty summarizes the experiment over its seeds.
func SummarizeUncertainty(r *UncertaintyResult) *UncertaintySummary {
	s := &UncertaintySummary{Identity: r.Identity}
	for i := range r.Records {
		rec := &r.Records[i]
		if slices.ContainsFunc(s.Methods, func(m UncertaintyMethod) bool { return m.Name == rec.Method }) {
			continue
		}
		m := UncertaintyMethod{Name: rec.Method, Label: deep.LabelUncertainty(rec.Method, r.Identity.Options), Gradients: rec.Gradients, Models: rec.Models}
		for _, measure := range uncertaintyMeasures {
			m.Measures = append(m.Measures, stats.NewEstimate(r.values(rec.Method, measure)))
		}
		s.Seeds = max(s.Seeds, m.Measures[0].N)
		s.Methods = append(s.Methods, m)
	}
	s.Claims = r.claims()
	return s
}

// values returns a measure of a method, seed by seed.
func (r *UncertaintyResult) values(method string, measure uncertaintyMeasure) []float64 {
	var list []float64
	for i := range r.Records {
		if r.Records[i].Method == method {
			list = append(list, measure.get(&r.Records[i]))
		}
	}
	return list
}

// claims compares what the paper's claims compare. All comparisons are one family of Holm's correction.
func (r *UncertaintyResult) claims() []UncertaintyClaim {
	var list []UncertaintyClaim
	var p []float64
	for _, c := range paperClaims {
		claim := UncertaintyClaim{Claim: c.text, Paper: c.figures()}
		measure := uncertaintyMeasures[slices.IndexFunc(uncertaintyMeasures, func(m uncertaintyMeasure) bool { return m.name == c.measure })]
		for _, other := range c.others {
			a, b := r.values(c.method, measure), r.values(other, measure)
			if len(a) == 0 || len(a) != len(b) {
				continue
			}
			for i := range a {
				a[i] -= b[i]
			}
			d := UncertaintyDifference{Measure: c.measure, Method: c.method, Other: other, Difference: stats.NewEstimate(a)}
			d.Better = (d.Difference.Mean > 0) == measure.more && d.Difference.Mean != 0
			claim.Against = append(claim.Against, d)
			p = append(p, d.Difference.PValue())
		}
		list = append(list, claim)
	}
	p = stats.Holm(p)
	for i := range list {
		c := &list[i]
		for k := range c.Against {
			c.Against[k].P, p = words.Float(p[0]), p[1:]
		}
		c.Verdict = verdict(c.Against, len(paperClaims[i].others))
	}
	return list
}

// verdict returns that of a claim that a method is better than all of a number of others.
func verdict(against []UncertaintyDifference, others int) string {
	better, worse := 0, 0
	for _, d := range against {
		switch p := float64(d.P); {
		case math.IsNaN(p) || p > stats.Significance:
		case d.Better:
			better++
		default:
			worse++
		}
	}
	switch {
	case len(against) < others:
		return "not compared"
	case worse > 0:
		return "does not hold"
	case better == others:
		return "holds"
	case better > 0:
		return "holds in part"
	}
	return "not shown"
}
