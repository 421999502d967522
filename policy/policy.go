// Package policy implements policies: rules of exploration over any posterior, policies that ignore contexts, and
// yardsticks that see more than a policy may. Each policy has a file, with its options.
//
// Burn-in is a part of the protocol: during it a policy learns and does not act.
//
// A policy can be saved between two rounds (encoding.BinaryMarshaler) and restored into a policy that was built with
// the same arguments. A policy over a posterior can be saved only if the posterior can.
package policy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/leverage"
	"banditsim/internal/moments"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// learner is the common part of policies over a posterior. It adds pulls to the posterior, trains it at the end of a
// round, predicts rewards, and finds the arms whose pull is forced (by the options Covering or by the posterior).
type learner struct {
	state.Fields
	posterior posterior.Posterior
	arms      int
	joint     *joint             // builds the contexts of the shared model; nil: the model is disjoint
	contexts  [][]float32        // result of the last setContexts: one per round or, with the shared model, one per round and arm
	values    []float64          // result of the last predict
	spreader  posterior.Spreader // the posterior, if the policy uses standard deviations of the values; else nil
	spread    []float64          // result of the last setSpread
	need      []float64          // by round and arm; if the highest need of a round is above 0, a pull of that arm is forced
	pullable  []int              // scratch memory for the arms that can be pulled
	coverage  *leverage.Monitor  // forces pulls by the options Covering; nil: off
	seen      moments.Vectors    // moments of the observed contexts, for coverage
	ends      bool               // whether extreme contexts force pulls (options cover_rim and cover_core)
	rewards   moments.Running    // moments of the rewards so far, if ends is true
	highest   float64            // highest reward so far, if ends is true
	// changed, if not nil, returns the options that differ from the defaults, as key=value.
	changed func() []string
}

func newLearner(p posterior.Posterior, arms int) *learner {
	l := &learner{posterior: p, arms: arms}
	l.Fields = l.state
	return l
}

var (
	_, _, _       bandit.BatchActor     = (*greedy)(nil), (*epsGreedy)(nil), (*sampled)(nil)
	_, _, _, _, _ bandit.Randomizer     = (*epsGreedy)(nil), (*sampled)(nil), (*cover)(nil), uniform{}, (*exp4)(nil)
	_             bandit.Randomizer     = (*mixture)(nil)
	_, _, _       bandit.RoundEnder     = (*learner)(nil), (*voi)(nil), (*mixture)(nil)
	_             bandit.RewardDrawer   = (*learner)(nil)
	_             bandit.OutcomeActor   = oraclePolicy{}
	_             bandit.OutcomeLearner = (*supervised)(nil)
	_, _, _, _, _ state.Object          = (*learner)(nil), (*tally)(nil), uniform{}, fixed{}, oraclePolicy{}
)

// blame returns err. If a chain diverged, it adds the options that differ from the defaults, as one may be the cause.
func (l *learner) blame(err error) error {
	if !errors.Is(err, posterior.ErrDiverged) || l.changed == nil {
		return err
	}
	if changed := l.changed(); len(changed) > 0 {
		return fmt.Errorf("%w, or one of the options that were changed is the cause: %s", err, strings.Join(changed, ", "))
	}
	return err
}

func (l *learner) Learn(r bandit.Round, arm int, reward float64) error {
	context := r.Context
	if l.joint != nil {
		context, arm = l.joint.row(0, r, arm), 0
	}
	if err := l.posterior.Observe(context, arm, reward); err != nil || l.coverage == nil {
		return err
	}
	l.seen.Add(context)
	l.coverage.Add(context, arm, &l.seen)
	if l.ends {
		l.rewards.Add(reward)
		if l.rewards.N == 1 || reward > l.highest {
			l.highest = reward
		}
	}
	return nil
}

func (l *learner) EndRound(ctx context.Context, _ int) error {
	return l.blame(l.posterior.Update(ctx))
}

// Unwrap returns the posterior, so that bandit.As finds the interfaces that the posterior implements.
func (l *learner) Unwrap() any { return l.posterior }

// state saves or restores the posterior and the data of forced pulls. It fails if the posterior cannot be saved.
func (l *learner) state(c *state.Codec) {
	c.Any("the posterior", l.posterior)
	if l.coverage != nil {
		l.seen.State(c)
		c.Bools(l.seen.Number)
		l.coverage.State(c)
	}
	if l.ends {
		l.rewards.State(c)
		c.Float64In("highest reward", &l.highest, -math.MaxFloat64, math.MaxFloat64)
	}
}

// actOne returns the arm that p.ActBatch chooses in round r.
func actOne(p bandit.BatchActor, r bandit.Round) (int, error) {
	var arm [1]int
	err := p.ActBatch(arm[:], []bandit.Round{r})
	return arm[0], err
}

// seek replaces arms[i] by the arm whose pull is forced in round i, if there is one. A posterior.Explorer forces pulls
// itself, in place of the option cover_first. In a round without such a pull, the options cover_rim and cover_core may
// force one. If arms[i] is −1, no arm is chosen yet. The rounds must be those of the last call of predict.
func (l *learner) seek(arms []int, rounds []bandit.Round) error {
	explorer, ok := l.posterior.(posterior.Explorer)
	if !ok && l.coverage == nil {
		return nil
	}
	n := len(arms) * l.arms
	l.need = slices.Grow(l.need[:0], n)[:n]
	if ok {
		if err := explorer.Explore(l.need, l.contexts); err != nil {
			return err
		}
	} else {
		width := n / len(l.contexts) // the posterior's number of arms: 1 in the shared model
		for i, c := range l.contexts {
			l.coverage.Need(l.need[i*width:(i+1)*width], c, &l.seen, false)
		}
	}
	for i := range arms {
		arm, err := argmax(l.need[i*l.arms:(i+1)*l.arms], rounds[i].Available)
		if err != nil {
			return err
		}
		if l.need[i*l.arms+arm] > 0 {
			arms[i] = arm
		} else if l.ends {
			l.seekEnds(arms, i, rounds[i])
		}
	}
	return nil
}

