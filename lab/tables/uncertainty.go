package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/deep"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

type (
	uncertaintyResult = deep.Result[deep.UncertaintyOptions, deep.UncertaintyRecord]
	uncertaintyRecord = deep.UncertaintyRecord
	uncertaintyMethod = summary[deep.UncertaintyRecord]
)

// uncertaintyMeasures are the measures of the table. Brier score, entropy and AUROC are those of the first set of
// images of unknown classes.
var uncertaintyMeasures = []measure[uncertaintyRecord]{
	{"accuracy", "ACC %", func(r uncertaintyRecord) float64 { return 100 * r.Accuracy }},
	{"log_loss", "log loss", func(r uncertaintyRecord) float64 { return 1000 * r.LogLoss }},
	{"calibration", "ECE %", func(r uncertaintyRecord) float64 { return 100 * r.Calibration }},
	{"brier", "Brier ‰", func(r uncertaintyRecord) float64 { return 1000 * r.Outside[0].Brier }},
	{"entropy", "entropy", func(r uncertaintyRecord) float64 { return r.Outside[0].Entropy }},
	{"auroc", "AUROC", func(r uncertaintyRecord) float64 { return r.Outside[0].AUROC }},
	{"single", "", func(r uncertaintyRecord) float64 { return 100 * r.Single }},
}

// uncertaintyMeasure returns the index of a measure in uncertaintyMeasures.
func uncertaintyMeasure(name string) int {
	return slices.IndexFunc(uncertaintyMeasures, func(m measure[uncertaintyRecord]) bool { return m.name == name })
}

func uncertaintyMethods(r *uncertaintyResult) []uncertaintyMethod {
	return methodsOf(r.Records, func(r uncertaintyRecord) string { return r.Method }, uncertaintyMeasures)
}

// seedCount returns the largest number of seeds of a method.
func seedCount(methods []uncertaintyMethod) int {
	return slices.Max(lists.Each(methods, func(m uncertaintyMethod) int { return len(m.records) }))
}

// uncertaintyColumns returns the columns of the table of methods.
func uncertaintyColumns(o deep.UncertaintyOptions) report.Columns[uncertaintyMethod] {
	return append(report.Columns[uncertaintyMethod]{
		{Name: "method", Header: "method",
			Text:  func(m uncertaintyMethod) string { return deep.LabelUncertainty(m.name, o) },
			Exact: func(m uncertaintyMethod) any { return m.name }},
		exactColumn("seeds", func(m uncertaintyMethod) any { return len(m.records) }),
		exactColumn("gradients", func(m uncertaintyMethod) any { return m.records[0].Gradients }),
		{Name: "models", Header: "models", Exact: func(m uncertaintyMethod) any { return m.records[0].Models }},
	}, measureColumns(uncertaintyMeasures)...)
}

// Uncertainty returns the report of the experiment on how uncertain networks are: tables of methods and of the paper's
// claims, the figure uncertainty.svg, and data with one row per method and seed. CSV on stdout has no claims.
func Uncertainty(r *uncertaintyResult) Report {
	o, id, list := r.Identity.Options, r.Identity, uncertaintyMethods(r)
	claims := claimsOf(list)
	methods := report.NewTable(uncertaintyColumns(o), list,
		fmt.Sprintf("mean and half of a 95 %% t-interval over %s; %s of batches of %d, classes 0 to 4 of %s (SHA-256 %.12s…)", words.Count(seedCount(list), "seed"),
			words.Count(o.Chains*o.Steps, "gradient"), o.Batch, id.Data.Name, id.Data.SHA256),
		"ACC, log loss (0.001 nats an image) and ECE: images held out; Brier, entropy, AUROC: those of the classes "+id.Outside[0].Set,
		"Brier: mean of (p − 1/5)² over images and classes, as no class is right",
	)
	return Report{
		Result: report.Result{Tables: []report.Table{methods, claimTable(claims)}, Document: struct {
			Identity any          `json:"identity"`
			Methods  report.Table `json:"methods"`
			Claims   []claim      `json:"claims"`
		}{r.Identity, methods, claims}},
		name: "uncertainty", numbers: r, rows: report.Data(uncertaintyRows, r.Records),
		figures: map[string]plot.Figure{"": uncertaintyFigure(r)},
	}
}

