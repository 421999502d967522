package tables

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/internal/report"
	"banditsim/lab/deep"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// basinsRecord returns a record of two chains.
func basinsRecord(method string, seed uint64, negative float64, escapes, distinct int) deep.BasinsRecord {
	chain := func(extra int) deep.BasinsChain {
		return deep.BasinsChain{Falls: escapes + extra + 1, Escapes: escapes + extra, Distinct: distinct, Minima: 2,
			Descents: []deep.Descent{{Energy: .01, Accuracy: .98}, {Energy: .02, Accuracy: .96}}}
	}
	return deep.BasinsRecord{
		Method: method, Seed: seed, Negative: negative, One: 1 - negative, Low: .5, High: .25, Energy: .03, Between: .015,
		Chains: []deep.BasinsChain{chain(0), chain(2)},
		Series: deep.BasinsSeries{Step: []int{10, 20}, Energy: []float64{1.5, .1}, Multiplier: []float64{1, -2}},
		Plane:  deep.Plane{Path: [][2]float64{{-1, 0}, {1, .5}}, Share: [2]float64{.7, .2}, Loss: []float64{.1, 1, 2, 3}, Side: 1.1},
	}
}

func basinsResult(t *testing.T) *BasinsResult {
	t.Helper()
	o, err := deep.BasinsPreset("small", 5000)
	if err != nil {
		t.Fatal(err)
	}
	r := &BasinsResult{Identity: deep.BasinsIdentity{Experiment: "basins", Format: deep.BasinsFormat, Data: deep.Source{Name: "toy", SHA256: "0123456789abcdef"}, Options: o}}
	for seed := range uint64(3) {
		k := int(seed)
		r.Records = append(r.Records, basinsRecord("SGD", seed+1, 0, 0, 1), basinsRecord("SGLD", seed+1, 0, k, 2), basinsRecord("ICSGLD", seed+1, .3+float64(k)/100, 5+k, 2+k%2))
	}
	return r
}

// TestBasinsRows: a row has the means over its chains.
func TestBasinsRows(t *testing.T) {
	rows := basinsResult(t).Rows()
	want := BasinsRow{Method: "ICSGLD", Seed: 2, Negative: .31, One: 1 - .31, Low: .5, High: .25, Energy: .03, Falls: 8, Escapes: 7, Distinct: 3, Minima: 2, Between: .015, Accuracy: .97}
	got := rows[5]
	if a, w := fmt.Sprintf("%.9v", got), fmt.Sprintf("%.9v", want); a != w {
		t.Errorf("row %s, want %s", a, w)
	}
	back := readBasinsRows(t, strings.NewReader(csvOf(t, rows)))
	if !slices.Equal(back, rows) {
		t.Errorf("rows came back from CSV as %+v, want %+v", back, rows)
	}
}

