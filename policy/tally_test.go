package policy

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/must"
)

type pull struct {
	arm    int
	reward float64
}

func learn(t *testing.T, p bandit.Policy, pulls ...pull) {
	t.Helper()
	for _, l := range pulls {
		must.OK(t, p.Learn(bandit.Round{}, l.arm, l.reward))
	}
}

// TestDivergence compares klBound with the solution of kl(p, q) = d by hand: kl(1/2, q) = −ln(4q(1−q))/2, so
// q = (1+√(1−e^(−2d)))/2; kl(0, q) = −ln(1−q).
func TestDivergence(t *testing.T) {
	for _, d := range []float64{0.001, 0.1, 1, 3} {
		must.Near(t, fmt.Sprint("bound of 1/2 at ", d), klBound(0.5, d), (1+math.Sqrt(-math.Expm1(-2*d)))/2, 1e-12)
		must.Near(t, fmt.Sprint("bound of 0 at ", d), klBound(0, d), -math.Expm1(-d), 1e-12)
		must.Near(t, fmt.Sprint("bound of 1 at ", d), klBound(1, d), 1, 1e-15)
	}
	must.Near(t, "kl(.3, .8)", kl(0.3, 0.8), 0.3*math.Log(0.3/0.8)+0.7*math.Log(0.7/0.2), 1e-15)
}

func want(t *testing.T, name string, p bandit.Policy, want int) {
	t.Helper()
	must.Equal(t, name+": arm", must.Get(p.Act(bandit.Round{}))(t), want)
}

// seen returns a policy whose rewards have this kind of range, and whose index is 1 for arm 1 and 0 for all others.
func seen(t *testing.T, kind string, arms int) *tally {
	c, err := newTally(RangeOptions{Kind: kind, Low: 0, High: 1}, Setup{Spec: bandit.Spec{Arms: make([]string, arms)}},
		nil, func(index []float64, _ *tally) { index[1] = 1 })
	must.OK(t, err)
	return c.(*tally)
}

// TestArmsWithoutPullsComeFirst checks that arms without pulls come first, and the scaled moments: with the range from 7 to 11,
// the rewards 7, 11 and 7, 11, 9 both have the mean 1/2, and the first two the variance 1/4.
func TestArmsWithoutPullsComeFirst(t *testing.T) {
	c := seen(t, "seen", 3)
	for _, arm := range []int{0, 1, 2} {
		want(t, "first", c, arm)
		learn(t, c, pull{arm, 7})
	}
	must.Near(t, "scaled mean of one value", c.scaled(0), 0, 0)
	want(t, "then", c, 1)
	learn(t, c, pull{0, 11}, pull{2, 11}, pull{2, 9})
	must.Near(t, "scaled mean", c.scaled(0), 1./2, 1e-15)
	must.Near(t, "scaled mean", c.scaled(2), 1./2, 1e-15)
	must.Near(t, "variance", c.variance(0), 1./4, 1e-15)
}

func TestRewardsOutOfRange(t *testing.T) {
	c := seen(t, "declared", 2)
	for _, reward := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		must.Fail(t, c.Learn(bandit.Round{}, 1, reward), "arm 1")
	}
	// With a mean that is not a number, BetaTS and KLUCB would not return.
	c = seen(t, "seen", 2)
	err := c.Learn(bandit.Round{}, 1, 2e100)
	must.That(t, err != nil, "a reward of 2e100: no error")
	c.rewards[1].Mean = math.NaN()
	b := must.Get(c.MarshalBinary())(t)
	must.Fail(t, c.UnmarshalBinary(b), "mean reward: NaN")
	for _, o := range []RangeOptions{{"x", 0, 1}, {"seen", 1, 1}, {"seen", math.NaN(), 1}, {"declared", -1e308, 1e308}} {
		must.That(t, o.validate() != nil, "%+v: no error", o)
	}
}

// TestThompsonFrequencies compares how often arm 0 wins with closed forms, after one success of arm 0 and one failure of arm 1.
// BetaTS: P(Beta(2,1) > Beta(1,2)) = ∫2x·(1−(1−x)²)dx = 5/6. GaussianTS: means 1/2 and 0, variance 1/2 each, so
// Φ(1/2) = .6914624613.
func TestThompsonFrequencies(t *testing.T) {
	const n = 100_000
	setup := Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b"}}, Stream: stream.Root(1)}
	beta := must.Get(BetaTSKind().New(BetaTSKind().Defaults(), setup))(t)
	gaussian := must.Get(GaussianTSKind().New(GaussianTSKind().Defaults(), setup))(t)
	for _, c := range []struct {
		name string
		p    bandit.Policy
		want float64
	}{{"BetaTS", beta, 5. / 6}, {"GaussianTS", gaussian, 0.6914624613}} {
		learn(t, c.p, pull{0, 1}, pull{1, 0})
		zero := 0
		for range n {
			arm := must.Get(c.p.Act(bandit.Round{}))(t)
			zero += 1 - arm
		}
		must.Near(t, c.name, float64(zero)/n, c.want, 5*math.Sqrt(c.want*(1-c.want)/n))
	}
}

