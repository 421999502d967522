package verify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// A pupil is a small posterior: a few linear models for each arm that learn by least mean squares
// with a little noise. It may have a fault.
type pupil struct {
	fault   string
	setup   posterior.Setup
	weights [][]float64 // by model; arm × input
	rows    []pupilRow
	noise   []*stream.Stream
	draws   *stream.Stream
}

type pupilRow struct {
	context []float32
	arm     int
	reward  float64
}

const pupilModels = 4

// pupilCount is a global variable, on which a faulty pupil depends.
var pupilCount int

func newPupil(fault string) func(posterior.Setup) (posterior.Posterior, error) {
	return func(s posterior.Setup) (posterior.Posterior, error) {
		p := &pupil{fault: fault, setup: s}
		r := s.Stream
		switch fault {
		case "ignores its stream":
			r = stream.Root(1)
		case "depends on how many there were":
			pupilCount++
			r = r.Child(pupilCount)
		}
		p.draws = r.Child("draw")
		for m := range pupilModels {
			own := r.Child("chain", m)
			if fault == "one stream for all chains" {
				own = r.Child("chain", 0)
			}
			w := make([]float64, s.Arms*s.Dim)
			for i := range w {
				w[i] = 4*own.Float64() - 2
			}
			if fault == "no spread" {
				clear(w)
			}
			p.weights = append(p.weights, w)
			p.noise = append(p.noise, own.Child("noise"))
		}
		return p, nil
	}
}

func (p *pupil) Observe(c []float32, arm int, reward float64) error {
	if len(c) != p.setup.Dim && p.fault != "takes any context" {
		return fmt.Errorf("a context of %d", len(c))
	}
	if arm < 0 || arm >= p.setup.Arms {
		if p.fault == "takes any arm" {
			return nil
		}
		if p.fault == "a rejected row leaves a trace" {
			p.weights[0][0]++
		}
		return fmt.Errorf("arm %d", arm)
	}
	if math.IsNaN(reward) || math.Abs(reward) > 1e30 {
		if p.fault == "takes any reward" {
			p.rows = append(p.rows, pupilRow{slices.Clone(c), arm, reward})
			return nil
		}
		return fmt.Errorf("reward %g", reward)
	}
	if p.fault != "keeps the context" {
		c = slices.Clone(c)
	}
	p.rows = append(p.rows, pupilRow{c, arm, reward})
	return nil
}

func (p *pupil) Update(context.Context) error {
	for m, w := range p.weights {
		for range 16 {
			if len(p.rows) == 0 || p.fault == "learns nothing" {
				break
			}
			row := p.rows[p.noise[m].IntN(len(p.rows))]
			norm, predicted := 1e-9, 0.0
			for i := range w[:p.setup.Dim] {
				if i < len(row.context) {
					norm += float64(row.context[i]) * float64(row.context[i])
					predicted += w[row.arm*p.setup.Dim+i] * float64(row.context[i])
				}
			}
			for i, c := range row.context[:min(len(row.context), p.setup.Dim)] {
				noise := 0.02 * (p.noise[m].Float64() - 0.5)
				w[row.arm*p.setup.Dim+i] += float64(c) * (0.5*(row.reward-predicted)/norm + noise)
			}
		}
	}
	return nil
}

func (p *pupil) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	arms := p.setup.Arms
	if len(dst) != len(contexts)*arms && p.fault != "takes any room" {
		return fmt.Errorf("room for %d values", len(dst))
	}
	if err := how.Validate(); err != nil && p.fault != "takes any kind of prediction" {
		return err
	}
	pick := 0
	for i, c := range contexts {
		if len(c) != p.setup.Dim && p.fault != "takes any context" {
			return fmt.Errorf("a context of %d", len(c))
		}
		if how == posterior.Draw && (i == 0 || p.fault != "one draw for all contexts") {
			pick = p.draws.IntN(pupilModels)
		}
		for arm := range arms {
			if at := i*arms + arm; at < len(dst) && !(p.fault == "leaves out the 65th context" && i == 64) {
				dst[at] = p.value(c, arm, how, pick)
			}
		}
	}
	return nil
}

// value returns the mean of the models or, for a draw, that of one of them.
func (p *pupil) value(c []float32, arm int, how posterior.Prediction, pick int) float64 {
	sum := 0.0
	for m, w := range p.weights {
		value := 0.0
		for k, v := range c[:min(len(c), p.setup.Dim)] {
			value += w[arm*p.setup.Dim+k] * float64(v)
		}
		if how == posterior.Draw && m == pick {
			sum = value
			break
		}
		sum += value / pupilModels
	}
	switch {
	case p.fault == "learns two fifths": // 36 % of the variance are left
		return 0.4 * sum
	case p.fault == "predicts nothing before training" && len(p.rows) == 0, p.fault == "predicts nothing after training" && len(p.rows) > 0:
		return math.NaN()
	}
	return sum
}

