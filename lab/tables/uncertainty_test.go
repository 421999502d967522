package tables

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/report"
	"banditsim/lab/deep"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// uncertaintyRecords returns a record per method and seed, whose accuracy is the method's number plus what the seed adds, and
// whose log loss and Brier score are 1 less that.
func uncertaintyRecords(seeds int, accuracy map[string]float64) *UncertaintyResult {
	r := &UncertaintyResult{Identity: deep.UncertaintyIdentity{Outside: []deep.OutsideIdentity{{Set: "5 to 9"}}}}
	for seed := range seeds {
		for k, method := range deep.UncertaintyMethods() {
			a, ok := accuracy[method]
			if !ok {
				continue
			}
			a += 0.01*float64(seed%3) + 1e-4*float64((seed*7+k*k*5)%11)
			r.Records = append(r.Records, deep.UncertaintyRecord{
				Method: method, Seed: uint64(seed + 1), Scores: deep.Scores{Accuracy: a, LogLoss: 1 - a},
				Outside: []deep.OutsideScores{{Set: "5 to 9", Brier: 1 - a}},
			})
		}
	}
	return r
}

// TestUncertaintyVerdicts: claims hold, hold in part, do not hold, are not shown and are not compared.
func TestUncertaintyVerdicts(t *testing.T) {
	five := map[string]float64{"cycSGHMC": 0.5, "MultiSWAG": 0.6, "M-SGD": 0.7, "reSGHMC": 0.8, "ICSGHMC": 0.9}
	with := func(change map[string]float64) map[string]float64 {
		all := map[string]float64{}
		for _, m := range []map[string]float64{five, change} {
			for k, v := range m {
				all[k] = v
			}
		}
		return all
	}
	for _, c := range []struct {
		name     string
		seeds    int
		accuracy map[string]float64
		want     string // verdicts of the claims, by their first letters
	}{
		{"the paper's order", 10, five, "holds; holds; holds; holds; holds; does not hold; holds; holds"},
		{"ICSGHMC as good as reSGHMC", 10, with(map[string]float64{"ICSGHMC": 0.8}), "holds in part; holds in part; holds in part; holds; holds; does not hold; holds; holds"},
		{"all alike", 10, with(map[string]float64{"cycSGHMC": 0.9, "MultiSWAG": 0.9, "M-SGD": 0.9, "reSGHMC": 0.9}), "not shown; not shown; not shown; not shown; not shown; not shown; not shown; not shown"},
		{"one seed", 1, five, "not shown; not shown; not shown; not shown; not shown; not shown; not shown; not shown"},
		{"two methods", 10, map[string]float64{"M-SGD": 0.7, "reSGHMC": 0.8}, "not compared; not compared; not compared; not compared; not compared; not compared; holds; not compared"},
	} {
		var got []string
		for _, claim := range SummarizeUncertainty(uncertaintyRecords(c.seeds, c.accuracy)).Claims {
			got = append(got, claim.Verdict)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// TestPaperFigures: every method and measure of a claim has a figure of the paper.
func TestPaperFigures(t *testing.T) {
	if got, want := paperClaims[0].figures(), "76.34 against 76.15; 76.01; 75.46; 75.41"; got != want {
		t.Errorf("figures %q, want %q", got, want)
	}
	for _, c := range paperClaims {
		for _, m := range append([]string{c.method}, c.others...) {
			if paperFigures[c.measure][m] == "" {
				t.Errorf("%s: no figure of %s", c.text, m)
			}
		}
	}
}

// TestUncertaintyPage: the results in docs/deep.md are those of the rows of results/reference/uncertainty.
func TestUncertaintyPage(t *testing.T) {
	const path = "../../docs/deep.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "-run TestUncertaintyPage -update -->\n", "<!-- end of uncertainty -->"
	before, rest, ok := strings.Cut(string(page), from)
	was, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no section between %q and %q", path, from, to)
	}
	want := uncertaintySection(t, "../../results/reference/uncertainty")
	if *update {
		if err := os.WriteFile(path, []byte(before+from+want+to+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if was != want {
		t.Errorf("%s has\n%s\nwant\n%s\nrenew it with -update", path, was, want)
	}
}

// uncertaintySection returns the section of the rows in a folder, which are those of the preset small, of every method on every
// seed; each chain of M-SGD names at least 98.5 % of the images held out.
func uncertaintySection(t *testing.T, dir string) string {
	t.Helper()
	r, ok := readReference[UncertaintyResult](t, dir, "uncertainty", func(r *UncertaintyResult) string {
		var rows bytes.Buffer
		if err := report.Data(uncertaintyRows(), r.Records).CSV(&rows); err != nil {
			t.Fatal(err)
		}
		return rows.String()
	})
	if !ok {
		return "\nNo rows are committed yet, and so there is no verdict.\n\n"
	}
	small, err := deep.UncertaintyPreset("small")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%+v", r.Identity.Options), fmt.Sprintf("%+v", small); got != want || r.Identity.Format != deep.UncertaintyFormat {
		t.Errorf("the rows are of format %d with the options %s, want %d and those of the preset small: %s", r.Identity.Format, got, deep.UncertaintyFormat, want)
	}
	s := SummarizeUncertainty(r)
	if len(s.Methods) != len(deep.UncertaintyMethods()) || len(r.Records) != len(s.Methods)*s.Seeds {
		t.Errorf("%d records of %d methods on %d seeds, want all methods on all seeds", len(r.Records), len(s.Methods), s.Seeds)
	}
	for _, rec := range r.Records {
		if rec.Method == "M-SGD" && !(rec.Single >= 0.985) {
			t.Errorf("seed %d: a chain of M-SGD names %.2f %% of the images held out, want at least 98.5 %%", rec.Seed, 100*rec.Single)
		}
	}
	var table bytes.Buffer
	if err := s.Render(&table, report.Markdown); err != nil {
		t.Fatal(err)
	}
	checkFigure(t, filepath.Join(dir, "uncertainty.svg"), uncertaintyFigure(s))
	return fmt.Sprintf("\nThe preset `small` on MNIST's test images ([rows](../results/reference/uncertainty/uncertainty.csv)):\n\n%s"+
		"\n![Log loss, Brier score and AUROC by method](../results/reference/uncertainty/uncertainty.svg)\n\n", table.String())
}

// TestUncertaintyFigure: a row per method on each axis, those of the paper first and apart from the others, and no interval of
// one seed.
func TestUncertaintyFigure(t *testing.T) {
	all := map[string]float64{}
	for i, m := range deep.UncertaintyMethods() {
		all[m] = 0.9 + 0.01*float64(i)
	}
	r := uncertaintyRecords(3, all)
	f := uncertaintyFigure(SummarizeUncertainty(r))
	if len(f.Forests) != 3 {
		t.Fatalf("%d axes, want 3", len(f.Forests))
	}
	values := r.values("SGHMC", uncertaintyMeasures[1])
	want := stats.NewEstimate(values)
	if row := f.Forests[0].Rows[5]; row.Label != "SGHMC×P0" || row.Mid != want.Mean || row.Low != want.Low || row.High != want.High || !row.Gap {
		t.Errorf("row %+v, want the log loss of SGHMC, %v, apart from those above", row, want)
	}
	for _, few := range []*UncertaintyResult{r, uncertaintyRecords(1, all), uncertaintyRecords(2, map[string]float64{"Laplace": 0.6})} {
		svg, err := plot.SVG(uncertaintyFigure(SummarizeUncertainty(few)))
		if err != nil || bytes.Contains(svg, []byte("NaN")) {
			t.Errorf("figure of %d records: %v\n%s", len(few.Records), err, svg)
		}
		for _, want := range []string{">Laplace×T0<", ">AUROC: more is better<", ">Log loss, 0.001 nats: less is better<"} {
			if bytes.Count(svg, []byte(want)) != 1 {
				t.Errorf("figure of %d records: want %q once", len(few.Records), want)
			}
		}
	}
}

// TestUncertaintySection: rows give a table and verdicts; without rows there are none.
func TestUncertaintySection(t *testing.T) {
	dir := t.TempDir()
	if got := uncertaintySection(t, dir); !strings.Contains(got, "No rows") {
		t.Errorf("section without rows: %q", got)
	}
	all := map[string]float64{}
	for i, m := range deep.UncertaintyMethods() {
		all[m] = 0.9 + 0.01*float64(i)
	}
	r := uncertaintyRecords(3, all)
	for i := range r.Records {
		r.Records[i].Single = 0.99
	}
	var err error
	if r.Identity.Options, err = deep.UncertaintyPreset("small"); err != nil {
		t.Fatal(err)
	}
	r.Identity.Format = deep.UncertaintyFormat
	if _, err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Plot(dir); err != nil {
		t.Fatal(err)
	}
	got := uncertaintySection(t, dir)
	for _, f := range []report.Format{report.Text, report.Markdown, report.CSV, report.JSON} { // of one seed, and of two methods
		var b bytes.Buffer
		for _, few := range []*UncertaintyResult{uncertaintyRecords(1, all), uncertaintyRecords(2, map[string]float64{"M-SGD": 0.5, "Laplace": 0.6})} {
			if err := SummarizeUncertainty(few).Render(&b, f); err != nil || strings.Contains(b.String(), "NaN") {
				t.Errorf("%s: %v\n%s", f, err, b.String())
			}
		}
	}
	for _, want := range []string{"M-SGD×P4", "Ensemble×P10", "ICSGHMC has the highest accuracy", "over 3 seeds"} {
		if !strings.Contains(got, want) {
			t.Errorf("section without %q:\n%s", want, got)
		}
	}
}
