package tables

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/lab/deep"
)

// uncertaintyRecords returns one record per method and seed. The accuracy a of a record is accuracy[method] plus a small number that
// depends on the seed; log loss and Brier score are 1 − a.
func uncertaintyRecords(seeds int, accuracy map[string]float64) *uncertaintyResult {
	r := &uncertaintyResult{}
	r.Identity.Data, r.Identity.Outside = &deep.Data{}, []deep.Outside{{Set: "5 to 9"}}
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

// TestUncertaintyVerdicts checks that every verdict occurs where it should.
func TestUncertaintyVerdicts(t *testing.T) {
	five := map[string]float64{"cycSGHMC": 0.5, "MultiSWAG": 0.6, "M-SGD": 0.7, "reSGHMC": 0.8, "ICSGHMC": 0.9}
	with := func(change map[string]float64) map[string]float64 {
		all := maps.Clone(five)
		maps.Copy(all, change)
		return all
	}
	for _, c := range []struct {
		name     string
		seeds    int
		accuracy map[string]float64
		want     string // verdicts of all claims
	}{
		{"the paper's order", 10, five, "holds; holds; holds; holds; holds; does not hold; holds; holds"},
		{"ICSGHMC as good as reSGHMC", 10, with(map[string]float64{"ICSGHMC": 0.8}), "holds in part; holds in part; holds in part; holds; holds; does not hold; holds; holds"},
		{"all alike", 10, with(map[string]float64{"cycSGHMC": 0.9, "MultiSWAG": 0.9, "M-SGD": 0.9, "reSGHMC": 0.9}), "not shown; not shown; not shown; not shown; not shown; not shown; not shown; not shown"},
		{"one seed", 1, five, "not shown; not shown; not shown; not shown; not shown; not shown; not shown; not shown"},
		{"two methods", 10, map[string]float64{"M-SGD": 0.7, "reSGHMC": 0.8}, "not compared; not compared; not compared; not compared; not compared; not compared; holds; not compared"},
	} {
		claims := claimsOf(uncertaintyMethods(uncertaintyRecords(c.seeds, c.accuracy)))
		got := lists.Each(claims, func(c claim) string { return c.Verdict })
		must.Equal(t, c.name, strings.Join(got, "; "), c.want)
	}
}

// TestUncertaintyPage checks that docs/deep.md has the results in results/reference/uncertainty, that these were made with the preset
// small and all methods on all seeds, and that the first chain of M-SGD has an accuracy of at least 98.5 % on every seed.
func TestUncertaintyPage(t *testing.T) {
	r, dir := readReference(t, "uncertainty", func(r *uncertaintyResult) string { return csvOf(t, uncertaintyRows, r.Records) })
	small := must.Get(deep.UncertaintyPreset("small"))(t)
	must.Equal(t, "format of the rows", r.Identity.Format, deep.UncertaintyFormat)
	must.Equal(t, "options of the rows", r.Identity.Options, small)
	list := uncertaintyMethods(r)
	must.Equal(t, "methods", len(list), len(deep.UncertaintyMethods()))
	must.Equal(t, "records, of all methods on all seeds", len(r.Records), len(list)*seedCount(list))
	for _, rec := range r.Records {
		must.That(t, rec.Method != "M-SGD" || rec.Single >= 0.985,
			"seed %d: a chain of M-SGD names %.2f %% of the images held out, want at least 98.5 %%", rec.Seed, 100*rec.Single)
	}
	var table strings.Builder
	must.OK(t, Uncertainty(r).Render(&table, report.Markdown))
	compareFigure(t, filepath.Join(dir, "uncertainty.svg"), uncertaintyFigure(r))
	comparePage(t, "-run TestUncertaintyPage -update -->\n", "<!-- end of uncertainty -->",
		"\nThe preset `small` on MNIST's test images ([rows](../results/reference/uncertainty/uncertainty.csv)):\n\n"+table.String()+
			"\n![Log loss, Brier score and AUROC by method](../results/reference/uncertainty/uncertainty.svg)\n\n")
}

// TestUncertaintyFigure checks that each panel has one row per method, with a gap after the paper's methods, and that results
// of a single seed or a single method have no invalid numbers.
func TestUncertaintyFigure(t *testing.T) {
	all := map[string]float64{}
	for i, m := range deep.UncertaintyMethods() {
		all[m] = 0.9 + 0.01*float64(i)
	}
	r := uncertaintyRecords(3, all)
	row, want := uncertaintyFigure(r).Forests[0].Rows[5], uncertaintyMethods(r)[5].estimates[1]
	must.That(t, row.Label == "SGHMC×P0" && row.Mid == want.Mean && row.Low == want.Low && row.High == want.High && row.Gap,
		"row %+v, want the log loss of SGHMC, %v, apart from those above", row, want)
	for _, few := range []*uncertaintyResult{r, uncertaintyRecords(1, all), uncertaintyRecords(2, map[string]float64{"Laplace": 0.6})} {
		svg := svgOf(t, uncertaintyFigure(few))
		for _, want := range []string{">Laplace×T0<", ">AUROC: more is better<", ">Log loss, 0.001 nats: less is better<"} {
			must.That(t, strings.Count(svg, want) == 1, "figure of %d records: want %q once", len(few.Records), want)
		}
		wantTexts(t, Uncertainty(few), map[report.Format][]string{report.Text: {"Laplace×T0"}, report.Markdown: nil, report.CSV: nil, report.JSON: nil})
	}
}
