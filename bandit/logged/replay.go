package logged

import (
	"context"
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A replay runs a learning policy through a log. In each row, the policy takes the logged arm with its present
// probability π(a|x); if it does, the row is accepted and the policy learns the reward. On a uniform log this is the
// replay of Li, Chu, Langford and Wang (WSDM 2011): what the policy learns and earns is distributed as in an online
// run. On other logs a row of propensity p must also be kept, with probability p_min/p, where p_min is the log's least
// propensity. All arms are equally likely in kept rows: rejection sampling (Dudík, Erhan, Langford and Li, UAI 2012).
type replay struct {
	policy  bandit.Policy
	accept  *stream.Stream
	rows    int       // number of rows offered to the policy
	rewards []float64 // rewards of the accepted rows, in their order
	// shadow is another copy of the policy, run online in the simulated environment on the contexts of the log; means are
	// the expected rewards of the arms that it pulls. Both are used only if rows have Means.
	shadow bandit.Policy
	means  []float64
}

// offer lets the policy choose in row i of the block, and learn if it is accepted. It sets the argument probabilities,
// one element per arm, to the policy's. After r.Pulls accepted rows, it sets them to 0 and only simulates.
func (p *replay) offer(ctx context.Context, r *run, i int, probabilities []float64) error {
	row, round := &r.block[i].Row, r.block[i].round
	if err := p.simulate(ctx, r, row, round); err != nil {
		return err
	}
	if r.Pulls > 0 && len(p.rewards) == r.Pulls {
		clear(probabilities)
		return nil
	}
	p.rows++
	round.T = len(p.rewards) + 1
	if _, err := probabilitiesOf(probabilities, p.policy, round); err != nil {
		return err
	}
	// The draw is made in every row, so that all policies use the same number for the same row.
	if u := p.accept.Float64(); !(u < probabilities[row.Arm]*float64(r.log.Description.Least)/row.Propensity) {
		return nil
	}
	p.rewards = append(p.rewards, row.Reward)
	return learn(ctx, r, p.policy, round, row.Arm, row.Reward)
}

// simulate lets the shadow policy choose an arm in the row's context, records that arm's expected reward, and lets the
// policy learn. It does nothing if the row has no expected rewards.
func (p *replay) simulate(ctx context.Context, r *run, row *Row, round bandit.Round) error {
	if row.Means == nil {
		return nil
	}
	round.T = len(p.means) + 1
	arm, err := act(p.shadow, round, len(row.Means))
	if err != nil {
		return err
	}
	p.means = append(p.means, row.Means[arm])
	return learn(ctx, r, p.shadow, round, arm, row.Rewards[arm])
}

// learn lets a policy learn a pull, and train after every r.Round pulls.
func learn(ctx context.Context, r *run, p bandit.Policy, round bandit.Round, arm int, reward float64) error {
	err := p.Learn(round, arm, reward)
	if err == nil && round.T%r.Round == 0 {
		err = bandit.EndRound(ctx, p, round.T/r.Round)
	}
	return err
}

// diagnose returns the diagnostics of a replay, which judge the number of accepted rows.
func (p *replay) diagnose(label string, arms int) Diagnostics {
	d := weightless(p.rows, len(p.rewards))
	d.Policy, d.Replay = label, true
	if d.Used < minMatched {
		d.Against = []string{fmt.Sprintf("the replay accepts %s, want at least %d", words.Count(d.Used, "row"), minMatched)}
		d.Cure = fmt.Sprintf("log at least %s of uniform pulls", words.Count(4*minMatched*arms, "row"))
	}
	return d
}

// truth returns the mean expected reward of shadow over as many pulls as the replay accepted, NaN without any.
func (p *replay) truth() float64 {
	return stats.NewEstimate(p.means[:min(len(p.rewards), len(p.means))]).Mean
}
