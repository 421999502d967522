package logged

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/results/stats"
)

// Two logs of six rows, with the sums that follow from them. Comments at the estimates give the calculation by hand.
var (
	// Σw = 7.5, Σwr = 7, ΣV = 2.75; residuals r − q are .5, −.5, .5, −.25, .25, .5 and Σw(r − q) = 3.375. The clips are
	// 2·2^(i/20): the median of the weights above 0 is 2, the largest is 4.
	logA = sample{
		weight: []float64{2, 0, 1, 0.5, 0, 4}, reward: []float64{1, 0, 1, 0, 1, 1},
		model: []float64{0.5, 0.5, 0.5, 0.25, 0.75, 0.5}, value: []float64{0.5, 0.25, 0.5, 0.5, 0.75, 0.25},
	}
	// Σw = 11, Σwr = 6, V = q = ½; Σw(r − q) = ½. The clips are 4^(i/20).
	logB = sample{
		weight: []float64{4, 4, 1, 1, 1, 0}, reward: []float64{1, 0, 1, 0, 1, 0},
		model: []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, value: []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
	}
)

// named returns the estimator with the given name.
func named(name string) Estimator {
	list, err := estimatorsOf([]string{name})
	if err != nil {
		panic(err)
	}
	return list[0]
}

func TestSixRowsByHand(t *testing.T) {
	none, inf := math.NaN(), math.Inf(1)
	lambda := 4 * math.Pow(4, 0.95)
	for _, test := range []struct {
		log              string
		sample           *sample
		estimator        Estimator
		value, parameter float64
	}{
		{"A", &logA, named("ips"), 7.0 / 6, none},
		{"A", &logA, named("snips"), 7 / 7.5, none},
		{"A", &logA, named("dm"), 2.75 / 6, none},
		{"A", &logA, named("dr"), 6.125 / 6, none},
		{"A", &logA, named("sndr"), 2.75/6 + 3.375/7.5, none},
		// With a clip c in [2, 4] the mean is (3 + c)/6, 30·variance/6 is 5 + c² − (3 + c)²/6 and the bias (c − 4)/6: the mean squared
		// error is least at c = 2.3, and among the clips at 2·2^.2.
		{"A", &logA, named("clip"), (3 + math.Pow(2, 1.2)) / 6, math.Pow(2, 1.2)},
		// Without the last row's 4·½ the bias is ⅓; its square, .1111, exceeds the variance of DR, .0942.
		{"A", &logA, named("switch"), 6.125 / 6, inf},
		// The mean squared error falls with λ over the whole grid, to .0759 at 4·4^.95; that of DR is .0942.
		{"A", &logA, named("dros"), (2.75 + lambda/(4+lambda) + 0.5*lambda/(1+lambda) - 0.125*lambda/(0.25+lambda) + 2*lambda/(16+lambda)) / 6, lambda},
		// The mean is (4.125 + c/2)/6, with the least error at c = 2.525, and among the clips at 2·2^.35 = 2.549.
		{"A", &logA, named("clipdr"), (4.125 + math.Pow(2, 0.35)) / 6, math.Pow(2, 1.35)},

		{"B", &logB, named("ips"), 1, none},
		{"B", &logB, named("snips"), 6.0 / 11, none},
		{"B", &logB, named("dm"), 0.5, none},
		{"B", &logB, named("dr"), 7.0 / 12, none},
		{"B", &logB, named("sndr"), 6.0 / 11, none},
		// The mean is (c + 2)/6, with the least error at c = 2.2, and among the clips at 4^.55 = 2.144 rather than 4^.6 = 2.297.
		{"B", &logB, named("clip"), (2 + math.Pow(4, 0.55)) / 6, math.Pow(4, 0.55)},
		// The two heavy rows cancel: leaving them out adds no bias. Every threshold below 4 does so; the largest is 4^.95.
		{"B", &logB, named("switch"), 7.0 / 12, math.Pow(4, 0.95)},
		// The bias is smaller than the variance that it saves, so the least λ is best: 1, with ŵ = ½ for w = 1.
		{"B", &logB, named("dros"), 13.0 / 24, 1},
		{"B", &logB, named("clipdr"), 7.0 / 12, 1},
	} {
		e := test.estimator.of(test.sample)
		if got := stats.NewEstimate(e.terms).Mean; len(e.terms) != 6 || !(math.Abs(got-test.value) <= 1e-12) {
			t.Errorf("log %s: %s is %.15g of %d terms, want %.15g", test.log, test.estimator.Name, got, len(e.terms), test.value)
		}
		same := math.IsNaN(test.parameter) && math.IsNaN(e.parameter) || e.parameter == test.parameter
		must.That(t, same || math.Abs(e.parameter-test.parameter) <= 1e-12,
			"log %s: %s chose %.15g, want %.15g", test.log, test.estimator.Name, e.parameter, test.parameter)
	}
}

