package reportcard

import (
	"slices"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/verify"
)

// TestCondensed checks what a card prints for a check: every failure; otherwise the worst number; and, if
// several properties hold exactly, what the check proves rather than the name of one property.
func TestCondensed(t *testing.T) {
	result := func(name string, v verify.Verdict, got float64) cardResult {
		r := verify.Result{Statistic: name, Verdict: v, Got: got, Tolerance: 8, Numbers: 1}
		return cardResult{Proves: "what is proved", Verdict: v, Numbers: 1, result: r}
	}
	exact := func(name string) cardResult {
		c := result(name, verify.Pass, 0)
		c.result.Tolerance = 0
		return c
	}
	worse := result("worse", verify.Pass, 4)
	worse.result.Want = 1
	for _, c := range []struct {
		name    string
		results []cardResult
		want    []string // statistics
		numbers int      // numbers that the first result stands for
	}{
		{"exact", []cardResult{exact("a"), exact("b")}, []string{"what is proved"}, 2},
		{"one alone", []cardResult{exact("a")}, []string{"a"}, 1},
		{"numbers", []cardResult{result("better", verify.Pass, 0.5), worse, exact("a")}, []string{"worse"}, 3},
		{"with a note", []cardResult{exact("a"), result("note", verify.Note, 1)}, []string{"what is proved", "note"}, 1},
		{"failures", []cardResult{worse, result("x", verify.Fail, 9), result("y", verify.Fail, 8)}, []string{"x", "y"}, 1},
		{"notes alone", []cardResult{result("note", verify.Note, 1)}, []string{"note"}, 1},
	} {
		list := condensed(c.results)
		got := lists.Each(list, func(r cardResult) string { return r.result.Statistic })
		must.That(t, slices.Equal(got, c.want) && list[0].Numbers == c.numbers,
			"%s: %q of %d numbers, want %q of %d", c.name, got, list[0].Numbers, c.want, c.numbers)
	}
}
