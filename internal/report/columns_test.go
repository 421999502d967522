package report

import (
	"bytes"
	"encoding/csv"
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

// Labels are written as they are, not as escapes for HTML.
func TestSummaryJSONKeepsLabels(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"a < b & c": {1000, 1010}})
	got := jsonOf(t, func(b *bytes.Buffer) error { return Summary(compare.Totals(set)).Render(b, JSON) })
	if !strings.Contains(got, `"policy":"a < b & c"`) {
		t.Error(got)
	}
}

// A metric that is added has columns in text, CSV and JSON. As none can be declared outside package compare, realised regret is the one
// that is added.
func TestMetricAdded(t *testing.T) {
	s := compare.Totals(tabled())
	rows := summaryRows(s)
	write := func(metrics []*compare.Metric) map[Format]string {
		l := metricColumns(metrics, []*compare.Summary{s})
		var csv bytes.Buffer
		if err := Data(l, rows).CSV(&csv); err != nil {
			t.Fatal(err)
		}
		return map[Format]string{
			Text: strings.Join(NewTable(l, rows).Lines(), "\n"), CSV: csv.String(),
			JSON: jsonOf(t, func(b *bytes.Buffer) error { return WriteJSON(b, Data(l, rows)) }),
		}
	}
	without, with := write(compare.Metrics()[:1]), write(compare.Metrics())
	for f, want := range map[Format]string{Text: "realised regret  failed", CSV: "realised_after_burn_in_low", JSON: `"realised":{`} {
		if strings.Contains(without[f], want) {
			t.Errorf("%s has %q without the metric", f, want)
		}
		if !strings.Contains(with[f], want) {
			t.Errorf("%s has no %q:\n%s", f, want, with[f])
		}
	}
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

// A column that is added to a list is in text, Markdown, CSV and JSON, and nothing else changes.
func TestColumnAdded(t *testing.T) {
	s := compare.Totals(tabled())
	old, rows := summaryColumns(s), summaryRows(s)
	l := append(slices.Clone(old), Column[summaryRow]{Name: "letters", Header: "letters", After: "policy", Doc: "letters of the label",
		Text: func(r summaryRow) string { return fmt.Sprint(len(r.Policy)) }, Exact: func(r summaryRow) any { return len(r.Policy) }})
	table := NewTable(l, rows)
	if table.Columns[1].Header != "letters" || table.Rows[0][1] != "7" || len(table.Columns) != len(NewTable(old, rows).Columns)+1 {
		t.Errorf("text: %+v", table)
	}
	var b bytes.Buffer
	if err := Data(l, rows).CSV(&b); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if k := len(records[0]) - 1; records[0][k] != "letters" || records[1][k] != "7" {
		t.Errorf("CSV: %q", records)
	}
	got := jsonOf(t, func(b *bytes.Buffer) error { return WriteJSON(b, Data(l, rows)) })
	if !strings.Contains(got, `,"letters":7}`) {
		t.Errorf("JSON: %s", got)
	}
	if docs := l.Docs(); !strings.Contains(docs, "| `letters` | letters of the label |") {
		t.Errorf("docs: %s", docs)
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
