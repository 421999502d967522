package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/exact"
)

// Exp4Options are the options of Exp4.
type Exp4Options struct {
	Rate      float64      `json:"rate"`      // factor of the learning rate, at least 0; 1 as in Bubeck and Cesa-Bianchi 2012
	Gamma     float64      `json:"gamma"`     // share of pulls whose arm is drawn uniformly, 0 to 1
	Lambdas   []float64    `json:"lambdas"`   // ridge penalties of the linear experts, as Linear's lambda
	Discounts []float64    `json:"discounts"` // discounts of the linear experts, as Linear's discount
	Range     RangeOptions `json:"range"`
}

// Exp4Kind declares Exp4.
//
// Exp4 draws an expert and pulls the arm that it advises (Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on
// Computing 32, 2002, section 7; with losses and without a horizon, Bubeck and Cesa-Bianchi, Foundations and Trends in
// Machine Learning 5, 2012, theorem 4.2). With N experts and K arms, arm a is pulled in pull t with the probability
//
//	p(a) = (1 − γ)·Σ q(i) + γ/K,  q(i) ∝ exp(−ηL̂(i)),  η = rate·√(ln N/(tK))
//
// where the sum is over the experts i that advise a, and L̂(i) is the sum of (1 − r)/p(a) over the pulls of arms a that
// expert i advised, with the reward r scaled to [0, 1] by the range. When the range grows, earlier rewards are scaled
// anew. For each pair of a penalty and a discount, one expert is a greedy linear policy (posterior/exact.Linear with
// own_scale) that learns from every reward. Besides, each arm has one expert, which advises this arm in every context.
// If that arm cannot be pulled, its expert is not drawn, and its L̂ grows by 1 − r, whichever arm is pulled (Freund,
// Schapire, Singer and Warmuth, STOC 1997). For rewards of burn-in, initial pulls included, p(a) is taken as 1/K.
func Exp4Kind() Kind[Exp4Options] {
	return Kind[Exp4Options]{
		Name: "Exp4", Doc: "exponential weights of experts: greedy linear policies, and the arms (Auer et al. 2002)",
		Defaults: func() Exp4Options {
			return Exp4Options{Rate: 1, Lambdas: []float64{0.1, 10}, Discounts: []float64{0.99, 1}, Range: seenRange()}
		},
		New: newExp4,
	}
}

func newExp4(o Exp4Options, s Setup) (bandit.Policy, error) {
	if err := cmp.Or(o.Range.validate(), check.That(o.Rate >= 0 && o.Rate <= 1e12, "rate: %g, want 0 to 1e12", o.Rate),
		check.That(o.Gamma >= 0 && o.Gamma <= 1, "gamma: %g, want 0 to 1", o.Gamma)); err != nil {
		return nil, err
	}
	e := &exp4{rewardRange: newRange(o.Range), o: o, arms: len(s.Spec.Arms), explore: s.Stream.Child("explore"), pending: map[int]advice{}}
	for _, lambda := range o.Lambdas {
		for _, discount := range o.Discounts {
			linear := exact.LinearOptions{Lambda: lambda, Noise: 1, Intercept: true, Discount: discount, OwnScale: true}
			l, err := configure(exact.Linear(), linear).learner(s, Disjoint, Covering{})
			if err != nil {
				return nil, fmt.Errorf("policy: exp4: one of lambdas and discounts: %w", err)
			}
			e.learners = append(e.learners, &greedy{learner: l, how: posterior.Mean})
		}
	}
	experts := len(e.learners) + e.arms
	e.advised, e.rewards = make([]float64, experts), make([]float64, experts)
	e.losses, e.choice, e.p = make([]float64, experts), make([]int32, experts), make([]float64, e.arms)
	e.Fields = e.state
	return e, nil
}

