package compare

import (
	"fmt"
	"math"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Judgment is the outcome of a threshold.
type Judgment struct {
	Threshold Threshold
	Estimate  stats.Estimate // value of the threshold's left side, over the seeds
	Met       bool
	Why       string // why it is not met, if no mean can be compared
}

// Judge compares a threshold with the trials of a set. find returns the policy that a
// term names, or nil. The second of two terms is subtracted seed by seed, over the
// seeds that both have. A threshold is missed if a trial of its policies failed, as failed trials are
// in no mean.
func (t Threshold) Judge(set *results.Set, find func(label string) *results.PolicyRecords) Judgment {
	j := Judgment{Threshold: t, Estimate: new(stats.Moments).Estimate()}
	sides := make([]map[uint64]float64, len(t.Terms))
	for i, term := range t.Terms {
		p := find(term.Policy)
		switch {
		case p == nil:
			j.Why = fmt.Sprintf("there is no trial of %s", words.Plain(term.Policy))
			return j
		case len(Failed(p.Records)) > 0:
			j.Why = fmt.Sprintf("%s: %s", words.Plain(term.Policy), Failed(p.Records))
			return j
		case term.AfterBurnIn && set.Conditions.Protocol.AfterBurnIn() > set.Conditions.Protocol.Rounds:
			j.Why = "no round follows burn-in"
			return j
		}
		sides[i] = make(map[uint64]float64, len(p.Records))
		for _, rec := range p.Records {
			sides[i][rec.Seed] = term.value(rec.Totals)
		}
	}
	var m stats.Moments
	for _, rec := range find(t.Terms[0].Policy).Records { // Records are sorted by seed
		v := sides[0][rec.Seed]
		if len(sides) == 2 {
			second, ok := sides[1][rec.Seed]
			if !ok {
				continue
			}
			v -= second
		}
		m.Add(v)
	}
	if j.Estimate = m.Estimate(); j.Estimate.N == 0 {
		j.Why = "the two policies share no seed"
		return j
	}
	j.Met = t.holds(j.Estimate.Mean)
	return j
}

// holds reports whether v is on the right side of the limit; NaN is not.
func (t Threshold) holds(v float64) bool {
	switch t.op {
	case "<":
		return v < t.limit
	case "<=":
		return v <= t.limit
	case ">":
		return v > t.limit
	case ">=":
		return v >= t.limit
	}
	return false
}

// String returns a line such as "regret(pSGLD) < 4000: 3,811 ± 210 over 6 seeds: met".
func (j Judgment) String() string {
	if e := j.Threshold.Environment; e != "" {
		j.Threshold.Environment = ""
		return words.Plain(e) + ": " + j.String()
	}
	verdict := "missed"
	if j.Met {
		verdict = "met"
	}
	found := j.Why
	if found == "" {
		value := j.Estimate.String()
		// Where rounding hides on which side of the limit the mean is, all digits are shown.
		if mean := j.Estimate.Mean; math.Abs(mean-j.Threshold.limit) < 1e-3*math.Max(1, math.Abs(mean)) {
			value = fmt.Sprintf("%s (mean %s)", value, words.Exact(mean))
		}
		found = fmt.Sprintf("%s over %s", value, words.Count(j.Estimate.N, "seed"))
	}
	return fmt.Sprintf("%s: %s: %s", words.Plain(j.Threshold.Text), found, verdict)
}
