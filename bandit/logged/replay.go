package logged

import (
	"context"
	"fmt"
	"math"

	"banditsim/bandit"
	"banditsim/internal/words"
)

// A replay is a learning policy's run through a log. Of each row the policy, in the state in which it is, takes the logged
// arm with its probability π(a|x); where it does, it learns the reward. On a uniform log that is the replay of Li, Chu,
// Langford and Wang (WSDM 2011): what the policy learns and earns has the law of a run in the world. On other logs a row is
// kept with the probability p_min/p besides, so that among the kept rows all arms are alike: rejection sampling (Dudík,
// Erhan, Langford and Li, UAI 2012), with p_min the smallest propensity.
type replay struct {
	rows    int       // that the policy was offered
	rewards []float64 // rewards of the accepted rows, in their order

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
	return &replay{policy: p, shadow: shadow, limit: r.Pulls, round: r.Round, least: r.log.Description.Least, arms: len(r.spec.Arms)}
}

func (p *replay) block(ctx context.Context, r *run, c *candidate) error {
	for i, row := range r.block.rows[:r.block.n] {
		if err := p.simulate(ctx, r.block.rounds[i], row.Means, row.Rewards); err != nil {
			return err
		}
		if p.limit > 0 && len(p.rewards) == p.limit {
			continue
		}
		p.rows++
		round := r.block.rounds[i]
		round.T = len(p.rewards) + 1
		if _, err := probabilitiesOf(c.probabilities, p.policy, round, row.Offered); err != nil {
			return err
		}
		// The draw is made in every row, so that another policy meets the same luck in the rows after it.
		if u := c.accept.Float64(); !(u < c.probabilities[row.Arm]*p.least/row.Propensity) {
			continue
		}
		if err := p.policy.Learn(round, row.Arm, row.Reward); err != nil {
			return err
		}
		p.rewards = append(p.rewards, row.Reward)
		if err := endRound(ctx, p.policy, len(p.rewards), p.round); err != nil {
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

// diagnose judges the number of accepted rows.
func (p *replay) diagnose(label string) Diagnostics {
	none := math.NaN()
	d := Diagnostics{Policy: label, Rows: p.rows, Used: len(p.rewards), Replay: true,
		ESS: none, Largest: none, Share: none, Mean: none, MeanErr: none, Unlogged: none, Rare: none}
	if d.Used < minMatched {
		d.Against = []string{fmt.Sprintf("the replay accepts %s, want at least %d", words.Count(d.Used, "row"), minMatched)}
		d.Cure = fmt.Sprintf("log at least %s of uniform pulls", words.Count(4*minMatched*p.arms, "row"))
	}
	return d
}

// truth returns the mean expected reward of the shadow in as many pulls as were accepted.
func (p *replay) truth() float64 {
	n := len(p.rewards)
	if n == 0 || len(p.means) < n {
		return math.NaN()
	}
	sum := 0.0
	for _, m := range p.means[:n] {
		sum += m
	}
	return sum / float64(n)
}
