package exact

import (
	"encoding"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// TestCusum compares sums with ones worked out by hand: each residual adds min(z², 9)/4 − ln(2)/2, and sums are at least 0.
func TestCusum(t *testing.T) {
	const ln2 = math.Ln2
	c := cusum{}
	for i, s := range []struct {
		z2, sum float64
		alarm   bool
	}{
		{1, 0, false}, {3, 0.75 - ln2/2, false}, {100, 3 - ln2, false}, {0, 3 - 1.5*ln2, false}, {9, 5.25 - 2*ln2, true},
	} {
		alarm := c.add(s.z2, 3)
		must.That(t, alarm == s.alarm, "residual %d: alarm %t", i+1, alarm)
		must.Near(t, "sum", c.sum, s.sum, 1e-14)
	}
}

// TestRestart checks that before a change of the weights the posterior is the same as without the option, and that after the alarm it
// is the same as one whose first reward is that of the alarm. A change from 3 to −3 with noise 0.1 makes z² exceed its cap, so the
// threshold 15 is exceeded after 15/1.9, rounded up to 8, residuals.
func TestRestart(t *testing.T) {
	o := LinearOptions{Lambda: 1, Noise: 1, Discount: 1, OwnScale: true}
	tested := o
	tested.Restart = 15
	const dim, arms, before, alarm = 3, 2, 400, 8
	p, plain, fresh := build(t, Linear(), tested, dim, arms), build(t, Linear(), o, dim, arms), build(t, Linear(), o, dim, arms)
	r, c, sign := stream.Root(5), make([]float32, dim), 3.0
	for n := 1; n <= before+3*alarm; n++ {
		if n == before+1 {
			sign = -3
		}
		if n == before+alarm/2 { // between the change and the alarm
			b := must.Get(p.(encoding.BinaryMarshaler).MarshalBinary())(t)
			p = build(t, Linear(), tested, dim, arms)
			must.OK(t, p.(encoding.BinaryUnmarshaler).UnmarshalBinary(b))
		}
		r.Normals(c)
		c[0] += 4 * float32(1-2*r.IntN(2)) // so that no residual is small after the change
		arm, reward := r.IntN(arms), sign*float64(c[0])+0.1*r.Normal()
		must.OK(t, p.Observe(c, arm, reward))
		must.OK(t, plain.Observe(c, arm, reward))
		same := plain
		if n >= before+alarm {
			must.OK(t, fresh.Observe(c, arm, reward))
			same = fresh
		}
		mean, sd := predict(t, p, arms, c)
		wantMean, wantSD := predict(t, same, arms, c)
		for a := range mean {
			must.That(t, mean[a] == wantMean[a] && sd[a] == wantSD[a],
				"reward %d: arm %d has %g ± %g, want %g ± %g", n, a, mean[a], sd[a], wantMean[a], wantSD[a])
		}
	}
	o.OwnScale, o.Restart = false, 15
	must.Refuse(o.build(posterior.Setup{Dim: dim, Arms: arms, Stream: stream.Root(1)}))(t, "set own_scale to true")
}
