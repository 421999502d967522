package tables

import (
	"fmt"
	"math"

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
func uncertaintyFigure(r *UncertaintyResult) *plot.Forests {
	f := &plot.Forests{
		Title:    "What networks know that they do not know",
		Subtitle: fmt.Sprintf("Classes 0 to 4 of %s; outside: the classes %s", r.Identity.Data.Name, r.Identity.Outside[0].Set),
		Captions: []string{fmt.Sprintf("Mean over %s and 95 %% t-intervals. Log loss: images held out. AUROC: how well the largest probability tells images held out from those outside. "+
			"Orange: not in the paper's table.", words.Count(r.seeds(), "seed"))},
		Width: 200,
	}
	methods := r.methods()
	for _, panel := range uncertaintyPanels {
		forest := plot.Forest{Title: panel.title}
		for k, m := range methods {
			e := m.estimates[uncertaintyMeasure(panel.measure)]
			row := plot.ForestRow{Label: r.label(m), Mid: e.Mean, Low: e.Low, High: e.High, Truth: math.NaN()}
			if !inPaper(m.name) {
				row.Look, row.Gap = plot.Look{Color: 4}, k > 0 && inPaper(methods[k-1].name)
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
	return writeFigures(dir, namedFigure{"uncertainty.svg", uncertaintyFigure(r)})
}
