package tables

import (
	"fmt"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/deep"
	"banditsim/results/plot"
)

type (
	basinsResult = deep.Result[deep.BasinsOptions, deep.BasinsRecord]
	basinsRecord = deep.BasinsRecord
	basinsChain  = deep.BasinsChain
	basinsMethod = summary[deep.BasinsRecord]
)

// basinsMeasures are the measures of the table: values over all chains of a record, or means of counts per chain.
var basinsMeasures = []measure[basinsRecord]{
	{"negative", "M < 0", func(r basinsRecord) float64 { return r.Negative }},
	{"one", "M = 1", func(r basinsRecord) float64 { return r.One }},
	{"low", "low", func(r basinsRecord) float64 { return r.Low }},
	{"high", "high", func(r basinsRecord) float64 { return r.High }},
	{"energy", "", func(r basinsRecord) float64 { return r.Energy }},
	{"falls", "", ofChain(func(c *basinsChain) int { return c.Falls })},
	{"escapes", "escapes", ofChain(func(c *basinsChain) int { return c.Escapes })},
	{"distinct", "distinct minima", ofChain(func(c *basinsChain) int { return c.Distinct })},
	{"minima", "", ofChain(func(c *basinsChain) int { return c.Minima })},
	{"between", "", func(r basinsRecord) float64 { return r.Between }},
	{"accuracy", "accuracy", descentAccuracy},
}

// ofChain returns a function that computes the mean of a count over the chains of a record.
func ofChain(count func(*basinsChain) int) func(basinsRecord) float64 {
	return func(r basinsRecord) (mean float64) {
		for i := range r.Chains {
			mean += float64(count(&r.Chains[i])) / float64(len(r.Chains))
		}
		return mean
	}
}

// descentAccuracy returns the mean accuracy at the ends of all descents.
func descentAccuracy(r basinsRecord) (mean float64) {
	for _, c := range r.Chains {
		for _, d := range c.Descents {
			mean += d.Accuracy / float64(len(r.Chains)) / float64(len(c.Descents))
		}
	}
	return mean
}

func basinsMethods(r *basinsResult) []basinsMethod {
	return methodsOf(r.Records, func(r basinsRecord) string { return r.Method }, basinsMeasures)
}

// basinsColumns are the columns of the table of methods.
var basinsColumns = append(report.Columns[basinsMethod]{
	{Name: "method", Header: "method", Exact: func(m basinsMethod) any { return m.name }},
	exactColumn("seeds", func(m basinsMethod) any { return len(m.records) }),
}, measureColumns(basinsMeasures)...)

// Basins returns the report of the experiment on the basins of a network's loss: a table with one row per method,
// the figures basins-energy.svg and basins-path.svg, and the measures of each record.
func Basins(r *basinsResult) Report {
	o, methods := r.Identity.Options, basinsMethods(r)
	table := report.NewTable(basinsColumns, methods,
		fmt.Sprintf("mean and half of a 95 %% t-interval over %s; %s of %s each, on the classes 0 to 4 of %s (SHA-256 %.12s…)",
			words.Count(len(methods[0].records), "seed"), words.Count(o.Chains, "chain"), words.Count(o.Steps, "step"),
			r.Identity.Data.Name, r.Identity.Data.SHA256),
		fmt.Sprintf("energy per image: low is at most %g nats, high at least %g; "+
			"escapes: passages of a chain from low to high", o.Low, o.High),
		fmt.Sprintf("distinct minima: where %s of each chain descend to whose predictions differ by at least %g in total variation",
			words.Count(o.Snapshots, "snapshot"), o.Distance),
	)
	return Report{
		Result: report.Result{Tables: []report.Table{table}, Document: struct {
			Identity any          `json:"identity"`
			Methods  report.Table `json:"methods"`
		}{r.Identity, table}},
		name: "basins", numbers: r, rows: report.Data(basinsRows, r.Records),
		figures: map[string]plot.Figure{"-energy": energyFigure(r), "-path": pathFigure(r)},
	}
}

