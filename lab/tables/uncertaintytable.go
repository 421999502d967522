package tables

import (
	"fmt"
	"io"
	"math"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/deep"
	"banditsim/results/stats"
)

// uncertaintyColumns are those of the methods, one for each measure.
var uncertaintyColumns = append(report.Columns[UncertaintyMethod]{
	{Name: "method", Header: "method", Doc: "name of the method, with P for chains side by side and T for one of all steps", Text: func(m UncertaintyMethod) string { return m.Label }, Exact: func(m UncertaintyMethod) any { return m.Name }},
	{Name: "seeds", Doc: "number of seeds", Exact: func(m UncertaintyMethod) any { return m.Measures[0].N }},
	{Name: "gradients", Doc: "gradients on one seed, of all chains together", Exact: func(m UncertaintyMethod) any { return m.Gradients }},
	{Name: "models", Header: "models", Doc: "networks in the mean of the predictions", Text: func(m UncertaintyMethod) string { return fmt.Sprint(m.Models) }, Exact: func(m UncertaintyMethod) any { return m.Models }},
}, measureColumns()...)

func measureColumns() (list report.Columns[UncertaintyMethod]) {
	for i, c := range uncertaintyMeasures {
		get := func(m UncertaintyMethod) stats.Estimate { return m.Measures[i] }
		measure := report.Column[UncertaintyMethod]{Name: c.name, Header: c.header, Doc: c.doc, Unit: c.unit, JSON: func(m UncertaintyMethod) any { return get(m) }}
		if c.header != "" {
			measure.Text = func(m UncertaintyMethod) string { return get(m).String() }
		}
		list = append(list, report.Estimate(measure, c.name+"_", get)...)
	}
	return list
}

// claimRow is a comparison of a claim.
type claimRow struct {
	first bool // of its claim
	UncertaintyClaim
	UncertaintyDifference
}

var claimColumns = report.Columns[claimRow]{
	{Name: "claim", Header: "the paper's claim", Doc: "that a method is better than others", Text: func(r claimRow) string { return r.once(r.Claim) }, Exact: func(r claimRow) any { return r.Claim }},
	{Name: "paper", Header: "its figures", Doc: "the paper's figures for ResNet20 on CIFAR100 and SVHN", Text: func(r claimRow) string { return r.once(r.Paper) }, Exact: func(r claimRow) any { return r.Paper }},
	{Name: "verdict", Header: "verdict", Doc: "holds: better than all others; holds in part: than some, and worse than none; not shown: neither; does not hold: worse than some", Text: func(r claimRow) string { return r.once(r.Verdict) }, Exact: func(r claimRow) any { return r.Verdict }},
	{Name: "other", Header: "less", Doc: "the other method", Text: func(r claimRow) string { return r.Other }, Exact: func(r claimRow) any { return r.Other }},
	{Name: "difference", Header: "ours", Doc: "difference of the method less the other, paired by seed, with its 95 % t-interval", Text: func(r claimRow) string {
		if r.Difference.N == 0 {
			return words.None
		}
		return r.Difference.MeanText() + " " + r.Difference.Interval()
	}, Exact: func(r claimRow) any { return r.Difference.Mean }},
	{Name: "p", Header: "p", Doc: "of Student's t, with Holm's correction over all comparisons of the claims", Text: func(r claimRow) string { return words.PValue(float64(r.P)) }, Exact: func(r claimRow) any { return float64(r.P) }},
}

// once returns a text in the first row of a claim only.
func (r claimRow) once(text string) string {
	if r.first {
		return text
	}
	return ""
}

// Render writes the methods, and the claims below them; as CSV the methods alone.
func (s *UncertaintySummary) Render(w io.Writer, f report.Format) error {
	type claim struct {
		Claim   string                  `json:"claim"`
		Paper   string                  `json:"paper"`
		Verdict string                  `json:"verdict"`
		Against []UncertaintyDifference `json:"against"`
	}
	claims := []claim{}
	for _, c := range s.Claims {
		claims = append(claims, claim(c))
	}
	r := report.Result{Tables: []report.Table{s.table()}, Document: struct {
		Identity deep.UncertaintyIdentity `json:"identity"`
		Methods  report.Table             `json:"methods"`
		Claims   []claim                  `json:"claims"`
	}{s.Identity, report.Data(uncertaintyColumns, s.Methods), claims}}
	if len(s.Claims) > 0 {
		r.Tables = append(r.Tables, s.claimTable())
	}
	return r.Render(w, f)
}

func (s *UncertaintySummary) table() report.Table {
	o, id := s.Identity.Options, s.Identity
	return report.NewTable(uncertaintyColumns, s.Methods,
		fmt.Sprintf("mean and half of a 95 %% t-interval over %s; %s of batches of %d, classes 0 to 4 of %s (SHA-256 %.12s…)", words.Count(s.Seeds, "seed"), words.Count(o.Chains*o.Steps, "gradient"), o.Batch, id.Data.Name, id.Data.SHA256),
		"ACC, log loss (0.001 nats an image) and ECE: images held out; Brier, entropy, AUROC: those of the classes "+id.Outside[0].Set,
		"Brier: mean of (p − 1/5)² over images and classes, as no class is right",
	)
}

func (s *UncertaintySummary) claimTable() report.Table {
	var rows []claimRow
	for _, c := range s.Claims {
		for k, d := range c.Against {
			rows = append(rows, claimRow{k == 0, c, d})
		}
		if len(c.Against) == 0 {
			rows = append(rows, claimRow{first: true, UncertaintyClaim: c, UncertaintyDifference: UncertaintyDifference{Difference: stats.NewEstimate(nil), Other: words.None, P: words.Float(math.NaN())}})
		}
	}
	return report.NewTable(claimColumns, rows, "the paper's claims; its figures are ACC in %, log loss of 10,000 images and Brier in ‰, of ResNet20 on CIFAR100 and SVHN",
		"ours: difference to the other method, paired by seed, in the unit of the table above; p by Student's t with Holm's correction over all")
}

// uncertaintyRows are the columns of uncertainty.csv.
func uncertaintyRows() report.Columns[deep.UncertaintyRecord] {
	list := report.Columns[deep.UncertaintyRecord]{
		{Name: "method", Exact: func(r deep.UncertaintyRecord) any { return r.Method }},
		{Name: "seed", Exact: func(r deep.UncertaintyRecord) any { return r.Seed }},
		{Name: "gradients", Exact: func(r deep.UncertaintyRecord) any { return r.Gradients }},
		{Name: "models", Exact: func(r deep.UncertaintyRecord) any { return r.Models }},
	}
	for _, m := range uncertaintyMeasures {
		list = append(list, report.Column[deep.UncertaintyRecord]{Name: m.name, Exact: func(r deep.UncertaintyRecord) any { return m.get(&r) }})
	}
	return append(list, report.Columns[deep.UncertaintyRecord]{
		{Name: "negative", Exact: func(r deep.UncertaintyRecord) any { return r.Negative }},
		{Name: "multiplier_low", Exact: func(r deep.UncertaintyRecord) any { return r.Low }},
		{Name: "multiplier_high", Exact: func(r deep.UncertaintyRecord) any { return r.High }},
		{Name: "moves", Exact: func(r deep.UncertaintyRecord) any { return r.Moves }},
	}...)
}

// Write writes all numbers to dir: uncertainty.json, and a row per method and seed as uncertainty.csv. It returns the paths.
func (r *UncertaintyResult) Write(dir string) ([]string, error) {
	return writeNumbers(dir, "uncertainty", r, report.Data(uncertaintyRows(), r.Records).CSV)
}
