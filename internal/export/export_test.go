package export

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// exportable returns a set with every kind of row: with a contour, with a sampler only, and without a sampler; NaN, Inf
// and floats of 17 digits; a seed that overflows int64; a failed trial; and quotes in a name and in options.
func exportable(t testing.TB) *results.Set {
	t.Helper()
	dir := t.TempDir()
	resultstest.WriteTrial(t, dir, resultstest.Identity("contour", 1, 60), 12, 0)
	resultstest.WriteTrial(t, dir, resultstest.Identity("contour", math.MaxUint64, 60), 13, 0)
	resultstest.WriteTrial(t, dir, resultstest.Identity("fails", 1, 60), 12, 55)
	odd := resultstest.Identity(`odd "name", so`, 2, 3)
	odd.Policy.Options, odd.Protocol = json.RawMessage(`{"kind":"a, \"b\""}`), resultstest.Identity("", 0, 60).Protocol
	odd.Protocol.Rounds = 60
	nan := math.NaN()
	records := []*bandit.RoundRecord{
		{Round: 1, Realised: -5, Expected: 0.1 + 0.2, Arms: []int{20, 0}},
		{Round: 2, Realised: 1.0 / 3, Expected: 1e-300, Arms: []int{0, 20}, Diagnostics: diagnostics.Round{
			Chains: []diagnostics.Chain{{Energy: 3}, {Energy: 4.5}},
		}},
		{Round: 3, Expected: math.MaxFloat64 / 4, Arms: []int{1, 19}, Diagnostics: diagnostics.Round{WeightESS: 1.25, Theta: []float64{1},
			Chains: []diagnostics.Chain{{Energy: math.Inf(1), MultiplierMin: -2, MultiplierMean: 1, MultiplierMax: 3}, {Energy: 1, MultiplierMin: -1, MultiplierMean: 0.5, MultiplierMax: math.Inf(1)}}}},
		{Round: 4, Arms: []int{1, 19}, Diagnostics: diagnostics.Round{WeightESS: 1, Theta: []float64{1},
			Chains: []diagnostics.Chain{{Energy: 1, MultiplierMin: 1, MultiplierMean: 1, MultiplierMax: 1}, {Energy: nan, MultiplierMin: nan, MultiplierMean: nan, MultiplierMax: nan}}}},
	}
	resultstest.WriteRounds(t, dir, odd, &results.Failure{Round: 5, Cause: "that is all"}, records...)
	return must.Get(results.Load(dir))(t)
}

// roundNames lists the columns of the rows that wanted returns.
var roundNames = strings.Fields("trial environment data data_sha256 epoch policy policy_name options seed failed round after_burn_in realised expected " +
	"cumulative_realised cumulative_expected arm_leave arm_eat mistakes chains energy weight_ess multiplier_min multiplier_mean multiplier_max setting")

// wanted computes the expected rows from the trial files, without the code under test.
func wanted(t *testing.T, set *results.Set) [][]string {
	t.Helper()
	rows := [][]string{}
	for _, p := range set.Policies {
		for _, trial := range p.Records {
			var header struct{ ID string }
			first, _, _ := bytes.Cut(resultstest.ReadFile(t, trial.Path), []byte("\n"))
			must.OK(t, json.Unmarshal(first, &header))
			realised, expected := 0.0, 0.0
			for r, err := range trial.Rounds() {
				must.OK(t, err)
				realised += r.Realised
				expected += r.Expected
				sampler := make([]string, 5)
				if n := len(r.Energy); n > 0 {
					sum := 0.0
					for _, e := range r.Energy {
						sum += float64(e)
					}
					sampler[0] = decimal(sum / float64(n))
				}
				if r.ESS != 0 {
					sampler[1] = decimal(float64(r.ESS))
				}
				if n := len(r.Multiplier); n > 0 {
					low, mean, high := math.Inf(1), 0.0, math.Inf(-1)
					for _, m := range r.Multiplier {
						low, mean, high = math.Min(low, float64(m[0])), mean+float64(m[1]), math.Max(high, float64(m[2]))
					}
					sampler[2], sampler[3], sampler[4] = decimal(low), decimal(mean/float64(n)), decimal(high)
				}
				row := texts(header.ID, "mushroom", "uci", set.Conditions.Environment.Data.SHA256, results.Epoch, p.Label, p.Policy.Name, string(p.Policy.Options), trial.Seed,
					trial.Totals.Failure != nil, r.Round, r.Round >= 53, // 1,024 pulls are 51.2 rounds of 20
					decimal(r.Realised), decimal(r.Expected), decimal(realised), decimal(expected), r.Arms[0], r.Arms[1], len(r.Wrong), len(r.Energy))
				rows = append(rows, append(append(row, sampler...), "mushroom"))
			}
		}
	}
	must.Hold(t, len(rows) == 60+60+55+4, "%d rows", len(rows))
	return rows
}

