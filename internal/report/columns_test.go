package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

var update = flag.Bool("update", false, "renew docs/columns.md")

// jsonOf returns the JSON of a report without white space, which must be valid.
func jsonOf(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b, compact bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&compact, b.Bytes()); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return compact.String()
}

// Numbers that are not finite are null, whatever makes them so: one seed, too few pairs for a test, unbounded anytime intervals.
func TestJSONOfNaN(t *testing.T) {
	set := tabled()
	c, err := compareTo(set, "", compare.Expected())
	if err != nil {
		t.Fatal(err)
	}
	got := jsonOf(t, func(b *bytes.Buffer) error { return Comparison(c).Render(b, JSON) })
	for _, want := range []string{`"p":null,"p_holm":null,"significant":false,"sign_flip_p":null`, `"seeds_needed":`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	few := resultstest.Set(map[string][]float64{"a": {1, 1, 1, 1}, "b": {9, 10, 9, 10}})
	a, err := compare.Sequential(few, compare.Expected(), compare.Until{Separated: true, Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	got = jsonOf(t, func(b *bytes.Buffer) error { return Anytime(a).Render(b, JSON) })
	if !strings.Contains(got, `"low":null,"high":null`) {
		t.Error(got)
	}
}

// docs/columns.md has the columns as they are declared: go test ./internal/report -run ColumnDocs -update.
func TestColumnDocs(t *testing.T) {
	summary, across := &compare.Summary{}, &compare.Across{}
	var b strings.Builder
	for _, of := range []struct{ title, columns string }{
		{"banditsim report", mixedColumns([]*compare.Summary{summary}).Docs()},
		{"banditsim report --cost", costColumns().Docs()},
		{"banditsim report --mistakes", mistakesColumns().Docs()},
		{"banditsim report --scores", scoreColumns([]compare.PolicyScore{{Regret: new(stats.Estimate)}}).Docs()},
		{"banditsim compare, in one environment", comparisonColumns(nil).Docs()},
		{"banditsim compare, over environments", acrossColumns(across).Docs()},
		{"banditsim compare --anytime", anytimeColumns().Docs()},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s", of.title, of.columns)
	}
	const path, begin = "../../docs/columns.md", "<!-- columns -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(page), begin)
	if !ok {
		t.Fatalf("%s has no %s", path, begin)
	}
	want := before + begin + b.String()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(page) {
		t.Errorf("%s is out of date: go test ./internal/report -run ColumnDocs -update", path)
	}
}

// Every column that programs read says what it is, once in each list.
func TestColumnsAreDescribed(t *testing.T) {
	check(t, "summary", mixedColumns([]*compare.Summary{{}}))
	check(t, "cost", costColumns())
	check(t, "mistakes", slices.DeleteFunc(mistakesColumns(), func(c Column[mistakesRow]) bool { return c.Name == "pulls" && c.Text == nil })) // CSV has two
	check(t, "scores", scoreColumns([]compare.PolicyScore{{Regret: new(stats.Estimate)}}))
	check(t, "comparison", comparisonColumns(nil))
	check(t, "across", acrossColumns(&compare.Across{Environments: []compare.AcrossEnvironment{{Label: "a", Conditions: results.Conditions{}}}}))
	check(t, "anytime", anytimeColumns())
}

func check[R any](t *testing.T, title string, l Columns[R]) {
	t.Helper()
	names, leaves := map[string]bool{}, map[int]bool{}
	for _, c := range l {
		if c.Exact != nil && c.Doc == "" {
			t.Errorf("%s: column %s has no description", title, c.Name)
		}
		if c.Name != "" && names[c.Name] {
			t.Errorf("%s: two columns %s", title, c.Name)
		}
		if c.Leaves != 0 && leaves[c.Leaves] {
			t.Errorf("%s: two columns leave a narrow terminal at %d", title, c.Leaves)
		}
		names[c.Name], leaves[c.Leaves] = true, true
	}
}