// uncertaintyRows are the columns of uncertainty.csv.
var uncertaintyRows = slices.Concat(report.Columns[uncertaintyRecord]{
	exactColumn("method", func(r uncertaintyRecord) any { return r.Method }),
	exactColumn("seed", func(r uncertaintyRecord) any { return r.Seed }),
	exactColumn("gradients", func(r uncertaintyRecord) any { return r.Gradients }),
	exactColumn("models", func(r uncertaintyRecord) any { return r.Models }),
}, rowColumns(uncertaintyMeasures), report.Columns[uncertaintyRecord]{
	exactColumn("negative", func(r uncertaintyRecord) any { return r.Negative }),
	exactColumn("multiplier_low", func(r uncertaintyRecord) any { return r.Low }),
	exactColumn("multiplier_high", func(r uncertaintyRecord) any { return r.High }),
	exactColumn("moves", func(r uncertaintyRecord) any { return r.Moves }),
})

// A claim is a claim of the paper with the verdict of this experiment.
type claim struct {
	Claim   string       `json:"claim"`
	Paper   string       `json:"paper"`   // the paper's figures for ResNet20
	Verdict string       `json:"verdict"` // "holds", "holds in part", "not shown", "does not hold", or "not compared"
	Against []difference `json:"against"`
}

// A difference is a measure of the claim's method minus that of another method, paired by seed.
type difference struct {
	Measure    string         `json:"measure"`
	other      string         // the other method
	Difference stats.Estimate `json:"difference"`
	P          words.Float    `json:"p"` // p-value of the t-test, with Holm's correction over all comparisons; NaN for one seed
	Better     bool           `json:"better"`
}

