package compare

import (
	"fmt"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
)

// AddVerdict sets Ranks and Verdict.
func (s *Summary) AddVerdict(set *results.Set) {
	s.Verdict = Verdict(set)
	o := DefaultOptions(set)
	o.Metric = Metrics[0]
	if c, err := Compare(set, o); err == nil { // else no trial did all its rounds
		s.Ranks = c.Ranks
	}
}

// Verdict returns a sentence or two: which policy has the lowest regret by the first of Metrics, and
// whether the difference to the second is significant; then the warnings of the best.
func Verdict(set *results.Set) string {
	m := Metrics[0]
	o := DefaultOptions(set)
	o.Metric = m
	c, err := Compare(set, o)
	if err != nil { // no trial did all its rounds
		return "No trial did all its rounds, so there is no best policy: see the failures."
	}
	var b strings.Builder
	s := Totals(set)
	best, regret := words.Plain(s.Policies[0].Policy), s.Policies[0].Regret[m].All
	replica := ""
	if set.Conditions.Environment.Data.Replica {
		replica = " on the replica of the data, a stand-in"
	}
	spread := ""
	if r := s.Policies[0].Regret[m]; regret.N > 2 {
		spread = fmt.Sprintf(" (median %s, worst %s on seed %d)", words.Amount(float64(r.Median)), words.Amount(r.Worst.Regret), r.Worst.Seed)
	}
	if len(s.Policies) == 1 {
		fmt.Fprintf(&b, "%s has an %s regret of %s over %s%s%s", best, m, regret, words.Count(regret.N, "seed"), spread, replica)
	} else {
		fmt.Fprintf(&b, "%s has the lowest %s regret%s, %s over %s%s", best, m, replica, regret, words.Count(regret.N, "seed"), spread)
	}
	second := secondBest(c, s)
	switch {
	case regret.N == 1:
		b.WriteString(", but one seed cannot tell luck from skill: try --seeds 1..10.")
	case second == nil && len(s.Policies) == 1:
		b.WriteString(".")
	case second == nil:
		b.WriteString("; no other policy finished a trial.")
	case second.Mean.N < 2:
		fmt.Fprintf(&b, "; it shares %s with the second, %s: too few to compare them.", words.Count(second.Mean.N, "seed"), words.Plain(second.Policy))
	default:
		significant := "significant"
		if !second.Significant() {
			significant = "not significant"
		}
		p := words.PValue(second.Holm)
		if !strings.HasPrefix(p, "<") {
			p = "= " + p
		}
		fmt.Fprintf(&b, "; the difference to the second, %s, is %s %s: %s (p %s, Holm).",
			words.Plain(second.Policy), second.Mean.MeanText(), second.Mean.Interval(), significant, p)
		if n := second.Mean.N; n < MinSeeds {
			fmt.Fprintf(&b, " %s are few: try --seeds 1..10.", words.Count(n, "seed"))
		}
	}
	for _, w := range s.Warnings {
		if w.Policy == s.Policies[0].Policy {
			fmt.Fprintf(&b, " Warning: %s.", words.Plain(w.Message))
		}
	}
	return b.String()
}

// secondBest returns the difference of the second policy of the summary, or nil if it finished no
// trial.
func secondBest(c *Comparison, s *Summary) *Difference {
	if len(s.Policies) < 2 || len(s.Policies[1].Seeds) == 0 {
		return nil
	}
	for i := range c.Differences {
		if c.Differences[i].Policy == s.Policies[1].Policy {
			return &c.Differences[i]
		}
	}
	return nil
}