func texts(values ...any) (all []string) {
	for _, v := range values {
		all = append(all, fmt.Sprint(v))
	}
	return all
}

// decimal formats v with all digits, and with a point or an exponent.
func decimal(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if v == math.Trunc(v) && !strings.Contains(s, "e") && !math.IsInf(v, 0) {
		s += ".0"
	}
	return s
}

// TestRounds checks that a CSV, compressed or not, has the exact values of the trial files.
func TestRounds(t *testing.T) {
	set := exportable(t)
	table := newTable(t, set, Options{PolicyOptions: true})
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "r.csv"), filepath.Join(dir, "r.CSV.gz")
	for _, path := range []string{plain, packed} {
		must.OK(t, table.WriteFile(path))
	}
	b := resultstest.ReadFile(t, plain)
	if got, want := cells(t, b, roundNames...), wanted(t, set); !reflect.DeepEqual(got, want) {
		for i := range min(len(got), len(want)) {
			must.Hold(t, slices.Equal(got[i], want[i]), "row %d:\n got %q\nwant %q", i, got[i], want[i])
		}
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	z := must.Get(gzip.NewReader(bytes.NewReader(resultstest.ReadFile(t, packed))))(t)
	must.Equal(t, "the compressed file", string(must.Get(io.ReadAll(z))(t)), string(b))
}

// newTable returns the table of a set.
func newTable(t *testing.T, set *results.Set, o Options) *Table {
	t.Helper()
	return must.Get(NewTable([]*results.Set{set}, o))(t)
}

// written returns the CSV of sets.
func written(t *testing.T, o Options, sets ...*results.Set) []byte {
	t.Helper()
	table := must.Get(NewTable(sets, o))(t)
	var b bytes.Buffer
	must.OK(t, table.Write(&b))
	return b.Bytes()
}

// records returns the cells of a CSV.
func records(t *testing.T, b []byte) [][]string {
	t.Helper()
	return must.Get(csv.NewReader(bytes.NewReader(b)).ReadAll())(t)
}

// cells returns the rows of a CSV, reduced to the named columns.
func cells(t *testing.T, b []byte, names ...string) (rows [][]string) {
	t.Helper()
	all := records(t, b)
	for _, record := range all[1:] {
		var row []string
		for _, name := range names {
			k := slices.Index(all[0], name)
			if k < 0 {
				t.Fatalf("there is no column %s among %q", name, all[0])
			}
			row = append(row, record[k])
		}
		rows = append(rows, row)
	}
	return rows
}

var update = flag.Bool("update", false, "renew the columns in docs/export.md")

// schema is the version of the columns. It is raised when a column is removed or changes its
// name, type or meaning, but not when a column is added.
const schema = 2

// described returns a description of the columns as a table in Markdown, for docs/export.md.
func described(columns []Column) string {
	text := "| column | type | unit | what it is |\n| --- | --- | --- | --- |\n"
	for _, c := range columns {
		typed, unit := c.Type, c.Unit
		if c.Nullable {
			typed += ", null"
		}
		if unit != "" {
			unit = " " + unit
		}
		text += fmt.Sprintf("| `%s` | %s |%s | %s |\n", c.Name, typed, unit, c.Doc)
	}
	return text
}

