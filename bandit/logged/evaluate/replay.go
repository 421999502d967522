package evaluate

import (
	"context"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/logged/estimate"
)

// A Replay is a learning policy's run through a log. Of each row the policy, in the state in which it is, takes the logged arm with its
// probability π(a|x); where it does, it learns the reward. On a uniform log that is the replay of Li, Chu, Langford and Wang (WSDM 2011): what the
// policy learns and earns has the law of a run in the world. On other logs a row is kept with the probability p_min/p besides, so that
// among the kept rows all arms are alike: rejection sampling (Dudík, Erhan, Langford and Li, UAI 2012), with p_min the smallest propensity.
type Replay struct {
	Rows     int       // that the policy was offered
	Rewards  []float64 // rewards of the accepted rows, in their order
	Uniform  bool      // the log is uniform: replay without rejection
	Expected float64   // accepted rows that an average policy has: Rows·K·p_min/K
	Against  []string  // reasons why there is no verdict
	Cure     string
}

// Verdict reports whether enough rows were accepted.
func (p *Replay) Verdict() bool { return len(p.Against) == 0 }

// replay is a Replay under way.
type replay struct {
	Replay
	policy bandit.Policy
	limit  int
	round  int
	least  float64 // propensity
	arms   int

	// shadow is the same policy in the simulated environment itself, on the contexts of the log; means are its expected rewards. Only
	// where the log has them.
	shadow bandit.Policy
	means  []float64
}

func newReplay(p, shadow bandit.Policy, r *run) *replay {
	d := r.log.Description
	return &replay{policy: p, shadow: shadow, limit: r.Pulls, round: r.Round, least: d.Least, arms: len(r.spec.Arms), Replay: Replay{Uniform: d.Uniform}}
}

func (p *replay) block(ctx context.Context, r *run, c *candidate) error {
	for i, row := range r.block.rows[:r.block.n] {
		if err := p.simulate(ctx, r.block.rounds[i], row.Means, row.Rewards); err != nil {
			return err
		}
		if p.limit > 0 && len(p.Rewards) == p.limit {
			continue
		}
		p.Rows++
		round := r.block.rounds[i]
		round.T = len(p.Rewards) + 1
		if _, err := probabilitiesOf(c.probabilities, p.policy, round); err != nil {
			return err
		}
		// The draw is made in every row, so that another policy meets the same luck in the rows after it.
		if u := c.accept.Float64(); !(u < c.probabilities[row.Arm]*p.least/row.Propensity) {
			continue
		}
		if err := p.policy.Learn(round, row.Arm, row.Reward); err != nil {
			return err
		}
		p.Rewards = append(p.Rewards, row.Reward)
		if err := endRound(ctx, p.policy, len(p.Rewards), p.round); err != nil {
			return err
		}
	}
	return nil
}

// simulate plays a pull of the shadow.
func (p *replay) simulate(ctx context.Context, round bandit.Round, means, rewards []float64) error {
	if means == nil {
		return nil
	}
	round.T = len(p.means) + 1
	arm, err := p.shadow.Act(round)
	if err != nil {
		return err
	}
	if err := p.shadow.Learn(round, arm, rewards[arm]); err != nil {
		return err
	}
	p.means = append(p.means, means[arm])
	return endRound(ctx, p.shadow, len(p.means), p.round)
}

// endRound trains a policy after every round of pulls.
func endRound(ctx context.Context, p bandit.Policy, pulls, round int) error {
	if e, ok := p.(bandit.RoundEnder); ok && pulls%round == 0 {
		return e.EndRound(ctx, pulls/round)
	}
	return nil
}

func (p *replay) result() *Replay {
	result := p.Replay
	result.Expected = float64(p.Rows) * p.least
	if n := len(p.Rewards); n < estimate.MinMatched {
		result.Against = append(result.Against, notEnough(n))
		result.Cure = cureOf(p.arms)
	}
	return &result
}

// truth returns the mean expected reward of the shadow in as many pulls as were accepted.
func (p *replay) truth() float64 {
	n := len(p.Rewards)
	if n == 0 || len(p.means) < n {
		return math.NaN()
	}
	sum := 0.0
	for _, m := range p.means[:n] {
		sum += m
	}
	return sum / float64(n)
}