// TestDiagnoseByHand checks log A: ESS 7.5²/21.25, largest weight 4 of 7.5, mean weight 1.25 with standard error √((21.25/6 − 1.25²)/5).
func TestDiagnoseByHand(t *testing.T) {
	p := []float64{0.25, 0.5, 0.5, 0.5, 0.5, 0.25}
	d := diagnose(logA.weight, logA.reward, p, 2, 0)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"ESS", d.ESS, 56.25 / 21.25}, {"largest", d.Largest, 4}, {"share", d.Share, 4 / 7.5}, {"mean", d.Mean, 1.25},
		{"error", d.MeanErr, math.Sqrt((21.25/6 - 1.5625) / 5)}, {"unlogged", d.Unlogged, 1.0 / 3}, {"used", float64(d.Used), 4},
	} {
		must.Near(t, c.what, c.got, c.want, 1e-12)
	}
	must.That(t, !d.Verdict() && len(d.Against) == 3 && strings.HasPrefix(d.Cure, "log "),
		"against %q, cure %q", d.Against, d.Cure)
}

// TestDiagnoseRefuses checks that a log without the policy's arms, or with propensities twice too large, gives no verdict.
func TestDiagnoseRefuses(t *testing.T) {
	n := 1000
	p, w, none := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range p {
		p[i] = 0.5
		if i%2 == 0 {
			w[i] = 1 // π = 1 of an arm logged half of the time with a propensity of 1
		}
	}
	for name, weights := range map[string][]float64{"half the weight": w, "no weight": none} {
		d := diagnose(weights, coins(n), p, 2, 0)
		must.That(t, !d.Verdict() && d.Cure != "", "%s: a verdict: %+v", name, d)
	}
	// Of 2,000 rows 22 have weight 100, where 16 are expected, and 400 weight 1: the mean weight is 1.3, the ESS computed with it 30.7.
	lucky, few := make([]float64, 2000), make([]float64, 2000)
	for i := range lucky {
		few[i] = 0.01
		switch {
		case i < 22:
			lucky[i] = 100
		case i < 422:
			lucky[i] = 1
		}
	}
	if d := diagnose(lucky, coins(2000), few, 5, 0); d.Verdict() || !(d.ESS > minESS) || !strings.Contains(d.Against[0], "the effective sample size is 18.1 with the mean weight that is expected, 1, in place of 1.30") {
		t.Errorf("more large weights than expected: %+v", d)
	}
	for i := range w {
		w[i], none[i] = 2*w[i], 1.0004 // none: of ¼ rounded to .2499
	}
	if d := diagnose(none, coins(n), p, 4, 0); !d.Verdict() {
		t.Errorf("no verdict on rounded propensities: %v", d.Against)
	}
	if d := diagnose(w, coins(n), p, 2, 0); !d.Verdict() {
		t.Errorf("no verdict on a good log: %v", d.Against)
	}
}

