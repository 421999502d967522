package stats

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/words"
)

// TestIntervalInvariance checks that the order of values does not matter, and that scaling and negating values does the
// same to the ends.
func TestIntervalInvariance(t *testing.T) {
	s := stream.Root(1).Child("interval")
	d := make([]float64, 12)
	for i := range d {
		d[i] = exponential(s) - 0.7
	}
	reversed, scaled, negated := slices.Clone(d), slices.Clone(d), slices.Clone(d)
	slices.Reverse(reversed)
	for i := range d {
		scaled[i] *= 1000
		negated[i] *= -1
	}
	for _, method := range intervalMethods {
		low, high := method.Of(d, 1)
		for _, test := range []struct {
			what      string
			d         []float64
			low, high float64
		}{
			{"again", d, low, high},
			{"reversed", reversed, low, high},
			{"scaled", scaled, 1000 * low, 1000 * high},
			{"negated", negated, -high, -low},
		} {
			l, h := method.Of(test.d, 1)
			must.Near(t, string(method)+" "+test.what+": low", l, test.low, 1e-12*math.Abs(test.low))
			must.Near(t, string(method)+" "+test.what+": high", h, test.high, 1e-12*math.Abs(test.high))
		}
	}
}

// The values 1 and 3 have mean 2 and standard error 1. The quantiles of Student's t with one degree of freedom are
// tan(π(p − ½)): 12.7062 at .975 and 25.4517 at 1 − .05/4. One value has no interval.
func TestTIntervalByHand(t *testing.T) {
	for family, half := range []float64{math.Tan(math.Pi * 0.475), math.Tan(math.Pi * 0.475), math.Tan(math.Pi * 0.4875)} {
		low, high := Simultaneous.Of([]float64{1, 3}, family)
		must.Near(t, fmt.Sprintf("family of %d: low", family), low, 2-half, 1e-6*half)
		must.Near(t, fmt.Sprintf("family of %d: high", family), high, 2+half, 1e-6*half)
	}
	low, high := Simultaneous.Of([]float64{1}, 1)
	must.That(t, math.IsNaN(low) && math.IsNaN(high), "one difference has the interval [%g, %g]", low, high)
}

func TestIntervalOfFew(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name      string
		method    IntervalMethod
		d         []float64
		low, high float64
	}{
		{"no value", BootstrapT, nil, nan, nan},
		{"one value", BootstrapT, []float64{5}, nan, nan},
		{"one value", StudentT, []float64{5}, nan, nan},
		// In 1/2 of the resamples of two values, and in 1/9 of those of three, all values are equal: more than the 0.05 of both tails.
		{"two values", BootstrapT, []float64{5, 7}, nan, nan},
		{"three values", BootstrapT, []float64{5, 7, 10}, nan, nan},
		{"equal values", BootstrapT, []float64{5, 5, 5}, 5, 5},
		{"equal values", BCa, []float64{5, 5, 5}, 5, 5},
		{"zeros", BootstrapT, []float64{0, 0, 0}, 0, 0},
	} {
		low, high := test.method.Of(test.d, 1)
		if math.IsNaN(test.low) && math.IsNaN(low) && math.IsNaN(high) {
			continue
		}
		what := fmt.Sprintf("%s of %s", test.method, test.name)
		must.Near(t, what+": low", low, test.low, 0)
		must.Near(t, what+": high", high, test.high, 0)
	}
	d := []float64{5, 7, 10, 16}
	low, high := BootstrapT.Of(d, 1)
	must.That(t, words.Finite(low) && words.Finite(high), "bootstrap-t of four values: [%v, %v]", low, high)
}

