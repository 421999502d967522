package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/simulation"
	"banditsim/results/plot"
)

// Variance returns the report of the experiment on the variance of θ: a table with one row per bin, the figure variance.svg, and θ
// of all runs at all recorded points. CSV on stdout has an additional row for the pooled ratio.
func Variance(r *simulation.VarianceResult) Report {
	s, o := summarizeVariance(r), r.Options
	many, one := s.names()
	columns, interacting, single := s.columns(), secondsOf(s.Interacting), secondsOf(s.Single)
	interval := "with a 95 % bootstrap interval"
	if o.Repeats < 3 {
		interval = "without an interval, which takes at least 3 repeats"
	}
	t := report.NewTable(columns, s.bins,
		fmt.Sprintf("θ at the end, mean ± two standard deviations over %s; variance ratio %s", words.Count(o.Repeats, "repeat"), interval),
		fmt.Sprintf("%s: %s of %s; %s: one of %s; ε = %g; truth: θ* at the limit of small steps", many,
			words.Count(o.Chains, "chain"), words.Count(o.Steps, "step"), one, words.Int(o.Steps*o.Chains), o.LearningRate),
	)
	t.Notes = []string{
		s.atStepNote(),
		fmt.Sprintf("bins 1–%d, geometric mean: variance ratio %s, interval %s; theory: %s", pooledBins, words.Amount(float64(s.pooled.Value)), s.pooled.interval(), words.Amount(s.Options.Theory())),
	}
	if s.Clock != "" {
		t.Notes = append(t.Notes, fmt.Sprintf("seconds of a run, median %s: %s %s, %s %s", s.Clock, many, words.Amount(interacting), one, words.Amount(single)))
	}
	nan, none := math.NaN(), spread{math.NaN(), math.NaN()}
	pooled := varianceBin{low: nan, high: nan, mass: nan, truth: nan, atStep: nan, interacting: none, single: none, ratio: s.pooled}
	data := report.Data(columns, append(slices.Clone(s.bins), pooled))
	var points []variancePoint
	for _, m := range []simulation.VarianceMethod{s.Interacting, s.Single} {
		for i, run := range m.Runs {
			for k, theta := range run.Theta {
				for bin, v := range theta {
					points = append(points, variancePoint{m.Name, i + 1, run.Evaluations[k], bin + 1, v})
				}
			}
		}
	}
	return Report{
		Result: report.Result{Tables: []report.Table{t}, Data: &data, Document: struct {
			Options            simulation.VarianceOptions `json:"options"`
			Clock              string                     `json:"clock"`
			Bins               report.Table               `json:"bins"`
			Pooled             ratio                      `json:"pooled"`
			Theory             float64                    `json:"theory"`
			InteractingSeconds float64                    `json:"interacting_seconds"`
			SingleSeconds      float64                    `json:"single_seconds"`
		}{o, s.Clock, t, s.pooled, o.Theory(), interacting, single}},
		name: "variance", numbers: r, rows: report.Data(variancePoints, points),
		figures: map[string]plot.Figure{"": varianceFigure(s)},
	}
}

