package compare

import (
	"fmt"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
)

// Verdict is a plain sentence or two: which policy has the lowest expected regret, and
// how sure that is.
func Verdict(set *results.Set) string {
	c, err := Compare(set, "", Expected)
	if err != nil { // no trial did all its rounds
		return "No trial did all its rounds, so there is no best policy: see the failures."
	}
	var b strings.Builder
	s := Summarise(set)
	best := s.Policies[0]
	n := best.Expected.All.N
	on := ""
	if set.Conditions.Environment.Data.Replica {
		on = " on the replica of the data, a stand-in"
	}
	has := "has the lowest expected regret"
	if len(s.Policies) == 1 {
		has = "has an expected regret of"
		fmt.Fprintf(&b, "%s %s %s over %s%s", words.Plain(best.Policy), has, best.Expected.All.String(), words.Count(n, "seed"), on)
	} else {
		fmt.Fprintf(&b, "%s %s%s, %s over %s", words.Plain(best.Policy), has, on, best.Expected.All.String(), words.Count(n, "seed"))
	}
	second := secondBest(c, s)
	switch {
	case n == 1:
		b.WriteString(", but one seed cannot tell luck from skill: try --seeds 1..10.")
	case second == nil && len(s.Policies) == 1:
		b.WriteString(".")
	case second == nil:
		b.WriteString("; no other policy finished a trial.")
	case second.Mean.N < 2:
		fmt.Fprintf(&b, "; it shares %s with the second, %s: too few to compare them.", words.Count(second.Mean.N, "seed"), words.Plain(second.Policy))
	default:
		sure := "significant"
		if !second.Significant() {
			sure = "not significant"
		}
		fmt.Fprintf(&b, "; the difference to the second, %s, is %s %s: %s (p %s, Holm).",
			words.Plain(second.Policy), second.Mean.MeanText(), second.Mean.Interval(), sure, equals(second.Holm))
		if n := second.Mean.N; n < MinSeeds {
			fmt.Fprintf(&b, " %s are few: try --seeds 1..10.", words.Count(n, "seed"))
		}
	}
	return b.String()
}

// secondBest is the difference of the policy that comes second in the summary.
func secondBest(c *Comparison, s *Summary) *Difference {
	if len(s.Policies) < 2 || s.Policies[1].Expected.All.N == 0 {
		return nil
	}
	for i := range c.Differences {
		if c.Differences[i].Policy == s.Policies[1].Policy {
			return &c.Differences[i]
		}
	}
	return nil
}

// equals is "= 0.092" or "< 0.001".
func equals(p float64) string {
	s := words.PValue(p)
	if strings.HasPrefix(s, "<") {
		return s
	}
	return "= " + s
}