func csvOf(t *testing.T, rows []BasinsRow) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Data(basinsRowColumns, rows).CSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readBasinsRows reads the rows of a basins.csv.
func readBasinsRows(t *testing.T, from interface{ Read([]byte) (int, error) }) []BasinsRow {
	t.Helper()
	lines, err := csv.NewReader(from).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []BasinsRow
	for _, line := range lines[1:] {
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(line[slices.Index(lines[0], name)], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		rows = append(rows, BasinsRow{
			Method: line[0], Seed: uint64(number("seed")), Negative: number("negative"), One: number("one"), Low: number("low"), High: number("high"),
			Energy: number("energy"), Falls: number("falls"), Escapes: number("escapes"), Distinct: number("distinct"), Minima: number("minima"),
			Between: number("between"), Accuracy: number("accuracy"),
		})
	}
	return rows
}

// TestBasinsClaims: verdicts by the intervals of differences that are paired by seed.
func TestBasinsClaims(t *testing.T) {
	claims := BasinsClaims(basinsResult(t).Rows())
	var got []string
	for _, c := range claims {
		got = append(got, c.Claim+": "+c.Verdict())
	}
	want := []string{
		"ICSGLD meets negative learning rates: holds",                    // .30, .31, .32
		"ICSGLD escapes more often than SGD: holds",                      // 5, 6, 7
		"ICSGLD escapes more often than SGLD: holds",                     // 5, 5, 5
		"ICSGLD visits more modes than SGD: not shown",                   // 1, 2, 1
		"ICSGLD visits more modes than SGLD: not shown",                  // 0, 1, 0
		"SGD gets stuck: most falls to low energy are final: not shown",  // one of two, on each seed
		"SGLD gets stuck: most falls to low energy are final: not shown", // 1 of 2, 1 of 3, 1 of 4
	}
	if !slices.Equal(got, want) {
		t.Errorf("verdicts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if d := claims[1].Figure; d != stats.NewEstimate([]float64{5, 6, 7}) {
		t.Errorf("escapes less those of SGD %v, want 5, 6, 7", d)
	}
	none := []BasinsRow{{Method: "SGD", Seed: 1}, {Method: "SGD", Seed: 2}} // without a fall
	if claims := BasinsClaims(none); len(claims) != 0 {
		t.Errorf("claims of chains that never fell: %v", claims)
	}
	below := BasinsClaim{Figure: stats.NewEstimate([]float64{.01, .02, .03}), Than: .1}
	if v := below.Verdict(); v != "does not hold" {
		t.Errorf("a share of at most .03 where .1 is claimed: %s", v)
	}
}

// TestBasinsTable: the table, and CSV and JSON with the names of the columns.
func TestBasinsTable(t *testing.T) {
	s := SummarizeBasins(basinsResult(t))
	for format, want := range map[report.Format][]string{
		report.Text: {"mean and half of a 95 % t-interval over 3 seeds", "toy (SHA-256 0123456789ab…)", "ICSGLD", "distinct minima"},
		report.CSV:  {"method,seeds,negative,", "ICSGLD,3,0.31,"},
		report.JSON: {`"sha256": "0123456789abcdef"`, `"escapes": {`},
	} {
		var b bytes.Buffer
		if err := s.Render(&b, format); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: no %q in\n%s", format, text, b.String())
			}
		}
	}
}

// TestBasinsFiles: figures and numbers of a result, from which it can be read again.
func TestBasinsFiles(t *testing.T) {
	r, dir := basinsResult(t), t.TempDir()
	figures, err := r.Plot(dir)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := r.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) != 2 || len(numbers) != 2 {
		t.Errorf("files %v, %v", figures, numbers)
	}
	b, err := os.ReadFile(filepath.Join(dir, "basins.json"))
	if err != nil {
		t.Fatal(err)
	}
	var back BasinsResult
	if err := json.Unmarshal(b, &back); err != nil || csvOf(t, back.Rows()) != csvOf(t, r.Rows()) {
		t.Errorf("basins.json came back with %v: %v", back, err)
	}
	svg, err := plot.SVG(pathFigure(r))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">ICSGLD<", ">nats<", "± 1.1 · 90.0 %"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("the figure of paths has no %q", want)
		}
	}
}

var update = flag.Bool("update", false, "renew the section of docs/deep.md")

// TestBasinsPage: the results in docs/deep.md are those of the rows of results/reference/basins.
func TestBasinsPage(t *testing.T) {
	const path = "../../docs/deep.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "-run TestBasinsPage -update -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(page), from)
	was, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no section between %q and %q", path, from, to)
	}
	want := basinsSection(t, "../../results/reference/basins")
	if *update {
		if err := os.WriteFile(path, []byte(before+from+want+to+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if was != want {
		t.Errorf("%s has\n%s\nwant\n%s\nrenew it with -update", path, was, want)
	}
}

// basinsSection returns the section of the rows in a folder, which are those of the preset small, of three methods on the same
// seeds.
func basinsSection(t *testing.T, dir string) string {
	t.Helper()
	r, ok := readReference[BasinsResult](t, dir, "basins", func(r *BasinsResult) string { return csvOf(t, r.Rows()) })
	if !ok {
		return "\nNo rows are committed yet, and so there is no verdict.\n\n"
	}
	const images = 5139 // of the classes 0 to 4, in MNIST's test file
	small, err := deep.BasinsPreset("small", images)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%+v", r.Identity.Options), fmt.Sprintf("%+v", small); got != want || r.Identity.Format != deep.BasinsFormat {
		t.Errorf("the rows are of format %d with the options %s, want %d and those of the preset small: %s", r.Identity.Format, got, deep.BasinsFormat, want)
	}
	rows := r.Rows()
	methods := summarizeRows(rows)
	if len(methods) != 3 || paired(rows, "ICSGLD", "SGD", accuracyOf).N != len(rows)/3 || paired(rows, "ICSGLD", "SGLD", accuracyOf).N != len(rows)/3 {
		t.Errorf("%d rows of %d methods, want three methods on the same seeds", len(rows), len(methods))
	}
	checkFigure(t, filepath.Join(dir, "basins-energy.svg"), energyFigure(r))
	checkFigure(t, filepath.Join(dir, "basins-path.svg"), pathFigure(r))
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe preset `small` on the digits 0 to 4 of MNIST's test images ([rows](../results/reference/basins/basins.csv)):\n"+
		"mean and half of a 95 %% t-interval over %d seeds.\n\n", methods[0].Negative.N)
	fmt.Fprintln(&b, "| method | M < 0 | M = 1 | at low energy | escapes of a chain | distinct minima of a chain | accuracy |")
	fmt.Fprintln(&b, "| --- | --- | --- | --- | --- | --- | --- |")
	for _, m := range methods {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", m.Name, m.Negative, m.One, m.Low, m.Escapes, m.Distinct, m.Accuracy)
	}
	fmt.Fprintln(&b, "\n| claim | verdict | our figure |\n| --- | --- | --- |")
	for _, c := range BasinsClaims(rows) {
		fmt.Fprintf(&b, "| %s | **%s** | %s: %s %s |\n", c.Claim, c.Verdict(), c.Measure, c.Figure.MeanText(), c.Figure.Interval())
	}
	fmt.Fprint(&b, "\n![Energy and multiplier by step](../results/reference/basins/basins-energy.svg)\n\n![Paths over the loss](../results/reference/basins/basins-path.svg)\n\n")
	return b.String()
}

