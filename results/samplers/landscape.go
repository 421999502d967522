package samplers

import (
	"slices"

	"banditsim/posterior/simulation"
	"banditsim/results/stats"
)

// LandscapeBaseline is the method that the others are compared with.
const landscapeBaseline = "ICSGLD"

// A LandscapeSummary is what the experiment on 25 modes came to, over its repeats.
// Divergences are in nats.
type LandscapeSummary struct {
	Options simulation.LandscapeOptions `json:"options"`
	Clock   string                      `json:"clock"` // what the seconds are of
	Methods []LandscapeMethod           `json:"methods"`
	// DrawModes and DrawGrid are those of Particles independent draws from the
	// truth.
	Particles int            `json:"particles"`
	DrawModes stats.Estimate `json:"draws_kl_modes"`
	DrawGrid  stats.Estimate `json:"draws_kl_grid"`
}

// A LandscapeMethod is a row of the table, at the end of its runs.
type LandscapeMethod struct {
	Name        string  `json:"name"`
	Doc         string  `json:"doc"`
	Evaluations int     `json:"evaluations"`
	Prerun      int     `json:"prerun"`  // evaluations before, for θ's start
	Seconds     float64 `json:"seconds"` // the median
	Missed      int     `json:"missed"`  // repeats that have no sample in some of the 25 modes
	// Modes is KL(truth‖estimate) over the 25 modes, of the estimate as simulation.Smoothing has
	// it, Grid KL(estimate‖truth) over 50×50 cells. The differences are to LandscapeBaseline,
	// paired by repeat; without N for itself and where it is missing.
	Modes           stats.Estimate `json:"kl_modes"`
	ModesDifference stats.Estimate `json:"kl_modes_difference"`
	Grid            stats.Estimate `json:"kl_grid"`
	GridDifference  stats.Estimate `json:"kl_grid_difference"`
}

// SummariseLandscape summarises the experiment.
func SummariseLandscape(r *simulation.LandscapeResult) *LandscapeSummary {
	s := &LandscapeSummary{Options: r.Options, Clock: r.Clock, Particles: r.DrawParticles}
	s.DrawModes = estimateOf(r.Draws, modesOf)
	s.DrawGrid = estimateOf(r.Draws, gridOf)
	var baseline []simulation.LandscapePoint
	for _, m := range r.Methods {
		if m.Name == landscapeBaseline {
			baseline = lastPoints(m)
		}
	}
	for _, m := range r.Methods {
		last := lastPoints(m)
		row := LandscapeMethod{
			Name: m.Name, Doc: m.Doc, Evaluations: last[0].Evaluations, Prerun: m.Runs[0].Prerun,
			Seconds: medianOf(last, secondsOf), Missed: missed(m),
			Modes: estimateOf(last, modesOf), Grid: estimateOf(last, gridOf),
		}
		var against []simulation.LandscapePoint
		if m.Name != landscapeBaseline {
			against = baseline
		}
		row.ModesDifference = differenceOf(last, against, modesOf)
		row.GridDifference = differenceOf(last, against, gridOf)
		s.Methods = append(s.Methods, row)
	}
	return s
}

// missed counts the repeats that have no sample in some mode.
func missed(m simulation.LandscapeMethod) int {
	n := 0
	for _, r := range m.Runs {
		if slices.Contains(r.Modes, 0) {
			n++
		}
	}
	return n
}

func modesOf(p simulation.LandscapePoint) float64   { return p.Modes }
func gridOf(p simulation.LandscapePoint) float64    { return p.Grid }
func secondsOf(p simulation.LandscapePoint) float64 { return p.Seconds }

// lastPoints are the ends of a method's runs.
func lastPoints(m simulation.LandscapeMethod) []simulation.LandscapePoint {
	var last []simulation.LandscapePoint
	for _, r := range m.Runs {
		last = append(last, r.Points[len(r.Points)-1])
	}
	return last
}

func estimateOf(points []simulation.LandscapePoint, get func(simulation.LandscapePoint) float64) stats.Estimate {
	var m stats.Moments
	for _, p := range points {
		m.Add(get(p))
	}
	return m.Estimate()
}

// differenceOf is that of points less others, pair by pair.
func differenceOf(points, others []simulation.LandscapePoint, get func(simulation.LandscapePoint) float64) stats.Estimate {
	var m stats.Moments
	for i := range others {
		m.Add(get(points[i]) - get(others[i]))
	}
	return m.Estimate()
}

func medianOf(points []simulation.LandscapePoint, get func(simulation.LandscapePoint) float64) float64 {
	var v []float64
	for _, p := range points {
		v = append(v, get(p))
	}
	return stats.Median(v)
}
