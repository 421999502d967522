package tables

import (
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/lab/simulation"
	"banditsim/results/stats"
)

// pooledBins is the number of bins that the pooled ratio includes, starting with the first. Other bins are visited too rarely for a
// reliable ratio: with the paper's numbers of steps the mean θ of the two methods differs by about 70 % in bins 8 and 10, and the
// ratios in bins 8 to 10 are between 1.5 and 5.7.
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

// logRatio returns log(v₁/v₂) for a bin, where v₁ and v₂ are the variances of θ over the repeats in the slices one and many.
func logRatio(many, one [][]float64, bin int) float64 {
	return 2 * math.Log(spreadOf(one, bin).SD/spreadOf(many, bin).SD)
}

// bootstrapRatios returns the sorted ratios of the resamples: one list per shown bin, then one for the pooled ratio. It
// draws a resample again if it has only copies of a single repeat, and so no variance. With two repeats in all, every other
// resample has both, so that all ratios are the same and there is no interval: the returned ratios are NaN.
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