// TestColumnDocs checks that docs/export.md describes the columns as declared.
func TestColumnDocs(t *testing.T) {
	const path = "../../docs/export.md"
	page := string(resultstest.ReadFile(t, path))
	all := &layout{arms: []string{"NAME"}, options: true, names: []string{"NAME"}}
	want, found := page, 0
	for _, columns := range [][]Column{all.roundColumns(), all.trialColumns(), pullColumns()} {
		table := described(columns)
		head, _, _ := strings.Cut(table, "| `trial`")
		i := strings.Index(want[found:], head)
		must.Hold(t, i >= 0, "%s has fewer than three tables of columns", path)
		found += i
		end := strings.Index(want[found:], "\n\n")
		want = want[:found] + table[:len(table)-1] + want[found+end:]
		found += len(table)
	}
	if *update {
		must.OK(t, os.WriteFile(path, []byte(want), 0o666))
	} else if want != page {
		t.Errorf("%s is out of date: go test ./internal/export -run ColumnDocs -update", path)
	}
	must.That(t, strings.Contains(page, fmt.Sprintf("has the version %d,", schema)),
		"docs/export.md tells another version of the schema")
}

// TestExportParameters checks that each option in which policies of one name differ is a column, and that the column of
// all options is there with PolicyOptions only.
func TestExportParameters(t *testing.T) {
	dir := t.TempDir()
	for _, options := range []string{`{"posterior":{"hidden":[8],"rate":0.1}}`, `{"posterior":{"hidden":[8,4],"rate":0.1}}`} {
		i := resultstest.Identity("net", 1, 1)
		i.Policy.Options = json.RawMessage(options)
		resultstest.WriteRounds(t, dir, i, nil, &bandit.RoundRecord{Round: 1, Arms: []int{12, 8}})
	}
	resultstest.WriteRounds(t, dir, resultstest.Identity("alone", 1, 1), nil, &bandit.RoundRecord{Round: 1, Arms: []int{12, 8}})
	set := must.Get(results.Load(dir))(t)
	for _, whole := range []bool{false, true} {
		rows := records(t, written(t, Options{PolicyOptions: whole}, set))
		must.That(t, slices.Contains(rows[0], "options") == whole && !slices.Contains(rows[0], "option_rate"),
			"options %v: columns %q", whole, rows[0])
		var got []string
		for _, row := range rows {
			got = append(got, row[slices.Index(rows[0], "policy_name")]+" "+row[slices.Index(rows[0], "option_hidden")])
		}
		slices.Sort(got)
		must.Equal(t, "rows", got, []string{"alone ", "net [8,4]", "net [8]", "policy_name option_hidden"})
	}
}

// TestExportMixed checks that sets with different arms share a table, in which arms that a trial lacks are null.
func TestExportMixed(t *testing.T) {
	dir := t.TempDir()
	resultstest.WriteTrial(t, dir, resultstest.Identity("p", 1, 2), 12, 0)
	three := resultstest.Identity("p", 1, 1)
	three.Environment.Arms, three.Protocol.Pulls = []string{"eat", "sniff", "leave"}, 6
	resultstest.WriteRounds(t, dir, three, nil, &bandit.RoundRecord{Round: 1, Arms: []int{1, 2, 3}})
	sets := must.Get(results.LoadMixed(dir))(t)
	must.Equal(t, "sets", len(sets), 2)
	slices.SortFunc(sets, func(a, b *results.Set) int { return b.Conditions.Protocol.Rounds - a.Conditions.Protocol.Rounds })
	rows := cells(t, written(t, Options{PolicyOptions: true}, sets...), "arm_leave", "arm_eat", "arm_sniff")
	must.Equal(t, "rows", rows, [][]string{{"12", "8", ""}, {"12", "8", ""}, {"3", "1", "2"}})
}

// TestExportOfFormulas checks that a name that a spreadsheet would take for a formula gets an apostrophe in front.
func TestExportOfFormulas(t *testing.T) {
	set := resultstest.Trials(t, []string{"=cmd|' /C calc'!A0", "@x"}, 1, 2, nil)
	rows := records(t, written(t, Options{PolicyOptions: true}, set))
	must.Hold(t, len(rows) == 5, "%v", rows)
	policy := slices.Index(rows[0], "policy")
	for i, want := range []string{"=cmd|' /C calc'!A0", "@x"} {
		must.Equal(t, "cell", rows[1+2*i][policy], "'"+want)
	}
}