// seekEnds is seek for cover_rim and cover_core: it replaces arms[i] if the context of round i is extreme and an arm
// has had too few pulls in such contexts. It keeps arms[i] if its value (the highest in round i if arms[i] is −1)
// exceeds mean + min(SD, highest − mean)/2 of the rewards so far: where a good arm is known, exploration gains little.
func (l *learner) seekEnds(arms []int, i int, r bandit.Round) {
	width := len(l.contexts) / len(arms) // contexts per round: in the shared model, one per arm
	values := l.values[i*l.arms : (i+1)*l.arms]
	arm := arms[i]
	if arm < 0 {
		arm, _ = argmax(values, r.Available)
	}
	if values[arm] > l.rewards.Mean+min(l.rewards.SD(), l.highest-l.rewards.Mean)/2 {
		return
	}
	for k, c := range l.contexts[i*width : (i+1)*width] {
		available := r.Available
		if width > 1 { // shared model: c is the context of arm k, and the posterior has one arm
			if !r.CanPull(k) {
				continue
			}
			available = nil
		}
		if arm := l.coverage.AtEnd(c, &l.seen, available); arm >= 0 {
			arms[i] = max(arm, k)
			return
		}
	}
}

// ask returns the predicted mean rewards, rounds × arms, valid until the next call. It sets arms[i] to the arm whose
// pull is forced in round i, or to −1 if there is none. It also calls setSpread.
func (l *learner) ask(arms []int, rounds []bandit.Round) ([]float64, error) {
	values, err := l.predict(rounds, posterior.Mean)
	if err != nil {
		return nil, err
	}
	for i := range arms {
		arms[i] = -1
	}
	if err := l.seek(arms, rounds); err != nil {
		return nil, err
	}
	return values, l.setSpread()
}

// setSpread sets l.spread to the standard deviations of the values of the last predict, if there is a spreader.
func (l *learner) setSpread() error {
	if l.spreader == nil {
		return nil
	}
	l.spread = slices.Grow(l.spread[:0], len(l.values))[:len(l.values)]
	return l.blame(l.spreader.Spread(l.spread, l.contexts))
}

// useSpread sets l.spreader to the posterior. If it has no Spread, the error names the policy's rule and the posterior.
func (l *learner) useSpread(rule, name string) (err error) {
	var ok bool
	if l.spreader, ok = l.posterior.(posterior.Spreader); !ok {
		err = fmt.Errorf("policy: %s over %s: it has no standard deviations of its values (posterior.Spreader)", rule, name)
	}
	return err
}

// predict returns the predicted rewards, rounds × arms, which belong to l and are valid until the next call.
func (l *learner) predict(rounds []bandit.Round, how posterior.Prediction) ([]float64, error) {
	l.setContexts(rounds)
	n := len(rounds) * l.arms
	l.values = slices.Grow(l.values[:0], n)[:n]
	if d, ok := l.posterior.(posterior.JointDrawer); ok && l.joint != nil && how == posterior.Draw {
		for i := 0; i < n; i += l.arms {
			if err := d.DrawJoint(l.values[i:i+l.arms], l.contexts[i:i+l.arms]); err != nil {
				return nil, l.blame(err)
			}
		}
		return l.values, nil
	}
	return l.values, l.blame(l.posterior.Predict(l.values, l.contexts, how))
}

// DrawRewards writes the values of all arms in all rounds, drawn from the posterior: see bandit.RewardDrawer.
func (l *learner) DrawRewards(dst []float64, rounds []bandit.Round, together bool) error {
	l.setContexts(rounds)
	joint, isJoint := l.posterior.(posterior.JointDrawer)
	samples, isSamples := l.posterior.(posterior.SampleDrawer)
	switch {
	case together && !isJoint && isSamples:
		return l.blame(samples.DrawSamples(dst, l.contexts))
	case together && !isJoint:
		return fmt.Errorf("policy: a draw of the posterior is for one context: %w", errors.ErrUnsupported)
	}
	for draw := range slices.Chunk(dst, len(rounds)*l.arms) {
		var err error
		if together {
			err = l.blame(joint.DrawJoint(draw, l.contexts))
		} else {
			var values []float64
			values, err = l.predict(rounds, posterior.Draw)
			copy(draw, values)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setContexts sets l.contexts to the posterior's contexts for the rounds.
func (l *learner) setContexts(rounds []bandit.Round) {
	if l.joint != nil {
		l.contexts = l.joint.contexts(rounds)
		return
	}
	l.contexts = l.contexts[:0]
	for _, r := range rounds {
		l.contexts = append(l.contexts, r.Context)
	}
}

// argmax returns the arm with the highest value among the available arms (nil: all), the first one in a tie, or −1 if
// no arm is available. The value NaN of an available arm is an error.
func argmax(values []float64, available []bool) (int, error) {
	best := -1
	for i, v := range values {
		switch {
		case available != nil && !available[i]:
		case math.IsNaN(v):
			return 0, fmt.Errorf("policy: the predicted reward of arm %d is not a number", i)
		case best < 0 || v > values[best]:
			best = i
		}
	}
	return best, nil
}