func accuracyOf(r BasinsRow) float64 { return r.Accuracy }

// readReference reads the numbers of an experiment in a folder of results/reference, whose rows must be those that csv returns; false
// if there are none.
func readReference[R any](t *testing.T, dir, name string, csv func(*R) string) (*R, bool) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	r := new(R)
	if err == nil {
		err = json.Unmarshal(b, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := os.ReadFile(filepath.Join(dir, name+".csv")); err != nil || string(rows) != csv(r) {
		t.Errorf("%s.csv has not the rows of %s.json (%v)", name, name, err)
	}
	return r, true
}

// checkFigure compares a figure with the file at path, which -update renews.
func checkFigure(t *testing.T, path string, f plot.Figure) {
	t.Helper()
	svg, err := plot.SVG(f)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, svg, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if was, err := os.ReadFile(path); err != nil || !bytes.Equal(was, svg) {
		t.Errorf("%s is not the figure of the rows (%v): renew it with -update", path, err)
	}
}

// TestBasinsSection: rows give a table, verdicts and figures; without rows there are none.
func TestBasinsSection(t *testing.T) {
	dir := t.TempDir()
	if got := basinsSection(t, dir); !strings.Contains(got, "No rows") {
		t.Errorf("section without rows: %q", got)
	}
	r := basinsResult(t)
	var err error
	if r.Identity.Options, err = deep.BasinsPreset("small", 5139); err != nil {
		t.Fatal(err)
	}
	for _, write := range []func(string) ([]string, error){r.Write, r.Plot} {
		if _, err := write(dir); err != nil {
			t.Fatal(err)
		}
	}
	got := basinsSection(t, dir)
	for _, want := range []string{"over 3 seeds", "| ICSGLD | 0.310 ± ", "| ICSGLD escapes more often than SGD | **holds** |", "basins-energy.svg)", "basins-path.svg)"} {
		if !strings.Contains(got, want) {
			t.Errorf("section without %q:\n%s", want, got)
		}
	}
}

// TestEnergyFigure: an energy of every method on one scale, and the multiplier of those that have one.
func TestEnergyFigure(t *testing.T) {
	r := basinsResult(t)
	for i := range r.Records[:2] {
		r.Records[i].Series.Multiplier = []float64{1, 1}
	}
	r.Records[2].Series.Energy = []float64{1.5, .001}
	f := energyFigure(r)
	var titles []string
	for _, p := range f.Panels {
		titles = append(titles, p.(plot.ScatterPanel).Title)
	}
	if want := []string{"SGD: energy, nats", "SGLD: energy, nats", "ICSGLD: energy, nats", "ICSGLD: multiplier"}; !slices.Equal(titles, want) || f.Rows != 2 {
		t.Errorf("%d rows of panels %q, want 2 of %q", f.Rows, titles, want)
	}
	svg, err := plot.SVG(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(svg, []byte(">0.001<")); n != 3 {
		t.Errorf("%d axes have the mark 0.001, want the three of energies", n)
	}
}
