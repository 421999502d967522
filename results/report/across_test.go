package report

import (
	"fmt"
	"strings"
	"testing"

	"banditsim/internal/words"
	"banditsim/results/compare"
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
