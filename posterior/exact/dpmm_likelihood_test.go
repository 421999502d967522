package exact

import (
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// TestRewardLikelihood: with values listed an arm that has given one of them may give others; others, a third one under two-valued, and
// gaussian rewards are refused; the contract holds.
func TestRewardLikelihood(t *testing.T) {
	with := func(l Likelihood, s posterior.Setup) (posterior.Posterior, error) {
		o := DPMM().Defaults()
		o.Likelihood = l
		return o.build(s)
	}
	c := verify.Of(DPMM())
	c.New = func(s posterior.Setup) (posterior.Posterior, error) {
		return with(Likelihood{Kind: "categorical"}, s)
	}
	t.Run("contract", func(t *testing.T) { verify.Test(t, c) })

	setup := posterior.Setup{Dim: 1, Arms: 2, Rounds: 1, Stream: stream.Root(1)}
	const want = `likelihood.kind: "gaussian", want two-valued or categorical, or none`
	if _, err := with(Likelihood{Kind: "gaussian"}, setup); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("gaussian: the error is %v, want one with %q", err, want)
	}
	for name, l := range map[string]Likelihood{"come": {Kind: "two-valued"}, "listed": {Kind: "two-valued", Values: []float64{0, 5}}} {
		p, err := with(l, setup)
		if err != nil {
			t.Fatal(err)
		}
		x, sd := [][]float32{{1}}, make([]float64, 2)
		if err := p.Observe(x[0], 1, 0); err != nil {
			t.Fatal(err)
		}
		if err := p.(posterior.Spreader).Spread(sd, x); err != nil {
			t.Fatal(err)
		}
		if (sd[1] > 0) != (name == "listed") {
			t.Errorf("values that %s: the standard deviation is %g after one reward", name, sd[1])
		}
		if p.Observe(x[0], 0, 5) != nil || p.Observe(x[0], 1, 5) != nil || p.Observe(x[0], 1, 3) == nil {
			t.Errorf("values that %s: not two of all arms together", name)
		}
	}
}
