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

// A LandscapeResult is the outcome of the experiment on 25 modes.
type LandscapeResult struct{ *simulation.LandscapeResult }

// landscapeBaseline is the method with which the others are compared.
const landscapeBaseline = "ICSGLD"

// landscapeMeasures are the divergences of a point, in nats: KL(truth‖estimate) with simulation.Smoothing in the estimate, and
// KL(estimate‖truth).
var landscapeMeasures = [2]measure[simulation.LandscapePoint]{
	{"kl_modes", "modes", "KL(truth‖estimate) of the masses of 25 modes", "nats", func(p *simulation.LandscapePoint) float64 { return p.Modes }},
	{"kl_grid", "grid", "KL(estimate‖truth) of 50×50 cells", "nats", func(p *simulation.LandscapePoint) float64 { return p.Grid }},
}

// A landscapeRow is a method at the end of its runs. The differences are to the baseline, paired by repeat; they are empty for the
// baseline and without it.
type landscapeRow struct {
	simulation.LandscapeMethod
	last                   []simulation.LandscapePoint
	divergence, difference [2]stats.Estimate
	missed                 int // repeats without a sample in some of the 25 modes
}

func (r LandscapeResult) rows() []landscapeRow {
	last := map[string][]simulation.LandscapePoint{}
	for _, m := range r.Methods {
		for _, run := range m.Runs {
			last[m.Name] = append(last[m.Name], run.Points[len(run.Points)-1])
		}
	}
	var rows []landscapeRow
	for _, m := range r.Methods {
		row := landscapeRow{LandscapeMethod: m, last: last[m.Name]}
		for k, measure := range landscapeMeasures {
			values := valuesOf(row.last, measure.get)
			row.divergence[k] = stats.NewEstimate(values)
			var less []float64
			if m.Name != landscapeBaseline {
				less = valuesOf(last[landscapeBaseline], measure.get)
			}
			for i := range less {
				less[i] = values[i] - less[i]
			}
			row.difference[k] = stats.NewEstimate(less)
		}
		for _, run := range m.Runs {
			if slices.Contains(run.Modes, 0) {
				row.missed++
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (r landscapeRow) evaluations() int { return r.last[0].Evaluations }
func (r landscapeRow) prerun() int      { return r.Runs[0].Prerun }

// medianSeconds returns the median time of runs up to a point.
func medianSeconds(points []simulation.LandscapePoint) float64 {
	return stats.Median(valuesOf(points, func(p *simulation.LandscapePoint) float64 { return p.Seconds }))
}

// Render writes a row for each method.
func (r LandscapeResult) Render(w io.Writer, f report.Format) error {
	rows := r.rows()
	t := report.NewTable(landscapeColumns, rows,
		fmt.Sprintf("KL divergence in nats, mean ± standard error over %s; less that of %s: paired by repeat, 95 %% t-interval", words.Count(r.Options.Repeats, "repeat"), landscapeBaseline),
		fmt.Sprintf("modes: KL(truth‖estimate), 25 cells; grid: KL(estimate‖truth), 50×50 cells; %s a chain of five", words.Count(r.Options.Steps, "step")),
	)
	var missed []string
	for _, m := range rows {
		t.Notes = append(t.Notes, m.Name+": "+m.Doc)
		if m.missed > 0 {
			missed = append(missed, fmt.Sprintf("%s: in %d of %s a mode has no sample", m.Name, m.missed, words.Count(len(m.Runs), "repeat")))
		}
	}
	if missed == nil {
		missed = []string{"every repeat of every method has samples in all 25 modes"}
	}
	clock := "not measured"
	if r.Clock != "" {
		clock = "median " + r.Clock
	}
	modes, grid := stats.NewEstimate(valuesOf(r.Draws, landscapeMeasures[0].get)), stats.NewEstimate(valuesOf(r.Draws, landscapeMeasures[1].get))
	t.Notes = append(t.Notes, fmt.Sprintf("modes: %g of the uniform distribution is mixed into the estimate, so that a mode without a sample costs a finite amount", simulation.Smoothing))
	t.Notes = append(t.Notes, missed...)
	t.Notes = append(t.Notes,
		"evaluations of the gradient, + those of the run before from which θ starts; seconds: "+clock,
		fmt.Sprintf("%s from the truth, as many as SVGD has particles: modes %s, grid %s", words.Count(r.DrawParticles, "independent draw"), modes.WithError(), grid.WithError()))
	return report.Result{Tables: []report.Table{t}, Document: struct {
		Options   simulation.LandscapeOptions `json:"options"`
		Clock     string                      `json:"clock"`
		Methods   report.Table                `json:"methods"`
		Particles int                         `json:"particles"`
		DrawModes stats.Estimate              `json:"draws_kl_modes"`
		DrawGrid  stats.Estimate              `json:"draws_kl_grid"`
	}{r.Options, r.Clock, t, r.DrawParticles, modes, grid}}.Render(w, f)
}

// landscapeColumns are those of the methods.
var landscapeColumns = slices.Concat(report.Columns[landscapeRow]{
	{Name: "name", JSON: func(m landscapeRow) any { return m.Name }},
	{Name: "doc", JSON: func(m landscapeRow) any { return m.Doc }},
	{Name: "method", Header: "method", Doc: "name of the method", Flat: true, Exact: func(m landscapeRow) any { return m.Name }},
	{Name: "repeats", Doc: "number of repeats", Flat: true, Exact: func(m landscapeRow) any { return len(m.Runs) }},
	{Name: "evaluations", Header: "evaluations", Doc: "evaluations of the gradient", Text: evaluationsText, Exact: func(m landscapeRow) any { return m.evaluations() }},
	exactColumn("prerun", "those of the run before from which θ starts", func(m landscapeRow) any { return m.prerun() }),
	{Name: "seconds", Header: "seconds", Doc: "median time of a repeat", Unit: "seconds", Exact: func(m landscapeRow) any { return medianSeconds(m.last) }},
	exactColumn("missed", "repeats in which a mode has no sample", func(m landscapeRow) any { return m.missed }),
}, divergenceColumns(0), divergenceColumns(1))

// divergenceColumns returns those of a measure and of its difference to the baseline.
func divergenceColumns(k int) report.Columns[landscapeRow] {
	m := landscapeMeasures[k]
	divergence := func(r landscapeRow) stats.Estimate { return r.divergence[k] }
	difference := func(r landscapeRow) stats.Estimate { return r.difference[k] }
	return append(
		report.Estimate(report.Column[landscapeRow]{Name: m.name, Header: m.header, Doc: m.doc, Unit: m.unit,
			Text: func(r landscapeRow) string { return divergence(r).WithError() }}, m.name+"_", divergence),
		report.Estimate(report.Column[landscapeRow]{Name: m.name + "_difference", Header: "less " + landscapeBaseline, Unit: m.unit,
			Doc:  "less that of " + landscapeBaseline + ", paired by repeat",
			Text: func(r landscapeRow) string { return difference(r).Interval() }}, m.name+"_difference_", difference)...)
}

func evaluationsText(m landscapeRow) string {
	if m.prerun() > 0 {
		return words.Int(m.evaluations()) + " + " + words.Int(m.prerun())
	}
	return words.Int(m.evaluations())
}

// A landscapePoint is a point of a run of a method.
type landscapePoint struct {
	method string
	repeat int // from 1
	simulation.LandscapePoint
}

var landscapePoints = report.Columns[landscapePoint]{
	exactColumn("method", "", func(p landscapePoint) any { return p.method }),
	exactColumn("repeat", "", func(p landscapePoint) any { return p.repeat }),
	exactColumn("evaluations", "", func(p landscapePoint) any { return p.Evaluations }),
	exactColumn("seconds", "", func(p landscapePoint) any { return p.Seconds }),
	exactColumn("kl_modes", "", func(p landscapePoint) any { return p.Modes }),
	exactColumn("kl_grid", "", func(p landscapePoint) any { return p.Grid }),
}

// Write writes all numbers to dir: landscape.json, and the points of all runs as landscape.csv. It returns the paths.
func (r LandscapeResult) Write(dir string) ([]string, error) {
	var points []landscapePoint
	for _, m := range r.Methods {
		for i, run := range m.Runs {
			for _, p := range run.Points {
				points = append(points, landscapePoint{m.Name, i + 1, p})
			}
		}
	}
	return writeNumbers(dir, "landscape", r.LandscapeResult, report.Data(landscapePoints, points).CSV)
}