// exp4 is the policy of Exp3Kind and Exp4Kind. Its experts are the learners, then the arms.
type exp4 struct {
	state.Fields
	rewardRange
	o        Exp4Options
	learners []*greedy
	arms     int
	explore  *stream.Stream
	pending  map[int]advice // by the number of each pull whose reward is not learned yet
	// By expert, the sums of 1/p and of reward/p over pulls of arms that it advised. L̂ is (high·advised − rewards)/width.
	advised, rewards []float64

	losses   []float64 // by expert, the L̂ of Exp4Kind
	choice   []int32   // by expert, the arm that it advises; −1 if the expert's arm cannot be pulled
	p        []float64 // probabilities of arms
	pullable []int
}

// advice holds the arm that each expert of Exp4 or base of Corral chose for a pull, and the probability p of the pulled
// arm. It is kept until the pull is learned.
type advice struct {
	choice []int32
	p      float64
}

// ask sets choice to the advice of the experts in round r.
func (e *exp4) ask(r bandit.Round) error {
	for i, l := range e.learners {
		arm, err := l.Act(r)
		if err != nil {
			return err
		}
		e.choice[i] = int32(arm)
	}
	for arm := range e.arms {
		e.choice[len(e.learners)+arm] = -1
		if r.CanPull(arm) {
			e.choice[len(e.learners)+arm] = int32(arm)
		}
	}
	return nil
}

func (e *exp4) Propensities(dst []float64, r bandit.Round) error {
	if err := e.ask(r); err != nil {
		return err
	}
	least := math.Inf(1)
	for i := range e.losses {
		e.losses[i] = (float64(e.high*e.advised[i]) - e.rewards[i]) / e.width()
		if e.choice[i] >= 0 {
			least = min(least, e.losses[i])
		}
	}
	rate, sum := e.o.Rate*math.Sqrt(kernel.Log(float64(len(e.losses)))/float64(r.T*e.arms)), 0.0
	clear(dst)
	for i, arm := range e.choice {
		if arm >= 0 {
			q := kernel.Exp(rate * (least - e.losses[i]))
			dst[arm] += q
			sum += q
		}
	}
	e.pullable = r.Pullable(e.pullable[:0], e.arms)
	for _, arm := range e.pullable {
		dst[arm] = float64((1-e.o.Gamma)*dst[arm])/sum + e.o.Gamma/float64(len(e.pullable))
	}
	return nil
}

func (e *exp4) Act(r bandit.Round) (int, error) {
	if err := e.Propensities(e.p, r); err != nil {
		return 0, err
	}
	arm, err := draw(e.p, e.explore.Float64())
	e.pending[r.T] = advice{slices.Clone(e.choice), e.p[arm]}
	return arm, err
}

func (e *exp4) Learn(r bandit.Round, arm int, reward float64) error {
	if err := e.add(arm, reward); err != nil {
		return err
	}
	a, ok := e.pending[r.T]
	if !ok { // burn-in or an initial pull
		if err := e.ask(r); err != nil {
			return err
		}
		a = advice{e.choice, 1 / float64(len(r.Pullable(e.pullable[:0], e.arms)))}
	}
	delete(e.pending, r.T)
	for i, choice := range a.choice {
		weight := 0.0
		switch int(choice) {
		case arm:
			weight = 1 / a.p
		case -1:
			weight = 1
		}
		e.advised[i] += weight
		e.rewards[i] += float64(weight * reward)
	}
	for _, l := range e.learners {
		if err := l.Learn(r, arm, reward); err != nil {
			return err
		}
	}
	return nil
}

func (e *exp4) state(c *state.Codec) {
	c.Object(e.explore)
	for _, l := range e.learners {
		c.Object(l)
	}
	c.Float64s(e.advised)
	c.Float64s(e.rewards)
	c.Int("rewards", &e.total, 0, math.MaxInt)
	e.limits(c)
	savePending(c, &e.pending, func(a *advice) { a.state(c, len(e.choice), e.arms) })
}

func (a *advice) state(c *state.Codec, experts, arms int) {
	a.choice = slices.Grow(a.choice, experts)[:experts]
	c.Int32s("arms of experts", a.choice, -1, arms-1)
	c.Float64In("probability of a pull", &a.p, math.SmallestNonzeroFloat64, 1.000001)
}
