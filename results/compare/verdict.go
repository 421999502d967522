package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
)

// AddVerdict sets Ranks and Verdict.
func (s *Summary) AddVerdict(set *results.Set) {
	c := byFirst(set)
	if s.Verdict = c.verdict(set); c != nil {
		s.Ranks = c.Ranks
	}
}

// AddVerdict sets Verdict. It compares again unless c is by the first of Metrics with the default options.
func (c *Comparison) AddVerdict(set *results.Set) {
	o := DefaultOptions(set)
	o.Metric, o.Baseline = Metrics[0], c.Baseline
	if c.BaselinePicked && c.Options == o {
		c.Verdict = c.verdict(set)
	} else {
		c.Verdict = Verdict(set)
	}
}

// Verdict returns a sentence or two: which policy has the lowest regret by the first of Metrics, and
// whether the difference to the second is significant; then the warnings of the best.
func Verdict(set *results.Set) string { return byFirst(set).verdict(set) }

// byFirst returns the comparison by the first of Metrics, or nil if no trial did all its rounds.
func byFirst(set *results.Set) *Comparison {
	o := DefaultOptions(set)
	o.Metric = Metrics[0]
	c, err := Compare(set, o)
	if err != nil {
		return nil
	}
	return c
}

func (c *Comparison) verdict(set *results.Set) string {
	if c == nil {
		return "No trial did all its rounds, so there is no best policy: see the failures."
	}
	m := Metrics[0]
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
		fmt.Fprintf(&b, ", but one seed cannot tell luck from skill: try --seeds %s.", MoreSeeds(s.Policies[0].Seeds))
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
			fmt.Fprintf(&b, " %s are few: try --seeds %s.", words.Count(n, "seed"), MoreSeeds(s.Policies[0].Seeds))
		}
	}
	for _, w := range s.Warnings {
		if w.Policy == s.Policies[0].Policy {
			fmt.Fprintf(&b, " Warning: %s.", words.Plain(w.Message))
		}
	}
	return b.String()
}

// MoreSeeds returns the ten seeds from the lowest of some, as --seeds takes them.
func MoreSeeds(seeds []uint64) string {
	first := min(slices.Min(seeds), math.MaxUint64-9)
	return fmt.Sprintf("%d..%d", first, first+9)
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
