package tables

import (
	"fmt"
	"io"
	"slices"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/deep"
	"banditsim/results/plot"
)

// A BasinsResult has the records of the experiment on the basins of a network.
type BasinsResult struct {
	Identity deep.BasinsIdentity `json:"identity"`
	Records  []deep.BasinsRecord `json:"records"`
}

// basinsMeasures are of all chains of a record, or on average of a chain.
var basinsMeasures = []measure[deep.BasinsRecord]{
	{"negative", "M < 0", "share of steps with a multiplier below 0", "", func(r *deep.BasinsRecord) float64 { return r.Negative }},
	{"one", "M = 1", "share of steps with a multiplier of exactly 1", "", func(r *deep.BasinsRecord) float64 { return r.One }},
	{"low", "low", "share of steps at a low energy", "", func(r *deep.BasinsRecord) float64 { return r.Low }},
	{"high", "high", "share of steps at a high energy", "", func(r *deep.BasinsRecord) float64 { return r.High }},
	{"energy", "", "mean energy of the last tenth of the steps, per image", "nats", func(r *deep.BasinsRecord) float64 { return r.Energy }},
	{"falls", "", "passages of a chain from high energy to low", "", ofChain(func(c *deep.BasinsChain) int { return c.Falls })},
	{"escapes", "escapes", "passages of a chain from low energy to high", "", ofChain(func(c *deep.BasinsChain) int { return c.Escapes })},
	{"distinct", "distinct minima", "distinct minima to which snapshots of a chain descend", "", ofChain(func(c *deep.BasinsChain) int { return c.Distinct })},
	{"minima", "", "snapshots of a chain that descend to a low energy", "", ofChain(func(c *deep.BasinsChain) int { return c.Minima })},
	{"between", "", "median distance of minima of different chains", "", func(r *deep.BasinsRecord) float64 { return r.Between }},
	{"accuracy", "accuracy", "accuracy of the ends of descents on images held out", "", descentAccuracy},
}

// ofChain returns the mean of a count over the chains.
func ofChain(count func(*deep.BasinsChain) int) func(*deep.BasinsRecord) float64 {
	return func(r *deep.BasinsRecord) (mean float64) {
		for i := range r.Chains {
			mean += float64(count(&r.Chains[i])) / float64(len(r.Chains))
		}
		return mean
	}
}

func descentAccuracy(r *deep.BasinsRecord) (mean float64) {
	for _, c := range r.Chains {
		for _, d := range c.Descents {
			mean += d.Accuracy / float64(len(r.Chains)) / float64(len(c.Descents))
		}
	}
	return mean
}

func (r *BasinsResult) methods() []measured[deep.BasinsRecord] {
	return methodsOf(r.Records, func(r *deep.BasinsRecord) string { return r.Method }, basinsMeasures)
}

// basinsColumns are those of the methods.
var basinsColumns = append(report.Columns[measured[deep.BasinsRecord]]{
	{Name: "method", Header: "method", Doc: "name of the method", Exact: func(m measured[deep.BasinsRecord]) any { return m.name }},
	exactColumn("seeds", "number of seeds", func(m measured[deep.BasinsRecord]) any { return len(m.records) }),
}, measureColumns(basinsMeasures)...)

// Render writes the estimates of each method.
func (r *BasinsResult) Render(w io.Writer, f report.Format) error {
	o, methods := r.Identity.Options, r.methods()
	table := report.NewTable(basinsColumns, methods,
		fmt.Sprintf("mean and half of a 95 %% t-interval over %s; %s of %s each, on the classes 0 to 4 of %s (SHA-256 %.12s…)", words.Count(len(methods[0].records), "seed"),
			words.Count(o.Chains, "chain"), words.Count(o.Steps, "step"), r.Identity.Data.Name, r.Identity.Data.SHA256),
		fmt.Sprintf("energy per image: low is at most %g nats, high at least %g; escapes: passages of a chain from low to high", o.Low, o.High),
		fmt.Sprintf("distinct minima: where %s of each chain descend to whose predictions differ by at least %g in total variation", words.Count(o.Snapshots, "snapshot"), o.Distance),
	)
	return report.Result{Tables: []report.Table{table}, Document: struct {
		Identity any          `json:"identity"`
		Methods  report.Table `json:"methods"`
	}{r.Identity, table}}.Render(w, f)
}

