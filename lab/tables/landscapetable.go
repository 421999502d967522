package tables

import (
	"fmt"
	"io"
	"slices"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/simulation"
	"banditsim/results/stats"
)

// Render writes the summary.
func (s *LandscapeSummary) Render(w io.Writer, f report.Format) error {
	return report.Result{Tables: []report.Table{s.table()}, Document: s.json()}.Render(w, f)
}

func (s *LandscapeSummary) table() report.Table {
	o := s.Options
	t := report.NewTable(landscapeColumns, s.Methods,
		fmt.Sprintf("KL divergence in nats, mean ± standard error over %s; less that of %s: paired by repeat, 95 %% t-interval", words.Count(o.Repeats, "repeat"), landscapeBaseline),
		fmt.Sprintf("modes: KL(truth‖estimate), 25 cells; grid: KL(estimate‖truth), 50×50 cells; %s a chain of five", words.Count(o.Steps, "step")),
	)
	for _, m := range s.Methods {
		t.Notes = append(t.Notes, m.Name+": "+m.Doc)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("modes: %g of the uniform distribution is mixed into the estimate, so that a mode without a sample costs a finite amount", simulation.Smoothing))
	t.Notes = append(t.Notes, s.missedNotes()...)
	clock := "not measured"
	if s.Clock != "" {
		clock = "median " + s.Clock
	}
	t.Notes = append(t.Notes,
		"evaluations of the gradient, + those of the run before from which θ starts; seconds: "+clock,
		fmt.Sprintf("%s from the truth, as many as SVGD has particles: modes %s, grid %s", words.Count(s.Particles, "independent draw"), s.DrawModes.WithError(), s.DrawGrid.WithError()))
	return t
}

// missedNotes returns notes on the methods with a missed mode.
func (s *LandscapeSummary) missedNotes() []string {
	var notes []string
	for _, m := range s.Methods {
		if m.Missed > 0 {
			notes = append(notes, fmt.Sprintf("%s: in %d of %s a mode has no sample", m.Name, m.Missed, words.Count(m.Modes.N, "repeat")))
		}
	}
	if notes == nil {
		return []string{"every repeat of every method has samples in all 25 modes"}
	}
	return notes
}

// json returns the summary as JSON has it.
func (s *LandscapeSummary) json() any {
	return struct {
		Options   simulation.LandscapeOptions `json:"options"`
		Clock     string                      `json:"clock"`
		Methods   report.Table                `json:"methods"`
		Particles int                         `json:"particles"`
		DrawModes stats.Estimate              `json:"draws_kl_modes"`
		DrawGrid  stats.Estimate              `json:"draws_kl_grid"`
	}{s.Options, s.Clock, report.NewTable(landscapeColumns, s.Methods), s.Particles, s.DrawModes, s.DrawGrid}
}

// landscapeColumns are those of the methods.
var landscapeColumns = slices.Concat(report.Columns[LandscapeMethod]{
	{Name: "name", JSON: func(m LandscapeMethod) any { return m.Name }},
	{Name: "doc", JSON: func(m LandscapeMethod) any { return m.Doc }},
	{Name: "method", Header: "method", Doc: "name of the method", Flat: true, Text: func(m LandscapeMethod) string { return m.Name }, Exact: func(m LandscapeMethod) any { return m.Name }},
	{Name: "repeats", Doc: "number of repeats", Flat: true, Exact: func(m LandscapeMethod) any { return m.Modes.N }},
	{Name: "evaluations", Header: "evaluations", Doc: "evaluations of the gradient", Text: evaluationsText, Exact: func(m LandscapeMethod) any { return m.Evaluations }},
	{Name: "prerun", Doc: "those of the run before from which θ starts", Exact: func(m LandscapeMethod) any { return m.Prerun }},
	{Name: "seconds", Header: "seconds", Doc: "median time of a repeat", Unit: "seconds",
		Text: func(m LandscapeMethod) string { return words.Amount(m.Seconds) }, Exact: func(m LandscapeMethod) any { return m.Seconds }},
	{Name: "missed", Doc: "repeats in which a mode has no sample", Exact: func(m LandscapeMethod) any { return m.Missed }},
},
	divergence("kl_modes", "modes", "KL(truth‖estimate) of the masses of 25 modes", func(m LandscapeMethod) (stats.Estimate, stats.Estimate) { return m.Modes, m.ModesDifference }),
	divergence("kl_grid", "grid", "KL(estimate‖truth) of 50×50 cells", func(m LandscapeMethod) (stats.Estimate, stats.Estimate) { return m.Grid, m.GridDifference }),
)

// divergence returns the columns of a measure and of its difference to the baseline.
func divergence(name, header, doc string, of func(LandscapeMethod) (measure, difference stats.Estimate)) report.Columns[LandscapeMethod] {
	measure := func(m LandscapeMethod) stats.Estimate { e, _ := of(m); return e }
	difference := func(m LandscapeMethod) stats.Estimate { _, d := of(m); return d }
	return append(
		report.Estimate(report.Column[LandscapeMethod]{Name: name, Header: header, Doc: doc, Unit: "nats", Text: func(m LandscapeMethod) string { return measure(m).WithError() },
			JSON: func(m LandscapeMethod) any { return measure(m) }}, name+"_", measure),
		report.Estimate(report.Column[LandscapeMethod]{Name: name + "_difference", Header: "less " + landscapeBaseline, Doc: "less that of " + landscapeBaseline + ", paired by repeat", Unit: "nats",
			Text: func(m LandscapeMethod) string { return difference(m).Interval() }, JSON: func(m LandscapeMethod) any { return difference(m) }}, name+"_difference_", difference)...)
}

func evaluationsText(m LandscapeMethod) string {
	if m.Prerun > 0 {
		return words.Int(m.Evaluations) + " + " + words.Int(m.Prerun)
	}
	return words.Int(m.Evaluations)
}

// WriteLandscape writes all numbers of the experiment to dir: landscape.json, and the points of all runs
// as landscape.csv. It returns the paths.
func WriteLandscape(dir string, r *simulation.LandscapeResult) ([]string, error) {
	var points []landscapePoint
	for _, m := range r.Methods {
		for i, run := range m.Runs {
			for _, p := range run.Points {
				points = append(points, landscapePoint{m.Name, i + 1, p})
			}
		}
	}
	return writeNumbers(dir, "landscape", r, report.Data(landscapePoints, points).CSV)
}

// A landscapePoint is a point of a run of a method.
type landscapePoint struct {
	method string
	repeat int // from 1
	simulation.LandscapePoint
}

var landscapePoints = report.Columns[landscapePoint]{
	{Name: "method", Exact: func(p landscapePoint) any { return p.method }},
	{Name: "repeat", Exact: func(p landscapePoint) any { return p.repeat }},
	{Name: "evaluations", Exact: func(p landscapePoint) any { return p.Evaluations }},
	{Name: "seconds", Exact: func(p landscapePoint) any { return p.Seconds }},
	{Name: "kl_modes", Exact: func(p landscapePoint) any { return p.Modes }},
	{Name: "kl_grid", Exact: func(p landscapePoint) any { return p.Grid }},
}
