package builtin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/internal/must"
)

// summarized returns the summary of a table in CSV.
func summarized(t *testing.T, c *experiment.Catalog, text string, settings ...experiment.Setting) experiment.DataSummary {
	t.Helper()
	opened, _, err := c.Open(t.Context(), "table", must.File(t, "t.csv", text), settings)
	must.OK(t, err)
	return must.Get(opened.Summarize())(t)
}

// TestSummarize checks the counts of rows, duplicates, classes and kinds of columns of a table, and its columns with heavy
// tails, whether or not numbers are standardized. A 0/1 column that is rarely 1 has a kurtosis of 96, but no heavy tail.
func TestSummarize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := strings.Builder{}
	text.WriteString("normal,tail,flag,color,some,class\n")
	const n = 2000
	for i := range n {
		flag, some := 0, fmt.Sprint(rng.NormFloat64())
		if i%100 == 0 {
			flag, some = 1, ""
		}
		row := fmt.Sprintf("%g,%g,%d,c%d,%s,%s\n", 1e6+rng.NormFloat64(), math.Exp(2.5*rng.NormFloat64()), flag, i%7, some, []string{"a", "b", "b", "b"}[i%4])
		text.WriteString(row)
		if i == 10 {
			text.WriteString(row)
			text.WriteString(row)
		}
	}
	c := Default()
	for _, standardize := range []string{"file", "off"} {
		s := summarized(t, c, text.String(), experiment.Setting{Key: "environment.standardize", Value: standardize})
		got := fmt.Sprintf("%d %d %q %v %d %d %d %q", s.Rows, s.Duplicates, s.Arms, s.Best, s.Numbers, s.Categories, s.Levels, s.Tails)
		want := `2002 2 ["a" "b"] [500 1502] 4 1 7 ["tail"]`
		must.That(t, got == want, "standardize %s: %s, want %s", standardize, got, want)
	}
}

// TestAdvice checks that a table of each kind gets the advice for it, which is five registered policies, none of them a
// yardstick by its Doc.
func TestAdvice(t *testing.T) {
	c := Default()
	tables := []experiment.DataSummary{{Rows: 300}, {Rows: 5000, Levels: 40}, {Rows: 5000, Best: []int{500, 4500}}, {Rows: 5000, Best: []int{501, 4499}}}
	tied := experiment.DataSummary{Rows: 5000, Best: []int{4800, 4850}}
	for i, a := range c.Advice {
		got := must.Get(c.Advise(tables[i]))(t)
		must.That(t, got.Kind == a.Kind, "table %d is of kind %q, want %q", i, got.Kind, a.Kind)
		must.That(t, len(a.Policies) == 5 && len(slices.Compact(slices.Sorted(slices.Values(a.Policies)))) == 5,
			"%s: %q, want five policies", a.Kind, a.Policies)
		for _, name := range a.Policies {
			if !slices.ContainsFunc(c.Policies(), func(e experiment.Entry) bool { return e.Name == name && !strings.HasPrefix(e.Doc, "yardstick") }) {
				t.Errorf("%s: there is no policy %s", a.Kind, name)
			}
		}
	}
	must.Equal(t, "kind of a table with ties", must.Get(c.Advise(tied))(t).Kind, "any other")
	_, err := (&experiment.Catalog{}).Advise(tables[0])
	must.That(t, err != nil, "a catalog without advice gives some")
}
