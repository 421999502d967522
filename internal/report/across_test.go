package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// TestWilcoxonOfFewEnvironments: the smallest p-value of n environments is 2/2ⁿ, times the number of tests; the note says so where it is not
// below 0.05, and only there.
func TestWilcoxonOfFewEnvironments(t *testing.T) {
	for _, c := range []struct {
		environments, tests int
		want                string // the smallest p-value; "" where it is below 0.05
	}{
		{2, 1, "0.500"}, {5, 1, "0.062"}, {6, 1, ""}, {6, 2, "0.062"}, {7, 3, ""}, {3, 6, "1"}, {70, 3, ""},
	} {
		a := &compare.Across{Environments: make([]compare.AcrossEnvironment, c.environments)}
		for i := range c.tests {
			a.Pairs = append(a.Pairs, compare.Pair{Policy: "A", Other: fmt.Sprint("B", i), P: words.Float(1), Holm: words.Float(1)})
		}
		note := strings.Join(wilcoxonNotes(a), "\n")
		want := "no pair differs"
		if c.want != "" {
			want = "no smaller p than " + c.want
		}
		if !strings.HasSuffix(note, want) {
			t.Errorf("%d environments, %d tests: %q, want %q", c.environments, c.tests, note, want)
		}
	}
}

// TestAcrossIntervals: each row has the interval of its policy in its environment, the lower end first.
func TestAcrossIntervals(t *testing.T) {
	a := &compare.Across{
		Metric:       compare.Expected(),
		Environments: []compare.AcrossEnvironment{{Label: "a"}, {Label: "b"}},
		Policies: []compare.AcrossPolicy{{
			Policy: "p", Ranks: []float64{1, 2}, Regret: []float64{5, 50},
			Intervals: []stats.Estimate{{N: 3, Mean: 5, Low: 4, High: 7}, {N: 3, Mean: 50, Low: 40, High: 70}},
		}},
	}
	names, rows := Data(acrossColumns(a), []acrossRow{{&a.Policies[0], 0, a}, {&a.Policies[0], 1, a}}).Values()
	for k, name := range names {
		want, ok := map[string][2]any{"regret": {5., 50.}, "regret_low": {4., 40.}, "regret_high": {7., 70.}, "rank": {1., 2.}}[name]
		if ok && (rows[0][k] != want[0] || rows[1][k] != want[1]) {
			t.Errorf("%s: %v and %v, want %v", name, rows[0][k], rows[1][k], want)
		}
	}
}

// TestComparisonWinner: the row of the lowest mean, of which the first is the baseline's.
func TestComparisonWinner(t *testing.T) {
	for _, c := range []struct {
		differences []float64
		want        int
	}{{nil, 0}, {[]float64{1, 2}, 0}, {[]float64{0}, 0}, {[]float64{-1}, 1}, {[]float64{-2, -5, 3}, 2}, {[]float64{4, 1, -0.5}, 3}} {
		comparison := &compare.Comparison{}
		for _, mean := range c.differences {
			comparison.Differences = append(comparison.Differences, compare.Difference{Mean: stats.Estimate{Mean: mean}})
		}
		if got := comparisonWinner(comparison); !slices.Equal(got, []int{c.want}) {
			t.Errorf("differences %v: row %v, want %d", c.differences, got, c.want)
		}
	}
}

// TestMistakesNotShown: the note counts the arms with wrong pulls that no row shows, of all policies.
func TestMistakesNotShown(t *testing.T) {
	wrong := func(n int) (arms []compare.ArmMistakes) {
		for i := range n {
			arms = append(arms, compare.ArmMistakes{Arm: fmt.Sprint("arm ", i), Pulls: 9, Wrong: 1, Regret: 1})
		}
		return append(arms, compare.ArmMistakes{Arm: "right", Pulls: 9})
	}
	t1 := MistakesTable([]compare.Mistakes{{Policy: "p", Seeds: 1, Regret: 5, Arms: wrong(5)}, {Policy: "q", Seeds: 1, Regret: 7, Arms: wrong(7)}, {Policy: "r", Seeds: 1, Arms: wrong(3)}})
	if len(t1.Rows) != 9 || len(t1.Notes) != 1 || !strings.HasPrefix(t1.Notes[0], "6 arms with less regret not shown") {
		t.Errorf("%d rows, notes %q", len(t1.Rows), t1.Notes)
	}
	if none := MistakesTable([]compare.Mistakes{{Policy: "r", Seeds: 1, Arms: wrong(3)}}); len(none.Notes) != 0 {
		t.Errorf("all are shown: %q", none.Notes)
	}
}
