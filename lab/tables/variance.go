package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/lab/simulation"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// pooledBins is the number of bins that the pooled ratio includes, starting with the first. Other bins are visited too
// rarely for a reliable ratio: with the paper's numbers of steps the mean θ of the two methods differs by about 70 % in
// bins 8 and 10, and the ratios in bins 8 to 10 are between 1.5 and 5.7.
const pooledBins = 7

// shownBins is the number of bins in the table and the figure, starting with the first.
const shownBins = 10

// A varianceSummary summarizes the experiment on the variance of θ.
type varianceSummary struct {
	*simulation.VarianceResult
	bins []varianceBin
	// pooled is the geometric mean of the ratios of the first pooledBins bins.
	pooled ratio
}

// A varianceBin describes θ of one energy bin at the end of the runs. Missing numbers are NaN.
type varianceBin struct {
	number    int     // from 1; 0 for the row of the pooled ratio
	low, high float64 // range of energies; the first bin also contains all lower energies
	mass      float64
	truth     float64 // θ*
	// atStep is θ of the bin at a finite ε, see simulation.VarianceResult.AtStep.
	atStep              float64
	interacting, single spread
	ratio               ratio // variance of θ from the single chain / variance of θ from the interacting chains
}

// A spread is a mean and a standard deviation over repeats.
type spread struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// A ratio is a ratio of variances with a percentile bootstrap interval of level stats.Confidence (Efron 1979): each
// resample draws repeats of both methods with replacement.
type ratio struct {
	Value words.Float `json:"value"`
	Low   words.Float `json:"low"`
	High  words.Float `json:"high"`
}

// varianceResamples is the number of resamples of the bootstrap.
const varianceResamples = 9999

func summarizeVariance(r *simulation.VarianceResult) *varianceSummary {
	s := &varianceSummary{VarianceResult: r}
	many, one := finalTheta(r.Interacting), finalTheta(r.Single)
	ratios := bootstrapRatios(many, one, varianceResamples, stream.Root(0).Child("results", "variance"))
	contour := simulation.VarianceContour()
	for i := range shownBins {
		b := varianceBin{
			number: i + 1, low: contour.Start + float64(float64(i)*contour.Width), high: contour.Start + float64(float64(i+1)*contour.Width),
			mass: r.Mass[i], truth: r.Truth[i], interacting: spreadOf(many, i), single: spreadOf(one, i),
			ratio: percentiles(math.Exp(logRatio(many, one, i)), ratios[i]), atStep: math.NaN(),
		}
		if i < len(r.AtStep) {
			b.atStep = r.AtStep[i]
		}
		s.bins = append(s.bins, b)
	}
	pooled := 0.0
	for i := range pooledBins {
		pooled += math.Log(float64(s.bins[i].ratio.Value)) / pooledBins
	}
	s.pooled = percentiles(math.Exp(pooled), ratios[shownBins])
	return s
}

// secondsOf returns the median duration of a run.
func secondsOf(m simulation.VarianceMethod) float64 {
	return stats.Median(lists.Each(m.Runs, func(r simulation.VarianceRun) float64 { return r.Seconds }))
}

// finalTheta returns θ at the end of each run.
func finalTheta(m simulation.VarianceMethod) [][]float64 {
	return lists.Each(m.Runs, func(r simulation.VarianceRun) []float64 { return r.Theta[len(r.Theta)-1] })
}

// spreadOf returns the spread of θ of a bin over repeats.
func spreadOf(repeats [][]float64, bin int) spread {
	var m stats.Moments
	for _, theta := range repeats {
		m.Add(theta[bin])
	}
	return spread{m.Mean, m.StdDev()}
}

// logRatio returns log(v₁/v₂) for a bin, with the variances v₁ and v₂ of θ over the repeats in the slices one and many.
func logRatio(many, one [][]float64, bin int) float64 {
	return 2 * math.Log(spreadOf(one, bin).SD/spreadOf(many, bin).SD)
}

// bootstrapRatios returns the sorted ratios of the resamples: one list per shown bin, then one for the pooled ratio. It
// draws a resample again if it has only copies of a single repeat, and so no variance. With two repeats in all, every
// other resample has both, so that all ratios are the same and there is no interval: the returned ratios are NaN.
func bootstrapRatios(many, one [][]float64, resamples int, r *stream.Stream) [][]float64 {
	ratios := make([][]float64, shownBins+1)
	if len(many) < 3 {
		return slices.Repeat([][]float64{slices.Repeat([]float64{math.NaN()}, resamples)}, len(ratios))
	}
	a, b := slices.Clone(many), slices.Clone(one)
	for len(ratios[0]) < resamples {
		resample(a, many, r)
		resample(b, one, r)
		if constant(a) || constant(b) {
			continue
		}
		pooled := 0.0
		for i := range shownBins {
			l := logRatio(a, b, i)
			ratios[i] = append(ratios[i], math.Exp(l))
			if i < pooledBins {
				pooled += l / pooledBins
			}
		}
		ratios[shownBins] = append(ratios[shownBins], math.Exp(pooled))
	}
	for _, v := range ratios {
		slices.Sort(v)
	}
	return ratios
}