// columns returns the columns of the table of bins.
func (s *varianceSummary) columns() report.Columns[varianceBin] {
	many, one := s.names()
	atStep := exactColumn("at_step", func(b varianceBin) any { return b.atStep })
	if s.atStepBins() > 0 {
		atStep.Header, atStep.Text = s.atStepName(), func(b varianceBin) string { return significant(b.atStep) }
	}
	return slices.Concat(report.Columns[varianceBin]{
		{Name: "bin", Header: "bin", Exact: func(b varianceBin) any {
			if b.number == 0 {
				return "pooled"
			}
			return b.number
		}},
		exactColumn("low", func(b varianceBin) any { return b.low }),
		{Name: "high", Header: "energy up to", Text: func(b varianceBin) string { return strconv.FormatFloat(b.high, 'f', 2, 64) },
			Exact: func(b varianceBin) any { return b.high }},
		{Name: "mass", Header: "mass", Text: func(b varianceBin) string { return significant(b.mass) }, Exact: func(b varianceBin) any { return b.mass }},
		{Name: "truth", Header: "truth", Text: func(b varianceBin) string { return significant(b.truth) }, Exact: func(b varianceBin) any { return b.truth }},
		atStep,
	}, spreadColumns("interacting", many, func(b varianceBin) spread { return b.interacting }),
		spreadColumns("single", one, func(b varianceBin) spread { return b.single }),
		report.Columns[varianceBin]{
			{Name: "ratio", Header: "variance ratio",
				Exact: func(b varianceBin) any { return float64(b.ratio.Value) }, JSON: func(b varianceBin) any { return b.ratio }},
			{Name: "ratio_low", Header: "95 % interval", Flat: true,
				Text: func(b varianceBin) string { return b.ratio.interval() }, Exact: func(b varianceBin) any { return float64(b.ratio.Low) }},
			{Name: "ratio_high", Flat: true, Exact: func(b varianceBin) any { return float64(b.ratio.High) }},
			{Name: "repeats", Flat: true, Exact: func(varianceBin) any { return s.Options.Repeats }},
			{Name: "theory", Flat: true, Exact: func(varianceBin) any { return s.Options.Theory() }},
		})
}

// spreadColumns returns the columns for the mean and standard deviation of θ from one method.
func spreadColumns(name, header string, get func(varianceBin) spread) report.Columns[varianceBin] {
	return report.Columns[varianceBin]{
		{Name: name, JSON: func(b varianceBin) any { return get(b) }},
		{Name: name + "_mean", Header: header, Flat: true,
			Text:  func(b varianceBin) string { return significant(get(b).Mean) + " ± " + significant(2*get(b).SD) },
			Exact: func(b varianceBin) any { return get(b).Mean }},
		{Name: name + "_sd", Flat: true, Exact: func(b varianceBin) any { return get(b).SD }},
	}
}

// atStepName returns the header of the column of θ at a finite ε.
func (s *varianceSummary) atStepName() string {
	return fmt.Sprintf("at ε = %g", s.Options.LearningRate)
}

// atStepBins returns the number of shown bins, from the first on, that have θ at a finite ε.
func (s *varianceSummary) atStepBins() int { return min(len(s.AtStep), len(s.bins)) }

// atStepNote returns a note that explains θ at a finite ε, or why the column or a value is missing.
func (s *varianceSummary) atStepNote() string {
	what := s.atStepName() + ": θ at which the chain of that step is in all bins for the same time"
	switch n := s.atStepBins(); {
	case n == 0 && s.Options.LearningRate < simulation.AtStepLeast:
		return what + fmt.Sprintf(", is left out: below ε = %g it takes too long, and is within 2 %% of the truth", simulation.AtStepLeast)
	case n == 0:
		return what + ", is left out: none was found at so large a step"
	case n < len(s.bins):
		return what + "; " + words.None + ": it would depend on the ends of the bins"
	}
	return what
}

// names returns the paper's names of the methods, such as ICSGLD×P10 and CSGLD×T10.
func (s *varianceSummary) names() (many, one string) {
	return fmt.Sprintf("ICSGLD×P%d", s.Options.Chains), fmt.Sprintf("CSGLD×T%d", s.Options.Chains)
}

func (r ratio) interval() string {
	low, high := float64(r.Low), float64(r.High)
	if !words.Finite(low) || !words.Finite(high) {
		return words.None
	}
	return "[" + words.Amount(low) + ", " + words.Amount(high) + "]"
}

