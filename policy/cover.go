package policy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/moments"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
)

// CoverOptions are the options of Cover.
type CoverOptions struct {
	Policies  int     `json:"policies"`  // number of greedy policies in the cover, n, 1 to 1,000
	Epsilon   float64 `json:"epsilon"`   // least probability of each of the K arms in pull t, in units of min(1/K, 1/√(Kt)); 0 to 1
	Psi       float64 `json:"psi"`       // bonus of an arm that no earlier policy of the cover chooses, in units of reward, at least 0
	Clip      float64 `json:"clip"`      // largest weight 1/(probability of the arm) of a reward, above 0; a larger clip has less bias, more noise
	Lambda    float64 `json:"lambda"`    // ridge penalty of the weights, 1e-12 to 1e12
	Intercept bool    `json:"intercept"` // whether the context gets a constant 1 as a last number
	// OwnScale measures psi in standard deviations of rewards, and subtracts the mean from rewards before regression.
	OwnScale bool `json:"own_scale,omitzero"`
}

// CoverKind declares Cover.
//
// Cover draws an arm from a distribution over n greedy linear policies that are made to differ: Online Cover (Agarwal,
// Hsu, Kale, Langford, Li and Schapire, ICML 2014, section 5), as Vowpal Wabbit's --cover with doubly robust rewards.
// With q(a) the share of the policies that choose arm a, K the number of arms and µ = epsilon·min(1/K, 1/√(Kt)), arm a
// is drawn with probability
//
//	p(a) = (1 − Kµ)q(a) + µ
//
// From the reward r of the pulled arm b, the rewards of all arms are estimated in the doubly robust way (Dudík,
// Langford and Li, ICML 2011; with clipped weights, Su, Dimakopoulou, Krishnamurthy and Dudík, ICML 2020). With m(a)
// the ridge regression on the rewards of arm a alone (with own_scale, on rewards minus their mean), the estimates are
//
//	r̂(a) = m(a) + (r − m(b))·min(1/p(b), clip) if a = b,  r̂(a) = m(a) otherwise
//
// Policy 1 is the ridge regression on r̂(a). Policy i > 1 is the ridge regression on r̂(a) + ψµ/pᵢ(a), where pᵢ is p
// computed from policies 1 to i−1 alone: an arm that none of those chooses has pᵢ(a) = µ, and gets the whole bonus ψ.
// All policies learn from all contexts, so they share one inverse. Features of arms are ignored.
//
// For the rewards of burn-in and of the protocol's initial pulls, p(b) is taken as 1/K. Initial pulls take the arms in
// turn, but contexts do not depend on that order, so the arm of a context is as good as drawn at random. With p(b) = 1
// instead, the mean of r̂(a) would be 1/K of the reward of arm a until m is learned.
//
// In p, K counts only the arms that can be pulled. In training the policies choose from all arms. With contexts of d
// numbers, a pull costs O(d² + nKd).
func CoverKind() Kind[CoverOptions] {
	return Kind[CoverOptions]{
		Name: "Cover", Doc: "online cover: a distribution over greedy linear policies that differ (Agarwal et al. 2014)",
		Defaults: func() CoverOptions {
			return CoverOptions{Policies: 4, Epsilon: 1, Psi: 1, Clip: 10, Lambda: 1, Intercept: true}
		},
		New: func(o CoverOptions, s Setup) (bandit.Policy, error) {
			arms, d := len(s.Spec.Arms), ridge.Dim(s.Spec.Dim, o.Intercept)
			if err := cmp.Or(
				check.Within("policies", o.Policies, 1, 1000), check.NotNegative("psi", o.Psi), check.Positive("clip", o.Clip),
				ridge.CheckPenalty(o.Lambda), check.That(o.Epsilon >= 0 && o.Epsilon <= 1, "epsilon: %g, want 0 to 1", o.Epsilon), ridge.Check(d, arms+1),
			); err != nil {
				return nil, err
			}
			c := &cover{o: o, arms: arms, all: ridge.New(d, o.Lambda), explore: s.Stream.Child("explore"), pending: map[int]float64{}}
			c.Fields = c.state
			for range arms {
				c.each = append(c.each, ridge.New(d, o.Lambda))
			}
			sets := o.Policies + 1
			if o.OwnScale {
				sets++
			}
			for range sets * arms {
				c.weights = append(c.weights, make([]float64, d))
			}
			c.px, c.values = make([]float64, d), make([]float64, arms)
			c.p, c.rewards, c.share = make([]float64, arms), make([]float64, arms), make([]float64, arms)
			return c, nil
		},
	}
}

// cover is the policy of CoverKind.
type cover struct {
	state.Fields
	o       CoverOptions
	arms    int
	all     *ridge.Inverse   // (λI + Σ xxᵀ)⁻¹ over the contexts x of all pulls
	each    []*ridge.Inverse // by arm, the same over the contexts of its own pulls
	weights [][]float64      // those of m by arm, then of each policy by arm, then, with own_scale, of m by arm if all rewards were 1
	seen    moments.Running  // moments of the rewards; only used with own_scale
	explore *stream.Stream
	pending map[int]float64 // probability of the drawn arm, by the number of each pull whose reward is not learned yet

	x        ridge.Vector
	px       []float64 // memory for the result of gain
	pullable []int

	p, rewards, share, values []float64 // by arm, memory for intermediate results
}