// coins returns the rewards 0, 0, 1, 1, 0, 0, …
func coins(n int) []float64 {
	r := make([]float64, n)
	for i := range r {
		r[i] = float64(i / 2 % 2)
	}
	return r
}

// TestRareRewards checks that the effective number of rows with the rarer reward decides on a verdict, whichever reward that is, and that
// all of many different rewards are rare. Every other row of 1,000 has weight 2; the reward of ones of these is 1.
func TestRareRewards(t *testing.T) {
	const n = 1000
	w, p, many := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range w {
		p[i], many[i] = 0.5, float64(i)
		if i%2 == 0 {
			w[i] = 2
		}
	}
	for _, c := range []struct {
		ones    int
		rare    float64
		verdict bool
	}{{0, 0, false}, {19, 19, false}, {20, 20, true}, {250, 250, true}, {480, 20, true}, {481, 19, false}, {500, 0, false}} {
		r := make([]float64, n)
		for i := range c.ones {
			r[2*i] = 1
		}
		for i := 1; i < n; i += 2 { // rows without a weight do not count
			r[i] = float64(i / 2 % 2)
		}
		d := diagnose(w, r, p, 2, 0)
		must.That(t, math.Abs(d.Rare-c.rare) < 1e-9 && d.Verdict() == c.verdict,
			"%d ones: %g rare, want %g; verdict %t: %v", c.ones, d.Rare, c.rare, d.Verdict(), d.Against)
	}
	d := diagnose(w, many, p, 2, 0)
	must.That(t, d.Verdict() && d.Rare >= 499, "rewards of many values: %+v", d)
	// One row of weight 9 beside nine of weight 1: (9 + 9)²/(81 + 9).
	must.Near(t, "effective number", rare([]float64{9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5}, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, 0), 3.6, 1e-12)
}

// TestExpectedESSByHand checks expectedESS. With a share ε of uniform pulls, a row of weight w and propensity p has the weight wp/m with
// m = (1 − ε)p + ε/K and is m/p times as frequent: the weights sum to Σw, their squares to Σw²p/m.
func TestExpectedESSByHand(t *testing.T) {
	for _, c := range []struct {
		name               string
		weight, propensity []float64
		arms               int
		epsilon, want      float64
	}{
		{"no uniform pulls", []float64{4, 0, 1}, []float64{0.25, 0.5, 0.5}, 2, 0, 5. / 17},
		{"half", []float64{4, 0, 1}, []float64{0.25, 0.5, 0.5}, 2, 0.5, 5 / (16*0.25/0.375 + 1)},
		{"all, of four arms", []float64{4, 2}, []float64{0.25, 0.5}, 4, 1, 6 / (16 + 4*0.5/0.25)},
		{"a fifth, of ten arms", []float64{10}, []float64{0.01}, 10, 0.2, 10 / (100 * 0.01 / 0.028)},
		{"no weight", []float64{0, 0}, []float64{0.5, 0.5}, 4, 0.2, 0.05},
	} {
		must.Near(t, c.name, expectedESS(c.weight, c.propensity, c.arms, c.epsilon), c.want, 1e-12)
	}
}

// TestTermsByHand checks the terms, on which intervals are based: v + w(r − v)/w̄ for SNIPS with v = 7/7.5 and w̄ = 7.5/6, and V + c +
// w(r − q − c)/w̄ for SNDR with c = 3.375/7.5.
func TestTermsByHand(t *testing.T) {
	v, average := 7/7.5, 7.5/6
	terms, corrected := named("snips").of(&logA).terms, named("sndr").of(&logA).terms
	c := 3.375 / 7.5
	for i, w := range logA.weight {
		must.Near(t, fmt.Sprintf("term %d of SNIPS", i), terms[i], v+w*(logA.reward[i]-v)/average, 1e-12)
		want := logA.value[i] + c + w*(logA.reward[i]-logA.model[i]-c)/average
		must.Near(t, fmt.Sprintf("term %d of SNDR", i), corrected[i], want, 1e-12)
	}
}
