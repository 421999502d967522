package bandit

import "math"

// A PullRecord is one pull. Rewards are in units of reward.
type PullRecord struct {
	Round, T int // the round and the number of the pull, from 1
	Row      int // data row of the context, or −1
	Arm      int
	Reward   float64 // received
	Expected float64 // expected reward of the arm
	Best     float64 // highest expected reward
	// Propensity is the probability with which the arm was chosen: in burn-in that of the protocol, then that of a
	// Randomizer; NaN if it is unknown.
	Propensity float64
}

// A PullRecorder receives each pull, in order and before its round's record. The pull is valid during the
// call only.
type PullRecorder interface {
	RecordPull(*PullRecord) error
}

// RecordPulls makes the trial record its pulls, from the next round on. A policy that is a Randomizer then acts on
// the pulls of a round one by one, with the same result. The numbers of the trial do not change.
func (t *Trial) RecordPulls(to PullRecorder) {
	t.pullsTo = to
	t.propensity = make([]float64, len(t.arms))
	t.probabilities = make([]float64, len(t.spec.Arms))
}

// actWithPropensities acts on pulls one by one and notes the probability of each choice. It reports false, having done
// nothing but to note that the probabilities are unknown, if pulls are not recorded or the policy does not know them.
func (t *Trial) actWithPropensities(random int) (bool, error) {
	if t.pullsTo == nil {
		return false, nil
	}
	for i := range t.propensity {
		switch {
		case i >= random:
			t.propensity[i] = math.NaN()
		case t.pulls+i < t.protocol.Initial*len(t.spec.Arms):
			t.propensity[i] = 1
		default:
			t.propensity[i] = 1 / float64(len(t.spec.Arms))
		}
	}
	p, ok := t.policy.(Randomizer)
	if _, knowing := t.policy.(OutcomeActor); !ok || knowing {
		return false, nil
	}
	for i := random; i < len(t.arms); i++ {
		if err := p.Propensities(t.probabilities, t.rounds[i]); err != nil {
			return true, err
		}
		arm, err := t.policy.Act(t.rounds[i])
		if err != nil {
			return true, err
		}
		t.arms[i] = arm
		if arm >= 0 && arm < len(t.probabilities) {
			t.propensity[i] = t.probabilities[arm]
		}
	}
	return true, nil
}

// recordPull gives pull i of t.rounds to the recorder of pulls, if there is one.
func (t *Trial) recordPull(i int, best float64) error {
	if t.pullsTo == nil {
		return nil
	}
	r, o, arm := t.rounds[i], t.outcomes[i], t.arms[i]
	return t.pullsTo.RecordPull(&PullRecord{Round: t.record.Round, T: r.T, Row: r.Row, Arm: arm,
		Reward: o.Reward[arm], Expected: o.Mean[arm], Best: best, Propensity: t.propensity[i]})
}
