package neural

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// smallContexts returns n contexts of the fixed data.
func smallContexts(n int) [][]float32 {
	var contexts [][]float32
	for i := range n {
		context, _, _ := smallRow(i * 7)
		contexts = append(contexts, context)
	}
	return contexts
}

// kinds are the options of small networks, which together use every part.
var kinds = []struct {
	name string
	set  func(*LangevinOptions)
}{
	{"contour", func(o *LangevinOptions) {}},
	{"authors' contour", func(o *LangevinOptions) { o.Sampler.Contour.Kind = "authors" }},
	{"psi weights", func(o *LangevinOptions) { o.Sampler.Contour.Weights = "psi" }},
	{"dropout", func(o *LangevinOptions) { o.Sampler.Contour.Kind, o.Dropout.Rate = "off", 0.5 }},
	{"SGD", func(o *LangevinOptions) {
		o.Sampler.Contour.Kind, o.Sampler.Preconditioner.Kind, o.Sampler.Temperature, o.Sampler.LearningRate = "off", "off", 0, 1e-5
	}},
}

// TestChainsHaveTheirOwnStreams checks that the number of chains does not change the random numbers of a chain.
func TestChainsHaveTheirOwnStreams(t *testing.T) {
	o := smallOptions()
	o.Sampler.Contour.Kind = "off"
	o.Chains = 2
	two := newSmall(t, o, 1, 64)
	o.Chains = 4
	four := newSmall(t, o, 1, 64)
	update(t, two, 5)
	update(t, four, 5)
	for i := range two.chains {
		checktest.Bits(t, fmt.Sprint("chain ", i), two.chains[i].X, four.chains[i].X)
	}
	for i := range four.chains {
		for j := range i {
			must.That(t, four.chains[i].X[0] != four.chains[j].X[0], "chains %d and %d are the same", i, j)
		}
	}
}

func TestTrainingStartsWithMoreThanTrainAfterRows(t *testing.T) {
	o := smallOptions() // TrainAfter is 20, Steps 4, Chains 3
	n := newSmall(t, o, 1, 0)
	for i := range 40 {
		observeSmall(t, n, i, i+1)
		update(t, n, 1)
		want := int64(0)
		if i+1 > 20 {
			want = int64(i+1-20) * 4 * 3
		}
		must.Hold(t, n.Steps() == want, "%d gradient steps after %d rows, want %d", n.Steps(), i+1, want)
		d := n.Diagnostics()
		must.Hold(t, (d.Chains == nil) == (want == 0), "diagnostics of %d chains after %d steps", len(d.Chains), want)
	}
}

// TestThetaWarmup checks that θ first changes when more than a tenth of all rounds have ended.
func TestThetaWarmup(t *testing.T) {
	for _, kind := range []string{"paper", "authors"} {
		o := smallOptions()
		o.Sampler.Contour.Kind, o.Sampler.Contour.ThetaWarmup, o.Sampler.Contour.Width = kind, 0.1, 500
		n := newSmall(t, o, 1, 64) // 20 rounds long
		for round := 1; round <= 5; round++ {
			update(t, n, 1)
			theta := n.Diagnostics().Theta
			flat := theta[0] == theta[1] && theta[1] == theta[2]
			// Before round 4 three rounds have ended, more than two, a tenth of all.
			must.Equal(t, fmt.Sprintf("%s: flat θ after round %d", kind, round), flat, round < 4)
		}
	}
}

// weighted is a Contour that weights the chains by its elements and does nothing else.
type weighted []float64

func (c weighted) Meet(m, energies []float64) { copy(m, []float64{1, 1, 1}) }
func (c weighted) Weights(w []float64)        { copy(w, c) }
func (c weighted) State() ([]float64, []int)  { return nil, make([]int, len(c)) }

// outputs returns the predictions of each chain.
func outputs(n *Network, contexts [][]float32) (values [][]float64) {
	ws := n.model.NewPass(len(contexts))
	var rows nn.Rows
	rows.Reset()
	for _, c := range contexts {
		rows.AppendDense(c)
	}
	for i := range n.chains {
		values = append(values, checktest.Wide(ws.Forward(n.chains[i].X, &rows, nil)))
	}
	return values
}

