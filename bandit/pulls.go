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

// RecordPulls makes the trial call record with each pull from the next round on, in order and before the round's
// record; a pull is valid during the call only. A policy that is a Randomizer then acts on the pulls of a round one
// by one, with the same result. The numbers of the trial do not change.
func (t *Trial) RecordPulls(record func(*PullRecord) error) {
	t.recordPulls = record
	t.propensity = make([]float64, len(t.arms))
	t.probabilities = make([]float64, len(t.spec.Arms))
}

// notePropensities notes the probabilities of the first pulls of a round, which the protocol chooses, and that those of
// the others are unknown.
func (t *Trial) notePropensities(initial, random int) {
	for i := range t.propensity {
		switch {
		case i >= random:
			t.propensity[i] = math.NaN()
		case t.pulls+i < initial:
			t.propensity[i] = 1
		default:
			t.propensity[i] = 1 / float64(len(t.spec.Arms))
		}
	}
}

// recordPull gives pull i of t.rounds to the recorder of pulls, if there is one.
func (t *Trial) recordPull(i int, best float64) error {
	if t.recordPulls == nil {
		return nil
	}
	r, o, arm := t.rounds[i], t.outcomes[i], t.arms[i]
	return t.recordPulls(&PullRecord{Round: t.record.Round, T: r.T, Row: r.Row, Arm: arm,
		Reward: o.Reward[arm], Expected: o.Mean[arm], Best: best, Propensity: t.propensity[i]})
}