// resample fills the slice to with random elements of the slice from.
func resample(to, from [][]float64, r *stream.Stream) {
	for i := range to {
		to[i] = from[r.IntN(len(from))]
	}
}

// constant reports whether all elements of v are the same repeat.
func constant(v [][]float64) bool {
	return !slices.ContainsFunc(v, func(theta []float64) bool { return &theta[0] != &v[0][0] })
}

// percentiles returns the ratio with the given value, and with an interval from the sorted resamples.
func percentiles(value float64, sorted []float64) ratio {
	tail := int((1 - stats.Confidence) / 2 * float64(len(sorted)+1))
	return ratio{words.Float(value), words.Float(sorted[tail-1]), words.Float(sorted[len(sorted)-tail])}
}

// Variance returns the report of the experiment on the variance of θ: a table with one row per bin, the figure
// variance.svg, and θ of all runs at all recorded points. CSV on stdout has an additional row for the pooled ratio.
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
	methodLooks = [2]plot.Look{{Color: 0}, {Color: 1}} // of the interacting chains and of the single one
	truthLook   = plot.Look{Color: 6}
	atStepLook  = plot.Look{Color: 5}
	theoryLook  = plot.Look{Color: 2, Dash: 1}
	pooledLook  = plot.Look{Color: 3}
	ratioLook   = plot.Look{Color: 4}
)

const binAxis = "Energy bin"

// varianceFigure has three panels by energy bin: θ of both methods, θ relative to the truth, and the variance ratio.
func varianceFigure(s *varianceSummary) *plot.Panels {
	o := s.Options
	truth, atStep, ratios := plot.Series{Look: truthLook}, plot.Series{Look: atStepLook}, plot.Series{Look: ratioLook}
	var theta, relative [2]plot.Series // of the interacting chains and of the single one: mean ± two standard deviations
	for _, b := range s.bins {
		x := float64(b.number)
		for k, m := range []spread{b.interacting, b.single} {
			at := x + []float64{-0.14, 0.14}[k] // so that the marks of both methods are side by side
			theta[k].Add(at, m.Mean, m.Mean-2*m.SD, m.Mean+2*m.SD)
			relative[k].Add(at, m.Mean/b.truth, (m.Mean-2*m.SD)/b.truth, (m.Mean+2*m.SD)/b.truth)
			theta[k].Look, relative[k].Look = methodLooks[k], methodLooks[k]
		}
		truth.Add(x, b.truth, b.truth, b.truth)
		if v := b.atStep / b.truth; words.Finite(v) {
			atStep.Add(x, v, v, v)
		}
		ratios.Add(x, float64(b.ratio.Value), float64(b.ratio.Low), float64(b.ratio.High))
	}
	pooled, theory := float64(s.pooled.Value), o.Theory()
	text, legend := "", []plot.LegendEntry{{Name: "truth", Look: truthLook}}
	if s.atStepBins() > 0 {
		text = fmt.Sprintf("; %s: that of the chain of this step, for bins that have one", s.atStepName())
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
			words.Count(o.Repeats, "repeat"), words.Int(o.Steps*o.Chains), o.LearningRate, text, pooledBins)},
		Rows: 1, Width: 290, Height: 270,
		Panels: []plot.Panel{
			{Title: "θ by energy bin", X: binAxis, Bins: true, Log: [2]bool{1: true}, Points: theta[:], Steps: []plot.Series{truth}},
			{Title: "θ relative to the truth", X: binAxis, Bins: true, Points: relative[:], Steps: []plot.Series{atStep},
				Across: []plot.Across{{Mid: 1, Low: 1, High: 1, Bins: len(s.bins), Look: truthLook}}},
			{Title: "Variance of the one chain / of the many", X: binAxis, Bins: true, Log: [2]bool{1: true}, FromLow: true, Points: []plot.Series{ratios},
				Across: []plot.Across{
					{Mid: pooled, Low: float64(s.pooled.Low), High: float64(s.pooled.High), Bins: pooledBins, Look: pooledLook},
					{Mid: theory, Low: theory, High: theory, Bins: len(s.bins), Look: theoryLook},
				}},
		},
		Legend: append(legend, []plot.LegendEntry{
			{Name: many, Look: methodLooks[0]}, {Name: one, Look: methodLooks[1]},
			{Name: fmt.Sprintf("theory: %.2f", theory), Look: theoryLook}, {Name: "pooled: " + words.Amount(pooled), Look: pooledLook},
		}...),
	}
}
