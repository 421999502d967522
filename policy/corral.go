package policy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior/exact"
)

// CorralOptions are the options of Corral.
type CorralOptions struct {
	Bases []string `json:"bases"` // base policies, each at most once: KLUCB, LinEpsGreedy, LinTS, LinUCB, Uniform, kNNUCB
	Rate  float64  `json:"rate"`  // factor of the initial learning rate √(M/T) of M bases in T pulls, above 0
	// Feedback is what a base learns: "own" (the rewards of pulls whose arm it chose), "all" (every reward) or "weighted"
	// (in every pull, the negated estimate of the loss of the arm that it chose, as in Agarwal et al. 2017).
	Feedback string       `json:"feedback" enum:"own,all,weighted"`
	Range    RangeOptions `json:"range"`
}

// CorralKind declares Corral.
//
// Corral draws one of M base policies, each of which learns by itself, and pulls the arm that the drawn base chooses
// (Agarwal, Luo, Neyshabur and Schapire, COLT 2017, algorithm 1). In pull t of T, base i is drawn with the probability
//
//	p̄(i) = (1 − γ)·p(i) + γ/M,  γ = 1/T
//
// The pulled arm has the loss ℓ = 1 − r, where r is the reward scaled to [0, 1] by the range so far. The estimated loss
// of base i is ℓ̂(i) = ℓ/Σ p̄(j), with the sum over all bases j that chose the pulled arm, or 0 if base i chose another
// arm. (Algorithm 1 has ℓ/p̄(i) for the drawn base and 0 for all others. Both are unbiased; this estimate has less
// variance.) Then p takes a step of mirror descent with a log barrier: see mirrorDescent. Initially p(i) = 1/M, the
// learning rate of base i is η(i) = rate·√(M/T), and its threshold is ρ(i) = 2M. Whenever 1/p̄(i) exceeds ρ(i), ρ(i)
// becomes 2/p̄(i), and η(i) is multiplied by β = e^(1/ln T), so that p(i) can rise again as fast as it fell.
//
// In Agarwal et al. bases learn from ℓ̂(i), as here if feedback is weighted. Otherwise they learn from the rewards, as
// posteriors take no weights, and regression is poor on losses of which most are 0 and few are large. Bases have the
// options of the profile general (docs/policies.md) and learn from all rewards of burn-in, initial pulls included.
func CorralKind() Kind[CorralOptions] {
	return Kind[CorralOptions]{
		Name: "Corral", Doc: "draws one of several policies, by mirror descent with a log barrier (Agarwal et al. 2017)",
		Defaults: func() CorralOptions {
			return CorralOptions{Bases: []string{"LinUCB", "LinTS", "LinEpsGreedy"}, Rate: 1, Feedback: "own", Range: seenRange()}
		},
		New: newCorral,
	}
}

// corralBases has a constructor for each policy that can be a base, with its options in the profile general.
var corralBases = map[string]func(Setup) (bandit.Policy, error){
	"KLUCB": base(KLUCBKind(), func(*KLUCBOptions) {}),
	"LinEpsGreedy": base(EpsGreedyKind(exact.Linear(), 0.05), func(o *EpsGreedyOptions[exact.LinearOptions]) {
		o.Covering, o.Posterior.OwnScale = covered(10, 5), true
	}),
	"LinTS": base(SamplingKind(exact.Linear()), func(o *ThompsonOptions[exact.LinearOptions]) {
		o.Covering, o.Posterior.OwnScale, o.Posterior.Noise = covered(10, 5), true, 0.5
	}),
	"LinUCB": base(UCBKind(exact.Linear(), 1), func(o *UCBOptions[exact.LinearOptions]) {
		o.Covering, o.Posterior.OwnScale = covered(10, 5), true
	}),
	"Uniform": base(UniformKind(), func(*struct{}) {}),
	"kNNUCB": base(UCBKind(exact.KNN(), 1), func(o *UCBOptions[exact.KNNOptions]) {
		o.Covering = covered(20, 20)
		o.Posterior.OwnScale, o.Posterior.Repeats, o.Posterior.Standardize = true, true, true
	}),
}

func covered(first, ends int) Covering {
	return Covering{CoverFirst: first, CoverRim: ends, CoverCore: ends}
}

// base returns a constructor of the policy k. change modifies the default options.
func base[O any](k Kind[O], change func(*O)) func(Setup) (bandit.Policy, error) {
	return func(s Setup) (bandit.Policy, error) {
		o := k.Defaults()
		change(&o)
		return k.Build(o, s)
	}
}

