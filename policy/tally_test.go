package policy

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// near fails on NaN too.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.12g, want %.12g ± %.2g", what, got, want, tolerance)
	}
}

// contextFree builds a policy without context over three arms whose rewards lie in [−1, 3]: arm 0
// got −1 and 3, arm 1 three times 2, arm 2 once 3. On the scale of the range these are 0, 1; .75 (3 ×);
// 1. All policies have seen that range, so it does not matter whether it is declared.
func contextFree[O any](t *testing.T, k Kind[O], o O) bandit.Policy {
	t.Helper()
	p, err := k.New(o, Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b", "c"}}, Stream: stream.Root(1)})
	if err != nil {
		t.Fatal(err)
	}
	learn(t, p, []pull{{0, -1}, {1, 2}, {2, 3}, {0, 3}, {1, 2}, {1, 2}}...)
	return p
}

type pull struct {
	arm    int
	reward float64
}

func learn(t *testing.T, p bandit.Policy, pulls ...pull) {
	t.Helper()
	for _, l := range pulls {
		if err := p.Learn(bandit.Round{}, l.arm, l.reward); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBounds compares each policy's bounds with numbers worked out by hand for the rewards of
// contextFree (t = 6, ln 6 = 1.791759469228055), and the arms that follow.
func TestBounds(t *testing.T) {
	for _, kind := range []string{"seen", "declared"} {
		r := RangeOptions{Kind: kind, Low: -1, High: 3}
		// √(2·1.7917594692/n) = 1.3385661618, 1.0929346967, 1.8930184728
		bounds := contextFree(t, UCB1Kind(), UCB1Options{Width: 0.25, Range: r}).(*ucb1)
		for arm, want := range []float64{0.5, 0.75, 1} {
			near(t, "scaled mean", bounds.scaled(arm), want, 1e-15)
		}
		for arm, want := range []float64{0.25, 0, 0} {
			near(t, "variance", bounds.variance(arm), want, 1e-15)
		}
		// bounds .834642, 1.023234, 1.473255; after six more rewards of 0 for arm 2 (mean 1/7, t = 12,
		// ln 12 = 2.4849066498): .8941, 1.07178, .35351.
		want(t, "UCB1", bounds, 2)
		low := []pull{{2, -1}, {2, -1}, {2, -1}, {2, -1}, {2, -1}, {2, -1}}
		learn(t, bounds, low...)
		want(t, "UCB1", bounds, 1)

		// UCB-tuned at t = 12, n = 2, 3, 7: min(1/4, V) is 1/4 for all; bounds
		// .5+√(2.4849/2/4) = 1.05733, .75+√(2.4849/3/4) = 1.20506, 1/7+√(2.4849/7/4) = .44076.
		tuned := contextFree(t, UCB1Kind(), UCB1Options{Width: 1, Range: r, Tuned: true}).(*ucb1)
		learn(t, tuned, low...)
		want(t, "UCB1, tuned", tuned, 1)
		// 44 more rewards of 2 for arm 1 (n = 47, s² = 0, t = 56, ln 56 = 4.0253516907): its V is
		// √(2·4.02535/47) = .41387, above 1/4: bound .75+√(4.02535/47/4) = .89633; arm 0: .5+√(4.02535/8) = 1.20934.
		for range 44 {
			learn(t, tuned, pull{1, 2})
		}
		want(t, "UCB1, tuned", tuned, 0)

		kl := contextFree(t, KLUCBKind(), KLUCBOptions{Range: r}).(*klUCB)
		want(t, "KLUCB", kl, 2) // its mean is 1, and so is its bound
		learn(t, kl, low...)
		want(t, "KLUCB", kl, 1)
	}
	// kl(p, q) = d by hand: kl(1/2, q) = −ln(4q(1−q))/2, so q = (1+√(1−e^(−2d)))/2; kl(0, q) = −ln(1−q).
	for _, d := range []float64{0.001, 0.1, 1, 3} {
		near(t, fmt.Sprint("bound of 1/2 at ", d), klBound(0.5, d), (1+math.Sqrt(-math.Expm1(-2*d)))/2, 1e-12)
		near(t, fmt.Sprint("bound of 0 at ", d), klBound(0, d), -math.Expm1(-d), 1e-12)
		near(t, fmt.Sprint("bound of 1 at ", d), klBound(1, d), 1, 1e-15)
	}
	near(t, "kl(.3, .8)", kl(0.3, 0.8), 0.3*math.Log(0.3/0.8)+0.7*math.Log(0.7/0.2), 1e-15)
}

func want(t *testing.T, name string, p bandit.Policy, want int) {
	t.Helper()
	if arm, err := p.Act(bandit.Round{}); arm != want || err != nil {
		t.Errorf("%s: arm %d, %v, want %d", name, arm, err, want)
	}
}

// TestArmsWithoutPullsComeFirst checks the order at the start.
func TestArmsWithoutPullsComeFirst(t *testing.T) {
	c := newTally(unitRange(), 3)
	for _, want := range []int{0, 1, 2} {
		if arm := c.best(func(int) float64 { return 1 }); arm != want {
			t.Errorf("arm %d, want %d", arm, want)
		}
		err := c.Learn(bandit.Round{}, want, 7)
		if err != nil {
			t.Fatal(err)
		}
	}
	near(t, "scaled mean of one value", c.scaled(0), 0, 0)
	if arm := c.best(func(arm int) float64 { return float64(arm % 2) }); arm != 1 {
		t.Errorf("arm %d, want 1", arm)
	}
}

func TestRewardsOutOfRange(t *testing.T) {
	c := newTally(RangeOptions{Kind: "declared", Low: 0, High: 1}, 2)
	for _, reward := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		if err := c.Learn(bandit.Round{}, 1, reward); err == nil || !strings.Contains(err.Error(), "arm 1") {
			t.Errorf("reward %g: error %v", reward, err)
		}
	}
	// A mean that is not a number would keep BetaTS and KLUCB busy for ever.
	seen := newTally(unitRange(), 2)
	if err := seen.Learn(bandit.Round{}, 1, 2e100); err == nil {
		t.Error("a reward of 2e100: no error")
	}
	seen.mean[1] = math.NaN()
	b, err := seen.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := seen.UnmarshalBinary(b); err == nil || !strings.Contains(err.Error(), "mean reward: NaN") {
		t.Errorf("a saved mean of NaN: error %v", err)
	}
	for _, o := range []RangeOptions{{"x", 0, 1}, {"seen", 1, 1}, {"seen", math.NaN(), 1}, {"declared", -1e308, 1e308}} {
		if o.validate() == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// TestThompsonFrequencies compares how often two arms win with closed forms. BetaTS: arm 0 with one
// success, arm 1 with one failure, so P(Beta(2,1) > Beta(1,2)) = ∫2x·(1−(1−x)²)dx = 5/6. GaussianTS
// with the same: means 1/2 and 0, variance 1/2 each: Φ(1/2) = .6914624613.
func TestThompsonFrequencies(t *testing.T) {
	const n = 100_000
	setup := Setup{Spec: bandit.Spec{Dim: 1, Arms: []string{"a", "b"}}, Stream: stream.Root(1)}
	beta, err := BetaTSKind().New(BetaTSKind().Defaults(), setup)
	if err != nil {
		t.Fatal(err)
	}
	gaussian, err := GaussianTSKind().New(GaussianTSKind().Defaults(), setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		p    bandit.Policy
		want float64
	}{{"BetaTS", beta, 5. / 6}, {"GaussianTS", gaussian, 0.6914624613}} {
		learn(t, c.p, pull{0, 1}, pull{1, 0})
		zero := 0
		for range n {
			arm, err := c.p.Act(bandit.Round{})
			if err != nil {
				t.Fatal(err)
			}
			zero += 1 - arm
		}
		near(t, c.name, float64(zero)/n, c.want, 5*math.Sqrt(c.want*(1-c.want)/n))
	}
}
