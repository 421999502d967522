package bandit

// A PullRecord is one pull. Rewards are in units of reward.
type PullRecord struct {
	Round, T int // numbers of the round and of the pull, from 1
	Row      int // data row of the context, or −1
	Arm      int
	Reward   float64 // reward received
	Expected float64 // expected reward of the arm
	Best     float64 // highest expected reward of any arm
	// Propensity is the probability with which the arm was chosen: by the protocol in burn-in, by the policy later.
	// It is NaN if the policy is not a Randomizer.
	Propensity float64
}

// RecordPulls makes the trial call record with each pull from the next round on, in order and before the record of
// the round. The PullRecord is valid only during the call. The trial then asks a Randomizer for its propensities and
// lets it act on one pull at a time, not on all of a round. The results of the trial do not change.
func (t *Trial) RecordPulls(record func(*PullRecord) error) {
	t.recordPulls = record
}

// recordPull passes pull i of t.rounds to the function of RecordPulls, if there is one.
func (t *Trial) recordPull(i int, best float64) error {
	if t.recordPulls == nil {
		return nil
	}
	r, o, arm := t.rounds[i], t.outcomes[i], t.arms[i]
	return t.recordPulls(&PullRecord{Round: t.record.Round, T: r.T, Row: r.Row, Arm: arm,
		Reward: o.Reward[arm], Expected: o.Mean[arm], Best: best, Propensity: t.propensity[i]})
}