// basinsRows are the columns of basins.csv.
var basinsRows = append(report.Columns[basinsRecord]{
	exactColumn("method", func(r basinsRecord) any { return r.Method }),
	exactColumn("seed", func(r basinsRecord) any { return r.Seed }),
}, rowColumns(basinsMeasures)...)

// energyFigure plots energy against step for the first chain of each method on the first seed, and also the multipliers
// of these chains, except those that are always 1.
func energyFigure(r *basinsResult) *plot.Panels {
	o, first := r.Identity.Options, firstSeed(r)
	var energies, multipliers []plot.Panel
	var all []float64
	for _, rec := range first {
		all = append(all, rec.Series.Energy...)
	}
	for i, rec := range first {
		panel := func(name string, values []float64) plot.Panel {
			points := plot.Series{Look: plot.Look{Color: i}, Mid: values}
			points.X = lists.Each(rec.Series.Step, func(step int) float64 { return float64(step) })
			return plot.Panel{Title: rec.Method + ": " + name, X: "step", Low: 0, High: float64(o.Steps), Points: []plot.Series{points}}
		}
		energy := panel("energy, nats", rec.Series.Energy)
		energy.Log[1], energy.Also = true, all
		energies = append(energies, energy)
		if slices.ContainsFunc(rec.Series.Multiplier, func(m float64) bool { return m != 1 }) {
			multipliers = append(multipliers, panel("multiplier", rec.Series.Multiplier))
		}
	}
	panels := append(energies, multipliers...)
	return &plot.Panels{
		Title:    "Energy and multiplier of chains in a network's landscape",
		Subtitle: fmt.Sprintf("Classes 0 to 4 of %s, seed %d", r.Identity.Data.Name, r.Records[0].Seed),
		Captions: []string{fmt.Sprintf("The first of %s, every %.3g steps. Energy of the batch, per image; low is at most %g, high at least %g. "+
			"The multiplier is that of the drift: below 0 it drives a chain uphill. It is 1 where it is not shown.", words.Count(o.Chains, "chain"), float64(o.Steps)/float64(o.Points), o.Low, o.High)},
		Rows: (len(panels) + 1) / 2, Width: 330, Height: 190, Panels: panels,
	}
}

// firstSeed returns the records of the first seed.
func firstSeed(r *basinsResult) []basinsRecord {
	return slices.DeleteFunc(slices.Clone(r.Records), func(rec basinsRecord) bool { return rec.Seed != r.Records[0].Seed })
}

// topLoss is the upper end of the losses' color scale. Equal probabilities for five classes have the loss log 5 = 1.61.
const topLoss = 2

// pathFigure draws the path of the first chain of each method on the first seed over a map of the loss, see deep.Plane.
func pathFigure(r *basinsResult) *plot.Heatmaps {
	f := &plot.Heatmaps{
		Title:    "Paths of chains in a network's landscape",
		Subtitle: fmt.Sprintf("Classes 0 to 4 of %s, seed %d", r.Identity.Data.Name, r.Records[0].Seed),
		Captions: []string{fmt.Sprintf("The first of %s in the plane of the first two singular directions of its path, through the mean of the path. Colors: loss of the network at "+
			"the points of that plane, per image, over %s; the path itself is not in the plane. The dot is the end. Below: half of the side, and the share of the variance of the path that is in the plane.",
			words.Count(r.Identity.Options.Chains, "chain"), words.Count(r.Identity.Options.Images, "image"))},
		Top: topLoss, Scale: "nats",
	}
	for _, rec := range firstSeed(r) {
		m := plot.Heatmap{Name: rec.Method, Density: rec.Plane.Loss, Below: fmt.Sprintf("± %.3g · %s", rec.Plane.Side, words.Percent(100*(rec.Plane.Share[0]+rec.Plane.Share[1])))}
		side := rec.Plane.Side
		m.Path = lists.Each(rec.Plane.Path, func(p [2]float64) [2]float64 { return [2]float64{p[0] / side, p[1] / side} })
		f.Maps = append(f.Maps, m)
	}
	return f
}
