package tables

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/lab/simulation"
)

// varianceResult returns a made-up result with log-normal θ. manySD and oneSD are the standard deviations of log θ.
func varianceResult(repeats int, manySD, oneSD float64, r *stream.Stream) *simulation.VarianceResult {
	o := simulation.DefaultVariance()
	o.Repeats = repeats
	result := &simulation.VarianceResult{Options: o, Clock: "wall time"}
	for i := range simulation.KeptBins {
		result.Truth = append(result.Truth, math.Pow(10, -float64(i)/2)/2)
		result.Mass = append(result.Mass, math.Pow(10, -float64(i)))
	}
	for i := range shownBins - 1 { // the last shown bin has no AtStep, as at the default ε
		result.AtStep = append(result.AtStep, result.Truth[i]*0.75)
	}
	method := func(name string, sd float64, chains int) simulation.VarianceMethod {
		m := simulation.VarianceMethod{Name: name, Chains: chains}
		for range repeats {
			z := make([]float32, simulation.KeptBins)
			r.Normals(z)
			theta := make([]float64, simulation.KeptBins)
			for i := range theta {
				theta[i] = result.Truth[i] * math.Exp(sd*float64(z[i]))
			}
			m.Runs = append(m.Runs, simulation.VarianceRun{Evaluations: []int{1, 10}, Theta: [][]float64{make([]float64, simulation.KeptBins), theta}, Seconds: 2})
		}
		return m
	}
	result.Interacting, result.Single = method("ICSGLD", manySD, 10), method("CSGLD", oneSD, 1)
	return result
}

func TestVariance(t *testing.T) {
	r := varianceResult(3, 0.1, 0.2, stream.Root(1).Child("variance"))
	for i, v := range []float64{0.4, 0.5, 0.6} { // variance .01
		r.Interacting.Runs[i].Theta[1][0] = v
		r.Single.Runs[i].Theta[1][0] = 2 * v // .04
	}
	s := summarizeVariance(r)
	b := s.bins[0]
	checktest.Near(t, "mean", b.interacting.Mean, 0.5, 1e-12)
	checktest.Near(t, "standard deviation", b.interacting.SD, 0.1, 1e-12)
	checktest.Near(t, "ratio", float64(b.ratio.Value), 4, 1e-12)
	checktest.Near(t, "energy", b.high, 2.15, 1e-12)
	checktest.Near(t, "theory", s.Options.Theory(), 2.56, 5e-3)
	pooled := 1.0
	for _, b := range s.bins[:pooledBins] {
		pooled *= float64(b.ratio.Value)
	}
	checktest.Near(t, "pooled", float64(s.pooled.Value), math.Pow(pooled, 1./pooledBins), 1e-12)

	wantTexts(t, Variance(r), map[report.Format][]string{report.Text: {"0.5 ± 0.2", "ICSGLD×P10", "CSGLD×T10", "theory: 2.56", "3 repeats"}})
}

// TestVarianceAtStep checks the column of θ at a finite step size, and that a note explains missing values.
func TestVarianceAtStep(t *testing.T) {
	render := func(rate float64, atStep []float64, f report.Format) string {
		r := varianceResult(3, 0.1, 0.2, stream.Root(1).Child("at step"))
		r.Options.LearningRate, r.AtStep = rate, atStep
		var b bytes.Buffer
		must.OK(t, Variance(r).Render(&b, f))
		return b.String()
	}
	all := make([]float64, shownBins)
	for i := range all {
		all[i] = 0.125
	}
	for _, c := range []struct {
		rate   float64
		atStep []float64
		column bool
		note   string
	}{
		{0.02, all, true, "for the same time\n"},
		{0.02, all[:9], true, "for the same time; –: it would depend on the ends of the bins\n"},
		{0.001, nil, false, "is left out: below ε = 0.002 it takes too long"},
		{0.1, nil, false, "is left out: none was found at so large a step"},
	} {
		text := render(c.rate, c.atStep, report.Text)
		must.That(t, strings.Contains(text, c.note), "ε = %g: no %q in\n%s", c.rate, c.note, text)
		head := strings.Join(strings.Fields(strings.Split(text, "\n")[3]), " ")
		must.That(t, strings.Contains(head, fmt.Sprintf("truth at ε = %g ICSGLD", c.rate)) == c.column &&
			strings.Count(text, "0.125") == len(c.atStep), "ε = %g: columns %q\n%s", c.rate, head, text)
		rows, err := csv.NewReader(strings.NewReader(render(c.rate, c.atStep, report.CSV))).ReadAll()
		must.Hold(t, err == nil && rows[0][5] == "at_step", "header %q, %v", rows[0], err)
		for i, row := range rows[1:] { // the last row is for the pooled ratio
			want := i < len(c.atStep)
			must.That(t, (row[5] == "0.125") == want && (row[5] == "") != want, "ε = %g, row %d: %q", c.rate, i+1, row[5])
		}
		must.Equal(t, fmt.Sprintf("ε = %g: bins of JSON with at_step", c.rate), strings.Count(render(c.rate, c.atStep, report.JSON), `"at_step": 0.125`), len(c.atStep))
	}
}