// significant returns v with three significant digits, or words.None if it is NaN.
func significant(v float64) string {
	if math.IsNaN(v) {
		return words.None
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// A variancePoint is θ of one bin at one point of one run.
type variancePoint struct {
	method                   string
	repeat, evaluations, bin int // repeat and bin from 1
	theta                    float64
}

var variancePoints = report.Columns[variancePoint]{
	exactColumn("method", func(p variancePoint) any { return p.method }),
	exactColumn("repeat", func(p variancePoint) any { return p.repeat }),
	exactColumn("evaluations", func(p variancePoint) any { return p.evaluations }),
	exactColumn("bin", func(p variancePoint) any { return p.bin }),
	exactColumn("theta", func(p variancePoint) any { return p.theta }),
}

// Styles of the figure's marks and lines.
var (
	manyLook   = plot.Look{Color: 0}
	oneLook    = plot.Look{Color: 1}
	truthLook  = plot.Look{Color: 6}
	atStepLook = plot.Look{Color: 5}
	theoryLook = plot.Look{Color: 2, Dash: 1}
	pooledLook = plot.Look{Color: 3}
	ratioLook  = plot.Look{Color: 4}
)

// varianceFigure has three panels by energy bin: θ of both methods, θ relative to the truth, and the ratio of the variances.
func varianceFigure(s *varianceSummary) *plot.Panels {
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
			{Name: fmt.Sprintf("theory: %.2f", s.Options.Theory()), Look: theoryLook}, {Name: "pooled: " + words.Amount(float64(s.pooled.Value)), Look: pooledLook},
		}...),
	}
}

// marksOf returns the mean ± two standard deviations of θ in each bin for both methods, in the unit that the function unit returns.
func marksOf(s *varianceSummary, unit func(varianceBin) float64) (many, one plot.Series) {
	many.Look, one.Look = manyLook, oneLook
	add := func(to *plot.Series, x, unit float64, s spread) {
		to.Add(x, s.Mean/unit, (s.Mean-2*s.SD)/unit, (s.Mean+2*s.SD)/unit)
	}
	for _, b := range s.bins { // with an offset, so that the marks of both methods are side by side
		add(&many, float64(b.number)-0.14, unit(b), b.interacting)
		add(&one, float64(b.number)+0.14, unit(b), b.single)
	}
	return many, one
}

func thetaPanel(s *varianceSummary) plot.Panel {
	many, one := marksOf(s, func(varianceBin) float64 { return 1 })
	truth := plot.Series{Look: truthLook}
	for _, b := range s.bins {
		truth.Add(float64(b.number), b.truth, b.truth, b.truth)
	}
	p := binPanel("θ by energy bin", many, one)
	p.Log[1], p.Steps = true, []plot.Series{truth}
	return p
}

func relativePanel(s *varianceSummary) plot.Panel {
	many, one := marksOf(s, func(b varianceBin) float64 { return b.truth })
	atStep := plot.Series{Look: atStepLook}
	for _, b := range s.bins {
		if v := b.atStep / b.truth; words.Finite(v) {
			atStep.Add(float64(b.number), v, v, v)
		}
	}
	p := binPanel("θ relative to the truth", many, one)
	p.Steps, p.Across = []plot.Series{atStep}, []plot.Across{{Mid: 1, Low: 1, High: 1, Bins: len(s.bins), Look: truthLook}}
	return p
}

func ratioPanel(s *varianceSummary) plot.Panel {
	marks := plot.Series{Look: ratioLook}
	for _, b := range s.bins {
		marks.Add(float64(b.number), float64(b.ratio.Value), float64(b.ratio.Low), float64(b.ratio.High))
	}
	p := binPanel("Variance of the one chain / of the many", marks)
	p.Log[1], p.FromLow = true, true
	p.Across = []plot.Across{
		{Mid: float64(s.pooled.Value), Low: float64(s.pooled.Low), High: float64(s.pooled.High), Bins: pooledBins, Look: pooledLook},
		{Mid: s.Options.Theory(), Low: s.Options.Theory(), High: s.Options.Theory(), Bins: len(s.bins), Look: theoryLook},
	}
	return p
}

func binPanel(title string, points ...plot.Series) plot.Panel {
	return plot.Panel{Title: title, X: "Energy bin", Bins: true, Points: points}
}