func newCorral(o CorralOptions, s Setup) (bandit.Policy, error) {
	m, pulls, names := float64(len(o.Bases)), float64(max(2, s.Protocol.AllPulls())), slices.Sorted(maps.Keys(corralBases))
	if err := cmp.Or(o.Range.validate(), check.OneOf("feedback", o.Feedback, "own", "all", "weighted"),
		check.That(o.Rate > 0 && o.Rate <= 1e6, "rate: %g, want above 0, up to 1e6", o.Rate),
		check.That(m > 0, "bases: none, want some of %s", strings.Join(names, ", "))); err != nil {
		return nil, err
	}
	c := &corral{
		rewardRange: newRange(o.Range), o: o, arms: len(s.Spec.Arms), draws: s.Stream.Child("corral"),
		gamma: 1 / pulls, beta: kernel.Exp(1 / kernel.Log(pulls)), pending: map[int]advice{},
	}
	for i, name := range o.Bases {
		if err := cmp.Or(check.OneOf("bases", name, names...),
			check.That(!slices.Contains(o.Bases[:i], name), "bases: %s twice, want each once", name)); err != nil {
			return nil, err
		}
		b, err := corralBases[name](s)
		if err != nil {
			return nil, fmt.Errorf("policy: corral: %s: %w", name, err)
		}
		c.bases = append(c.bases, b)
		c.p, c.eta, c.rho = append(c.p, 1/m), append(c.eta, o.Rate*math.Sqrt(m/pulls)), append(c.rho, 2*m)
	}
	c.smooth, c.losses, c.choice = slices.Clone(c.p), make([]float64, len(c.p)), make([]int32, len(c.p))
	c.Fields = c.state
	return c, nil
}

// corral is the policy of CorralKind.
type corral struct {
	state.Fields
	rewardRange
	o           CorralOptions
	arms        int
	bases       []bandit.Policy
	draws       *stream.Stream
	gamma, beta float64
	pending     map[int]advice // by the number of each pull whose reward is not learned yet

	p, eta, rho    []float64 // by base, the p, η and ρ of CorralKind
	smooth, losses []float64 // by base, the p̄ and ℓ̂ of CorralKind
	choice         []int32   // by base, the arm that it chose
}

func (c *corral) Act(r bandit.Round) (int, error) {
	for i, b := range c.bases {
		arm, err := b.Act(r)
		if err != nil {
			return 0, err
		}
		c.choice[i] = int32(arm)
	}
	c.setSmooth()
	i, err := draw(c.smooth, c.draws.Float64())
	if err != nil {
		return 0, err
	}
	a := advice{choice: slices.Clone(c.choice)}
	for j, arm := range c.choice {
		if arm == c.choice[i] {
			a.p += c.smooth[j]
		}
	}
	c.pending[r.T] = a
	return int(c.choice[i]), nil
}

// setSmooth sets smooth to p̄.
func (c *corral) setSmooth() {
	for i, p := range c.p {
		c.smooth[i] = float64((1-c.gamma)*p) + c.gamma/float64(len(c.p))
	}
}

func (c *corral) Learn(r bandit.Round, arm int, reward float64) error {
	if err := c.add(arm, reward); err != nil {
		return err
	}
	a, drawn := c.pending[r.T]
	delete(c.pending, r.T)
	if !drawn { // burn-in or an initial pull: as if all bases had chosen the arm
		a = advice{slices.Repeat([]int32{int32(arm)}, len(c.bases)), 1}
	}
	for i, b := range c.bases {
		own, learned := int(a.choice[i]), reward
		c.losses[i] = 0
		if own == arm {
			c.losses[i] = (c.high - reward) / c.width() / a.p
		}
		switch c.o.Feedback {
		case "own":
			if own != arm {
				continue
			}
		case "all":
			own = arm
		case "weighted":
			learned = -c.losses[i]
		}
		if err := b.Learn(r, own, learned); err != nil {
			return err
		}
	}
	if !drawn {
		return nil
	}
	mirrorDescent(c.p, c.losses, c.eta)
	c.setSmooth()
	for i, p := range c.smooth {
		if 1/p > c.rho[i] {
			c.rho[i] = 2 / p
			c.eta[i] *= c.beta
		}
	}
	return nil
}

// mirrorDescent replaces p by the probabilities q that minimize the loss plus the Bregman divergence of the log barrier
// −Σ ln q(i)/η(i),
//
//	Σ ℓ(i)q(i) + Σ (q(i)/p(i) − 1 − ln(q(i)/p(i)))/η(i)
//
// The minimum is q(i) = 1/(1/p(i) + η(i)(ℓ(i) − λ)). The λ for which the q(i) sum to 1 is found by bisection.
func mirrorDescent(p, loss, eta []float64) {
	low, high := slices.Min(loss), slices.Max(loss)
	for i := range p {
		high = min(high, loss[i]+1/(eta[i]*p[i])) // the λ at which q(i) is infinite
	}
	next := func(i int, lambda float64) float64 { return 1 / (1/p[i] + float64(eta[i]*(loss[i]-lambda))) }
	best := bisect(low, high, func(lambda float64) bool {
		sum := 0.0
		for i := range p {
			sum += next(i, lambda)
		}
		return sum < 1
	})
	for i := range p {
		p[i] = next(i, best)
	}
}

func (c *corral) state(s *state.Codec) {
	s.Object(c.draws)
	for i, b := range c.bases {
		s.Any(c.o.Bases[i], b)
	}
	s.Float64s(c.p)
	s.Float64s(c.eta)
	s.Float64s(c.rho)
	s.Int("rewards", &c.total, 0, math.MaxInt)
	c.limits(s)
	savePending(s, &c.pending, func(a *advice) { a.state(s, len(c.choice), c.arms) })
}
