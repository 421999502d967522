package tables

import (
	"fmt"
	"path/filepath"

	"banditsim/internal/words"
	"banditsim/results/plot"
)

// Looks in the figure of the experiment on the variance of θ.
var (
	manyLook   = plot.Look{Color: 0}
	oneLook    = plot.Look{Color: 1}
	truthLook  = plot.Look{Color: 6}
	atStepLook = plot.Look{Color: 5}
	theoryLook = plot.Look{Color: 2, Dash: 1}
	pooledLook = plot.Look{Color: 3}
	ratioLook  = plot.Look{Color: 4}
)

// varianceFigure shows θ of both methods by bin, the same relative to the truth, and the ratio of the
// variances.
func varianceFigure(s *VarianceSummary) *plot.Panels {
	o := s.Options
	atStep := ""
	legend := []plot.LegendEntry{{Name: "truth", Look: truthLook}}
	if s.atStepBins() > 0 {
		atStep = fmt.Sprintf("; %s: that of the chain of this step, for bins that have one", s.atStep())
		legend = append(legend, plot.LegendEntry{Name: s.atStep(), Look: atStepLook})
	}
	many, one := s.names()
	return &plot.Panels{
		Title:    "Many interacting chains or one long one: the variance of θ",
		Subtitle: "Mixture .4 N(−6, 1) + .6 N(4, 1), ζ = .9 (Deng et al., ICLR 2022)",
		Captions: []string{fmt.Sprintf(
			"Mean and two standard deviations over %s at the end of the runs; %s evaluations of the gradient each; ε = %g. Truth: the fixed point θ* at the limit of small steps%s. "+
				"Right: variance of θ of the one chain over that of the interacting ones, with 95 %% bootstrap intervals; pooled: geometric mean of bins 1–%d: "+
				"rarer ones are visited too rarely for a ratio that one can trust.",
			words.Count(o.Repeats, "repeat"), words.Int(o.Steps*o.Chains), o.LearningRate, atStep, pooledBins)},
		Rows: 1, Width: 290, Height: 270,
		Panels: []plot.Panel{thetaPanel(s), relativePanel(s), ratioPanel(s)},
		Legend: append(legend, []plot.LegendEntry{
			{Name: many, Look: manyLook}, {Name: one, Look: oneLook},
			{Name: fmt.Sprintf("theory: %.2f", s.Theory), Look: theoryLook}, {Name: "pooled: " + words.Amount(s.Pooled.Value), Look: pooledLook},
		}...),
	}
}

// marksOf returns the means of both methods with two standard deviations, in units of each bin.
func marksOf(s *VarianceSummary, unit func(VarianceBin) float64) (many, one plot.BinMarks) {
	many.Look, one.Look = manyLook, oneLook
	add := func(to *plot.BinMarks, x, unit float64, s Spread) {
		to.Add(x, s.Mean/unit, (s.Mean-2*s.SD)/unit, (s.Mean+2*s.SD)/unit)
	}
	for _, b := range s.Bins { // side by side
		add(&many, float64(b.Bin)-0.14, unit(b), b.Interacting)
		add(&one, float64(b.Bin)+0.14, unit(b), b.Single)
	}
	return many, one
}

func thetaPanel(s *VarianceSummary) plot.BinPanel {
	many, one := marksOf(s, func(VarianceBin) float64 { return 1 })
	truth := plot.BinMarks{Series: plot.Series{Look: truthLook}, Wide: true}
	for _, b := range s.Bins {
		truth.Add(float64(b.Bin), b.Truth, b.Truth, b.Truth)
	}
	return plot.BinPanel{Title: "θ by energy bin", Log: true, Marks: []plot.BinMarks{truth, many, one}}
}

func relativePanel(s *VarianceSummary) plot.BinPanel {
	many, one := marksOf(s, func(b VarianceBin) float64 { return b.Truth })
	atStep := plot.BinMarks{Series: plot.Series{Look: atStepLook}, Wide: true}
	for _, b := range s.Bins {
		if b.AtStep != nil {
			v := *b.AtStep / b.Truth
			atStep.Add(float64(b.Bin), v, v, v)
		}
	}
	return plot.BinPanel{Title: "θ relative to the truth", Marks: []plot.BinMarks{atStep, many, one}, Lines: []plot.BinLine{{Mid: 1, Low: 1, High: 1, Bins: len(s.Bins), Look: truthLook}}}
}

func ratioPanel(s *VarianceSummary) plot.BinPanel {
	marks := plot.BinMarks{Series: plot.Series{Look: ratioLook}}
	for _, b := range s.Bins {
		marks.Add(float64(b.Bin), b.Ratio.Value, b.Ratio.Low, b.Ratio.High)
	}
	return plot.BinPanel{Title: "Variance of the one chain / of the many", Log: true, FromLow: true, Marks: []plot.BinMarks{marks}, Lines: []plot.BinLine{
		{Mid: s.Pooled.Value, Low: s.Pooled.Low, High: s.Pooled.High, Bins: pooledBins, Look: pooledLook},
		{Mid: s.Theory, Low: s.Theory, High: s.Theory, Bins: len(s.Bins), Look: theoryLook},
	}}
}

// PlotVariance writes the figure of the experiment to dir, variance.svg, and returns its path.
func PlotVariance(dir string, s *VarianceSummary) (string, error) {
	path := filepath.Join(dir, "variance.svg")
	return path, plot.Write(path, varianceFigure(s))
}
