package plot

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"banditsim/internal/words"
	"banditsim/results/compare"
)

// TestBarsOfRanks: a bar reaches half of the critical difference to both sides of its policy's mean rank, so that bars of policies that
// are a critical difference apart touch. A rank is as far from the next on the axis.
func TestBarsOfRanks(t *testing.T) {
	const critical = 0.8
	a := &compare.Across{Metric: compare.Expected(), CriticalDifference: words.Float(critical), Environments: make([]compare.AcrossEnvironment, 9)}
	ranks := []float64{2, 2 + critical, 3.5, 4}
	for i, r := range ranks {
		a.Policies = append(a.Policies, compare.AcrossPolicy{Policy: string(rune('A' + i)), MeanRank: r})
	}
	svg, err := SVG(Ranks(a))
	if err != nil {
		t.Fatal(err)
	}
	number := func(s []byte) float64 {
		v, err := strconv.ParseFloat(string(s), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var bars [][2]float64
	for _, m := range regexp.MustCompile(`<path d="M([\d.]+),[\d.]+L([\d.]+),[\d.]+" style="[^"]*stroke-width:8[;"]`).FindAllSubmatch(svg, -1) {
		bars = append(bars, [2]float64{number(m[1]), number(m[2])})
	}
	if len(bars) != len(ranks) {
		t.Fatalf("%d bars in %s", len(bars), svg)
	}
	middle := func(i int) float64 { return (bars[i][0] + bars[i][1]) / 2 }
	unit := (middle(1) - middle(0)) / critical // width of a rank
	for i := range bars[:3] {                  // that of the last policy ends at the end of the axis
		if got, want := middle(i)-middle(0), unit*(ranks[i]-ranks[0]); !(math.Abs(got-want) < 0.05) {
			t.Errorf("policy %d is drawn %.2f from the first, want %.2f", i, got, want)
		}
		if got, want := bars[i][1]-bars[i][0], unit*critical; !(math.Abs(got-want) < 0.05) {
			t.Errorf("the bar of policy %d is %.2f long, want %.2f", i, got, want)
		}
	}
	if !(math.Abs(bars[0][1]-bars[1][0]) < 0.05) {
		t.Errorf("bars a critical difference apart end at %.2f and begin at %.2f", bars[0][1], bars[1][0])
	}
}
