package neural

import (
	"cmp"
	"context"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

type lmcOptions struct {
	Hidden []int `json:"hidden"` // widths of the hidden layers; none: a linear model
	Steps  int   `json:"steps"`  // steps in each round
	Memory int   `json:"memory"` // number of rows kept, the newest ones; each step passes over all of them
	// LearningRate is the step size ε with loss "mean". With loss "sum" the step size is ε/n for n rows held.
	LearningRate float64 `json:"learning_rate"`
	Temperature  float64 `json:"temperature"`  // temperature τ (1/β in the source), above 0; with loss "sum", it stands for twice the variance of the rewards' noise
	WeightDecay  float64 `json:"weight_decay"` // strength of the prior, λ; with loss "sum" a weight's standard deviation is √(τ/λ) before any reward
	// Loss is "sum" or "mean" of the squared errors of n rows: only with "sum" does the draws' spread shrink as n grows.
	Loss string `json:"loss" enum:"sum,mean"`
	// Dynamics is "overdamped" (Langevin), "underdamped" (with momentum), "metropolis" (overdamped with
	// Metropolis' correction) or "hamiltonian" (leapfrog steps with Metropolis' correction).
	Dynamics string          `json:"dynamics" enum:"overdamped,underdamped,metropolis,hamiltonian"`
	Friction float64         `json:"friction"` // share of the momentum lost in a step, above 0 and at most 1; 1 is overdamped
	Leapfrog int             `json:"leapfrog"` // leapfrog steps in each step of dynamics "hamiltonian"
	FeelGood feelGoodOptions `json:"feel_good"`
	// Layers are convolutions before the hidden layers, for image contexts: [{conv: 8, size: 5, pool: 2}]; none: off.
	Layers []ConvOptions `json:"layers,omitempty"`
}

// Unused returns the options that have no effect with these dynamics.
func (o lmcOptions) Unused() []string {
	var list []string
	if o.Dynamics != "underdamped" {
		list = append(list, "friction")
	}
	if o.Dynamics != "hamiltonian" {
		list = append(list, "leapfrog")
	}
	return list
}

// LMCTS is the posterior of Langevin Monte Carlo Thompson sampling (Xu, Zheng, Mazumdar, Azizzadenesheli and
// Anandkumar, ICML 2022, algorithm 1): one chain, which in each round continues from its position by
//
//	x ← x − η∇L(x) + √(2ητ)·w,  L(x) = Σᵢ (f_x(cᵢ)[aᵢ] − rᵢ)² + λ‖x‖²/2,  w ~ N(0, I)
//
// where f_x(cᵢ)[aᵢ] predicts the reward rᵢ, and the sum is over all n rows. By default η = ε/n with ε = learning_rate,
// because in the source's theory the step falls as the posterior gets more precise. The source's program uses the mean
// squared error for L, with a fixed step and temperature (loss: mean). The policy acts greedily on x for a whole round.
//
// Options select its relatives:
//   - dynamics underdamped is ULMCTS (Zheng et al., AISTATS 2024), by sgmcmc.Underdamped with the step √η and the friction in units of
//     1/√η, so that friction 1 is overdamped;
//   - dynamics metropolis is MALATS and hamiltonian is HMCTS, by sgmcmc.MALA and sgmcmc.HMC;
//   - a feel-good term of kind hard is FGLMCTS (Zhang 2022) and smooth is SFGLMCTS (arXiv 2507.15290, which compares all of them);
//   - no hidden layer is LinLMCTS.
//
// A step costs a forward and a backward pass over all rows, and as much again per leapfrog step (metropolis has one).
func LMCTS() posterior.Kind[lmcOptions] {
	k := kind("LMCTS", "Langevin Monte Carlo Thompson sampling over a network; other dynamics and the feel-good term are options", func() lmcOptions {
		return lmcOptions{
			Hidden: []int{100}, Steps: 20, Memory: 4096, LearningRate: 0.01, Temperature: 0.3, WeightDecay: 3,
			Loss: "sum", Dynamics: "overdamped", Friction: 0.1, Leapfrog: 4,
			FeelGood: feelGoodOptions{Kind: "off", Weight: 0.1, Cap: 1, Sharpness: 10},
		}
	}, lmcOptions.build, (*lmcOptions).makeSmall)
	k.Claims.Rounds, k.Draws = 100, false
	return k
}

func (o lmcOptions) build(setup posterior.Setup) (*langevinMonteCarlo, error) {
	network := NetworkOptions{ // Buffer is valid even if Memory is not, so that the error names memory
		Hidden: o.Hidden, Layers: o.Layers, Chains: 1, Steps: o.Steps, Batch: wholeRows, Buffer: max(1, min(o.Memory, maxRows)), DataSize: 1, WeightDecay: o.WeightDecay,
		Dropout: DropoutOptions{TrainSamples: 1, Samples: 1},
	}
	n, err := newNetwork(network, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		switch o.Dynamics {
		case "underdamped":
			// Update sets the friction.
			return sgmcmc.SGHMC().New(sgmcmc.SGHMCOptions{LearningRate: math.Sqrt(o.LearningRate), Decay: 1, Temperature: o.Temperature}, u)
		case "metropolis":
			return sgmcmc.MALA().New(sgmcmc.HamiltonianOptions{LearningRate: o.LearningRate, Decay: 1, Temperature: o.Temperature, Leapfrog: 1}, u)
		case "hamiltonian":
			return sgmcmc.HMC().New(sgmcmc.HamiltonianOptions{LearningRate: o.LearningRate, Decay: 1, Temperature: o.Temperature, Leapfrog: o.Leapfrog}, u)
		}
		return sgmcmc.SGLD().New(sgmcmc.Plain(o.LearningRate, o.Temperature), u)
	}, func(_ int, r *regression, x []float32) (chainTarget, []float32) {
		return &whole{regression: r, mean: o.Loss == "mean", feelGood: feelGood{feelGoodOptions: o.FeelGood}, part: make([]float32, len(x))}, x
	},
		check.Within("memory", o.Memory, 1, maxRows), check.Positive("temperature", o.Temperature),
		check.NotNegative("learning_rate", o.LearningRate),
		check.OneOf("loss", o.Loss, "sum", "mean"), check.OneOf("dynamics", o.Dynamics, "overdamped", "underdamped", "metropolis", "hamiltonian"),
		check.Within("leapfrog", o.Leapfrog, 1, 1000), o.FeelGood.validate(setup.Arms),
		check.That(o.Friction > 0 && o.Friction <= 1, "friction: %g, want above 0, at most 1", o.Friction))
	if err != nil {
		return nil, err
	}
	return &langevinMonteCarlo{n, o}, nil
}