// TestPredictMean checks that the value of an arm is Σ w_p f_p / Σ w_p.
func TestPredictMean(t *testing.T) {
	n := newSmall(t, smallOptions(), 1, 64)
	update(t, n, 2)
	contexts := smallContexts(5)
	f := outputs(n, contexts)
	for _, w := range [][]float64{{5, 3, 2}, {1, 0, 0}, {1e-300, 1e-300, 2e-300}, {0, 0, 0}} {
		langevin(n).Contour = weighted(w)
		sum := w[0] + w[1] + w[2]
		for i, got := range predict(t, n, contexts, posterior.Mean) {
			want := (w[0]*f[0][i] + w[1]*f[1][i] + w[2]*f[2][i]) / sum
			if sum == 0 { // equal weights
				want = (f[0][i] + f[1][i] + f[2][i]) / 3
			}
			checktest.Near(t, "value", got, want, 1e-13)
		}
	}
}

// TestPredictDraw checks that each context gets the values of one chain, drawn by weight with one number of the stream per context, in
// order.
func TestPredictDraw(t *testing.T) {
	n := newSmall(t, smallOptions(), 1, 64)
	update(t, n, 2)
	w := weighted{0.5, 0.3, 0.2}
	langevin(n).Contour = w
	// The share p of n draws has the standard error √(p(1−p)/n).
	const draws = 150_000
	contexts := smallContexts(150)
	f := outputs(n, contexts)
	r := stream.Root(1).Child("draw")
	var counts [3]float64
	for range draws / len(contexts) {
		got := predict(t, n, contexts, posterior.Draw)
		for i := range contexts {
			u, p := r.Float64(), 0
			switch {
			case u >= 0.8:
				p = 2
			case u >= 0.5:
				p = 1
			}
			counts[p]++
			checktest.Vector(t, fmt.Sprint("context ", i), got[i*smallArms:(i+1)*smallArms], f[p][i*smallArms:(i+1)*smallArms], 0)
		}
	}
	for p, c := range counts {
		checkSharp(t, fmt.Sprint("share of chain ", p), c/draws, w[p], math.Sqrt(w[p]*(1-w[p])/draws))
	}
}

// TestDenseEqualsSparse checks that a sparse and a dense buffer of the same contexts give the same bits.
func TestDenseEqualsSparse(t *testing.T) {
	sparse, dense := newSmall(t, smallOptions(), 1, 40), newSmall(t, smallOptions(), 1, 40)
	dense.buffer.MakeDense()
	for _, n := range []*Network{sparse, dense} {
		observeSmall(t, n, 0, 40) // more rows than the buffer has room for
		update(t, n, 10)
	}
	for i := range sparse.chains {
		checktest.Bits(t, fmt.Sprint("chain ", i), sparse.chains[i].X, dense.chains[i].X)
	}
	// One dense context among the sparse ones does not change their values.
	contexts := smallContexts(5)
	alone := predict(t, sparse, contexts, posterior.Mean)
	odd := make([]float32, smallDim)
	odd[3] = 0.5
	mixed := predict(t, sparse, append(slices.Clone(contexts), odd), posterior.Mean)
	checktest.Vector(t, "values", mixed[:len(alone)], alone, 0)
}

func TestDiagnostics(t *testing.T) {
	o := smallOptions()
	o.Sampler.Contour.Width = 200
	n := newSmall(t, o, 1, 64)
	for round := range 20 {
		// The same steps in a twin, one by one.
		twin := newSmall(t, o, 1, 64)
		update(t, twin, round)
		var multipliers [3][]float64 // chain by chain
		for range o.Steps {
			langevin(twin).StartRound(round, 20)
			checktest.Advance(t, twin.sampler, twin.chains, 1)
			for i := range twin.chains {
				multipliers[i] = append(multipliers[i], twin.chains[i].Multiplier)
			}
		}
		update(t, n, 1)
		d := n.Diagnostics()
		h := langevin(n).Contour.(*sgmcmc.Histogram)
		w := make([]float64, 3)
		h.Weights(w)
		total, squares := 0.0, 0.0
		for i, c := range d.Chains {
			total += w[i]
			squares += w[i] * w[i]
			if c.Energy != n.chains[i].Energy || c.Bin != binOf(o.Sampler.Contour, c.Energy) {
				t.Errorf("round %d, chain %d: energy %g in bin %d, want %g in bin %d", round, i, c.Energy, c.Bin, n.chains[i].Energy, binOf(o.Sampler.Contour, c.Energy))
			}
			mean, _ := meanSE(multipliers[i])
			checktest.Near(t, "smallest multiplier", c.MultiplierMin, slices.Min(multipliers[i]), 0)
			checktest.Near(t, "largest multiplier", c.MultiplierMax, slices.Max(multipliers[i]), 0)
			checktest.Near(t, "mean multiplier", c.MultiplierMean, mean, 1e-14)
		}
		checktest.Near(t, "ESS", d.WeightESS, total*total/squares, 1e-12)
		theta, _ := h.State()
		checktest.Vector(t, "θ", d.Theta, theta, 0)
	}
	moved(t, n)
}

