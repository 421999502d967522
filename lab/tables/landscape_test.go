package tables

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/report"
	"banditsim/lab/simulation"
	"banditsim/results/stats"
)

// landscapeResult has two repeats of two methods, made up.
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

func TestSummarizeLandscape(t *testing.T) {
	s := SummarizeLandscape(landscapeResult())
	sgld, icsgld := s.Methods[0], s.Methods[1]
	checktest.Near(t, "SGLD's modes", sgld.Modes.Mean, 0.6, 1e-12)
	checktest.Near(t, "their standard error", sgld.Modes.StdErr, 0.1, 1e-12) // 0.1·√2/√2
	checktest.Near(t, "ICSGLD's grid", icsgld.Grid.Mean, 4.5, 1e-12)
	checktest.Near(t, "seconds", sgld.Seconds, 3, 0)
	// By repeat .3 and .4: mean .35, standard error .05, t with one degree of freedom 12.7062.
	checktest.Near(t, "difference", sgld.ModesDifference.Mean, 0.35, 1e-12)
	checktest.Near(t, "its low end", sgld.ModesDifference.Low, 0.35-12.7062*0.05, 1e-5)
	checktest.Near(t, "difference of the grid", sgld.GridDifference.Mean, -0.5, 1e-12)
	if icsgld.ModesDifference.N != 0 || icsgld.ModesDifference.HasInterval() {
		t.Errorf("ICSGLD less itself: %+v", icsgld.ModesDifference)
	}
	checktest.Near(t, "draws", s.DrawModes.Mean, 0.02, 1e-12)

	alone := landscapeResult()
	alone.Methods = alone.Methods[:1]
	if d := SummarizeLandscape(alone).Methods[0].ModesDifference; d.N != 0 {
		t.Errorf("a difference without ICSGLD: %+v", d)
	}
}

func TestLandscapeTable(t *testing.T) {
	s := SummarizeLandscape(landscapeResult())
	var b bytes.Buffer
	if err := s.Render(&b, report.Text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 repeats", "100 + 7", "0.60 ± 0.10", "[−0.29, 0.99]", "500 independent draws", "wall time",
		"0.001 of the uniform distribution", "every repeat of every method has samples in all 25 modes"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := s.Render(&b, report.CSV); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(b.String(), "\n"); !strings.HasPrefix(lines[1], "SGLD,2,100,7,3,0,0.6,") {
		t.Errorf("row %q", lines[1])
	}
	b.Reset()
	if err := s.Render(&b, report.JSON); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("JSON %s, %v", b.String(), err)
	}
}

// TestLandscapeMissed: repeats that have missed a mode are counted, and told of the methods
// that have such.
func TestLandscapeMissed(t *testing.T) {
	r := landscapeResult()
	r.Methods[0].Runs[1].Modes[7] = 0
	s := SummarizeLandscape(r)
	if sgld, icsgld := s.Methods[0].Missed, s.Methods[1].Missed; sgld != 1 || icsgld != 0 {
		t.Errorf("SGLD has missed %d, ICSGLD %d, want 1 and 0", sgld, icsgld)
	}
	for f, want := range map[report.Format]string{report.Text: "SGLD: in 1 of 2 repeats a mode has no sample\n", report.CSV: "\nSGLD,2,100,7,3,1,0.6,", report.JSON: `"missed": 1,`} {
		var b bytes.Buffer
		if err := s.Render(&b, f); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "all 25 modes") || strings.Contains(b.String(), "ICSGLD: in") {
			t.Errorf("no %q, or more than that, in\n%s", want, b.String())
		}
	}
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
		if got := (stats.Estimate{Mean: c.mean, StdErr: c.se}).WithError(); got != c.want {
			t.Errorf("%g, %g: %q, want %q", c.mean, c.se, got, c.want)
		}
	}
}

// TestPlotLandscape draws a short run of all methods, twice: the bytes are the same, and
// what should be there is there.
func TestPlotLandscape(t *testing.T) {
	o := simulation.DefaultLandscape()
	o.Repeats, o.Steps = 2, 160
	ticks := 0.0
	r, err := simulation.Landscape(context.Background(), o, &simulation.Crew{Workers: 1, Clock: simulation.Clock{Name: "ticks", Now: func() float64 { ticks++; return ticks }}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	read := func() (contents []string) {
		paths, err := PlotLandscape(dir, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			contents = append(contents, string(b))
		}
		return contents
	}
	once, again := read(), read()
	for i := range once {
		if once[i] != again[i] {
			t.Errorf("figure %d: two drawings differ", i)
		}
		if strings.Contains(once[i], "NaN") || strings.Contains(once[i], "Inf") {
			t.Errorf("figure %d has a number that is none", i)
		}
		for _, m := range o.Methods {
			if !strings.Contains(once[i], ">"+m+"<") {
				t.Errorf("figure %d: no %s", i, m)
			}
		}
	}
	// A map for the truth and each method, and the scale.
	if n := strings.Count(once[0], `xlink:href="data:image/png;base64,iVBOR`); n != len(o.Methods)+2 {
		t.Errorf("%d pictures, want %d", n, len(o.Methods)+2)
	}
	if !strings.Contains(once[1], "0.001 of the") {
		t.Error("the figure does not tell of the smoothing")
	}
	if n := strings.Count(once[1], "Seconds of ticks"); n != 2 {
		t.Errorf("%d panels against time, want 2", n)
	}
	// The legend stands to the right of every curve.
	legend := math.Inf(1)
	for _, m := range regexp.MustCompile(`<text x="([0-9.]+)"[^>]*>\s*(?:[A-Za-z-]*SGLD[a-z-]*|SVGD)</text>`).FindAllStringSubmatch(once[1], -1) {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		legend = min(legend, x)
	}
	curves := 0
	for _, path := range regexp.MustCompile(`<path d="(M[^"Z]*)"[^>]*stroke-width:1.5[;"]`).FindAllStringSubmatch(once[1], -1) {
		points := regexp.MustCompile(`[ML]([0-9.]+),`).FindAllStringSubmatch(path[1], -1)
		if len(points) < 3 {
			continue // a line of the legend
		}
		curves++
		for _, p := range points {
			if x, _ := strconv.ParseFloat(p[1], 64); !(x < legend-24) {
				t.Fatalf("a curve goes to %g, the legend begins at %g", x, legend-24)
			}
		}
	}

	if curves != 4*len(o.Methods) || math.IsInf(legend, 1) {
		t.Errorf("%d curves beside a legend at %g, want %d", curves, legend, 4*len(o.Methods))
	}

	// Without a clock there is nothing against time.
	for _, m := range r.Methods {
		for _, run := range m.Runs {
			for i := range run.Points {
				run.Points[i].Seconds = 0
			}
		}
	}
	if b := read()[1]; strings.Contains(b, "Seconds") {
		t.Error("a panel against no time")
	}

	paths, err := WriteLandscape(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	var back simulation.LandscapeResult
	b, err := os.ReadFile(filepath.Join(dir, "landscape.json"))
	if err != nil || json.Unmarshal(b, &back) != nil || back.Methods[5].Runs[1].Points[3] != r.Methods[5].Runs[1].Points[3] {
		t.Errorf("%v: the numbers do not come back: %v", paths, err)
	}
}