// claimsOf returns the paper's claims with their comparisons. Holm's correction covers all comparisons of all claims.
func claimsOf(methods []uncertaintyMethod) []claim {
	values := func(method string, k int) []float64 {
		i := slices.IndexFunc(methods, func(m uncertaintyMethod) bool { return m.name == method })
		if i < 0 {
			return nil
		}
		return lists.Each(methods[i].records, uncertaintyMeasures[k].get)
	}
	var list []claim
	var p []float64
	for _, c := range paperClaims {
		one := claim{Claim: c.text, Paper: c.figures()}
		k := uncertaintyMeasure(c.measure)
		for _, other := range c.others {
			a, b := values(c.method, k), values(other, k)
			if len(a) == 0 || len(a) != len(b) {
				continue
			}
			for i := range a {
				a[i] -= b[i]
			}
			d := difference{Measure: c.measure, other: other, Difference: stats.NewEstimate(a)}
			d.Better = (d.Difference.Mean > 0) == (c.measure == "accuracy") && d.Difference.Mean != 0
			one.Against = append(one.Against, d)
			p = append(p, d.Difference.PValue())
		}
		list = append(list, one)
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

// verdict returns the verdict on the claim that a method is better than each of n other methods. against has the
// differences to those of the n methods that were run.
func verdict(against []difference, n int) string {
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
	case len(against) < n:
		return "not compared"
	case worse > 0:
		return "does not hold"
	case better == n:
		return "holds"
	case better > 0:
		return "holds in part"
	}
	return "not shown"
}

// A claimRow is one comparison of a claim.
type claimRow struct {
	claim
	difference
}

var claimColumns = report.Columns[claimRow]{
	{Header: "the paper's claim", Text: func(r claimRow) string { return r.Claim }},
	{Header: "its figures", Text: func(r claimRow) string { return r.Paper }},
	{Header: "verdict", Text: func(r claimRow) string { return r.Verdict }},
	{Header: "less", Text: func(r claimRow) string { return r.other }},
	{Header: "ours", Text: func(r claimRow) string {
		if r.Difference.N == 0 {
			return words.None
		}
		return r.Difference.MeanText() + " " + r.Difference.Interval()
	}},
	{Header: "p", Text: func(r claimRow) string { return words.PValue(float64(r.P)) }},
}

// claimTable returns a table with one row per comparison. Only a claim's first row has its text, figures and verdict.
func claimTable(claims []claim) report.Table {
	var rows []claimRow
	for _, c := range claims {
		if len(c.Against) == 0 {
			rows = append(rows, claimRow{c, difference{Difference: stats.NewEstimate(nil), other: words.None, P: words.Float(math.NaN())}})
		}
		for _, d := range c.Against {
			rows = append(rows, claimRow{c, d})
			c = claim{}
		}
	}
	return report.NewTable(claimColumns, rows, "the paper's claims; its figures are ACC in %, log loss of 10,000 images and Brier in ‰, of ResNet20 on CIFAR100 and SVHN",
		"ours: difference to the other method, paired by seed, in the unit of the table above; p by Student's t with Holm's correction over all")
}

// A paperClaim is the claim that a method is better than the others by a measure. All claims hold in the paper's table
// for ResNet20 and ResNet32. For the other two networks, all hold except those on the accuracy and log loss of M-SGD.
type paperClaim struct {
	text    string
	measure string
	method  string
	others  []string
}

var paperClaims = []paperClaim{
	{"ICSGHMC has the highest accuracy", "accuracy", "ICSGHMC", []string{"reSGHMC", "M-SGD", "MultiSWAG", "cycSGHMC"}},
	{"ICSGHMC has the lowest log loss", "log_loss", "ICSGHMC", []string{"reSGHMC", "M-SGD", "MultiSWAG", "cycSGHMC"}},
	{"ICSGHMC has a lower Brier score than all but M-SGD", "brier", "ICSGHMC", []string{"reSGHMC", "MultiSWAG", "cycSGHMC"}},
	{"M-SGD is more accurate than the two cyclical methods", "accuracy", "M-SGD", []string{"MultiSWAG", "cycSGHMC"}},
	{"M-SGD has a lower log loss than the two cyclical methods", "log_loss", "M-SGD", []string{"MultiSWAG", "cycSGHMC"}},
	{"M-SGD has a lower Brier score than all but ICSGHMC", "brier", "M-SGD", []string{"reSGHMC", "MultiSWAG", "cycSGHMC"}},
	{"reSGHMC is more accurate than M-SGD", "accuracy", "reSGHMC", []string{"M-SGD"}},
	{"MultiSWAG has a lower Brier score than cycSGHMC", "brier", "MultiSWAG", []string{"cycSGHMC"}},
}

// paperFigures are from the paper's ResNet20 table: accuracy in %, log loss of 10,000 images in nats, Brier score in ‰.
var paperFigures = map[string]map[string]string{
	"accuracy": {"cycSGHMC": "75.41", "MultiSWAG": "75.46", "M-SGD": "76.01", "reSGHMC": "76.15", "ICSGHMC": "76.34"},
	"log_loss": {"cycSGHMC": "8,437", "MultiSWAG": "8,419", "M-SGD": "8,175", "reSGHMC": "8,196", "ICSGHMC": "8,076"},
	"brier":    {"cycSGHMC": "2.91", "MultiSWAG": "2.78", "M-SGD": "2.58", "reSGHMC": "2.73", "ICSGHMC": "2.54"},
}

// figures returns the paper's figures for the method and the others, such as "76.01 against 75.46; 75.41".
func (c *paperClaim) figures() string {
	others := lists.Each(c.others, func(o string) string { return paperFigures[c.measure][o] })
	return fmt.Sprintf("%s against %s", paperFigures[c.measure][c.method], strings.Join(others, "; "))
}

// uncertaintyFigure shows three measures of each method with t-intervals.
func uncertaintyFigure(r *uncertaintyResult) *plot.Forests {
	methods := uncertaintyMethods(r)
	f := &plot.Forests{
		Title:    "What networks know that they do not know",
		Subtitle: fmt.Sprintf("Classes 0 to 4 of %s; outside: the classes %s", r.Identity.Data.Name, r.Identity.Outside[0].Set),
		Captions: []string{fmt.Sprintf("Mean over %s and 95 %% t-intervals. Log loss: images held out. AUROC: how well the largest probability tells images held out from those outside. "+
			"Orange: not in the paper's table.", words.Count(seedCount(methods), "seed"))},
		Width: 200,
	}
	for _, panel := range []struct{ measure, title string }{
		{"log_loss", "Log loss, 0.001 nats: less is better"},
		{"brier", "Brier score outside, ‰: less is better"},
		{"auroc", "AUROC: more is better"},
	} {
		forest := plot.Forest{Title: panel.title}
		for k, m := range methods {
			e := m.estimates[uncertaintyMeasure(panel.measure)]
			label := deep.LabelUncertainty(m.name, r.Identity.Options)
			row := plot.ForestRow{Label: label, Mid: e.Mean, Low: e.Low, High: e.High, Truth: math.NaN()}
			if !inPaper(m.name) {
				row.Look, row.Gap = plot.Look{Color: 4}, k > 0 && inPaper(methods[k-1].name)
			}
			forest.Rows = append(forest.Rows, row)
		}
		f.Forests = append(f.Forests, forest)
	}
	return f
}

// inPaper reports whether a method is in the paper's table.
func inPaper(method string) bool { return paperFigures["accuracy"][method] != "" }
