package tables

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/deep"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// newBasinsRecord returns a record of two chains.
func newBasinsRecord(method string, seed uint64, negative float64, escapes, distinct int) deep.BasinsRecord {
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

func newBasinsResult(t *testing.T) *basinsResult {
	t.Helper()
	o := must.Get(deep.BasinsPreset("small", 5000))(t)
	r := &basinsResult{}
	r.Identity.Data, r.Identity.Options = &deep.Data{Name: "toy", SHA256: "0123456789abcdef"}, o
	for seed := range uint64(3) {
		k := int(seed)
		r.Records = append(r.Records, newBasinsRecord("SGD", seed+1, 0, 0, 1), newBasinsRecord("SGLD", seed+1, 0, k, 2), newBasinsRecord("ICSGLD", seed+1, .3+float64(k)/100, 5+k, 2+k%2))
	}
	return r
}

// TestBasins checks measures, the report, and the verdicts on claims, which depend on intervals of differences paired by seed.
func TestBasins(t *testing.T) {
	r := newBasinsResult(t)
	must.Equal(t, "row", strings.Split(csvOf(t, basinsRows, r.Records), "\n")[6], "ICSGLD,2,0.31,0.69,0.5,0.25,0.03,8,7,3,2,0.015,0.97")
	wantTexts(t, Basins(r), map[report.Format][]string{
		report.Text: {"mean and half of a 95 % t-interval over 3 seeds", "toy (SHA-256 0123456789ab…)", "ICSGLD", "distinct minima"},
		report.CSV:  {"method,seeds,negative,", "ICSGLD,3,0.31,"},
		report.JSON: {`"sha256": "0123456789abcdef"`, `"escapes": {`},
	})
	got := lists.Each(basinsClaims(r.Records), func(c basinsClaim) string { return c.claim + ": " + c.verdict() })
	want := []string{ // comments: the claim's figure on each seed
		"ICSGLD meets negative learning rates: holds",                    // .30, .31, .32
		"ICSGLD escapes more often than SGD: holds",                      // 5, 6, 7
		"ICSGLD escapes more often than SGLD: holds",                     // 5, 5, 5
		"ICSGLD visits more modes than SGD: not shown",                   // 1, 2, 1
		"ICSGLD visits more modes than SGLD: not shown",                  // 0, 1, 0
		"SGD gets stuck: most falls to low energy are final: not shown",  // 1/2, 1/2, 1/2
		"SGLD gets stuck: most falls to low energy are final: not shown", // 1/2, 1/3, 1/4
	}
	must.That(t, slices.Equal(got, want), "verdicts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	below := basinsClaim{figure: stats.NewEstimate([]float64{.01, .02, .03}), than: .1}
	must.Equal(t, "a share of at most .03 where .1 is claimed", below.verdict(), "does not hold")
	svg := svgOf(t, pathFigure(r))
	must.Contain(t, svg, ">ICSGLD<", ">nats<", "± 1.1 · 90.0 %")
}

// A basinsClaim is a claim of the paper: that a figure is above a threshold.
type basinsClaim struct {
	claim   string
	measure string         // description of the figure
	figure  stats.Estimate // estimated from the records
	than    float64        // threshold
}

// verdict returns 'holds' if the whole interval of the figure is above the threshold, 'does not hold' if the whole interval is below,
// and 'not shown' otherwise.
func (c basinsClaim) verdict() string {
	switch {
	case c.figure.Low > c.than:
		return "holds"
	case c.figure.High < c.than:
		return "does not hold"
	}
	return "not shown"
}

// basinsClaims returns the claims with figures from records. Differences are paired by seed; seeds without a finite value are omitted.
func basinsClaims(records []deep.BasinsRecord) []basinsClaim {
	get := func(name string) func(deep.BasinsRecord) float64 {
		return basinsMeasures[slices.IndexFunc(basinsMeasures, func(m measure[deep.BasinsRecord]) bool { return m.name == name })].get
	}
	stays := func(r deep.BasinsRecord) float64 { return 1 - get("escapes")(r)/get("falls")(r) } // NaN if there are no falls
	const than = ", less those of "
	var claims []basinsClaim
	for _, c := range []struct {
		claim, measure, method, other string
		get                           func(deep.BasinsRecord) float64
		than                          float64
	}{
		{"ICSGLD meets negative learning rates", "share of its steps with M < 0, above 0.1", "ICSGLD", "", get("negative"), 0.1},
		{"ICSGLD escapes more often than SGD", "passages of a chain from low energy to high" + than + "SGD", "ICSGLD", "SGD", get("escapes"), 0},
		{"ICSGLD escapes more often than SGLD", "passages of a chain from low energy to high" + than + "SGLD", "ICSGLD", "SGLD", get("escapes"), 0},
		{"ICSGLD visits more modes than SGD", "distinct minima of a chain" + than + "SGD", "ICSGLD", "SGD", get("distinct"), 0},
		{"ICSGLD visits more modes than SGLD", "distinct minima of a chain" + than + "SGLD", "ICSGLD", "SGLD", get("distinct"), 0},
		{"SGD gets stuck: most falls to low energy are final", "share of the falls of a chain that no escape follows, above 0.5", "SGD", "", stays, 0.5},
		{"SGLD gets stuck: most falls to low energy are final", "share of the falls of a chain that no escape follows, above 0.5", "SGLD", "", stays, 0.5},
	} {
		var values []float64
		for _, r := range records {
			if r.Method != c.method {
				continue
			}
			v := c.get(r)
			for _, o := range records {
				if o.Method == c.other && o.Seed == r.Seed {
					v -= c.get(o)
				}
			}
			if words.Finite(v) {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			claims = append(claims, basinsClaim{c.claim, c.measure, stats.NewEstimate(values), c.than})
		}
	}
	return claims
}

// TestBasinsPage checks that docs/deep.md has the results in results/reference/basins, and that these were made with the preset small
// and three methods on the same seeds.
func TestBasinsPage(t *testing.T) {
	r, dir := readReference(t, "basins", func(r *basinsResult) string { return csvOf(t, basinsRows, r.Records) })
	const images = 5139 // number of images of the digits 0 to 4 in MNIST's test file
	small := must.Get(deep.BasinsPreset("small", images))(t)
	must.Equal(t, "format of the rows", r.Identity.Format, deep.BasinsFormat)
	must.Equal(t, "options of the rows", r.Identity.Options, small)
	methods := basinsMethods(r)
	for i, rec := range r.Records {
		must.Hold(t, len(methods) == 3 && rec.Method == methods[i%3].name && rec.Seed == r.Records[i/3*3].Seed,
			"record %d is of %s on seed %d, want three methods on the same seeds", i, rec.Method, rec.Seed)
	}
	compareFigure(t, filepath.Join(dir, "basins-energy.svg"), energyFigure(r))
	compareFigure(t, filepath.Join(dir, "basins-path.svg"), pathFigure(r))
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe preset `small` on the digits 0 to 4 of MNIST's test images ([rows](../results/reference/basins/basins.csv)):\n"+
		"mean and half of a 95 %% t-interval over %d seeds.\n\n", len(methods[0].records))
	fmt.Fprintln(&b, "| method | M < 0 | M = 1 | at low energy | escapes of a chain | distinct minima of a chain | accuracy |")
	fmt.Fprintln(&b, "| --- | --- | --- | --- | --- | --- | --- |")
	for _, m := range methods {
		e := m.estimates // in the order of basinsMeasures
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", m.name, e[0], e[1], e[2], e[6], e[7], e[10])
	}
	fmt.Fprintln(&b, "\n| claim | verdict | our figure |\n| --- | --- | --- |")
	for _, c := range basinsClaims(r.Records) {
		fmt.Fprintf(&b, "| %s | **%s** | %s: %s %s |\n", c.claim, c.verdict(), c.measure, c.figure.MeanText(), c.figure.Interval())
	}
	fmt.Fprint(&b, "\n![Energy and multiplier by step](../results/reference/basins/basins-energy.svg)\n\n![Paths over the loss](../results/reference/basins/basins-path.svg)\n\n")
	comparePage(t, "-run TestBasinsPage -update -->\n", "<!-- end -->", b.String())
}

// TestEnergyFigure checks that there is an energy panel for every method, on one scale, and a multiplier panel only if it varies.
func TestEnergyFigure(t *testing.T) {
	r := newBasinsResult(t)
	for i := range r.Records[:2] {
		r.Records[i].Series.Multiplier = []float64{1, 1}
	}
	r.Records[2].Series.Energy = []float64{1.5, .001}
	f := energyFigure(r)
	titles := lists.Each(f.Panels, func(p plot.Panel) string { return p.Title })
	must.Equal(t, "panels", titles, []string{"SGD: energy, nats", "SGLD: energy, nats", "ICSGLD: energy, nats", "ICSGLD: multiplier"})
	must.Equal(t, "rows of panels", f.Rows, 2)
	must.Equal(t, "axes have the mark 0.001", strings.Count(svgOf(t, f), ">0.001<"), 3)
}