// policyWeights returns the weights of policy i by arm, for i from 1 to n. For 0 they are those of the regressions m
// (see CoverKind), for n+1 those that m would have if all rewards were 1.
func (c *cover) policyWeights(i int) [][]float64 { return c.weights[i*c.arms : (i+1)*c.arms] }

// least returns µ, the least probability of an arm, in pull t with k arms.
func (c *cover) least(t int, k float64) float64 {
	return c.o.Epsilon * min(1/k, 1/math.Sqrt(k*float64(max(t, 1))))
}

// choice returns the arm that the policy with weights w chooses in context c.x, among the available arms (nil: all).
func (c *cover) choice(w [][]float64, available []bool) (int, error) {
	for arm := range w {
		v := c.x.Dot(w[arm])
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("policy: cover: the value of arm %d is %g: rewards or contexts are too large", arm, v)
		}
		c.values[arm] = v
	}
	return argmax(c.values, available)
}

func (c *cover) Propensities(dst []float64, r bandit.Round) error {
	c.x.Set(r.Context, c.o.Intercept)
	c.pullable = r.Pullable(c.pullable[:0], c.arms)
	k := float64(len(c.pullable))
	mu := c.least(r.T, k)
	clear(dst)
	for _, arm := range c.pullable {
		dst[arm] = mu
	}
	for i := range c.o.Policies {
		arm, err := c.choice(c.policyWeights(i+1), r.Available)
		if err != nil {
			return err
		}
		dst[arm] += (1 - float64(k*mu)) / float64(c.o.Policies)
	}
	return nil
}

func (c *cover) Act(r bandit.Round) (int, error) {
	if err := c.Propensities(c.p, r); err != nil {
		return 0, err
	}
	arm, err := draw(c.p, c.explore.Float64())
	c.pending[r.T] = c.p[arm]
	return arm, err
}

func (c *cover) Learn(r bandit.Round, arm int, reward float64) error {
	if math.IsNaN(reward) || math.IsInf(reward, 0) {
		return fmt.Errorf("policy: cover: a reward of %g of arm %d, want a finite number", reward, arm)
	}
	p, ok := c.pending[r.T]
	if !ok { // burn-in or an initial pull
		c.pullable = r.Pullable(c.pullable[:0], c.arms)
		p = 1 / float64(len(c.pullable))
	}
	delete(c.pending, r.T)
	c.x.Set(r.Context, c.o.Intercept)
	m := c.policyWeights(0)
	for a := range m {
		c.rewards[a] = c.x.Dot(m[a])
	}
	residual := reward - c.rewards[arm]
	own := c.gain(c.each[arm])
	kernel.AddScaled(m[arm], residual, own)
	bonus := c.o.Psi
	if c.o.OwnScale {
		c.seen.Add(reward)
		ones := c.policyWeights(c.o.Policies + 1)
		for a := range ones {
			c.rewards[a] += float64(c.seen.Mean * (1 - c.x.Dot(ones[a])))
		}
		residual = reward - c.rewards[arm]
		kernel.AddScaled(ones[arm], 1-c.x.Dot(ones[arm]), own)
		bonus *= c.seen.SD()
	}
	c.rewards[arm] += float64(residual * min(1/p, c.o.Clip))

	px := c.gain(c.all)
	mu := c.least(r.T, float64(c.arms))
	clear(c.share)
	for i := range c.o.Policies {
		w := c.policyWeights(i + 1)
		chosen, err := c.choice(w, nil)
		if err != nil {
			return err
		}
		for a := range w {
			target := c.rewards[a]
			if i > 0 {
				q := c.share[a] / float64(i)
				if least := float64((1-float64(float64(c.arms)*mu))*q) + mu; least > 0 {
					target += bonus * mu / least
				}
			}
			kernel.AddScaled(w[a], target-c.x.Dot(w[a]), px)
		}
		c.share[chosen]++
	}
	return nil
}

// gain adds c.x to m. It returns P·x, where P is the inverse that includes x. The result is valid until the next call.
func (c *cover) gain(m *ridge.Inverse) []float64 {
	px, quad, renewed := m.Add(&c.x, 1)
	if renewed {
		px, _ = m.Gain(&c.x)
		return px
	}
	for i, v := range px {
		c.px[i] = v / (1 + quad)
	}
	return c.px
}

// state saves or restores the weights, the inverses, the stream, the probabilities of pulls whose rewards are
// outstanding and, with own_scale, the moments of rewards.
func (c *cover) state(s *state.Codec) {
	s.Object(c.explore)
	s.Object(c.all)
	for _, m := range c.each {
		s.Object(m)
	}
	for _, v := range c.weights {
		s.Float64s(v)
	}
	if c.o.OwnScale {
		c.seen.State(s)
	}
	savePending(s, &c.pending, s.Float64)
}

// savePending saves or restores the data of pulls whose rewards are outstanding, by the number of the pull.
func savePending[V any](s *state.Codec, pending *map[int]V, each func(*V)) {
	pulls := slices.Sorted(maps.Keys(*pending))
	if s.Reading() {
		*pending = map[int]V{}
	}
	state.Slice(s, "pulls without a reward", &pulls, math.MaxInt, func(t *int) {
		s.Int("a pull", t, 0, math.MaxInt)
		v := (*pending)[*t]
		each(&v)
		(*pending)[*t] = v
	})
}
