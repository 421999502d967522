package samplers

import (
	"fmt"
	"io"
	"strconv"

	"banditsim/internal/words"
	"banditsim/posterior/simulation"
	"banditsim/results/report"
	"banditsim/results/stats"
)

// Render writes the summary.
func (s *LandscapeSummary) Render(w io.Writer, f report.Format) error {
	return report.Render(w, f, s.table, s.sheet, s)
}

func (s *LandscapeSummary) table() report.Table {
	o := s.Options
	t := report.Table{
		Caption: []string{
			fmt.Sprintf("KL divergence in nats, mean ± standard error over %s; less that of %s: paired by repeat, 95 %% t-interval", words.Count(o.Repeats, "repeat"), landscapeBaseline),
			fmt.Sprintf("modes: KL(truth‖estimate), 25 cells; grid: KL(estimate‖truth), 50×50 cells; %s a chain of five", words.Count(o.Steps, "step")),
		},
		Header: []string{"method", "evaluations", "seconds", "modes", "less " + landscapeBaseline, "grid", "less " + landscapeBaseline},
	}
	for _, m := range s.Methods {
		evaluations := words.Int(m.Evaluations)
		if m.Prerun > 0 {
			evaluations += " + " + words.Int(m.Prerun)
		}
		t.Rows = append(t.Rows, []string{m.Name, evaluations, words.Amount(m.Seconds),
			m.Modes.WithError(), m.ModesDifference.Interval(), m.Grid.WithError(), m.GridDifference.Interval()})
	}
	for _, m := range s.Methods {
		t.Notes = append(t.Notes, m.Name+": "+m.Doc)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("modes: %g of the uniform distribution is mixed into the estimate, so that a mode without a sample costs a finite amount", simulation.Smoothing))
	t.Notes = append(t.Notes, s.missedNotes()...)
	clock := "not measured"
	if s.Clock != "" {
		clock = "median " + s.Clock
	}
	t.Notes = append(t.Notes,
		"evaluations of the gradient, + those of the run before from which θ starts; seconds: "+clock,
		fmt.Sprintf("%s from the truth, as many as SVGD has particles: modes %s, grid %s", words.Count(s.Particles, "independent draw"), s.DrawModes.WithError(), s.DrawGrid.WithError()))
	return t
}

// missedNotes returns notes on the methods with a missed mode.
func (s *LandscapeSummary) missedNotes() []string {
	var notes []string
	for _, m := range s.Methods {
		if m.Missed > 0 {
			notes = append(notes, fmt.Sprintf("%s: in %d of %s a mode has no sample", m.Name, m.Missed, words.Count(m.Modes.N, "repeat")))
		}
	}
	if notes == nil {
		return []string{"every repeat of every method has samples in all 25 modes"}
	}
	return notes
}

func (s *LandscapeSummary) sheet() report.Sheet {
	h := []string{"method", "repeats", "evaluations", "prerun", "seconds", "missed"}
	for _, measure := range []string{"kl_modes", "kl_modes_difference", "kl_grid", "kl_grid_difference"} {
		h = append(h, report.EstimateHeader(measure)...)
	}
	out := report.Sheet{Header: h}
	for _, m := range s.Methods {
		row := []string{m.Name, strconv.Itoa(m.Modes.N), strconv.Itoa(m.Evaluations), strconv.Itoa(m.Prerun), words.Exact(m.Seconds), strconv.Itoa(m.Missed)}
		for _, e := range []stats.Estimate{m.Modes, m.ModesDifference, m.Grid, m.GridDifference} {
			row = append(row, report.EstimateCells(e)...)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// WriteLandscape writes all numbers of the experiment to dir: landscape.json, and the points of all runs
// as landscape.csv. It returns the paths.
func WriteLandscape(dir string, r *simulation.LandscapeResult) ([]string, error) {
	points := report.Sheet{Header: []string{"method", "repeat", "evaluations", "seconds", "kl_modes", "kl_grid"}}
	for _, m := range r.Methods {
		for i, run := range m.Runs {
			for _, p := range run.Points {
				points.Rows = append(points.Rows, []string{m.Name, strconv.Itoa(i + 1), strconv.Itoa(p.Evaluations), words.Exact(p.Seconds), words.Exact(p.Modes), words.Exact(p.Grid)})
			}
		}
	}
	return writeNumbers(dir, "landscape", r, points)
}
