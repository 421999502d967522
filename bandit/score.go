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
	Contexts int     `json:"contexts"` // number of pulls that are scored, an even number from 2 to 10⁶
	Draws    int     `json:"draws"`    // M, the number of posterior samples: 2 to 10⁶
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

// A Score measures how well the posterior of a policy predicts rewards; lower is better. Let f₁ … f_M be posterior
// samples of the expected reward of the arm that the policy chooses, r the reward that it receives, and σ the standard
// deviation ScoreOptions.Noise. The predictive density of r is
//
//	p(r) = (1/M) Σ N(r; f_m, σ²).
type Score struct {
	// LogLoss is the mean of −log p(r) over the contexts, in nats.
	LogLoss float64
	// JointLogLoss is the mean over pairs of contexts of −log (1/M) Σ N(r; f_m, σ²)·N(r'; f'_m, σ²), in nats per pair. The
	// primes mark the second context (Osband et al., NeurIPS 2022, with two contexts). It is below 2·LogLoss if the
	// posterior knows how its errors at the two are correlated. It is NaN if no sample can be drawn for both at once.
	JointLogLoss float64
	// Calibration is the calibration error √(mean (p̂ − p)²) over p = .1, …, .9, where p̂ is the proportion of
	// rewards below the p-quantile of their predictive distribution (the square root of the calibration error of
	// Kuleshov, Fenner and Ermon, ICML 2018, with equal weights).
	Calibration float64
}

// Score scores the policy on the pulls that come next in the environment. They are neither learned nor recorded. The
// trial must have played all rounds, and is over afterwards. The policy must be a RewardDrawer.
func (t *Trial) Score(ctx context.Context, o ScoreOptions) (Score, error) {
	policy, ok := As[RewardDrawer](t.policy)
	if err := cmp.Or(o.Validate(),
		check.That(ok, "the policy %T has no posterior to score: %w", t.policy, errors.ErrUnsupported),
		check.That(!t.over && t.record.Round == t.protocol.Rounds, "after %d rounds of %d, want all",
			t.record.Round, t.protocol.Rounds),
		check.That(t.spec.Pulls == 0 || t.pulls+o.Contexts <= t.spec.Pulls,
			"the data end after %d pulls, too few for %d of the trial and %d contexts to score after them: "+
				"play fewer rounds, score fewer contexts or draw rows with replacement", t.spec.Pulls, t.pulls, o.Contexts),
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
	for i := range rounds {
		var outcome Outcome
		rounds[i], outcome = NewPull(t.spec)
		rounds[i].T = t.pulls + i + 1
		if err := t.draw(&rounds[i], &outcome); err != nil {
			return Score{}, fmt.Errorf("pull %d after the trial, of %d to score: %w", i+1, n, err)
		}
		arm, err := t.policy.Act(rounds[i])
		if err == nil {
			err = t.checkArms(rounds[i:i+1], []int{arm})
		}
		if err != nil {
			return Score{}, err
		}
		chosen[i], rewards[i] = arm, outcome.Reward[arm]
	}
	// A sample holds the rewards of all arms at two contexts. The first call tells whether the two can share a draw.
	values := make([]float64, min(o.Draws, drawsAtATime)*2*arms)
	err := policy.DrawRewards(values[:2*arms], rounds[:2], true)
	together := err == nil
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return Score{}, err
	}
	s, below := Score{}, make([]float64, n)
	for i := 0; i < n; i += 2 {
		if err := ctx.Err(); err != nil {
			return Score{}, err
		}
		empty := logSum{largest: math.Inf(-1)}
		one, two := [2]logSum{empty, empty}, empty
		for left := o.Draws; left > 0; left -= drawsAtATime {
			draws := values[:min(left, drawsAtATime)*2*arms]
			if err := policy.DrawRewards(draws, rounds[i:i+2], together); err != nil {
				return Score{}, err
			}
			for draw := range slices.Chunk(draws, 2*arms) {
				both := 0.0
				for k := range one {
					z := (rewards[i+k] - draw[k*arms+chosen[i+k]]) / o.Noise
					l := -z*z/2 - math.Log(o.Noise*math.Sqrt(2*math.Pi))
					one[k].add(l)
					both += l
					below[i+k] += normalCDF(z)
				}
				two.add(both)
			}
		}
		for _, sum := range one {
			s.LogLoss -= sum.log(o.Draws) / float64(n)
		}
		s.JointLogLoss -= two.log(o.Draws) / float64(n/2)
	}
	for k := range below { // divided only now, so that it is exactly 0.5 for a reward in the middle of its distribution
		below[k] /= float64(o.Draws)
	}
	s.Calibration = calibration(below)
	if !together {
		s.JointLogLoss = math.NaN()
	}
	return s, nil
}

// drawsAtATime is the number of samples per call of DrawRewards. More would need more memory. Fewer would cost time,
// because some posteriors prepare the pair of contexts anew in each call.
const drawsAtATime = 1000

// normalCDF returns Φ(z).
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// calibration returns Score.Calibration; below[i] is the value of the predictive distribution function at reward i.
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

// A logSum is a sum of exp(l), kept as exp(largest)·sum so that it cannot overflow. Without terms, largest is −Inf.
type logSum struct{ largest, sum float64 }

// add adds exp(l).
func (s *logSum) add(l float64) {
	if math.IsInf(l, -1) {
		return // exp(l) is 0
	}
	if l > s.largest {
		s.sum *= math.Exp(s.largest - l)
		s.largest = l
	}
	s.sum += math.Exp(l - s.largest)
}

// log returns the logarithm of the mean of the n terms.
func (s *logSum) log(n int) float64 { return s.largest + math.Log(s.sum/float64(n)) }
