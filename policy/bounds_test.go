package policy

import (
	"testing"

	"banditsim/bandit"
)

// twoArms returns a tally of two arms with declared rewards in [0, 1]: their pulls, means and variances.
func twoArms(pulls [2]int, mean, variance [2]float64) tally {
	c := newTally(RangeOptions{Kind: "declared", Low: 0, High: 1}, 2)
	for a, n := range pulls {
		c.pulls[a], c.mean[a], c.m2[a] = n, mean[a], variance[a]*float64(n)
		c.total += n
	}
	return c
}

// TestWidthOfBounds finds by which mean the arm that was pulled more often must be ahead to be pulled again: where the
// bounds are equal, which is worked out by hand from the formulas of the papers for 100 pulls, ln 100 =
// 4.6051701860, and for 10,000, ln 10000 = 9.2103403720.
func TestWidthOfBounds(t *testing.T) {
	const tolerance = 1e-6
	for _, c := range []struct {
		name     string
		pulls    [2]int
		variance [2]float64
		other    float64 // mean of arm 1
		equal    float64 // mean of arm 0 at which it is as good
		policy   func(tally) bandit.Policy
	}{
		// √(2·4.6051701860)·(1/√36 − 1/√64) = 3.0348542587·(1/6 − 1/8)
		{"UCB1", [2]int{64, 36}, [2]float64{}, 0.3, 0.3 + 0.1264522608, func(c tally) bandit.Policy { return &ucb1{c, 1, false} }},
		{"UCB1, half as wide", [2]int{64, 36}, [2]float64{}, 0.3, 0.3 + 0.0632261304, func(c tally) bandit.Policy { return &ucb1{c, 0.5, false} }},
		// ln t/n is .00101212532 and .0102337115; V = .05 + √(2·.00101212532) = .0949915587 and .09 + √(2·.0102337115) =
		// .233064674, both below 1/4: √(.0102337115·.233064674) − √(.00101212532·.0949915587) = .0488376274 − .0098052780
		{"UCB1 tuned, both variances", [2]int{9100, 900}, [2]float64{0.05, 0.09}, 0.3, 0.3 + 0.0390323494, func(c tally) bandit.Policy { return &ucb1{c, 1, true} }},
		// V of arm 1 is .2 + .143064674, so that 1/4 counts: √(.0102337115/4) − .0098052780
		{"UCB1 tuned, a quarter", [2]int{9100, 900}, [2]float64{0.05, 0.2}, 0.3, 0.3 + 0.0407756263, func(c tally) bandit.Policy { return &ucb1{c, 1, true} }},
		// Arm 1 without a success has the bound 1 − exp(−budget/10), which is .3690426555, .4584040207 and .6009509376 for
		// budgets of ln 100 + c·ln ln 100 (ln ln 100 = 1.5271796258); and 90·kl(p, that bound) is the budget for these p.
		{"KLUCB", [2]int{90, 10}, [2]float64{}, 0, 0.2205940336, func(c tally) bandit.Policy { return &klUCB{c, 0} }},
		{"KLUCB, c = 1", [2]int{90, 10}, [2]float64{}, 0, 0.2785152713, func(c tally) bandit.Policy { return &klUCB{c, 1} }},
		{"KLUCB, c = 3", [2]int{90, 10}, [2]float64{}, 0, 0.3766332042, func(c tally) bandit.Policy { return &klUCB{c, 3} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			want(t, "just behind", c.policy(twoArms(c.pulls, [2]float64{c.equal - tolerance, c.other}, c.variance)), 1)
			want(t, "just ahead", c.policy(twoArms(c.pulls, [2]float64{c.equal + tolerance, c.other}, c.variance)), 0)
		})
	}
}