// measured is a sampler with a diagnostic series.
type measured struct{ posterior.Sampler }

func (measured) Series() []diagnostics.Series {
	return []diagnostics.Series{{Name: "heat", Unit: "τ", Values: []float64{7}}}
}

func TestSamplersOwnSeries(t *testing.T) {
	n := newSmall(t, smallOptions(), 1, 64)
	n.sampler = measured{n.sampler}
	update(t, n, 1)
	s := n.Diagnostics().Series
	must.That(t, len(s) == 1 && s[0].Name == "heat" && s[0].Values[0] == 7, "series %v", s)
}

// binOf returns the bin of an energy that is not on an edge; 0 if it is above the last bin.
func binOf(o sgmcmc.ContourOptions, energy float64) int {
	bin := max(1, int(math.Ceil((energy-o.Start)/o.Width)))
	if bin > o.Bins {
		return 0
	}
	return bin
}

// asAuthors changes the options to those of the authors' program.
func asAuthors(o *LangevinOptions) {
	o.Sampler.Preconditioner.Multiplied, o.Dropout.TrainSamples = true, o.Dropout.Samples
	if o.Sampler.Contour.Kind != "off" {
		o.Sampler.Contour.Kind = "authors"
	}
}

// TestStepAllocatesNothing checks that the paper's networks, with a full buffer, allocate nothing in Observe, Update and Predict.
func TestStepAllocatesNothing(t *testing.T) {
	for _, k := range Paper() {
		for _, profile := range []string{"paper", "authors"} {
			t.Run(k.Name+" "+profile, func(t *testing.T) {
				o := k.Defaults()
				if profile == "authors" {
					asAuthors(&o)
				}
				o.Steps, o.Batch = 2, 48 // the same code on fewer rows
				n, contexts := likeMushrooms(t, k, o)
				ctx, dst := context.Background(), make([]float64, 40)
				for what, f := range map[string]func() error{
					"Update":  func() error { return n.Update(ctx) },
					"Observe": func() error { return n.Observe(contexts[3], 1, 5) },
					"Mean":    func() error { return n.Predict(dst, contexts, posterior.Mean) },
					"Draw":    func() error { return n.Predict(dst, contexts, posterior.Draw) },
				} {
					allocations := testing.AllocsPerRun(5, func() {
						must.OK(t, f())
					})
					must.Equal(t, what+": allocations", allocations, 0)
				}
			})
		}
	}
}

// TestTooHighALearningRateIsAnError checks that training returns an error within 50 rounds, for each of kinds.
func TestTooHighALearningRateIsAnError(t *testing.T) {
	for _, k := range kinds {
		for _, eps := range []float64{10, 1e10, check.Most} {
			t.Run(fmt.Sprint(k.name, " ", eps), func(t *testing.T) {
				o := smallOptions()
				k.set(&o)
				o.Sampler.Preconditioner.Kind = "off" // it would keep the steps small
				o.Sampler.LearningRate = eps
				n := newSmall(t, o, 1, 64)
				for range 50 {
					err := n.Update(context.Background())
					if err == nil {
						continue
					}
					must.That(t, strings.Contains(err.Error(), "chain") && strings.Contains(err.Error(), fmt.Sprint(eps)),
						"error %q, want one that names the chain and the learning rate", err)
					return
				}
				t.Errorf("no error; energy %g", n.chains[0].Energy)
			})
		}
	}
}

func TestUpdateStopsWhenCanceled(t *testing.T) {
	n := newSmall(t, smallOptions(), 1, 64)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	must.Is(t, n.Update(ctx), context.Canceled)
	must.Equal(t, "steps", n.Steps(), 0)
}

