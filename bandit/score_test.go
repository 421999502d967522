package bandit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// noisy is an environment whose rewards are standard normal numbers.
type noisy struct {
	rand  *stream.Stream
	pulls int
}

func (n noisy) Spec() bandit.Spec {
	return bandit.Spec{Dim: 1, Arms: []string{"a", "b"}, IgnoresActions: true, Pulls: n.pulls}
}

func (n noisy) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Row, r.Context[0] = -1, 1
	for i := range o.Reward {
		o.Reward[i], o.Mean[i] = n.rand.Normal(), 0
	}
	return nil
}

// normalDraws is a policy whose draws are normal, of mean 0 and variance sd², with a correlation between
// contexts.
type normalDraws struct {
	rand            *stream.Stream
	sd, correlation float64
	alone           bool // contexts cannot share a draw
}

func (normalDraws) Act(bandit.Round) (int, error)          { return 1, nil }
func (normalDraws) Learn(bandit.Round, int, float64) error { return nil }
func (normalDraws) Record(*bandit.RoundRecord) error       { return nil }
func (p normalDraws) DrawRewards(dst []float64, rounds []bandit.Round, together bool) error {
	if together && p.alone {
		return fmt.Errorf("alone: %w", errors.ErrUnsupported)
	}
	for draw := range slices.Chunk(dst, 2*len(rounds)) {
		common := p.rand.Normal()
		for i := range rounds {
			draw[2*i] = math.NaN() // the arm that is not chosen
			draw[2*i+1] = p.sd * (math.Sqrt(p.correlation)*common + math.Sqrt(1-p.correlation)*p.rand.Normal())
		}
	}
	return nil
}

func scored(t *testing.T, p normalDraws, o bandit.ScoreOptions) bandit.Score {
	t.Helper()
	p.rand = stream.Root(3).Child("draws")
	trial, err := bandit.NewTrial(noisy{stream.Root(3).Child("environment"), 0}, p, bandit.Protocol{Rounds: 1, Pulls: 1}, stream.Root(3), p)
	if err == nil {
		_, err = trial.Score(context.Background(), o)
		must.That(t, err != nil, "a trial is scored before its end")
		err = trial.Run(context.Background())
	}
	must.OK(t, err)
	s := must.Get(trial.Score(context.Background(), o))(t)
	if _, err := trial.Score(context.Background(), o); err == nil {
		t.Error("a trial is scored twice")
	}
	return s
}

// TestScoreIsThatOfTheNormalLaw compares a score with its expectation. If draws are N(0, s²) with correlation ρ between
// contexts, the predictive distribution of a reward is N(0, v) with v = s² + σ², and the covariance of two rewards is
// s²ρ. If rewards are standard normal, the expected log loss and joint log loss are
//
//	log(2πv)/2 + 1/2v  and  log 2π + log(v² − s⁴ρ²)/2 + v/(v² − s⁴ρ²),
//
// and the proportion of rewards below the predicted p-quantile is Φ(√v·Φ⁻¹(p)).
func TestScoreIsThatOfTheNormalLaw(t *testing.T) {
	for _, c := range []struct{ sd, correlation, noise float64 }{{1, 0, 0.75}, {2, 0.9, 0.75}, {0.1, 0.5, 3}} {
		o := bandit.ScoreOptions{Contexts: 4000, Draws: 200, Noise: c.noise}
		p := normalDraws{sd: c.sd, correlation: c.correlation}
		s := scored(t, p, o)
		variance := c.sd*c.sd + o.Noise*o.Noise
		det := variance*variance - math.Pow(c.sd, 4)*c.correlation*c.correlation
		se := 1 / (math.Sqrt2 * variance) / math.Sqrt(float64(o.Contexts)) // standard error of the log loss
		must.Near(t, "log loss", s.LogLoss, math.Log(2*math.Pi*variance)/2+1/(2*variance), 6*se)
		a, b := variance/det, c.sd*c.sd*c.correlation/det // the precision matrix of two rewards is (a, −b; −b, a)
		se = math.Sqrt((a*a + b*b) / float64(o.Contexts/2))
		must.Near(t, "joint log loss", s.JointLogLoss, math.Log(2*math.Pi)+math.Log(det)/2+variance/det, 6*se)
		want := 0.0
		for k := 1; k <= 9; k++ {
			level := float64(k) / 10
			share := math.Erfc(-math.Sqrt(variance)*math.Erfinv(2*level-1)) / 2
			want += (share - level) * (share - level) / 9
		}
		must.Near(t, "calibration error", s.Calibration, math.Sqrt(want), 6*0.5/math.Sqrt(float64(o.Contexts)))
		if c.correlation > 0 {
			continue
		}
		p.alone = true
		alone := scored(t, p, o)
		must.That(t, math.IsNaN(alone.JointLogLoss), "a joint log loss of %g without joint draws", alone.JointLogLoss)
		must.Near(t, "log loss of draws alone", alone.LogLoss, s.LogLoss, 6*se)
	}
}

func TestScoreRefuses(t *testing.T) {
	for _, o := range []bandit.ScoreOptions{
		{Contexts: 3, Draws: 2, Noise: 1}, {Contexts: 0, Draws: 2, Noise: 1}, {Contexts: 2, Draws: 1, Noise: 1}, {Contexts: 2, Draws: 2},
		{Contexts: 2, Draws: 2, Noise: math.NaN()}, {Contexts: 2, Draws: 2, Noise: math.Inf(1)},
	} {
		must.That(t, o.Validate() != nil, "%+v is accepted", o)
	}
	trial := must.Get(bandit.NewTrial(noisy{stream.Root(3), 2}, normalDraws{}, bandit.Protocol{Rounds: 1, Pulls: 1}, stream.Root(3), nil))(t)
	must.OK(t, trial.Run(t.Context()))
	_, err := trial.Score(t.Context(), bandit.ScoreOptions{Contexts: 2, Draws: 2, Noise: 1})
	must.Fail(t, err, "the data end after 2 pulls, too few for 1 of the trial and 2 contexts to score")
}