func (p *pupil) Spread(dst []float64, contexts [][]float32) error {
	values := make([]float64, len(dst))
	var sum, squares []float64 // over the models
	for m := range pupilModels {
		one := *p
		one.weights = slices.Repeat(p.weights[m:m+1], pupilModels)
		if err := one.Predict(values, contexts, posterior.Mean); err != nil {
			return err
		}
		if m == 0 {
			sum, squares = make([]float64, len(dst)), make([]float64, len(dst))
		}
		for i, v := range values {
			sum[i] += v / pupilModels
			squares[i] += v * v / pupilModels
		}
	}
	for i := range dst {
		dst[i] = math.Sqrt(max(0, squares[i]-sum[i]*sum[i]))
		if p.fault == "gives variances" {
			dst[i] *= dst[i]
		}
	}
	return nil
}

func (p *pupil) Diagnostics() diagnostics.Round {
	var d diagnostics.Round
	for _, w := range p.weights {
		d.Chains = append(d.Chains, diagnostics.Chain{Energy: w[0]})
	}
	return d
}

func (p *pupil) MarshalBinary() ([]byte, error) { return state.Save(p.state) }
func (p *pupil) UnmarshalBinary(b []byte) error { return state.Restore(b, p.state) }

func (p *pupil) state(c *state.Codec) {
	state.Slice(c, "rows", &p.rows, 1e6, func(row *pupilRow) {
		if c.Reading() {
			row.context = make([]float32, p.setup.Dim)
		}
		c.Float32s(row.context)
		c.Int("arm", &row.arm, 0, p.setup.Arms-1)
		c.Float64(&row.reward)
	})
	for m := range p.weights {
		c.Float64s(p.weights[m])
		c.Object(p.noise[m])
	}
	draws := p.draws
	if c.Reading() && p.fault == "forgets its draws when saved" {
		draws = stream.Root(0)
	}
	c.Object(draws)
}

// TestPlantedFaultsOfPosteriors: a pupil without a fault passes; each fault is detected by its
// check.
func TestPlantedFaultsOfPosteriors(t *testing.T) {
	checks := func(fault string) []Check {
		return Posterior(posterior.Subject{Name: "pupil", New: newPupil(fault), Claims: posterior.Claims{Rounds: 100, Spread: true}})
	}
	for _, r := range Verify(checks(""), Options{Grade: Quick, Seed: 1}) {
		must.That(t, r.Verdict != Fail && r.Verdict != Skip, "without a fault: %s", r)
	}
	for _, c := range []struct{ fault, check, statistic string }{
		{"takes any arm", "shapes", "arm −1 is rejected"},
		{"takes any context", "shapes", "observing a short context is rejected"},
		{"takes any room", "shapes", "too little room for predictions is rejected"},
		{"takes any kind of prediction", "shapes", "an unknown kind of prediction is rejected"},
		{"gives variances", "spread", "standard deviations"},
		{"predicts nothing before training", "shapes", "predictions before training"},
		{"predicts nothing after training", "shapes", "predictions after training"},
		{"leaves out the 65th context", "shapes", "predictions after training"},
		{"a rejected row leaves a trace", "shapes", "rejected calls leave no trace, and contexts are copied"},
		{"keeps the context", "shapes", "rejected calls leave no trace, and contexts are copied"},
		{"ignores its stream", "same stream", "another stream gives other draws"},
		{"depends on how many there were", "same stream", "the same stream twice"},
		{"one stream for all chains", "same stream", "chains differ"},
		{"one draw for all contexts", "one by one", "draws"},
		{"forgets its draws when saved", "restored posterior", "going on after round 1"},
		{"takes any reward", "hostile rewards", "a reward of NaN"},
		{"learns nothing", "learning", "share of the variance left, from sparse contexts"},
		{"learns two fifths", "learning", "share of the variance left, from sparse contexts"},
		{"learns two fifths", "learning", "share of the variance left, from dense contexts"},
		{"no spread", "spread", "standard deviation of draws without data, over that with data"},
	} {
		t.Run(c.fault+"/"+c.statistic, func(t *testing.T) {
			caught := false
			for _, r := range Verify(checks(c.fault), Options{Grade: Quick, Seed: 1}) {
				if r.Verdict == Fail {
					t.Logf("%.200s", r)
					caught = caught || r.Check == c.check && r.Statistic == c.statistic
				}
			}
			must.That(t, caught, "%s has not caught it", c.check)
		})
	}
}
