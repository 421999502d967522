package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

func rendered(t *testing.T, c *compare.Comparison, f Format) string { return show(t, Comparison(c), f) }

func show(t *testing.T, r Result, f Format) string {
	t.Helper()
	var b bytes.Buffer
	must.OK(t, r.Render(&b, f))
	return b.String()
}

// TestComparisonFitsATerminal checks that a comparison of six policies with warnings fits 120 columns, and that a narrow
// terminal keeps the interval and leaves out p-values first.
func TestComparisonFitsATerminal(t *testing.T) {
	regret := make(map[string][]float64)
	for k, name := range resultstest.Six() {
		for seed := range 20 {
			regret[name] = append(regret[name], 80_000+10_000*float64(k)+100*math.Sin(float64(seed*(k+2))))
		}
	}
	narrow := mustCompareTo(t, resultstest.Set(regret), "", compare.Expected())
	regret["pSGLD"][3] = math.NaN()
	regret["Dropout"][7] += 25_000
	c := must.Get(compareBy(resultstest.Set(regret), "", compare.Realised(), stats.BootstrapT))(t)
	fits := func(text string, width int) {
		for line := range strings.Lines(text) {
			n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
			must.That(t, n <= width, "at %d columns: %d: %s", width, n, line)
		}
	}
	_, text, _ := strings.Cut(rendered(t, c, Text), "\n\n") // sentences are wrapped only on a terminal
	fits(text, 120)
	lost := false
	for width := 120; width >= 60; width-- {
		var b bytes.Buffer
		must.OK(t, Comparison(narrow).Render(Screen{Writer: &b, Width: width}, Text))
		fits(b.String(), width)
		text, _, _ := strings.Cut(b.String(), "Hidden at this width")
		header, _, _ := strings.Cut(strings.Split(text, "\n\n")[2], "\n") // after the sentence and the caption
		must.That(t, strings.Contains(header, "95 % interval") && strings.Contains(header, "difference"),
			"at %d columns: %s", width, header)
		lost = lost || !strings.Contains(header, "p (t)")
	}
	must.That(t, lost, "no width of 60 or more loses a p-value")
}

// TestComparisonWithoutNumbers checks that missing values are a dash in tables, null in JSON and empty in CSV.
func TestComparisonWithoutNumbers(t *testing.T) {
	nan := math.NaN()
	for name, regret := range map[string]map[string][]float64{
		"one policy":      {"a": {1, 2}},
		"one seed":        {"a": {1}, "b": {2}},
		"none in common":  {"a": {1, nan}, "b": {nan, 2}},
		"all but one bad": {"a": {1, 2, 3}, "b": {nan, nan, nan}},
		"all equal":       {"a": {5, 5, 5}, "b": {5, 5, 5}},
		"no spread":       {"a": {5, 6, 7}, "b": {6, 7, 8}},
		"three seeds":     {"a": {5, 6, 7}, "b": {6, 8, 11}},
	} {
		set := resultstest.Set(regret)
		for i := range set.Policies {
			for k := range set.Policies[i].Records {
				if f := set.Policies[i].Records[k].Totals.Failure; f != nil {
					f.Cause = "diverged"
				}
			}
		}
		for _, method := range []stats.IntervalMethod{stats.StudentT, stats.BootstrapT} {
			c := must.Get(compareBy(set, "a", compare.Expected(), method))(t)
			for _, f := range formats {
				text := rendered(t, c, Format(f))
				for _, bad := range []string{"NaN", "Inf", "nan", "∞"} {
					must.That(t, !strings.Contains(text, bad), "%s, %s, %s: %q in\n%s", name, method, f, bad, text)
				}
			}
		}
	}
}

func TestComparisonCSV(t *testing.T) {
	regret := map[string][]float64{"a": nil, "b": nil}
	for seed := range 10 {
		regret["a"] = append(regret["a"], float64(100*seed))
		regret["b"] = append(regret["b"], float64(100*seed+2+seed%3)) // +2, +3, +4, …
	}
	regret["b"][4] = 900 // +500
	regret["b"][9] = math.NaN()
	c := must.Get(compareBy(resultstest.Set(regret), "a", compare.Expected(), stats.BootstrapT))(t)
	rows, err := csv.NewReader(strings.NewReader(rendered(t, c, CSV))).ReadAll()
	must.Hold(t, err == nil && len(rows) == 2, "%d rows, %v", len(rows), err)
	got := make(map[string]string)
	for i, name := range rows[0] {
		got[name] = rows[1][i]
	}
	for column, want := range map[string]string{
		"policy": "b", "baseline": "a", "baseline_picked": "false", "interval": "bootstrap-t", "seeds": "9", "seed_list": "1 2 3 4 5 6 7 8 9",
		"failed_seeds": "10", "outlier_seeds": "5", "p_holm": words.Exact(c.Differences[0].Holm), "significant": "false",
		"sign_flip_p": "0.00390625", "sign_flip_exact": "true", "tests": "1", // p = 2/2⁹, as all differences are above 0
		"seeds_needed": "66", "low": words.Exact(c.Differences[0].Mean.Low), "mean_rank": "2", "best": "0", "probability_best": "0", "baseline_best": "9", "baseline_probability_best": "1",
		"ranked_seeds": "9", "warnings": "unpaired-seeds outliers skewed failed-trials", "rounds": "100",
	} {
		must.Equal(t, column, got[column], want)
	}
}

