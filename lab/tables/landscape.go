package tables

import (
	"fmt"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/density"
	"banditsim/lab/simulation"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// landscapeBaseline is the method that is subtracted from the others in differences.
const landscapeBaseline = "ICSGLD"

// landscapeMeasures are the two divergences, in nats, at a point of a run: KL(truth‖estimate) over the modes, with a
// smoothed estimate (see simulation.Smoothing), and KL(estimate‖truth) over the 50 × 50 cells of the grid.
var landscapeMeasures = [2]measure[simulation.LandscapePoint]{
	{"kl_modes", "modes", func(p simulation.LandscapePoint) float64 { return p.Modes }},
	{"kl_grid", "grid", func(p simulation.LandscapePoint) float64 { return p.Grid }},
}

// A landscapeRow describes a method at the end of its runs. The differences to the baseline are paired by repeat; they
// are empty in the row of the baseline, and in all rows if the baseline was not run.
type landscapeRow struct {
	simulation.LandscapeMethod
	last                   []simulation.LandscapePoint // last point of each run
	divergence, difference [2]stats.Estimate
	missed                 int // number of repeats in which some mode has no sample
}

func landscapeRows(r *simulation.LandscapeResult) []landscapeRow {
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
			values := lists.Each(row.last, measure.get)
			row.divergence[k] = stats.NewEstimate(values)
			var less []float64
			if m.Name != landscapeBaseline {
				less = lists.Each(last[landscapeBaseline], measure.get)
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

// medianSeconds returns the median of Seconds over points, which are corresponding points of all runs.
func medianSeconds(points []simulation.LandscapePoint) float64 {
	return stats.Median(lists.Each(points, func(p simulation.LandscapePoint) float64 { return p.Seconds }))
}

// Landscape returns the report of the 25-mode experiment: a table with a row per method, the figures
// landscape-density.svg (the density found by each method) and landscape-kl.svg (divergences), and all runs' points.
func Landscape(r *simulation.LandscapeResult) Report {
	rows := landscapeRows(r)
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
	modes, grid := stats.NewEstimate(lists.Each(r.Draws, landscapeMeasures[0].get)), stats.NewEstimate(lists.Each(r.Draws, landscapeMeasures[1].get))
	t.Notes = append(t.Notes, fmt.Sprintf("modes: %g of the uniform distribution is mixed into the estimate, so that a mode without a sample costs a finite amount", simulation.Smoothing))
	t.Notes = append(t.Notes, missed...)
	t.Notes = append(t.Notes,
		"evaluations of the gradient, + those of the run before from which θ starts; seconds: "+clock,
		fmt.Sprintf("%s from the truth, as many as SVGD has particles: modes %s, grid %s", words.Count(r.DrawParticles, "independent draw"), modes.WithError(), grid.WithError()))
	var points []landscapePoint
	for _, m := range r.Methods {
		for i, run := range m.Runs {
			for _, p := range run.Points {
				points = append(points, landscapePoint{m.Name, i + 1, p})
			}
		}
	}
	return Report{
		Result: report.Result{Tables: []report.Table{t}, Document: struct {
			Options   simulation.LandscapeOptions `json:"options"`
			Clock     string                      `json:"clock"`
			Methods   report.Table                `json:"methods"`
			Particles int                         `json:"particles"`
			DrawModes stats.Estimate              `json:"draws_kl_modes"`
			DrawGrid  stats.Estimate              `json:"draws_kl_grid"`
		}{r.Options, r.Clock, t, r.DrawParticles, modes, grid}},
		name: "landscape", numbers: r, rows: report.Data(landscapePoints, points),
		figures: map[string]plot.Figure{"-density": densityFigure(r), "-kl": klFigure(r)},
	}
}

// landscapeColumns are the columns of the table of methods.
var landscapeColumns = slices.Concat(report.Columns[landscapeRow]{
	{Name: "name", JSON: func(m landscapeRow) any { return m.Name }},
	{Name: "doc", JSON: func(m landscapeRow) any { return m.Doc }},
	{Name: "method", Header: "method", Flat: true, Exact: func(m landscapeRow) any { return m.Name }},
	{Name: "repeats", Flat: true, Exact: func(m landscapeRow) any { return len(m.Runs) }},
	{Name: "evaluations", Header: "evaluations", Text: evaluationsText, Exact: func(m landscapeRow) any { return m.evaluations() }},
	exactColumn("prerun", func(m landscapeRow) any { return m.prerun() }),
	{Name: "seconds", Header: "seconds", Exact: func(m landscapeRow) any { return medianSeconds(m.last) }},
	exactColumn("missed", func(m landscapeRow) any { return m.missed }),
}, divergenceColumns(0), divergenceColumns(1))

// divergenceColumns returns the columns for landscapeMeasures[k] and for its difference to the baseline.
func divergenceColumns(k int) report.Columns[landscapeRow] {
	m := landscapeMeasures[k]
	divergence := func(r landscapeRow) stats.Estimate { return r.divergence[k] }
	difference := func(r landscapeRow) stats.Estimate { return r.difference[k] }
	return append(
		report.Estimate(report.Column[landscapeRow]{Name: m.name, Header: m.header,
			Text: func(r landscapeRow) string { return divergence(r).WithError() }}, m.name+"_", divergence),
		report.Estimate(report.Column[landscapeRow]{Name: m.name + "_difference", Header: "less " + landscapeBaseline,
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
	exactColumn("method", func(p landscapePoint) any { return p.method }),
	exactColumn("repeat", func(p landscapePoint) any { return p.repeat }),
	exactColumn("evaluations", func(p landscapePoint) any { return p.Evaluations }),
	exactColumn("seconds", func(p landscapePoint) any { return p.Seconds }),
	exactColumn("kl_modes", func(p landscapePoint) any { return p.Modes }),
	exactColumn("kl_grid", func(p landscapePoint) any { return p.Grid }),
}

// landscapeLooks maps methods to line styles. Variants of a method have the same color.
var landscapeLooks = map[string]plot.Look{
	"SGLD": {Color: 0}, "cycSGLD": {Color: 1, Dash: 1}, "SVGD": {Color: 2, Dash: 2}, "reSGLD": {Color: 3, Dash: 3}, "CSGLD": {Color: 4}, "ICSGLD": {Color: 6},
	"CSGLD-flat": {Color: 4, Dash: 2}, "ICSGLD-flat": {Color: 6, Dash: 2}, "CSGLD-authors": {Color: 4, Dash: 1},
}

// klFigure plots both divergences of each method against gradient evaluations and, if time was measured, against time.
func klFigure(r *simulation.LandscapeResult) *plot.Panels {
	f := &plot.Panels{
		Title:    "How fast samplers find the masses of 25 modes",
		Subtitle: "25 modes in a box (Deng et al., ICLR 2022): mean KL divergence and one standard error",
		Captions: []string{
			fmt.Sprintf("Mean over %s; bands: one standard error. Evaluations are of the gradient, all chains together; those of the run from which θ starts are not counted. "+
				"Times are medians over the repeats; judging the estimates does not count. SVGD is judged by its particles, the others by all their samples. "+
				"The first 80th of a run does not count. KL(truth‖estimate): %g of the uniform distribution is mixed into the estimate.",
				words.Count(r.Options.Repeats, "repeat"), simulation.Smoothing),
		},
		Rows: 2, Width: 330, Height: 270,
	}
	for k, title := range []string{"25 modes: KL(truth‖estimate), nats", "50×50 cells: KL(estimate‖truth), nats"} {
		evaluations := plot.Panel{Title: title, X: "Evaluations of the gradient", Log: [2]bool{true, true}}
		time := plot.Panel{Title: title, X: "Seconds of " + r.Clock, Log: [2]bool{true, true}}
		for _, m := range r.Methods {
			c, t := plot.Series{Look: landscapeLooks[m.Name]}, plot.Series{Look: landscapeLooks[m.Name]}
			for i := range m.Runs[0].Points {
				points := lists.Each(m.Runs, func(r simulation.LandscapeRun) simulation.LandscapePoint { return r.Points[i] })
				e := stats.NewEstimate(lists.Each(points, landscapeMeasures[k].get))
				low, high := e.Mean, e.Mean
				if words.Finite(e.StdErr) {
					low, high = e.Mean-e.StdErr, e.Mean+e.StdErr
				}
				c.Add(float64(points[0].Evaluations), e.Mean, low, high)
				if s := medianSeconds(points); s > 0 {
					t.Add(s, e.Mean, low, high)
				}
			}
			evaluations.Curves = append(evaluations.Curves, c)
			time.Curves = append(time.Curves, t)
		}
		f.Panels = append(f.Panels, evaluations)
		if len(time.Curves[0].X) > 0 { // empty without a clock
			f.Panels = append(f.Panels, time)
		}
	}
	f.Legend = lists.Each(r.Methods, func(m simulation.LandscapeMethod) plot.LegendEntry {
		return plot.LegendEntry{Name: m.Name, Look: landscapeLooks[m.Name]}
	})
	return f
}

// densityFigure draws the true density, and the density that the first repeat of each method found.
func densityFigure(r *simulation.LandscapeResult) *plot.Heatmaps {
	const cell = 2 * density.LandscapeBox / simulation.GridSide
	densities := func(mass []float64) []float64 {
		return lists.Each(mass, func(p float64) float64 { return p / (cell * cell) })
	}
	truth := simulation.LandscapeTruth(simulation.GridSide)
	f := &plot.Heatmaps{
		Title: "The density found by each method", Subtitle: "25 modes in a box (Deng et al., ICLR 2022)",
		Captions: []string{fmt.Sprintf("Density per unit area over [−2.5, 2.5]², 50×50 cells, on one scale; higher densities have the color of its end. "+
			"The first of %s, at its end. Below: KL(truth‖estimate) of the 25 modes and KL(estimate‖truth) of the cells, in nats, of that repeat. "+
			"Samples of the contour methods are weighted by Ψ^ζ.", words.Count(r.Options.Repeats, "repeat"))},
		Top:  1.25 * slices.Max(truth) / (cell * cell),
		Maps: []plot.Heatmap{{Name: "Truth", Density: densities(truth)}},
	}
	for _, m := range r.Methods {
		run := m.Runs[0]
		last := run.Points[len(run.Points)-1]
		f.Maps = append(f.Maps, plot.Heatmap{Name: m.Name, Below: "KL " + words.Amount(last.Modes) + " · " + words.Amount(last.Grid), Density: densities(run.Grid)})
	}
	return f
}