// TestVarianceIntervals checks the coverage of the intervals, with 40 repeats of normal values.
// Percentile intervals for variances are known to be a little too short
// (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 14.2): the coverage in 300 experiments must be
// at least 90 %, less 4 standard errors, and at most 98 %.
func TestVarianceIntervals(t *testing.T) {
	if testing.Short() {
		t.Skip("300 bootstraps")
	}
	const experiments, repeats, ratio = 300, 40, 2.56
	root := stream.Root(2).Child("intervals")
	hits, pooled := 0.0, 0.0
	for e := range experiments {
		r := root.Child(e)
		many, one := make([][]float64, repeats), make([][]float64, repeats)
		z := make([]float32, shownBins)
		for i := range repeats {
			many[i], one[i] = make([]float64, shownBins), make([]float64, shownBins)
			r.Normals(z)
			for k, v := range z {
				many[i][k] = float64(v)
			}
			r.Normals(z)
			for k, v := range z {
				one[i][k] = math.Sqrt(ratio) * float64(v)
			}
		}
		ratios := bootstrapRatios(many, one, 199, r.Child("bootstrap"))
		inside := func(k int) float64 {
			if p := percentiles(0, ratios[k]); float64(p.Low) <= ratio && ratio <= float64(p.High) {
				return 1
			}
			return 0
		}
		for k := range shownBins {
			hits += inside(k) / shownBins
		}
		pooled += inside(shownBins)
	}
	t.Logf("coverage: %.3f of a bin, %.3f pooled", hits/experiments, pooled/experiments)
	se := math.Sqrt(0.9 * 0.1 / experiments)
	for name, share := range map[string]float64{"a bin": hits / experiments, "pooled": pooled / experiments} {
		must.That(t, share >= 0.9-4*se && share <= 0.98, "%s: %.3f of the intervals hold the ratio", name, share)
	}
}

// TestPlotVariance draws results of several kinds, also without variance (there are no ratios) and without AtStep.
func TestPlotVariance(t *testing.T) {
	for name, r := range map[string]*simulation.VarianceResult{
		"usual":       varianceResult(5, 0.1, 0.2, stream.Root(3).Child("usual")),
		"wide":        varianceResult(5, 2, 3, stream.Root(3).Child("wide")), // the mean less two standard deviations is below 0
		"no variance": varianceResult(5, 0, 0, stream.Root(3).Child("none")),
		"no step":     varianceResult(5, 0.1, 0.2, stream.Root(3).Child("usual")),
	} {
		if name == "no step" {
			r.AtStep = nil
		}
		s := summarizeVariance(r)
		b := svgOf(t, varianceFigure(s))
		must.Contain(t, b, ">truth<", ">ICSGLD×P10<", ">theory: 2.56<", ">Energy bin<")
		must.Equal(t, name+": θ of the finite step in the legend", strings.Contains(b, ">at ε = 0.02<"), name != "no step")
		wantTexts(t, Variance(r), map[report.Format][]string{report.JSON: nil})
	}
}