// TestManyFailedTrials checks that a table lists ten failed trials of a policy, and JSON all.
func TestManyFailedTrials(t *testing.T) {
	nan := math.NaN()
	other := append([]float64{101, 102}, slices.Repeat([]float64{nan}, 12)...)
	c := mustCompareTo(t, resultstest.Set(map[string][]float64{"base": slices.Repeat([]float64{100}, 14), "other": other}), "base", compare.Expected())
	text := rendered(t, c, Text)
	must.Contain(t, text, "12 failed: seeds 3–14", "  seed 12, round 10: NaN\n", "  and 2 more\n")
	last := c.Warnings[len(c.Warnings)-1]
	must.That(t, last.Kind == compare.TrialsFailed && len(last.Failed) == 12 && len(last.Seeds) == 12, "%+v", last)
}

func compareBy(set *results.Set, baseline string, m *compare.Metric, interval stats.IntervalMethod) (*compare.Comparison, error) {
	o := compare.DefaultOptions(set)
	o.Baseline, o.Metric, o.Interval = baseline, m, interval
	return compare.Compare(set, o)
}

// TestOneRounding checks that a mean and a difference have the same digits in every table and sentence.
func TestOneRounding(t *testing.T) {
	a, b := []float64{1900.1, 1950.9, 1890.2, 1960.8, 1925.3, 1926.9}, []float64{1925, 1974, 1913, 1984, 1949, 1950} // means 1,925.7 and 1,949.1667
	set := resultstest.Set(map[string][]float64{"a": a, "b": b})
	s := summaryOf(t, set)
	c := mustCompareTo(t, set, "a", compare.Expected())
	other := *set
	set.Label, other.Label = "one", "two"
	across := must.Get(compare.CompareAcross([]*results.Set{set, &other}, compare.Expected(), ""))(t)
	mean := Summary(s).Tables[0].Rows[0][2] // "1,926 ± 28"
	if !strings.HasPrefix(mean, "1,926 ± ") || !strings.Contains(s.Sentences[0], mean) || !strings.Contains(SummaryPage(s).Tables[0].Rows[0][2], mean) {
		t.Errorf("table %s, page %s, but %s", mean, SummaryPage(s).Tables[0].Rows[0][2], s.Sentences[0])
	}
	must.Equal(t, "over environments", Across(across).Tables[2].Rows[0][1], mean)
	difference := Comparison(c).Tables[0].Rows[1][2]
	must.That(t, strings.Contains(s.Sentences[0], " is "+difference+" ["), "difference %s, but %s", difference, s.Sentences[0])
}

func mustCompareTo(t *testing.T, set *results.Set, baseline string, m *compare.Metric) *compare.Comparison {
	t.Helper()
	return must.Get(compareBy(set, baseline, m, stats.StudentT))(t)
}

// TestWilcoxonOfFewEnvironments checks that the note has the smallest possible p-value, 2/2ⁿ for n environments times the
// number of tests, if and only if it is at least 0.05.
func TestWilcoxonOfFewEnvironments(t *testing.T) {
	for _, c := range []struct {
		environments, unscored, tests int
		want                          string // the smallest p-value; "" if it is below 0.05
	}{
		{2, 0, 1, "0.500"}, {5, 0, 1, "0.062"}, {6, 0, 1, ""}, {6, 0, 2, "0.062"}, {7, 0, 3, ""}, {3, 0, 6, "1"}, {70, 0, 3, ""}, {7, 2, 1, "0.062"},
	} {
		a := &compare.Across{Environments: make([]compare.AcrossEnvironment, c.environments), Unscored: make([]string, c.unscored)}
		for i := range c.tests {
			a.Pairs = append(a.Pairs, compare.Pair{Policy: "A", Other: fmt.Sprint("B", i), P: words.Float(1), Holm: words.Float(1)})
		}
		note := strings.Join(wilcoxonNotes(a), "\n")
		want := "no pair differs"
		if c.want != "" {
			want = "no smaller p than " + c.want
		}
		must.That(t, strings.HasSuffix(note, want), "%d environments, %d tests: %q, want %q", c.environments, c.tests, note, want)
	}
}
