package tables

import (
	"fmt"
	"slices"

	"banditsim/internal/words"
	"banditsim/lab/deep"
	"banditsim/results/plot"
)

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