// TestBootstrapTAgainstAllResamples compares the interval with the quantiles over all 4⁴ = 256 resamples of four values, by
// the definition (Efron and Tibshirani 1993, equation 12.20), with gonum's mean and standard deviation.
func TestBootstrapTAgainstAllResamples(t *testing.T) {
	d := []float64{-1, 0.5, 2, 7}
	mean, se := stat.Mean(d, nil), stat.StdErr(stat.StdDev(d, nil), 4)
	var all []float64
	resample := make([]float64, 4)
	for k := range 256 {
		for i := range resample {
			resample[i] = d[k>>(2*i)&3]
		}
		m, sd := stat.MeanStdDev(resample, nil)
		all = append(all, (m-mean)/stat.StdErr(sd, 4)) // −Inf and Inf without spread
	}
	slices.Sort(all)
	low, high := bootstrapTInterval(d, stream.Root(1).Child("all resamples"), 200_000)
	// The quantiles of 200,000 resamples equal those of all 256, as a run of equal t* includes the neighbors of 2.5 %.
	must.Near(t, "low", low, mean-se*stat.Quantile(0.975, stat.Empirical, all, nil), 1e-9)
	must.Near(t, "high", high, mean-se*stat.Quantile(0.025, stat.Empirical, all, nil), 1e-9)
}

// By hand, with a table of Φ: .146 − 1.645 = −1.499 and Φ(−1.499/(1 + .061·1.499) + .146) = Φ(−1.2274) = .1098;
// .146 + 1.645 = 1.791 and Φ(1.791/(1 − .061·1.791) + .146) = Φ(2.1567) = .9845.
func TestBCaLevel(t *testing.T) {
	must.Near(t, "low", bcaLevel(0.05, 0.146, 0.061), 0.1098, 1e-4)
	must.Near(t, "high", bcaLevel(0.95, 0.146, 0.061), 0.9845, 1e-4)
	must.Near(t, "without corrections", bcaLevel(0.025, 0, 0), 0.025, 1e-12)
}

func TestBiasCorrection(t *testing.T) {
	means := []float64{1, 2, 2, 3, 4, 5, 6, 7, 8}
	must.Near(t, "half", biasCorrection(means, 4), 0, 1e-12) // share (½ + 4 + ½)/10
	// Φ(−1.2816) = .1 and Φ(.8416) = .8, from any table.
	must.Near(t, "low", biasCorrection(means, 1), -1.2816, 1e-4) // share (½ + ½)/10
	must.Near(t, "high", biasCorrection(means, 7), 0.8416, 1e-4) // share (½ + 7 + ½)/10
}

// TestAcceleration compares with the jackknife (Efron and Tibshirani 1993, equation 14.15), leaving out each value in turn.
func TestAcceleration(t *testing.T) {
	d := []float64{1, 2, 3, 4, 20}
	leftOut := make([]float64, len(d))
	for i := range d {
		leftOut[i] = stat.Mean(slices.Delete(slices.Clone(d), i, i+1), nil)
	}
	center := stat.Mean(leftOut, nil)
	var squares, cubes float64
	for _, v := range leftOut {
		squares += math.Pow(center-v, 2)
		cubes += math.Pow(center-v, 3)
	}
	must.Near(t, "acceleration", acceleration(d, stat.Mean(d, nil)), cubes/(6*math.Pow(squares, 1.5)), 1e-12)
}

// differenceFamily is a distribution of differences with mean 0.
type differenceFamily struct {
	name     string
	skewness float64
	draw     func(s *stream.Stream) float64
}

var (
	normalFamily = differenceFamily{"normal", 0, (*stream.Stream).Normal}
	gammaFamily  = differenceFamily{"gamma, shape 4", 1, func(s *stream.Stream) float64 {
		sum := 0.0
		for range 4 {
			sum += exponential(s)
		}
		return sum - 4
	}}
	exponentialFamily = differenceFamily{"exponential", 2, func(s *stream.Stream) float64 { return exponential(s) - 1 }}
	// The skewness is (e+2)·√(e−1).
	lognormalFamily = differenceFamily{"lognormal, σ 1", 6.18, func(s *stream.Stream) float64 {
		return math.Exp(s.Normal()) - math.Exp(0.5)
	}}
)

func exponential(s *stream.Stream) float64 { return -math.Log1p(-s.Float64()) }

