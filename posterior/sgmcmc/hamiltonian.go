package sgmcmc

import (
	"fmt"
	"math"

	"banditsim/bandit/diagnostics"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/lists"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// hamiltonian is Hamiltonian Monte Carlo with Metropolis' correction (Duane et al., Physics Letters B 195, 1987; Neal
// 2011, section 5.3): with H(x, p) = U(x) + ‖p‖²/2 and h = √(2ε), a step draws p ~ N(0, τI), does L leapfrog steps
//
//	p ← p − (h/2)g(x),  x ← x + hp,  p ← p − (h/2)g(x)
//
// and moves the chain to the end of this path with probability min(1, exp(−ΔH/τ)); otherwise the chain stays where it
// is. With L = 1 this is the Metropolis-adjusted Langevin algorithm (Besag 1994; Roberts and Tweedie, Bernoulli 2,
// 1996), which proposes x − εg + √(2ετ)·w, a step of Langevin.
//
// It samples exp(−U/τ) at any ε if energy and gradient have no noise. U includes the penalty of a target that has one.
// A path that leaves a Bounded target, or whose last energy is NaN or +∞, is rejected. A step costs L + 1 evaluations
// of the target for each chain, and O(Ld) operations.
type hamiltonian struct {
	dynamics
	leapfrog int // L
	paths    lists.Free[*path]
	accepted []float64 // probability with which the last step was accepted, chain by chain
}

// A path is the scratch memory of one chain's step: a position x and the gradient there, and in p the momentum,
// followed by the two normals that decide whether the chain moves to the end of the path.
type path struct{ x, grad, p []float32 }

// HamiltonianOptions are the options of HMC and MALA.
type HamiltonianOptions struct {
	LearningRate float64 `json:"learning_rate"`       // step size, ε
	Decay        float64 `json:"learning_rate_decay"` // multiplies the learning rate before each training round
	Temperature  float64 `json:"temperature"`         // temperature, τ
	Leapfrog     int     `json:"leapfrog"`            // leapfrog steps in a step, L
}

func newHamiltonian(o HamiltonianOptions, u Setup) (*hamiltonian, error) {
	s := &hamiltonian{leapfrog: o.Leapfrog}
	return s, s.init(s, o.LearningRate, o.Decay, o.Temperature, off, u,
		check.Positive("temperature", o.Temperature), check.Within("leapfrog", o.Leapfrog, 1, 1000))
}

func (s *hamiltonian) begin(chains []posterior.Chain) {
	if s.paths.Make == nil {
		d := len(chains[0].X)
		s.paths.Make = func() *path { return &path{make([]float32, d), make([]float32, d), make([]float32, d+2)} }
		s.accepted = make([]float64, len(chains))
	}
}

func (s *hamiltonian) moveChain(i int) {
	c, t := &s.chains[i], s.paths.Take()
	defer s.paths.Give(t)
	d := len(c.X)
	s.noise[i].Normals(t.p)
	// Half the sum of two squared normals is exponential: it exceeds a with probability exp(−a).
	u, v := float64(t.p[d]), float64(t.p[d+1])
	exponential := (float64(u*u) + float64(v*v)) / 2
	p := t.p[:d]
	sd := float32(math.Sqrt(s.Temperature))
	for k := range p {
		p[k] *= sd
	}
	before := whole(c) + kinetic(p)
	copy(t.x, c.X)
	copy(t.grad, c.Grad)
	bounds, _ := c.Target.(posterior.Bounded)
	h := math.Sqrt(2 * s.LearningRate)
	energy, inside := 0.0, true
	for range s.leapfrog {
		kernel.Axpy(p, float32(-h/2), t.grad)
		kernel.Axpy(t.x, float32(h), p)
		if inside = bounds == nil || bounds.Inside(t.x); !inside {
			break
		}
		var err error
		if energy, err = c.Target.EnergyGrad(t.grad, t.x); err != nil {
			s.errs[i] = fmt.Errorf("sgmcmc: chain %d: energy: %w", i, err)
			return
		}
		kernel.Axpy(p, float32(-h/2), t.grad)
	}
	loss := (energy + kinetic(p) + penalty(c.Target, t.x) - before) / s.Temperature // ΔH/τ
	s.accepted[i] = 0
	if inside && math.Abs(loss) < math.Inf(1) { // neither NaN nor ±∞
		s.accepted[i] = min(1, kernel.Exp(min(0, -loss)))
		if exponential > loss {
			copy(c.X, t.x)
		}
	}
}

// kinetic returns ‖p‖²/2.
func kinetic(p []float32) float64 {
	sum := 0.0
	for _, v := range p {
		sum += float64(v) * float64(v) // exact in float64, so FMA gives the same result
	}
	return sum / 2
}

// penalty returns the part of a target's energy that EnergyGrad leaves out.
func penalty(t posterior.Target, x []float32) float64 {
	if p, ok := t.(interface{ Penalty(x []float32) float64 }); ok {
		return p.Penalty(x)
	}
	return 0
}

// Series returns the probability with which each chain's last step was accepted.
func (s *hamiltonian) Series() []diagnostics.Series {
	return []diagnostics.Series{{Name: "acceptance", Unit: "probability", Values: s.accepted}}
}

func (s *hamiltonian) state(c *state.Codec) {
	s.accepted = state.Resize(c, "chains", s.accepted, len(s.noise))
	c.Float64s(s.accepted)
}

// MALA is the Metropolis-adjusted Langevin algorithm: HMC with one leapfrog step.
func MALA() Method[HamiltonianOptions] {
	return metropolis("MALA", "Metropolis-adjusted Langevin algorithm, without noise in the energy", 1)
}

// HMC is Hamiltonian Monte Carlo with Metropolis' correction, by default with four leapfrog steps.
func HMC() Method[HamiltonianOptions] {
	return metropolis("HMC", "Hamiltonian Monte Carlo with Metropolis' correction, without noise in the energy", 4)
}

// metropolis returns hamiltonian as a method with this default number of leapfrog steps and SGLD's default step size.
func metropolis(name, doc string, leapfrog int) Method[HamiltonianOptions] {
	return Method[HamiltonianOptions]{
		Name: name, Doc: doc,
		Defaults: func() HamiltonianOptions { return HamiltonianOptions{1e-6, 1, 0.3, leapfrog} },
		Small: func(o HamiltonianOptions) HamiltonianOptions {
			o.LearningRate = 2e-4
			return o
		},
		New: func(o HamiltonianOptions, u Setup) (posterior.Sampler, error) { return newHamiltonian(o, u) },
		Checked: func(o LangevinOptions) HamiltonianOptions {
			return HamiltonianOptions{o.LearningRate, o.Decay, o.Temperature, leapfrog}
		},
		Claims: metropolisClaims(leapfrog),
	}
}

// metropolisClaims are the claims of HMC and MALA. On U = kx²/2 a path rotates (x, p) by the angle L·arccos(1 − εk),
// because the matrix of one leapfrog step has the trace 2 − 2εk. Rejections make the memory longer, by less than a half
// at the step sizes of the checks.
func metropolisClaims(leapfrog int) Claims {
	return Claims{
		Density: true, Exact: true, Bounded: true, Decay: true, Period: 1, Chains: 1, Coupled: true, FineRate: 0.02, Extra: leapfrog,
		Variance: func(k, _, _, temperature float64) float64 { return temperature / k },
		Memory: func(k, eps float64) float64 {
			return -1.5 / math.Log(math.Abs(math.Cos(float64(leapfrog)*math.Acos(max(-1, 1-float64(eps*k))))))
		},
	}
}
