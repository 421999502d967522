package tables

import (
	"fmt"
	"slices"

	"banditsim/internal/words"
	"banditsim/lab/density"
	"banditsim/lab/simulation"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// landscapeLooks gives the variants of a method its color.
var landscapeLooks = map[string]plot.Look{
	"SGLD": {Color: 0}, "cycSGLD": {Color: 1, Dash: 1}, "SVGD": {Color: 2, Dash: 2}, "reSGLD": {Color: 3, Dash: 3}, "CSGLD": {Color: 4}, "ICSGLD": {Color: 6},
	"CSGLD-flat": {Color: 4, Dash: 2}, "ICSGLD-flat": {Color: 6, Dash: 2}, "CSGLD-authors": {Color: 4, Dash: 1},
}

// klFigure shows two divergences of each method over evaluations and, if it was measured, over time.
func klFigure(r LandscapeResult) *plot.Panels {
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
				var points []simulation.LandscapePoint
				for _, run := range m.Runs {
					points = append(points, run.Points[i])
				}
				e := stats.NewEstimate(valuesOf(points, landscapeMeasures[k].get))
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
		if len(time.Curves[0].X) > 0 { // none without a clock
			f.Panels = append(f.Panels, time)
		}
	}
	for _, m := range r.Methods {
		f.Legend = append(f.Legend, plot.LegendEntry{Name: m.Name, Look: landscapeLooks[m.Name]})
	}
	return f
}

// densityFigure shows the truth and the density that the first repeat of each method found.
func densityFigure(r LandscapeResult) *plot.Heatmaps {
	const cell = 2 * density.LandscapeBox / simulation.GridSide
	densities := func(mass []float64) []float64 {
		d := make([]float64, len(mass))
		for i, p := range mass {
			d[i] = p / (cell * cell)
		}
		return d
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

// Plot writes the figures to dir: landscape-density.svg, the density found by each method, and landscape-kl.svg, how good the
// estimates were. It returns the paths.
func (r LandscapeResult) Plot(dir string) ([]string, error) {
	return writeFigures(dir, namedFigure{"landscape-density.svg", densityFigure(r)}, namedFigure{"landscape-kl.svg", klFigure(r)})
}
