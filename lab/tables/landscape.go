package tables

import (
	"slices"

	"banditsim/lab/simulation"
	"banditsim/results/stats"
)

// landscapeBaseline is the method with which the others are compared.
const landscapeBaseline = "ICSGLD"

// A LandscapeSummary summarizes the experiment on 25 modes over its repeats. Divergences are in nats.
type LandscapeSummary struct {
	Options simulation.LandscapeOptions
	Clock   string // see simulation.LandscapeResult
	Methods []LandscapeMethod
	// DrawModes and DrawGrid are the divergences of Particles independent draws from the truth.
	Particles int
	DrawModes stats.Estimate
	DrawGrid  stats.Estimate
}

// A LandscapeMethod is a row of the table: a method at the end of its runs.
type LandscapeMethod struct {
	Name        string
	Doc         string
	Evaluations int
	Prerun      int     // evaluations before, for the start of θ
	Seconds     float64 // the median
	Missed      int     // repeats without a sample in some of the 25 modes
	// Modes is KL(truth‖estimate) over the 25 modes, with simulation.Smoothing in the estimate, and Grid
	// is KL(estimate‖truth) over 50×50 cells. The differences are to the baseline, paired by repeat; N is
	// 0 for the baseline and without it.
	Modes           stats.Estimate
	ModesDifference stats.Estimate
	Grid            stats.Estimate
	GridDifference  stats.Estimate
}

// SummarizeLandscape summarizes the experiment.
func SummarizeLandscape(r *simulation.LandscapeResult) *LandscapeSummary {
	s := &LandscapeSummary{
		Options: r.Options, Clock: r.Clock, Particles: r.DrawParticles,
		DrawModes: stats.NewEstimate(values(r.Draws, modesOf)), DrawGrid: stats.NewEstimate(values(r.Draws, gridOf)),
	}
	var baseline []simulation.LandscapePoint
	for _, m := range r.Methods {
		if m.Name == landscapeBaseline {
			baseline = lastPoints(m)
		}
	}
	for _, m := range r.Methods {
		last := lastPoints(m)
		row := LandscapeMethod{Name: m.Name, Doc: m.Doc, Evaluations: last[0].Evaluations, Prerun: m.Runs[0].Prerun, Seconds: stats.Median(values(last, secondsOf))}
		for _, run := range m.Runs {
			if slices.Contains(run.Modes, 0) {
				row.Missed++
			}
		}
		against := baseline
		if m.Name == landscapeBaseline {
			against = nil
		}
		row.Modes, row.ModesDifference = estimates(last, against, modesOf)
		row.Grid, row.GridDifference = estimates(last, against, gridOf)
		s.Methods = append(s.Methods, row)
	}
	return s
}

func modesOf(p simulation.LandscapePoint) float64   { return p.Modes }
func gridOf(p simulation.LandscapePoint) float64    { return p.Grid }
func secondsOf(p simulation.LandscapePoint) float64 { return p.Seconds }

// lastPoints returns the last point of each of a method's runs.
func lastPoints(m simulation.LandscapeMethod) []simulation.LandscapePoint {
	var last []simulation.LandscapePoint
	for _, r := range m.Runs {
		last = append(last, r.Points[len(r.Points)-1])
	}
	return last
}

func values(points []simulation.LandscapePoint, get func(simulation.LandscapePoint) float64) []float64 {
	v := make([]float64, len(points))
	for i, p := range points {
		v[i] = get(p)
	}
	return v
}

// estimates returns the mean over points, and the mean difference to others, which may be nil.
func estimates(points, others []simulation.LandscapePoint, get func(simulation.LandscapePoint) float64) (mean, difference stats.Estimate) {
	v, w := values(points, get), values(others, get)
	for i := range w {
		w[i] = v[i] - w[i]
	}
	return stats.NewEstimate(v), stats.NewEstimate(w)
}