// makeSmall makes the network small, with few rows.
func (o *lmcOptions) makeSmall() {
	if len(o.Hidden) > 0 {
		o.Hidden = []int{16}
	}
	o.Steps, o.Memory, o.LearningRate = 10, 128, 0.02
}

type langevinMonteCarlo struct {
	*Network
	o lmcOptions
}

// Update does the gradient steps of a round, with the step size for the current number of rows.
func (l *langevinMonteCarlo) Update(ctx context.Context) error {
	rate := l.o.LearningRate
	if l.o.Loss == "sum" && l.buffer.N > 0 {
		rate /= float64(l.buffer.N)
	}
	if s, ok := l.sampler.(*sgmcmc.Underdamped); ok {
		rate = math.Sqrt(rate)
		if rate > 0 {
			s.Friction = l.o.Friction / rate
		}
	}
	l.sampler.(interface{ SetLearningRate(float64) }).SetLearningRate(rate)
	return l.Network.Update(ctx)
}

// whole is the Target of a network whose energy is exact, because it is over all n rows of the replay buffer:
//
//	U(x) = κ(Σᵢ (f_x(cᵢ)[aᵢ] − rᵢ)² + the feel-good term),  κ = 1 with loss "sum", 1/n with loss "mean"
type whole struct {
	*regression
	mean     bool
	feelGood feelGood
	part     []float32 // gradient of one pass
}

// wholeRows is the number of rows in one pass.
const wholeRows = 256