// twoArms returns a policy whose two arms have these pulls and these means and variances of the rewards.
func twoArms[O any](t *testing.T, k Kind[O], o O, pulls, mean, variance [2]float64) bandit.Policy {
	p := must.Get(k.New(o, Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b"}}, Stream: stream.Root(1)}))(t)
	c := p.(*tally)
	for a, n := range pulls {
		c.rewards[a] = moments.Running{N: n, Mean: mean[a], Squares: variance[a] * n}
		c.total += int(n)
	}
	return c
}

// TestWidthOfBounds checks that arm 0, which has more pulls, is pulled if its mean is above the one at which the bounds of both
// arms are equal. This mean is worked out by hand from the formulas of the papers, for 100 pulls, ln 100 = 4.6051701860, and
// for 10,000, ln 10000 = 9.2103403720.
func TestWidthOfBounds(t *testing.T) {
	const tolerance = 1e-6
	type policy = func(pulls, mean, variance [2]float64) bandit.Policy
	declared := RangeOptions{Kind: "declared", Low: 0, High: 1}
	ucb1 := func(width float64, tuned bool) policy {
		return func(pulls, mean, variance [2]float64) bandit.Policy {
			return twoArms(t, UCB1Kind(), UCB1Options{Width: width, Range: declared, Tuned: tuned}, pulls, mean, variance)
		}
	}
	klUCB := func(c float64) policy {
		return func(pulls, mean, variance [2]float64) bandit.Policy {
			return twoArms(t, KLUCBKind(), KLUCBOptions{C: c, Range: declared}, pulls, mean, variance)
		}
	}
	for _, c := range []struct {
		name     string
		pulls    [2]float64
		variance [2]float64
		other    float64 // mean of arm 1
		equal    float64 // mean of arm 0 for an equal bound
		policy   policy
	}{
		// √(2·4.6051701860)·(1/√36 − 1/√64) = 3.0348542587·(1/6 − 1/8)
		{"UCB1", [2]float64{64, 36}, [2]float64{}, 0.3, 0.3 + 0.1264522608, ucb1(1, false)},
		{"UCB1, half as wide", [2]float64{64, 36}, [2]float64{}, 0.3, 0.3 + 0.0632261304, ucb1(0.5, false)},
		// ln t/n is .00101212532 and .0102337115; V = .05 + √(2·.00101212532) = .0949915587 and .09 + √(2·.0102337115) =
		// .233064674, both below 1/4: √(.0102337115·.233064674) − √(.00101212532·.0949915587) = .0488376274 − .0098052780
		{"UCB1 tuned, both variances", [2]float64{9100, 900}, [2]float64{0.05, 0.09}, 0.3, 0.3 + 0.0390323494, ucb1(1, true)},
		// V of arm 1 is .2 + .143064674, so 1/4 is the minimum: √(.0102337115/4) − .0098052780
		{"UCB1 tuned, a quarter", [2]float64{9100, 900}, [2]float64{0.05, 0.2}, 0.3, 0.3 + 0.0407756263, ucb1(1, true)},
		// Arm 1 without a success has the bound b = 1 − exp(−budget/10), which is .3690426555, .4584040207 and .6009509376 for the
		// budgets ln 100 + c·ln ln 100 (ln ln 100 = 1.5271796258). The means p below solve 90·kl(p, b) = budget.
		{"KLUCB", [2]float64{90, 10}, [2]float64{}, 0, 0.2205940336, klUCB(0)},
		{"KLUCB, c = 1", [2]float64{90, 10}, [2]float64{}, 0, 0.2785152713, klUCB(1)},
		{"KLUCB, c = 3", [2]float64{90, 10}, [2]float64{}, 0, 0.3766332042, klUCB(3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			want(t, "just behind", c.policy(c.pulls, [2]float64{c.equal - tolerance, c.other}, c.variance), 1)
			want(t, "just ahead", c.policy(c.pulls, [2]float64{c.equal + tolerance, c.other}, c.variance), 0)
		})
	}
}
