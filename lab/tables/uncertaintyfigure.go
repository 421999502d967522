package tables

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"banditsim/internal/words"
	"banditsim/results/plot"
)

// uncertaintyPanels are the measures that the figure shows.
var uncertaintyPanels = []struct{ measure, title string }{
	{"log_loss", "Log loss, 0.001 nats: less is better"},
	{"brier", "Brier score outside, ‰: less is better"},
	{"auroc", "AUROC: more is better"},
}

// uncertaintyFigure shows three measures of each method with their intervals.
func uncertaintyFigure(s *UncertaintySummary) *plot.Forests {
	f := &plot.Forests{
		Title:    "What networks know that they do not know",
		Subtitle: fmt.Sprintf("Classes 0 to 4 of %s; outside: the classes %s", s.Identity.Data.Name, s.Identity.Outside[0].Set),
		Captions: []string{fmt.Sprintf("Mean over %s and 95 %% t-intervals. Log loss: images held out. AUROC: how well the largest probability tells images held out from those outside. "+
			"Orange: not in the paper's table.", words.Count(s.Seeds, "seed"))},
		Width: 200,
	}
	for _, panel := range uncertaintyPanels {
		i := slices.IndexFunc(uncertaintyMeasures, func(m uncertaintyMeasure) bool { return m.name == panel.measure })
		forest := plot.Forest{Title: panel.title}
		for k, m := range s.Methods {
			e := m.Measures[i]
			row := plot.ForestRow{Label: m.Label, Mid: e.Mean, Low: e.Low, High: e.High, Truth: math.NaN()}
			if !inPaper(m.Name) {
				row.Look, row.Gap = plot.Look{Color: 4}, k > 0 && inPaper(s.Methods[k-1].Name)
			}
			forest.Rows = append(forest.Rows, row)
		}
		f.Forests = append(f.Forests, forest)
	}
	return f
}

// inPaper reports whether a method is one of the paper's table.
func inPaper(method string) bool { return paperFigures["accuracy"][method] != "" }

// Plot writes the figure to dir: uncertainty.svg. It returns the path.
func (r *UncertaintyResult) Plot(dir string) ([]string, error) {
	path := filepath.Join(dir, "uncertainty.svg")
	return []string{path}, plot.Write(path, uncertaintyFigure(SummarizeUncertainty(r)))
}