// TestValidate checks that an option out of range is an error that names the option.
func TestValidate(t *testing.T) {
	for _, c := range []struct {
		key string
		set func(*LangevinOptions)
	}{
		{"hidden", func(o *LangevinOptions) { o.Hidden = []int{3, 0} }},
		{"chains", func(o *LangevinOptions) { o.Chains = 0 }},
		{"steps", func(o *LangevinOptions) { o.Steps = -1 }},
		{"batch", func(o *LangevinOptions) { o.Batch = 0 }},
		{"buffer", func(o *LangevinOptions) { o.Buffer = 0 }},
		{"train_after", func(o *LangevinOptions) { o.TrainAfter = -1 }},
		{"train_after", func(o *LangevinOptions) { o.TrainAfter = o.Buffer }},
		{"data_size", func(o *LangevinOptions) { o.DataSize = 0 }},
		{"weight_decay", func(o *LangevinOptions) { o.WeightDecay = -1 }},
		{"contour.kind", func(o *LangevinOptions) { o.Sampler.Contour.Kind = "" }},
		{"dropout.rate", func(o *LangevinOptions) { o.Dropout.Rate = 1 }},
		{"dropout.rate", func(o *LangevinOptions) { o.Dropout.Rate, o.Hidden = 0.5, nil }},
		{"dropout.samples", func(o *LangevinOptions) { o.Dropout.Samples = 0 }},
		{"dropout.train_samples", func(o *LangevinOptions) { o.Dropout.TrainSamples = 0 }},
		// Too large for any machine, or for an int.
		{"hidden", func(o *LangevinOptions) { o.Hidden = []int{1e9, 1e9} }},
		{"hidden", func(o *LangevinOptions) { o.Hidden = []int{1e6, 1e6} }},
		{"hidden", func(o *LangevinOptions) { o.Chains, o.Hidden = 1000, []int{1000, 1000} }},
		{"chains", func(o *LangevinOptions) { o.Chains = 1e8 }},
		{"steps", func(o *LangevinOptions) { o.Steps = math.MaxInt }},
		{"batch", func(o *LangevinOptions) { o.Batch = math.MaxInt }},
		{"batch", func(o *LangevinOptions) { o.Batch, o.Hidden = 1e7, []int{100} }},
		{"buffer", func(o *LangevinOptions) { o.Buffer = math.MaxInt }},
		{"contour.bins", func(o *LangevinOptions) { o.Sampler.Contour.Bins = math.MaxInt }},
		{"contour.bins", func(o *LangevinOptions) { o.Chains, o.Sampler.Contour.Bins = 1e4, 1e5 }},
		{"contour.width", func(o *LangevinOptions) { o.Sampler.Contour.Width = 5e-324 }},
		{"contour.width", func(o *LangevinOptions) { o.Sampler.Contour.Width = 1e308 }},
		{"dropout.samples", func(o *LangevinOptions) { o.Dropout.Samples = math.MaxInt }},
		{"dropout.train_samples", func(o *LangevinOptions) { o.Dropout.TrainSamples = math.MaxInt }},
		{"prior_scale", func(o *LangevinOptions) { o.PriorScale = -1 }},
		{"prior_scale", func(o *LangevinOptions) { o.PriorScale = math.NaN() }},
	} {
		o := smallOptions()
		c.set(&o)
		must.Refuse(PICSGLD().New(o, posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 1, Stream: stream.Root(1)}))(t, c.key)
	}
	l := LMCTS().SmallDefaults()
	l.Memory = 0
	must.Refuse(LMCTS().New(l, smallSetup(stream.Root(1))))(t, "memory: 0, want 1")
	// For these options zero is legal.
	o := smallOptions()
	o.Sampler.LearningRate, o.Sampler.Temperature, o.WeightDecay, o.Steps, o.TrainAfter = 0, 0, 0, 0, 0
	o.Sampler.Contour.Zeta, o.Sampler.Contour.Omega, o.Sampler.Contour.WeightRegularizer = 0, 0, 0
	must.Get(PICSGLD().New(o, posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 1, Stream: stream.Root(1)}))(t)
}

// TestObserveRejectsWhatIsNotFinite checks that Observe returns an error for such a reward and adds no row.
func TestObserveRejectsWhatIsNotFinite(t *testing.T) {
	n := newSmall(t, smallOptions(), 1, 0)
	context, arm, _ := smallRow(0)
	for _, reward := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		must.Fail(t, n.Observe(context, arm, reward), fmt.Sprint(reward))
	}
	must.Equal(t, "rows held", n.buffer.N, 0)
}

// TestDecayOfEpsGreedy checks that ε shrinks once per training round, not in burn-in, and is 7.11388e-8 after the paper's 1,949 rounds.
func TestDecayOfEpsGreedy(t *testing.T) {
	o := EpsGreedy().Defaults()
	o.Steps, o.Hidden = 0, nil // only the schedule
	n := newSmall(t, o, 1, 1024)
	update(t, n, 51) // burn-in
	checktest.Near(t, "ε/5e-7 in burn-in", langevin(n).LearningRate/5e-7, 1, 0)
	observeSmall(t, n, 0, 1)
	update(t, n, 1949)
	checktest.Near(t, "ε/7.11388e-8", langevin(n).LearningRate/7.11388e-8, 1, 1e-6)
}