// basinsRows are the columns of basins.csv.
var basinsRows = append(report.Columns[deep.BasinsRecord]{
	exactColumn("method", "", func(r deep.BasinsRecord) any { return r.Method }),
	exactColumn("seed", "", func(r deep.BasinsRecord) any { return r.Seed }),
}, rowColumns(basinsMeasures)...)

// Write writes all numbers to dir: basins.json, and the measures of each record as basins.csv. It returns the paths.
func (r *BasinsResult) Write(dir string) ([]string, error) {
	return writeNumbers(dir, "basins", r, report.Data(basinsRows, r.Records).CSV)
}

// energyFigure shows the energy of the first chain of each method on the first seed, by step, and the multiplier of those whose
// multiplier is not 1 throughout.
func energyFigure(r *BasinsResult) *plot.Panels {
	o, first := r.Identity.Options, r.first()
	var energies, multipliers []plot.Panel
	var all []float64
	for _, rec := range first {
		all = append(all, rec.Series.Energy...)
	}
	for i, rec := range first {
		panel := func(name string, values []float64) plot.Panel {
			points := plot.Series{Look: plot.Look{Color: i}, Mid: values}
			for _, step := range rec.Series.Step {
				points.X = append(points.X, float64(step))
			}
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

// first returns the records of the first seed.
func (r *BasinsResult) first() []deep.BasinsRecord {
	var first []deep.BasinsRecord
	for _, rec := range r.Records {
		if rec.Seed == r.Records[0].Seed {
			first = append(first, rec)
		}
	}
	return first
}

// topLoss is the end of the scale of losses: that of equal probabilities of five classes is 1.61.
const topLoss = 2

// pathFigure shows the path of the first chain of each method on the first seed in the plane of its first two singular directions, over
// the loss.
func pathFigure(r *BasinsResult) *plot.Heatmaps {
	f := &plot.Heatmaps{
		Title:    "Paths of chains in a network's landscape",
		Subtitle: fmt.Sprintf("Classes 0 to 4 of %s, seed %d", r.Identity.Data.Name, r.Records[0].Seed),
		Captions: []string{fmt.Sprintf("The first of %s in the plane of the first two singular directions of its path, through the mean of the path. Colors: loss of the network at "+
			"the points of that plane, per image, over %s; the path itself is not in the plane. The dot is the end. Below: half of the side, and the share of the variance of the path that is in the plane.",
			words.Count(r.Identity.Options.Chains, "chain"), words.Count(r.Identity.Options.Images, "image"))},
		Top: topLoss, Scale: "nats",
	}
	for _, rec := range r.first() {
		m := plot.Heatmap{Name: rec.Method, Density: rec.Plane.Loss, Below: fmt.Sprintf("± %.3g · %s", rec.Plane.Side, words.Percent(100*(rec.Plane.Share[0]+rec.Plane.Share[1])))}
		for _, p := range rec.Plane.Path {
			m.Path = append(m.Path, [2]float64{p[0] / rec.Plane.Side, p[1] / rec.Plane.Side})
		}
		f.Maps = append(f.Maps, m)
	}
	return f
}

// Plot writes the figures to dir: basins-energy.svg and basins-path.svg. It returns the paths.
func (r *BasinsResult) Plot(dir string) ([]string, error) {
	return writeFigures(dir, namedFigure{"basins-energy.svg", energyFigure(r)}, namedFigure{"basins-path.svg", pathFigure(r)})
}