// TestExportOfDamagedTrial checks that an export that fails leaves the previous file unchanged.
func TestExportOfDamagedTrial(t *testing.T) {
	set := exportable(t)
	path := set.Find("fails").Records[0].Path
	b := resultstest.ReadFile(t, path)
	resultstest.WriteFile(t, path, bytes.Replace(b, []byte(`"arms":[12,8]`), []byte(`"arms":[13,7]`), 1)) // after Load, which leaves out damaged trials
	out := t.TempDir()
	for _, name := range []string{"r.csv", "r.csv.gz"} {
		old := filepath.Join(out, name)
		resultstest.WriteFile(t, old, []byte("old"))
		must.Fail(t, newTable(t, set, Options{}).WriteFile(old), filepath.Base(path), "checksum")
		must.Equal(t, name, string(resultstest.ReadFile(t, old)), "old")
	}
	must.Equal(t, "files", len(must.Get(os.ReadDir(out))(t)), 2)
}

func TestExportErrors(t *testing.T) {
	set := exportable(t)
	table := newTable(t, set, Options{})
	_, twice := NewTable([]*results.Set{{Conditions: results.Conditions{Environment: results.Environment{Name: "e", Arms: []string{"a", "a"}}}}}, Options{})
	for want, err := range map[string]error{
		`unknown ending ".xlsx", want .csv or .csv.gz`: table.WriteFile("r.xlsx"),
		`unknown ending "", want .csv or .csv.gz`:      table.WriteFile("r"),
		"no Parquet: export .csv or .csv.gz":           table.WriteFile("r.Parquet"),
		"use tar -czf r.tar.gz -C DIR trials":          table.WriteFile("r.tar.gz"),
		"no such file":                                 table.WriteFile(filepath.Join(t.TempDir(), "none", "r.csv")),
		`two arms named "a"`:                           twice,
		"the file has changed while it was ":           changedExport(t, set),
	} {
		must.Fail(t, err, want)
	}
	must.Is(t, table.Write(brokenPipe{}), syscall.EPIPE)
}

// changedExport exports a set in which the path of a trial now has another trial, as if the file had changed since Load.
func changedExport(t *testing.T, set *results.Set) error {
	t.Helper()
	changed := *set
	trials := slices.Clone(set.Find("contour").Records)
	trials[0].Path = trials[1].Path
	changed.Policies = []results.PolicyRecords{{Label: "p", Policy: set.Find("contour").Policy, Records: trials}}
	return newTable(t, &changed, Options{}).Write(io.Discard)
}

// A brokenPipe is a writer whose reader has gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestExportChains checks that the chains are those of the sampler's options, whether or not rounds have diagnostics.
func TestExportChains(t *testing.T) {
	for _, test := range []struct {
		name, options string
		kind          resultstest.Kind
		want          string
	}{
		{"no diagnostics", `{"act":"sample","posterior":{"chains":4,"steps":16}}`, resultstest.Plain, "4"},
		{"one chain", `{"posterior":{"steps":20}}`, resultstest.Plain, "1"},
		{"recorded", `{"posterior":{"chains":4,"steps":16}}`, resultstest.Contour, "4"},
		{"recorded, with options of another form", `{"posterior":"mine"}`, resultstest.Sampler, "4"},
		{"no sampler", `{"posterior":{"prior_variance":1}}`, resultstest.Plain, "0"},
		{"no posterior", `{"scale":1}`, resultstest.Plain, "0"},
		{"options of another form", `[1]`, resultstest.Plain, "0"},
	} {
		set := resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: []string{"a"}, Kinds: []resultstest.Kind{test.kind}, Seeds: 1, Rounds: 3, Change: func(i *results.Identity) {
			i.Policy.Options = json.RawMessage(test.options)
		}})
		rows := records(t, written(t, Options{}, set))
		at := slices.Index(rows[0], "chains")
		for _, row := range rows[1:] {
			must.Equal(t, test.name+": chains", row[at], test.want)
		}
	}
}
