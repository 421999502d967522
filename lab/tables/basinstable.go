package tables

import (
	"fmt"
	"io"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results/stats"
)

// basinsColumns are those of the methods, one for each measure of a row.
var basinsColumns = append(report.Columns[BasinsMethod]{
	{Name: "method", Header: "method", Doc: "name of the method", Text: func(m BasinsMethod) string { return m.Name }, Exact: func(m BasinsMethod) any { return m.Name }},
	{Name: "seeds", Doc: "number of seeds", Exact: func(m BasinsMethod) any { return m.Negative.N }},
}, basinsMeasures()...)

func basinsMeasures() (list report.Columns[BasinsMethod]) {
	for _, c := range []struct {
		name, header, doc, unit string
		get                     func(BasinsMethod) stats.Estimate
	}{
		{"negative", "M < 0", "share of steps with a multiplier below 0", "", func(m BasinsMethod) stats.Estimate { return m.Negative }},
		{"one", "M = 1", "share of steps with a multiplier of exactly 1", "", func(m BasinsMethod) stats.Estimate { return m.One }},
		{"low", "low", "share of steps at a low energy", "", func(m BasinsMethod) stats.Estimate { return m.Low }},
		{"high", "high", "share of steps at a high energy", "", func(m BasinsMethod) stats.Estimate { return m.High }},
		{"energy", "", "mean energy of the last tenth of the steps, per image", "nats", func(m BasinsMethod) stats.Estimate { return m.Energy }},
		{"falls", "", "passages of a chain from high energy to low", "", func(m BasinsMethod) stats.Estimate { return m.Falls }},
		{"escapes", "escapes", "passages of a chain from low energy to high", "", func(m BasinsMethod) stats.Estimate { return m.Escapes }},
		{"distinct", "distinct minima", "distinct minima to which snapshots of a chain descend", "", func(m BasinsMethod) stats.Estimate { return m.Distinct }},
		{"minima", "", "snapshots of a chain that descend to a low energy", "", func(m BasinsMethod) stats.Estimate { return m.Minima }},
		{"between", "", "median distance of minima of different chains", "", func(m BasinsMethod) stats.Estimate { return m.Between }},
		{"accuracy", "accuracy", "accuracy of the ends of descents on images held out", "", func(m BasinsMethod) stats.Estimate { return m.Accuracy }},
	} {
		measure := report.Column[BasinsMethod]{Name: c.name, Header: c.header, Doc: c.doc, Unit: c.unit, JSON: func(m BasinsMethod) any { return c.get(m) }}
		if c.header != "" {
			measure.Text = func(m BasinsMethod) string { return c.get(m).String() }
		}
		list = append(list, report.Estimate(measure, c.name+"_", c.get)...)
	}
	return list
}

// Render writes the summary.
func (s *BasinsSummary) Render(w io.Writer, f report.Format) error {
	return report.Result{Tables: []report.Table{s.table()}, Document: struct {
		Identity any          `json:"identity"`
		Methods  report.Table `json:"methods"`
	}{s.Identity, report.NewTable(basinsColumns, s.Methods)}}.Render(w, f)
}

func (s *BasinsSummary) table() report.Table {
	o := s.Identity.Options
	return report.NewTable(basinsColumns, s.Methods,
		fmt.Sprintf("mean and half of a 95 %% t-interval over %s; %s of %s each, on the classes 0 to 4 of %s (SHA-256 %.12s…)", words.Count(s.Methods[0].Negative.N, "seed"),
			words.Count(o.Chains, "chain"), words.Count(o.Steps, "step"), s.Identity.Data.Name, s.Identity.Data.SHA256),
		fmt.Sprintf("energy per image: low is at most %g nats, high at least %g; escapes: passages of a chain from low to high", o.Low, o.High),
		fmt.Sprintf("distinct minima: where %s of each chain descend to whose predictions differ by at least %g in total variation", words.Count(o.Snapshots, "snapshot"), o.Distance),
	)
}

// basinsRowColumns are those of basins.csv.
var basinsRowColumns = report.Columns[BasinsRow]{
	{Name: "method", Exact: func(r BasinsRow) any { return r.Method }},
	{Name: "seed", Exact: func(r BasinsRow) any { return r.Seed }},
	{Name: "negative", Exact: func(r BasinsRow) any { return r.Negative }},
	{Name: "one", Exact: func(r BasinsRow) any { return r.One }},
	{Name: "low", Exact: func(r BasinsRow) any { return r.Low }},
	{Name: "high", Exact: func(r BasinsRow) any { return r.High }},
	{Name: "energy", Exact: func(r BasinsRow) any { return r.Energy }},
	{Name: "falls", Exact: func(r BasinsRow) any { return r.Falls }},
	{Name: "escapes", Exact: func(r BasinsRow) any { return r.Escapes }},
	{Name: "distinct", Exact: func(r BasinsRow) any { return r.Distinct }},
	{Name: "minima", Exact: func(r BasinsRow) any { return r.Minima }},
	{Name: "between", Exact: func(r BasinsRow) any { return r.Between }},
	{Name: "accuracy", Exact: func(r BasinsRow) any { return r.Accuracy }},
}

// Write writes all numbers to dir: basins.json, and the rows as basins.csv. It returns the paths.
func (r *BasinsResult) Write(dir string) ([]string, error) {
	return writeNumbers(dir, "basins", r, report.Data(basinsRowColumns, r.Rows()).CSV)
}