func (t *whole) EnergyGrad(grad, x []float32) (float64, error) {
	pass := t.passes.Take()
	defer t.passes.Give(pass)
	n, scale, energy := t.buffer.N, 1.0, 0.0
	if t.mean {
		scale = 1 / float64(n)
	}
	clear(grad)
	for first := 0; first < n; first += wholeRows {
		t.batch.Fill(t.buffer, first, min(first+wholeRows, n))
		out := pass.Forward(x, &t.batch.Rows, nil)
		arms := len(out) / t.batch.Rows.N
		energy += t.feelGood.begin(out, arms, scale)
		energy += squaredError(out, &t.batch, nil, scale)
		t.feelGood.add(out, arms)
		pass.Backward(t.part, x, out)
		kernel.Axpy(grad, 1, t.part)
	}
	t.addPrior(grad, x)
	return energy, nil
}

// feelGoodOptions are the options of feelGood, a term that favors parameters that predict a high reward.
type feelGoodOptions struct {
	// Kind is "off", "hard" (Zhang 2022) or "smooth" (arXiv 2507.15290).
	Kind      string  `json:"kind" enum:"off,hard,smooth"`
	Weight    float64 `json:"weight"`    // factor µ of the term, which is added to the squared errors; in units of reward
	Cap       float64 `json:"cap"`       // cap b: a predicted reward above it does not increase the term
	Sharpness float64 `json:"sharpness"` // sharpness s of the bend of "smooth" at the cap, in 1/reward; above 0
}

// Unused returns the options that have no effect on a feel-good term of kind o.Kind.
func (o feelGoodOptions) Unused() []string {
	switch o.Kind {
	case "off":
		return []string{"weight", "cap", "sharpness"}
	case "hard":
		return []string{"sharpness"}
	}
	return nil
}

func (o *feelGoodOptions) validate(arms int) error {
	return cmp.Or(
		check.OneOf("feel_good.kind", o.Kind, "off", "hard", "smooth"),
		check.NotNegative("feel_good.weight", o.Weight),
		check.Finite("feel_good.cap", o.Cap),
		check.Positive("feel_good.sharpness", o.Sharpness),
		check.That(o.Kind == "off" || arms > 1,
			"feel_good.kind: %s, but the model has one output, so that a row has no best arm: want model: disjoint, or off", o.Kind),
	)
}

// feelGood is the feel-good term of Thompson sampling (Zhang, SIAM J. Math. Data Science 4, 2022, equation 3),
//
//	−µ Σᵢ B(max_a f_x(cᵢ)[a]),  B(f) = min(b, f)                     hard
//	                            B(f) = b − log(1 + exp(s(b − f)))/s   smooth
//
// summed over the rows i with contexts cᵢ, where µ is the option weight, b is cap and s is sharpness. Smooth is from
// arXiv 2507.15290; it tends to hard as s → ∞.
type feelGood struct {
	feelGoodOptions
	best   []int     // the arm with the highest output, row by row
	slopes []float64 // derivative of what begin returns with respect to the highest output, row by row
}

// begin returns the feel-good term of a batch with the outputs out, times scale, and saves the derivative for add.
func (f *feelGood) begin(out []float32, arms int, scale float64) (energy float64) {
	f.best, f.slopes = f.best[:0], f.slopes[:0]
	if f.Kind == "off" {
		return 0
	}
	for at := 0; at < len(out); at += arms {
		row, best := out[at:at+arms], 0
		for a, v := range row {
			if v > row[best] {
				best = a
			}
		}
		bonus, slope := f.bonus(float64(row[best]))
		energy -= float64(f.Weight * bonus)
		f.best, f.slopes = append(f.best, best), append(f.slopes, -scale*f.Weight*slope)
	}
	return scale * energy
}

// bonus returns B and its derivative.
func (f *feelGood) bonus(v float64) (bonus, slope float64) {
	if f.Kind == "hard" {
		if v < f.Cap {
			return v, 1
		}
		return f.Cap, 0
	}
	soft, slope := softplus(float32(f.Sharpness * (f.Cap - v)))
	return f.Cap - soft/f.Sharpness, slope
}

// add adds the derivative saved by begin to delta, that of the squared errors with respect to the batch's outputs.
func (f *feelGood) add(delta []float32, arms int) {
	for i, a := range f.best {
		delta[i*arms+a] += float32(f.slopes[i])
	}
}
