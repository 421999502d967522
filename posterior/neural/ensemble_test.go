package neural

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/ridge"
	"banditsim/posterior"
)

// observeSmall adds rows first to end−1 of the fixed data.
func observeSmall(t testing.TB, p posterior.Posterior, first, end int) {
	t.Helper()
	for i := first; i < end; i++ {
		context, arm, reward := smallRow(i)
		must.OK(t, p.Observe(context, arm, reward))
	}
}

// linearOptions are the options of networks without a hidden layer, trained on batches of all 64 rows.
func linearOptions() LangevinOptions {
	o := Ensemble().Defaults()
	o.Hidden, o.Chains, o.Steps = nil, 3, 20
	o.Batch, o.Buffer, o.TrainAfter, o.DataSize, o.WeightDecay = 64, 64, 10, 64, 4
	o.Sampler.Preconditioner.Kind, o.Sampler.LearningRate = "off", 5e-3
	return o
}

// ridgeOf returns the weights of the ridge regression of an arm's rewards, with penalty λ/2 and the counts as weights of the rows, and
// the rows.
func ridgeOf(arm int, counts []float64) (w []float64, rows [][]float64) {
	inverse, b := ridge.New(smallDim+1, 2), make([]float64, smallDim+1)
	var x ridge.Vector
	for i := range 64 {
		context, a, reward := smallRow(i)
		weight := 1.0
		if counts != nil {
			weight = counts[i]
		}
		if a != arm || weight == 0 {
			continue
		}
		x.Set(context, true)
		inverse.Add(&x, weight)
		row := make([]float64, len(b))
		for k, j := range x.Index {
			row[j] = x.Value[k]
			b[j] += weight * reward * x.Value[k]
		}
		rows = append(rows, row)
	}
	w = make([]float64, len(b))
	inverse.Solve(w, b)
	return w, rows
}

// TestEnsembleIsRidge checks that networks without a hidden layer, trained on all rows, converge to the ridge regression.
func TestEnsembleIsRidge(t *testing.T) {
	for _, counts := range []string{"once", "poisson", "double"} {
		p := must.Get(bootstrapOptions{network(linearOptions()), counts, 0}.build(smallSetup(checktest.Stream("ensemble"))))(t)
		observeSmall(t, p, 0, 64)
		update(t, p, 60)
		for c, r := range p.data {
			for arm := range smallArms {
				w, _ := ridgeOf(arm, r.counts)
				for j, want := range w { // the bias is last, in w as in X
					checktest.Near(t, fmt.Sprintf("%s: chain %d, arm %d, weight %d", counts, c, arm, j), float64(p.chains[c].X[j*smallArms+arm]), want, 1e-4)
				}
			}
			must.That(t, counts == "once" || c <= 0 || !slices.Equal(r.counts, p.data[0].counts),
				"%s: networks 0 and %d count all rows alike", counts, c)
		}
	}
}

// network returns o as the options that other posteriors embed.
func network(o LangevinOptions) langevinNetwork { return langevinNetwork{o.NetworkOptions, o.Sampler} }

// TestDoubleOrNothing checks that a count is 0 or 2, each half of the time.
func TestDoubleOrNothing(t *testing.T) {
	o := bootstrapOptions{network(linearOptions()), "double", 0}
	o.Buffer = 20_000
	p := must.Get(o.build(smallSetup(checktest.Stream("double"))))(t)
	observeSmall(t, p, 0, o.Buffer)
	twice, n := 0.0, 0.0
	for c := range o.Chains {
		for _, v := range p.data[c].counts {
			if v != 0 && v != 2 {
				t.Fatalf("a reward counts %g times", v)
			}
			twice, n = twice+v/2, n+1
		}
	}
	checkSharp(t, "share that counts twice", twice/n, 0.5, math.Sqrt(0.25/n))
}

// TestEnsemblePlusIsPosterior checks that the weights w of linear networks with noise and prior functions, trained on all rows, are draws
// of the posterior, with the mean m of the ridge regression and the covariance ν²A⁻¹: averaged over chains and arms, (w − m)ᵀA(w − m)/ν²
// is the number of weights, with the variance of chi-square. Without prior functions, or without noise, it is less.
func TestEnsemblePlusIsPosterior(t *testing.T) {
	const chains, noise, width = 60, 0.5, smallDim + 1
	for _, c := range []struct {
		name         string
		prior, noise float64
		isPosterior  bool
	}{
		// Initial weights are uniform on ±1/√10, with variance 1/30; the prior has the variance 2ν²/λ, with λ = 4.
		{"both", math.Sqrt(30 * 2 * noise * noise / 4), noise, true},
		{"noise alone", 0, noise, false},
		{"prior functions alone", math.Sqrt(30 * 2 * noise * noise / 4), 0, false},
	} {
		o := bootstrapOptions{network(linearOptions()), "once", c.noise}
		o.Chains, o.PriorScale = chains, c.prior
		n := must.Get(o.build(smallSetup(checktest.Stream("ensemble+"))))(t)
		observeSmall(t, n, 0, 64)
		update(t, n, 25)
		sum := 0.0
		for arm := range smallArms {
			mean, rows := ridgeOf(arm, nil)
			for chain := range chains {
				d, squares := make([]float64, width), 0.0
				for j := range d {
					d[j] = float64(n.chains[chain].X[j*smallArms+arm]) - mean[j]
					if n.priors != nil {
						d[j] += c.prior * float64(n.priors.x[chain][j*smallArms+arm])
					}
					squares += 2 * d[j] * d[j]
				}
				for _, row := range rows {
					dot := 0.0
					for j, v := range row {
						dot += v * d[j]
					}
					squares += dot * dot
				}
				sum += squares / (noise * noise)
			}
		}
		mean, se := sum/(chains*smallArms), math.Sqrt(2*width/float64(chains*smallArms))
		if c.isPosterior {
			checktest.SE(t, "squared distance", mean, width, se)
		} else if !(mean < width-10*se) {
			t.Errorf("%s: squared distance %g, want much less than %d", c.name, mean, width)
		}
	}
}
