package tables

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/lab/simulation"
	"banditsim/results/stats"
)

// landscapeResult returns a made-up result with two repeats of two methods.
func landscapeResult() *simulation.LandscapeResult {
	run := func(modes, grid, seconds float64) simulation.LandscapeRun {
		return simulation.LandscapeRun{
			Points: []simulation.LandscapePoint{{Evaluations: 10, Seconds: 1, Modes: 9, Grid: 9}, {Evaluations: 100, Seconds: seconds, Modes: modes, Grid: grid}},
			Prerun: 7, Modes: simulation.LandscapeTruth(5), Grid: simulation.LandscapeTruth(simulation.GridSide),
		}
	}
	return &simulation.LandscapeResult{
		Options: simulation.LandscapeOptions{Repeats: 2, Steps: 20, Methods: []string{"SGLD", "ICSGLD"}}, Clock: "wall time",
		Methods: []simulation.LandscapeMethod{
			{Name: "SGLD", Doc: "five chains", Runs: []simulation.LandscapeRun{run(0.5, 3, 2), run(0.7, 5, 4)}},
			{Name: "ICSGLD", Doc: "five chains", Runs: []simulation.LandscapeRun{run(0.2, 4, 3), run(0.3, 5, 3)}},
		},
		Draws: []simulation.LandscapePoint{{Modes: 0.01, Grid: 1}, {Modes: 0.03, Grid: 1}}, DrawParticles: 500,
	}
}

// TestLandscape compares estimates with values computed by hand, and checks the number of repeats that missed a mode.
func TestLandscape(t *testing.T) {
	r := landscapeResult()
	rows := landscapeRows(r)
	sgld, icsgld := rows[0], rows[1]
	checktest.Near(t, "SGLD's modes", sgld.divergence[0].Mean, 0.6, 1e-12)
	checktest.Near(t, "their standard error", sgld.divergence[0].StdErr, 0.1, 1e-12) // 0.1·√2/√2
	checktest.Near(t, "ICSGLD's grid", icsgld.divergence[1].Mean, 4.5, 1e-12)
	// The differences by repeat are .3 and .4: mean .35, standard error .05; the t quantile for one degree of freedom is 12.7062.
	checktest.Near(t, "difference", sgld.difference[0].Mean, 0.35, 1e-12)
	checktest.Near(t, "its low end", sgld.difference[0].Low, 0.35-12.7062*0.05, 1e-5)
	checktest.Near(t, "difference of the grid", sgld.difference[1].Mean, -0.5, 1e-12)
	d := icsgld.difference[0]
	must.That(t, d.N == 0 && !d.HasInterval(), "ICSGLD less itself: %+v", d)
	wantTexts(t, Landscape(r), map[report.Format][]string{
		report.Text: {"2 repeats", "100 + 7", "0.60 ± 0.10", "[−0.29, 0.99]", "500 independent draws", "wall time", "modes 0.020 ± 0.010",
			"0.001 of the uniform distribution", "every repeat of every method has samples in all 25 modes"},
		report.CSV:  {"\nSGLD,2,100,7,3,0,0.6,"},
		report.JSON: {`"missed": 0,`},
	})
	r.Methods[0].Runs[1].Modes[7] = 0
	wantTexts(t, Landscape(r), map[report.Format][]string{report.Text: {"SGLD: in 1 of 2 repeats a mode has no sample\n"}, report.CSV: {"\nSGLD,2,100,7,3,1,0.6,"}})
	r.Methods = r.Methods[:1]
	must.Equal(t, "repeats of a difference without ICSGLD", landscapeRows(r)[0].difference[0].N, 0)
}

func TestWithError(t *testing.T) {
	for _, c := range []struct {
		mean, se float64
		want     string
	}{
		{0.01851, 0.001234, "0.0185 ± 0.0012"},
		{1.5, 0.3, "1.50 ± 0.30"},
		{123.4, 12, "123 ± 12"},
		{0.5, math.NaN(), "0.500"},
	} {
		must.Equal(t, fmt.Sprint(c.mean, c.se), stats.Estimate{Mean: c.mean, StdErr: c.se}.WithError(), c.want)
	}
}

// TestPlotLandscape checks that the figures show all methods, and that panels against time exist only if time was measured.
func TestPlotLandscape(t *testing.T) {
	o := simulation.DefaultLandscape()
	o.Repeats, o.Steps = 2, 160
	ticks := 0.0
	r := must.Get(simulation.Landscape(context.Background(), o, &simulation.Crew{Workers: 1, Clock: simulation.Clock{Name: "ticks", Now: func() float64 { ticks++; return ticks }}}))(t)
	density, kl := svgOf(t, densityFigure(r)), svgOf(t, klFigure(r))
	for _, m := range o.Methods {
		must.That(t, strings.Contains(density, ">"+m+"<") && strings.Contains(kl, ">"+m+"<"), "a figure without %s", m)
	}
	// A map for the truth and each method, and the scale.
	must.Equal(t, "pictures", strings.Count(density, `xlink:href="data:image/png;base64,iVBOR`), len(o.Methods)+2)
	must.Equal(t, "panels against time", strings.Count(kl, "Seconds of ticks"), 2)
	for _, m := range r.Methods {
		for _, run := range m.Runs {
			for i := range run.Points {
				run.Points[i].Seconds = 0
			}
		}
	}
	must.That(t, !strings.Contains(svgOf(t, klFigure(r)), "Seconds"), "a panel against no time")
}
