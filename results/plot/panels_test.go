package plot

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.05, 30, "0.1 1 10"},
		{0.05, 9, "0.1 0.3 1 3"},
		{100, 1000, "100 200 500 1,000"},
		{87, 101, "90 95 100"},
		{2.1, 5, "3 4 5"},
	} {
		var labels []string
		for _, m := range (logTicks{}).Ticks(c.low, c.high) {
			must.That(t, m.Value >= c.low*(1-1e-9) && m.Value <= c.high*(1+1e-9),
				"a tick at %g, outside of %g to %g", m.Value, c.low, c.high)
			if m.Label != "" {
				labels = append(labels, m.Label)
			}
		}
		must.Equal(t, fmt.Sprintf("%g to %g", c.low, c.high), strings.Join(labels, " "), c.want)
	}
}

// TestLogAxis checks the ends of logarithmic axes: gonum panics unless they are above 0.
func TestLogAxis(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		low, high float64
	}{
		{nil, 0.1, 10},
		{[]float64{0, -1, math.NaN(), math.Inf(1)}, 0.1, 10},
		{[]float64{3}, 1.5, 6},
		{[]float64{4, 2, 0}, 2, 4},
	} {
		r := newRange()
		for _, v := range c.values {
			r.add(v)
		}
		var a plot.Axis
		r.logAxis(&a, 1)
		must.Near(t, "low", a.Min, c.low, 1e-12)
		must.Near(t, "high", a.Max, c.high, 1e-12)
	}
}

// TestBarsOfRanks checks that a bar extends by half of the critical difference to both sides of its policy's mean rank, so that bars of
// policies that are a critical difference apart touch.
func TestBarsOfRanks(t *testing.T) {
	const critical = 0.8
	a := &compare.Across{Metric: compare.Expected(), CriticalDifference: words.Float(critical), Environments: make([]compare.AcrossEnvironment, 9)}
	ranks := []float64{2, 2 + critical, 3.5, 4}
	for i, r := range ranks {
		a.Policies = append(a.Policies, compare.AcrossPolicy{Policy: string(rune('A' + i)), MeanRank: r})
	}
	svg := must.Get(SVG(Ranks(a)))(t)
	number := func(s []byte) float64 {
		return must.Get(strconv.ParseFloat(string(s), 64))(t)
	}
	var bars [][2]float64
	for _, m := range regexp.MustCompile(`<path d="M([\d.]+),[\d.]+L([\d.]+),[\d.]+" style="[^"]*stroke-width:8[;"]`).FindAllSubmatch(svg, -1) {
		bars = append(bars, [2]float64{number(m[1]), number(m[2])})
	}
	must.Hold(t, len(bars) == len(ranks), "%d bars in %s", len(bars), svg)
	middle := func(i int) float64 { return (bars[i][0] + bars[i][1]) / 2 }
	unit := (middle(1) - middle(0)) / critical // width of a rank
	for i := range bars[:3] {                  // the last policy's bar is cut off at the end of the axis
		got, want := middle(i)-middle(0), unit*(ranks[i]-ranks[0])
		must.That(t, math.Abs(got-want) < 0.05, "policy %d is drawn %.2f from the first, want %.2f", i, got, want)
		if got, want := bars[i][1]-bars[i][0], unit*critical; !(math.Abs(got-want) < 0.05) {
			t.Errorf("the bar of policy %d is %.2f long, want %.2f", i, got, want)
		}
	}
	must.That(t, math.Abs(bars[0][1]-bars[1][0]) < 0.05,
		"bars a critical difference apart end at %.2f and begin at %.2f", bars[0][1], bars[1][0])
}

// TestPDF checks that a PDF is small, as it embeds only the glyphs that it uses, and that its text can be beyond code page 1252.
func TestPDF(t *testing.T) {
	o := DefaultOptions()
	o.Title = "Größe ± 1, ε → 0, \U0001f344"
	path := filepath.Join(t.TempDir(), "a.pdf")
	must.OK(t, Regret(path, []*results.Set{resultstest.Trials(t, []string{"a", "b", "c"}, 2, 30, nil)}, o))
	b := resultstest.ReadFile(t, path)
	must.That(t, len(b) <= 60_000, "%d bytes, want at most 60,000", len(b))
	must.That(t, bytes.HasPrefix(b, []byte("%PDF-")) && bytes.HasSuffix(b, []byte("%%EOF\n")) &&
		bytes.Contains(b, []byte("/ToUnicode")), "no PDF with a map to Unicode: %.20q … %q", b, b[len(b)-20:])
}
