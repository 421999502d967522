package report

import (
	"bytes"
	"math"
	"strings"
	"syscall"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

// tabled returns a set with a failed trial, a policy with one seed, and a policy whose name has special characters.
func tabled() *results.Set {
	nan := math.NaN()
	return resultstest.Set(map[string][]float64{
		"pICSGLD":  {5000, 5040, 4990},
		"a|b\x1b*": {6000, nan, 6100},
		"slow":     {9000, nan, nan},
	})
}

func summaryOf(t *testing.T, set *results.Set) *compare.Summary {
	t.Helper()
	return must.Get(compare.Summarize(set))(t)
}

func TestSummaryText(t *testing.T) {
	text := show(t, Summary(summaryOf(t, tabled())), Text)
	want := `pICSGLD has the lowest expected regret, 5,010 ± 66 over 3 seeds (median 5,000, worst 5,040 on seed 2); the difference to the second, a|b?*, is 1,055 [356, 1,754]: 2 pairs settle nothing, try --seeds 1..10.

Cumulative regret, mean ± half of the 95 % t-interval over 1 to 3 seeds
UCI mushroom data · 100 rounds × 20 pulls, the first 1,024 pulls at random

 policy   seeds  expected regret  % of uniform  after burn-in  % of uniform  realised regret  failed
─────────────────────────────────────────────────────────────────────────────────────────────────────
 pICSGLD      3       5,010 ± 66        51.0 %     2,505 ± 33        53.1 %       4,010 ± 66       0
 a|b?*        2      6,050 ± 635        61.6 %    3,025 ± 318        64.2 %      5,050 ± 635       1
 slow         1            9,000        91.6 %          4,500        95.5 %            8,000       2

Expected regret by seed:
pICSGLD:  median 5,000,  best 4,990 (seed 3),  worst 5,040 (seed 2)
a|b?*: 1 failed: seed 2 (not in the means)
  seed 2, round 10: NaN
slow: 2 failed: seeds 2, 3 (not in the means)
  seed 2, round 10: NaN
  seed 3, round 10: NaN
`
	must.That(t, text == want, "got\n%s\nwant\n%s", text, want)
}

func TestComparisonText(t *testing.T) {
	c := mustCompareTo(t, tabled(), "", compare.Expected())
	text := show(t, Comparison(c), Text)
	want := `pICSGLD has the lowest expected regret, 5,010 ± 66 over 3 seeds (median 5,000, worst 5,040 on seed 2); the difference to the second, a|b?*, is 1,055 [356, 1,754]: 2 pairs settle nothing, try --seeds 1..10.

Cumulative expected regret less that of pICSGLD, paired by seed: mean, 95 % t-interval

 policy   seeds  difference  95 % interval  p (t)  p (flip)     needed  rank  P(best)
──────────────────────────────────────────────────────────────────────────────────────
 pICSGLD      –    baseline              –      –         –          –  1.00        –
 a|b?*        2       1,055   [356, 1,754]      –         –  ?       6  2.00        –
 slow         1       4,000              –      –         –  –       –  3.00        –

above 0: pICSGLD is better · no tests: they need 6 pairs · columns: banditsim help compare
UCI mushroom data · 100 rounds × 20 pulls, the first 1,024 pulls at random
warning: a|b?*: paired with pICSGLD on the 2 of 3 seeds that both finished; left out: 2
warning: slow: 1 seed in common with pICSGLD: no interval, need at least 2
warning: 2 seeds settle nothing: need at least 6 for tests and for intervals to be trusted
warning: a|b?*: 1 failed: seed 2
  seed 2, round 10: NaN
warning: slow: 2 failed: seeds 2, 3
  seed 2, round 10: NaN
  seed 3, round 10: NaN
`
	must.That(t, squeeze(text) == squeeze(want), "got\n%s\nwant\n%s", text, want)
	c = mustCompareTo(t, resultstest.Set(map[string][]float64{"a": {1, 2, 3, 4, 5, 6}, "b": {2, 1, 4, 3, 6, 5}}), "", compare.Expected())
	if text = rendered(t, c, Text); !strings.Contains(text, "  ~  ") {
		t.Errorf("no ~ in\n%s", text)
	}
}

// squeeze replaces white space in lines by single blanks, and drops lines that are empty or rules.
func squeeze(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.Join(strings.Fields(line), " ")
		if strings.Trim(line, "─") != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func TestParseFormat(t *testing.T) {
	for _, name := range formats {
		f, err := ParseFormat(string(name))
		must.That(t, err == nil && f == name, "%s: %v", name, err)
	}
	must.Refuse(ParseFormat("jsn"))(t, "did you mean json?")
	err := Summary(summaryOf(t, tabled())).Render(&bytes.Buffer{}, "html")
	must.That(t, err != nil, "an unknown format: no error")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestBrokenPipe(t *testing.T) {
	must.Is(t, Summary(summaryOf(t, tabled())).Render(broken{}, Text), syscall.EPIPE)
}

// TestMarkdownEscapes checks that text has no markup, such as the mathematics of GitHub between dollar signs.
func TestMarkdownEscapes(t *testing.T) {
	must.Equal(t, "escaped", escapeMarkdown("$x^2$ a_b <b>"), `\$x^2\$ a\_b \<b>`)
	must.Equal(t, "entity", escapeMarkdown("a &amp; - # b"), `a \&amp; - # b`)
	must.Equal(t, "block", escapeMarkdown("+ dropout")+escapeMarkdown("- \\ |`*[]~")+escapeMarkdown("# 1"), "\\+ dropout\\- \\\\ \\|\\`\\*\\[\\]\\~\\# 1")
}
