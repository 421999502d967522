package tables

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/results/plot"
)

var update = flag.Bool("update", false, "renew the sections of docs/deep.md and their figures")

// comparePage compares the section of docs/deep.md between two markers with want. With -update it writes want there instead.
func comparePage(t *testing.T, from, to, want string) {
	t.Helper()
	const path = "../../docs/deep.md"
	page := must.Get(os.ReadFile(path))(t)
	before, rest, ok := strings.Cut(string(page), from)
	was, after, ok2 := strings.Cut(rest, to)
	must.Hold(t, ok && ok2, "%s has no section between %q and %q", path, from, to)
	if *update {
		must.OK(t, os.WriteFile(path, []byte(before+from+want+to+after), 0o666))
	} else if was != want {
		t.Errorf("%s has\n%s\nwant\n%s\nrenew it with -update", path, was, want)
	}
}

// readReference reads the committed result of an experiment, and checks that the CSV file agrees with the JSON file.
func readReference[R any](t *testing.T, name string, csv func(*R) string) (r *R, dir string) {
	t.Helper()
	dir, r = filepath.Join("../../results/reference", name), new(R)
	b, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err == nil {
		err = json.Unmarshal(b, r)
	}
	must.OK(t, err)
	if rows, err := os.ReadFile(filepath.Join(dir, name+".csv")); err != nil || string(rows) != csv(r) {
		t.Errorf("%s.csv has not the rows of %s.json (%v)", name, name, err)
	}
	return r, dir
}

// compareFigure compares a figure with the file at path. With -update it writes the file instead.
func compareFigure(t *testing.T, path string, f plot.Figure) {
	t.Helper()
	svg := svgOf(t, f)
	if *update {
		must.OK(t, os.WriteFile(path, []byte(svg), 0o666))
	} else if was, err := os.ReadFile(path); err != nil || string(was) != svg {
		t.Errorf("%s is not the figure of the rows (%v): renew it with -update", path, err)
	}
}

// svgOf returns a figure as SVG, and checks that every number in it is finite.
func svgOf(t *testing.T, f plot.Figure) string {
	t.Helper()
	svg, err := plot.SVG(f)
	must.Hold(t, err == nil && !bytes.Contains(svg, []byte("NaN")) && !bytes.Contains(svg, []byte("Inf")),
		"%v, or a number that is none in\n%s", err, svg)
	return string(svg)
}

// csvOf returns rows as CSV.
func csvOf[R any](t *testing.T, columns report.Columns[R], rows []R) string {
	t.Helper()
	var b bytes.Buffer
	must.OK(t, report.Data(columns, rows).CSV(&b))
	return b.String()
}

// wantTexts checks that a report contains the given strings in each format.
func wantTexts(t *testing.T, r Report, texts map[report.Format][]string) {
	t.Helper()
	for f, want := range texts {
		var b bytes.Buffer
		if err := r.Render(&b, f); err != nil || f == report.JSON && !json.Valid(b.Bytes()) || strings.Contains(b.String(), "NaN") {
			t.Errorf("%s: %v\n%s", f, err, b.String())
		}
		must.Contain(t, b.String(), want...)
	}
}
