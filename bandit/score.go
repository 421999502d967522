package bandit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
)

// ScoreOptions are the options of Trial.Score.
type ScoreOptions struct {
	Contexts int     `json:"contexts"` // pulls that are scored, an even number of 2 to 10⁶
	Draws    int     `json:"draws"`    // M, draws of the posterior: 2 to 10⁶
	Noise    float64 `json:"noise"`    // σ, the standard deviation of a reward about its mean, in units of reward
}

// Validate returns an error that names the first option out of range.
func (o ScoreOptions) Validate() error {
	return cmp.Or(
		check.That(o.Contexts >= 2 && o.Contexts <= 1e6 && o.Contexts%2 == 0,
			"contexts: %d, want an even number of 2 to 1000000: they are scored in pairs", o.Contexts),
		check.Within("draws", o.Draws, 2, 1e6),
		check.That(o.Noise > 0 && o.Noise <= math.MaxFloat64,
			"noise: %g, want a finite number above 0: the standard deviation of a reward about its mean", o.Noise))
}

// A Score says how well the draws of a policy's posterior predict rewards; lower is better. With f₁ … f_M draws
// of the expected reward of the arm that the policy chooses and r the reward that it gets,
//
//	p(r) = (1/M) Σ N(r; f_m, σ²)
//
// is the predictive density.
type Score struct {
	// LogLoss is the mean of −log p(r) over the contexts, in nats.
	LogLoss float64
	// JointLogLoss is the mean of −log (1/M) Σ N(r; f_m, σ²)·N(r'; f'_m, σ²) over pairs of contexts, in nats a pair
	// (Osband et al., NeurIPS 2022, with two contexts): a posterior that knows what its errors have in common is
	// below two LogLoss. NaN if the draws of the posterior do not hold for two contexts.
	JointLogLoss float64
	// Calibration is the calibration error √(mean (p̂ − p)²) over p = .1, …, .9, with p̂ the share of the rewards below
	// the quantile p of their predictive distribution (the root of the calibration error of
	// Kuleshov, Fenner and Ermon, ICML 2018, with equal weights).
	Calibration float64
}

// Score scores the policy at the end of its trial, on the pulls that come next in the environment. It changes
// nothing that was recorded; the trial is over afterwards. The policy must be a RewardDrawer.
func (t *Trial) Score(ctx context.Context, o ScoreOptions) (Score, error) {
	policy, ok := t.policy.(RewardDrawer)
	if err := cmp.Or(o.Validate(),
		check.That(ok, "the policy %T has no posterior to score: %w", t.policy, errors.ErrUnsupported),
		check.That(!t.over && t.record.Round == t.protocol.Rounds, "after %d rounds of %d, want all",
			t.record.Round, t.protocol.Rounds),
	); err != nil {
		return Score{}, fmt.Errorf("bandit: score: %w", err)
	}
	s, err := t.scorePulls(ctx, o, policy)
	if err != nil {
		err = fmt.Errorf("bandit: score: %w", err)
	}
	return s, err
}

func (t *Trial) scorePulls(ctx context.Context, o ScoreOptions, policy RewardDrawer) (Score, error) {
	t.over = true
	n, arms := o.Contexts, len(t.spec.Arms)
	rounds, chosen, rewards := make([]Round, n), make([]int, n), make([]float64, n)
	outcome := Outcome{Reward: make([]float64, arms), Mean: make([]float64, arms)}
	for i := range rounds {
		rounds[i] = newRound(t.spec)
		rounds[i].T = t.pulls + i + 1
		if err := t.env.Next(&rounds[i], &outcome); err != nil {
			return Score{}, fmt.Errorf("pull %d after the trial, of %d to score: %w", i+1, n, err)
		}
		arm, err := t.policy.Act(rounds[i])
		if err == nil {
			err = t.checkArms([]int{arm})
		}
		if err != nil {
			return Score{}, err
		}
		chosen[i], rewards[i] = arm, outcome.Reward[arm]
	}
	// A draw holds for a pair of contexts, or for each alone.
	values := make([]float64, min(o.Draws, drawsAtATime)*2*arms)
	err := policy.DrawRewards(values[:2*arms], rounds[:2], true)
	together := err == nil
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return Score{}, err
	}
	one, two, below := newLogSums(n), newLogSums(n/2), make([]float64, n)
	for i := 0; i < n; i += 2 {
		if err := ctx.Err(); err != nil {
			return Score{}, err
		}
		for left := o.Draws; left > 0; left -= drawsAtATime {
			draws := values[:min(left, drawsAtATime)*2*arms]
			if err := policy.DrawRewards(draws, rounds[i:i+2], together); err != nil {
				return Score{}, err
			}
			for draw := range slices.Chunk(draws, 2*arms) {
				both := 0.0
				for k := i; k < i+2; k++ {
					z := (rewards[k] - draw[(k-i)*arms+chosen[k]]) / o.Noise
					l := -z*z/2 - math.Log(o.Noise*math.Sqrt(2*math.Pi))
					one.add(k, l)
					both += l
					below[k] += normalCDF(z)
				}
				two.add(i/2, both)
			}
		}
	}
	for k := range below { // after the sum, so that a reward in the middle of its law has one half exactly
		below[k] /= float64(o.Draws)
	}
	s := Score{LogLoss: one.loss(o.Draws), JointLogLoss: math.NaN(), Calibration: calibration(below)}
	if together {
		s.JointLogLoss = two.loss(o.Draws)
	}
	return s, nil
}

// drawsAtATime bounds memory. Some posteriors prepare a pair of contexts once for all of them.
const drawsAtATime = 1000

// normalCDF returns Φ(z).
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// calibration returns the calibration error of probability integral transforms.
func calibration(below []float64) float64 {
	const levels = 9
	squares := 0.0
	for k := 1; k <= levels; k++ {
		p, share := float64(k)/(levels+1), 0.0
		for _, u := range below {
			if u <= p {
				share += 1 / float64(len(below))
			}
		}
		squares += (share - p) * (share - p) / levels
	}
	return math.Sqrt(squares)
}

// logSums are log Σ exp(l), of as many sums as there are.
type logSums struct{ largest, sum []float64 }

func newLogSums(n int) logSums {
	s := logSums{make([]float64, n), make([]float64, n)}
	for i := range s.largest {
		s.largest[i] = math.Inf(-1)
	}
	return s
}

func (s logSums) add(i int, l float64) {
	if l > s.largest[i] {
		s.sum[i] *= math.Exp(s.largest[i] - l)
		s.largest[i] = l
	}
	s.sum[i] += math.Exp(l - s.largest[i])
}

// loss returns the mean of −log of the mean likelihood over n draws.
func (s logSums) loss(n int) float64 {
	mean := 0.0
	for i, l := range s.largest {
		mean -= (l + math.Log(s.sum[i]/float64(n))) / float64(len(s.sum))
	}
	return mean
}
