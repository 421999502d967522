package frame

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"banditsim/bandit"
	"banditsim/internal/export"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/compare"
)

// twoSettings returns sets whose arms and options differ, so that every nullable column of an export has nulls.
func twoSettings(t *testing.T) []*results.Set {
	t.Helper()
	dir := t.TempDir()
	for _, rate := range []string{"0.1", "0.2"} {
		i := resultstest.Identity("net", 1, 3)
		i.Policy.Options = []byte(`{"rate":` + rate + `}`)
		resultstest.WriteTrial(t, dir, i, 12, 0)
	}
	resultstest.WriteTrial(t, dir, resultstest.Identity("Uniform", math.MaxInt64, 3), 12, 0)
	three := resultstest.Identity("Uniform", 1, 1)
	three.Environment.Arms, three.Protocol.Pulls = []string{"eat", "sniff", "leave"}, 6
	resultstest.WriteRounds(t, dir, three, nil, &bandit.RoundRecord{Round: 1, Arms: []int{1, 2, 3}})
	sets, err := results.LoadMixed(dir)
	if err != nil || len(sets) != 2 {
		t.Fatal(len(sets), err)
	}
	return sets
}

// sameAsCSV checks that a frame has the columns, their types and all values of an export to CSV.
func sameAsCSV(t *testing.T, f dataframe.DataFrame, columns []export.Column, text []byte) {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(records) < 2 {
		t.Fatal(len(records), err)
	}
	must.Hold(t, slices.Equal(f.Names(), records[0]) && f.Nrow() == len(records)-1,
		"%d rows of %q, want %d of %q", f.Nrow(), f.Names(), len(records)-1, records[0])
	want := map[string]series.Type{"string": series.String, "bool": series.Bool, "int32": series.Int, "uint64": series.Int, "float64": series.Float}
	for k, c := range columns {
		column := f.Col(c.Name)
		must.Equal(t, "type of "+c.Name, column.Type(), want[c.Type])
		for i, record := range records[1:] {
			if got := cellText(column.Elem(i), c.Nullable); got != record[k] {
				t.Fatalf("%s, row %d: %q, want %q", c.Name, i, got, record[k])
			}
		}
	}
}

// cellText returns a value in the form of a CSV cell.
func cellText(e series.Element, nullable bool) string {
	if e.IsNA() && nullable {
		return ""
	}
	if f, ok := e.Val().(float64); ok {
		s := strconv.FormatFloat(f, 'g', -1, 64)
		if strings.Trim(s, "-0123456789") == "" {
			s += ".0"
		}
		return s
	}
	return e.String()
}

// TestFramesAreExports checks that frames have the values of exports, in which missing rows and propensities are nulls.
func TestFramesAreExports(t *testing.T) {
	dir := t.TempDir()
	resultstest.WritePulls(t, dir, resultstest.Identity("p", 1, 1), func(_ *bandit.RoundRecord, p *bandit.PullRecord, k int) {
		p.Row, p.Reward, p.Expected, p.Best = k-1, 0.1, 0.2, 0.3
		if k > 2 {
			p.Propensity = 0.7
		}
	})
	withPulls := must.Get(results.LoadMixed(dir))(t)
	sets := twoSettings(t)
	for _, tt := range []struct {
		of    export.Rows
		sets  []*results.Set
		frame func(...*results.Set) (dataframe.DataFrame, error)
	}{{export.Rounds, sets, Rounds}, {export.Trials, sets, Trials}, {export.Pulls, withPulls, Pulls}} {
		f := must.Get(tt.frame(tt.sets...))(t)
		table := must.Get(export.NewTable(tt.sets, export.Options{Of: tt.of}))(t)
		var b bytes.Buffer
		must.OK(t, table.Write(&b))
		sameAsCSV(t, f, table.Columns, b.Bytes())
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	resultstest.WriteTrial(t, dir, resultstest.Identity("p", math.MaxInt64+1, 2), 12, 0)
	set := must.Get(results.Load(dir))(t)
	for _, f := range map[string]func(...*results.Set) (dataframe.DataFrame, error){"rounds": Rounds, "trials": Trials} {
		must.Refuse(f(set))(t, "column seed: 9223372036854775808 is above 9223372036854775807")
	}
	must.Refuse(Pulls(set))(t, "were not recorded")
}

// TestComparison checks the frame of a comparison, with too few pairs for a test and with enough.
func TestComparison(t *testing.T) {
	for _, seeds := range []int{2, 8} {
		set := resultstest.Write(t, t.TempDir(), resultstest.Folder{Policies: []string{"a", "b", "c"}, Seeds: seeds, Rounds: 4})
		c := must.Get(compare.Compare(set, compare.DefaultOptions(set)))(t)
		f, err := Comparison(c)
		if err != nil || f.Nrow() != len(c.Differences) {
			t.Fatal(f, err)
		}
		for i, d := range c.Differences {
			must.Equal(t, fmt.Sprintf("row %d is of", i), f.Col("policy").Elem(i).String(), d.Policy)
			for name, want := range map[string]float64{"difference": d.Mean.Mean, "low": d.Mean.Low, "high": d.Mean.High, "p": d.P, "p_holm": d.Holm, "sign_flip_p": d.SignFlip} {
				if got := f.Col(name).Elem(i).Float(); got != want && !(math.IsNaN(got) && math.IsNaN(want)) || f.Col(name).Type() != series.Float {
					t.Errorf("%d seeds, %s: %v (%s), want %v", seeds, name, got, f.Col(name).Type(), want)
				}
			}
			got, err := f.Col("significant").Elem(i).Bool()
			must.That(t, err == nil && got == d.Significant(), "%d seeds, %s: significant %t, %v", seeds, d.Policy, got, err)
		}
	}
}