// coverageCases has the share of 95 % intervals that cover the mean, measured with 20,000 samples by TestCoverage with
// BANDITSIM_LONG=1 (standard error .003 at most). For t on normal differences it is exact.
var coverageCases = []struct {
	family differenceFamily
	pairs  int
	want   map[IntervalMethod]float64
}{
	{normalFamily, 6, map[IntervalMethod]float64{StudentT: 0.95, BootstrapT: 0.947}},
	{normalFamily, 10, map[IntervalMethod]float64{StudentT: 0.95, BootstrapT: 0.949, BCa: 0.900}},
	{normalFamily, 20, map[IntervalMethod]float64{StudentT: 0.95, BootstrapT: 0.950}},
	{normalFamily, 40, map[IntervalMethod]float64{StudentT: 0.95, BootstrapT: 0.947, BCa: 0.935}},
	{gammaFamily, 6, map[IntervalMethod]float64{StudentT: 0.935, BootstrapT: 0.944}},
	{gammaFamily, 10, map[IntervalMethod]float64{StudentT: 0.938, BootstrapT: 0.950, BCa: 0.897}},
	{gammaFamily, 20, map[IntervalMethod]float64{StudentT: 0.941, BootstrapT: 0.949}},
	{gammaFamily, 40, map[IntervalMethod]float64{StudentT: 0.944, BootstrapT: 0.947, BCa: 0.934}},
	{exponentialFamily, 6, map[IntervalMethod]float64{StudentT: 0.887, BootstrapT: 0.929}},
	{exponentialFamily, 10, map[IntervalMethod]float64{StudentT: 0.893, BootstrapT: 0.937, BCa: 0.874}},
	{exponentialFamily, 20, map[IntervalMethod]float64{StudentT: 0.919, BootstrapT: 0.946}},
	{exponentialFamily, 40, map[IntervalMethod]float64{StudentT: 0.933, BootstrapT: 0.949, BCa: 0.931}},
	{lognormalFamily, 6, map[IntervalMethod]float64{StudentT: 0.827, BootstrapT: 0.893}},
	{lognormalFamily, 10, map[IntervalMethod]float64{StudentT: 0.839, BootstrapT: 0.907, BCa: 0.827}},
	{lognormalFamily, 20, map[IntervalMethod]float64{StudentT: 0.868, BootstrapT: 0.923}},
	{lognormalFamily, 40, map[IntervalMethod]float64{StudentT: 0.892, BootstrapT: 0.929, BCa: 0.901}},
}

// TestCoverage measures how often 95 % intervals cover the true mean; -v prints the shares. With BANDITSIM_LONG=1 it uses
// as many resamples as the program, and takes half an hour.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	const slowSamples = 20_000
	samples, resamples := 200, 999
	if os.Getenv("BANDITSIM_LONG") != "" {
		samples, resamples = slowSamples, 9999
	}
	for _, c := range coverageCases {
		for method, want := range c.want {
			share, width := measureCoverage(c.family, c.pairs, samples, resamples, method)
			name := fmt.Sprintf("%s, skewness %g, %d pairs, %s", c.family.name, c.family.skewness, c.pairs, method)
			t.Logf("%s: coverage %.1f %%, width %.2f of t", name, 100*share, width)
			must.Near(t, name+": coverage", share, want, 5*math.Sqrt(want*(1-want)*(1/float64(samples)+1/float64(slowSamples))))
		}
	}
}

// measureCoverage returns the share of the samples' intervals that cover 0, and the median ratio of their widths to those
// of t-intervals. Each sample has its own stream of resamples, so that intervals are independent.
func measureCoverage(family differenceFamily, pairs, samples, resamples int, method IntervalMethod) (share, width float64) {
	root := stream.Root(1).Child("coverage", family.name, pairs)
	values := root.Child("values")
	var widths []float64
	d := make([]float64, pairs)
	for i := range samples {
		for k := range d {
			d[k] = family.draw(values)
		}
		low, high := momentsOf(d).tInterval(1)
		l, h := low, high
		switch method {
		case BootstrapT:
			l, h = bootstrapTInterval(d, root.Child("bootstrap-t", i), resamples)
		case BCa:
			l, h = bcaInterval(d, root.Child("bca", i), resamples)
		}
		share += (1 - excludes(l, h)) / float64(samples)
		widths = append(widths, (h-l)/(high-low))
	}
	return share, Median(widths)
}
