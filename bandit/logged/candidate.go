package logged

import (
	"context"
	"fmt"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// A candidate is a policy under evaluation.
type candidate struct {
	label    string
	copies   []bandit.Policy // one for each fold; one alone if it is constant or learns by replay
	constant bool
	replay   *replay // nil of fixed policies
	accept   *stream.Stream

	sample        sample
	probabilities []float64
	truth         float64 // sum over the rows
	draws         bool
}

func (c *candidate) begin(r *run) {
	n := r.log.Description.Rows
	c.probabilities = make([]float64, len(r.spec.Arms))
	if c.replay != nil {
		return
	}
	c.sample = sample{weight: make([]float64, 0, n)}
	if r.models != nil {
		c.sample.model, c.sample.value = make([]float64, 0, n), make([]float64, 0, n)
	}
}

// of returns the copy that has not learned from a fold.
func (c *candidate) of(fold int) bandit.Policy { return c.copies[min(fold, len(c.copies)-1)] }

// probabilitiesOf writes the probabilities with which p chooses to dst: those of a Randomizer, of an arm that is always pulled, or 1 for the arm
// that it draws. The latter is an unbiased estimate of its probabilities, so that estimates stay unbiased over its draws. Where only
// the first offered arms can be pulled (0: all can) the probabilities of the others go to them, in proportion, or to all
// alike if p has none for them.
func probabilitiesOf(dst []float64, p bandit.Policy, round bandit.Round, offered int) (drawn bool, err error) {
	if knowing, ok := p.(bandit.Randomizer); ok {
		err = knowing.Propensities(dst, round)
	} else {
		drawn = true
		var arm int
		if arm, err = p.Act(round); err == nil && (arm < 0 || arm >= len(dst)) {
			err = fmt.Errorf("it chose arm %d, want 0 to %d", arm, len(dst)-1)
		}
		if err == nil {
			clear(dst)
			dst[arm] = 1
		}
	}
	if err != nil || offered == 0 || offered == len(dst) {
		return drawn, err
	}
	clear(dst[offered:])
	sum := 0.0
	for _, v := range dst[:offered] {
		sum += v
	}
	for k := range dst[:offered] {
		if sum == 0 {
			dst[k] = 1 / float64(offered)
		} else {
			dst[k] /= sum
		}
	}
	return drawn, nil
}

// block evaluates the policy in the rows of the block.
func (c *candidate) block(ctx context.Context, r *run) error {
	if c.replay != nil {
		return c.replay.block(ctx, r, c)
	}
	arms := len(r.spec.Arms)
	for i, row := range r.block.rows[:r.block.n] {
		drawn, err := probabilitiesOf(c.probabilities, c.of(r.block.folds[i]), r.block.rounds[i], row.Offered)
		if err != nil {
			return fmt.Errorf("row %d: %w", row.Number, err)
		}
		if drawn && !c.draws {
			if err := c.again(r, i); err != nil {
				return fmt.Errorf("row %d: %w", row.Number, err)
			}
		}
		c.sample.weight = append(c.sample.weight, c.probabilities[row.Arm]/row.Propensity)
		if r.models != nil {
			values := r.values[i*arms : (i+1)*arms]
			c.sample.model = append(c.sample.model, values[row.Arm])
			c.sample.value = append(c.sample.value, dot(c.probabilities, values))
		}
		if row.Means != nil {
			c.truth += dot(c.probabilities, row.Means)
		} else {
			c.truth = math.NaN()
		}
	}
	return nil
}

// tried is the number of rows in which a policy that does not know its probabilities acts twice.
const tried = 256

// again asks a policy once more in row i of the block, one of the first, and notes whether it chooses another arm: then it draws.
func (c *candidate) again(r *run, i int) error {
	if r.block.rows[i].Number > tried || c.constant {
		return nil
	}
	arm, err := c.of(r.block.folds[i]).Act(r.block.rounds[i])
	c.draws = err == nil && c.probabilities[arm] == 0
	return err
}

func dot(p, v []float64) float64 {
	sum := 0.0
	for i, x := range p {
		if x != 0 { // the value of an arm that the policy never pulls does not count, whatever it is
			sum += float64(x * v[i])
		}
	}
	return sum
}

// judged returns what the log says of the policy.
func (c *candidate) judged(r *run) judged {
	if c.replay != nil {
		return judged{diagnostics: c.replay.diagnose(c.label), rewards: c.replay.rewards, truth: c.replay.truth()}
	}
	c.sample.reward = r.result.reward
	d := diagnose(c.sample.weight, c.sample.reward, r.result.propensity, len(r.spec.Arms))
	d.Policy, d.Trained, d.Draws = c.label, !c.constant, c.draws
	return judged{diagnostics: d, sample: &c.sample, truth: c.truth / float64(len(c.sample.reward))}
}
