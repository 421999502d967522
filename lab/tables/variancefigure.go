package tables

import (
	"fmt"

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
		atStep = fmt.Sprintf("; %s: that of the chain of this step, for bins that have one", s.atStepName())
		legend = append(legend, plot.LegendEntry{Name: s.atStepName(), Look: atStepLook})
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
			{Name: fmt.Sprintf("theory: %.2f", s.theory()), Look: theoryLook}, {Name: "pooled: " + words.Amount(float64(s.pooled.Value)), Look: pooledLook},
		}...),
	}
}

// marksOf returns the means of both methods with two standard deviations, in units of each bin.
func marksOf(s *VarianceSummary, unit func(varianceBin) float64) (many, one plot.Series) {
	many.Look, one.Look = manyLook, oneLook
	add := func(to *plot.Series, x, unit float64, s spread) {
		to.Add(x, s.Mean/unit, (s.Mean-2*s.SD)/unit, (s.Mean+2*s.SD)/unit)
	}
	for _, b := range s.bins { // side by side
		add(&many, float64(b.number)-0.14, unit(b), b.interacting)
		add(&one, float64(b.number)+0.14, unit(b), b.single)
	}
	return many, one
}

func thetaPanel(s *VarianceSummary) plot.Panel {
	many, one := marksOf(s, func(varianceBin) float64 { return 1 })
	truth := plot.Series{Look: truthLook}
	for _, b := range s.bins {
		truth.Add(float64(b.number), b.truth, b.truth, b.truth)
	}
	p := binPanel("θ by energy bin", many, one)
	p.Log[1], p.Steps = true, []plot.Series{truth}
	return p
}

func relativePanel(s *VarianceSummary) plot.Panel {
	many, one := marksOf(s, func(b varianceBin) float64 { return b.truth })
	atStep := plot.Series{Look: atStepLook}
	for _, b := range s.bins {
		if b.atStep != nil {
			v := *b.atStep / b.truth
			atStep.Add(float64(b.number), v, v, v)
		}
	}
	p := binPanel("θ relative to the truth", many, one)
	p.Steps, p.Across = []plot.Series{atStep}, []plot.Across{{Mid: 1, Low: 1, High: 1, Bins: len(s.bins), Look: truthLook}}
	return p
}

func ratioPanel(s *VarianceSummary) plot.Panel {
	marks := plot.Series{Look: ratioLook}
	for _, b := range s.bins {
		marks.Add(float64(b.number), float64(b.ratio.Value), float64(b.ratio.Low), float64(b.ratio.High))
	}
	p := binPanel("Variance of the one chain / of the many", marks)
	p.Log[1], p.FromLow = true, true
	p.Across = []plot.Across{
		{Mid: float64(s.pooled.Value), Low: float64(s.pooled.Low), High: float64(s.pooled.High), Bins: pooledBins, Look: pooledLook},
		{Mid: s.theory(), Low: s.theory(), High: s.theory(), Bins: len(s.bins), Look: theoryLook},
	}
	return p
}

func binPanel(title string, points ...plot.Series) plot.Panel {
	return plot.Panel{Title: title, X: "Energy bin", Bins: true, Points: points}
}

// Plot writes the figure to dir, variance.svg, and returns its path.
func (s *VarianceSummary) Plot(dir string) ([]string, error) {
	return writeFigures(dir, namedFigure{"variance.svg", varianceFigure(s)})
}
