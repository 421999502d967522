package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// TestCompared checks that the data of a page give the rows, captions and notes of the table that package report makes for every
// baseline.
func TestCompared(t *testing.T) {
	many := resultstest.Folder{Seeds: 6, Rounds: 5}
	for k := range maxPairs + 1 {
		many.Policies = append(many.Policies, fmt.Sprint("policy", k))
	}
	for name, f := range map[string]resultstest.Folder{
		"three seeds": {Policies: []string{"c", "a", "b"}, Seeds: 3, Rounds: 40}, // the first has the lowest regret
		"failures": {Policies: []string{"a", "b", "c", "d"}, Seeds: 8, Rounds: 40, Fails: func(policy string, seed uint64) bool {
			return policy == "b" && seed == 2 || policy == "c" && seed > 1 || policy == "d"
		}},
		"small":    {Policies: []string{"b", "c", "a"}, Seeds: 7, Rounds: 40, Scale: 1e-7},
		"a number": {Policies: []string{"a", "b"}, Seeds: 1, Rounds: 20},
		"options": {Policies: []string{"a", "b", "c"}, Seeds: 6, Rounds: 20, Change: func(i *results.Identity) {
			if i.Policy.Name == "b" {
				i.Policy = results.Policy{Name: "a", Options: []byte(`{"learning_rate":3e-7,"chains":8}`)}
			}
		}},
		"many": many,
	} {
		t.Run(name, func(t *testing.T) {
			set := resultstest.Write(t, t.TempDir(), f)
			v := must.Get(newView([]*results.Set{set}, Options{}))(t)
			d := v.Data.Environments[0].Compared
			named := slices.ContainsFunc(d.Texts, func(s string) bool { return strings.Contains(s, "are named by: banditsim compare") })
			must.That(t, named == (name == "many"), "a note says where other warnings are: %v", named)
			for _, m := range compare.Metrics() {
				of := d.Metrics[m.String()]
				for i, p := range set.Policies {
					if i > 3 { // the others are treated the same
						break
					}
					if len(results.Finished(p.Records)) == 0 {
						must.That(t, of.Baselines[i] == nil, "%s finished no trial and is a baseline", p.Label)
						continue
					}
					d.compare(t, set, of, of.Baselines[i], compareWith(t, set, m, p.Label))
				}
				c := compareWith(t, set, m, "")
				of.Picked.Caption = d.texts(report.Comparison(c).Tables[0].Caption)
				of.Picked.Notes = d.texts(report.Comparison(c).Below())
				d.compare(t, set, of, of.Picked, c)
			}
		})
	}
}

func compareWith(t *testing.T, set *results.Set, m *compare.Metric, baseline string) *compare.Comparison {
	t.Helper()
	o := compare.DefaultOptions(set)
	o.Metric, o.Baseline = m, baseline
	return must.Get(compare.Compare(set, o))(t)
}

// compare compares what the page has of a baseline with the table of a comparison.
func (d *compared) compare(t *testing.T, set *results.Set, of *differences, b *baseline, c *compare.Comparison) {
	t.Helper()
	table := report.Comparison(c).Tables[0]
	lines := func(places []int) (lines []string) {
		for _, k := range places {
			lines = append(lines, d.Texts[k])
		}
		return lines
	}
	must.Equal(t, c.Baseline+": caption", lines(b.Caption), table.Caption)
	all := report.Comparison(c).Below()
	got, want := lines(b.Notes), all
	if len(d.Policies) > maxPairs && !c.BaselinePicked {
		ofSeeds := func(note string) bool {
			return strings.Contains(note, "far from the median") || strings.Contains(note, "too skewed") || strings.Contains(note, "left out:")
		}
		if want = slices.DeleteFunc(slices.Clone(all), ofSeeds); len(want) < len(all) {
			got = got[:len(got)-1] // without the note where the others are
		}
	}
	must.Equal(t, c.Baseline+": notes", got, want)
	must.Equal(t, "baseline", d.Policies[b.Policy].Label, c.Baseline)
	for i, f := range c.Differences {
		p := slices.IndexFunc(set.Policies, func(p results.PolicyRecords) bool { return p.Label == f.Policy })
		e := stats.Estimate{Mean: b.Mean[p], Low: b.Mean[p] - b.HalfInterval[p], High: b.Mean[p] + b.HalfInterval[p]}
		own := of.Cells[p]
		var row []string
		for _, column := range d.Columns {
			switch column {
			case ownColumn:
				row, own = append(row, own[0]), own[1:]
			case "needed":
				row = append(row, needed(b.Seeds[p], b.Needed[p]))
			default:
				row = append(row, map[string]string{
					"policy": d.Policies[p].Label, "seeds": strconv.Itoa(b.Seeds[p]), "difference": e.MeanText(), "interval": e.Interval(),
					"p": words.PValue(b.P[p]), "signFlip": words.PValue(b.SignFlip[p]), "holm": words.PValue(b.Holm[p]), "signFlipHolm": words.PValue(b.SignFlipHolm[p]),
					"mark": strings.TrimSpace(string([]rune(b.Marks)[p])),
				}[column])
			}
		}
		must.Equal(t, c.Baseline+": row", row, table.Rows[i+1])
	}
}

func needed(seeds, needed int) string {
	switch {
	case seeds < 2:
		return words.None
	case needed == 0:
		return "~"
	}
	return words.Int(needed)
}

// TestRounding checks that rounding changes neither the texts of numbers nor the side of the threshold on which a p-value is.
func TestRounding(t *testing.T) {
	draw := stream.Root(1).Child("rounding")
	for _, p := range append([]float64{0, 0.00099999, 0.001, 0.0499999, 0.05, 0.99899999, 0.9995, 1, math.NaN(), 2.2345e-18}, draw.Float64()) {
		r := roundP(p)
		must.That(t, words.PValue(r) == words.PValue(p) && (r < stats.Significance) == (p < stats.Significance),
			"p = %v is written as %v", p, r)
	}
	must.Equal(t, "p = 0.12349", roundP(0.12349), 0.123)
	for _, of := range [][2]float64{{1234.56789, 12.3456789}, {-0.5, 0}, {123456.4, 0.0123456789}, {2.50000001, 12}, {1e4 * draw.Float64(), draw.Float64()}} {
		e := stats.Estimate{N: 5, Mean: of[0], Low: of[0] - of[1], High: of[0] + of[1]}
		mean, half := roundEstimate(e)
		if r := (stats.Estimate{N: 5, Mean: mean, Low: mean - half, High: mean + half}); r.MeanText() != e.MeanText() || r.Interval() != e.Interval() {
			t.Errorf("%v ± %v is written as %v ± %v", of[0], of[1], mean, half)
		}
	}
}
