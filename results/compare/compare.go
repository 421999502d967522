package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Comparison sets policies against a baseline, paired by seed: policies of one
// seed meet the same contexts and the same luck, so that differences vary less than
// the regrets themselves.
type Comparison struct {
	Conditions results.Conditions   `json:"setting"`
	Metric     Metric               `json:"metric"`
	Interval   stats.IntervalMethod `json:"interval"` // of the differences
	// From and To are the first and the last round whose regret is compared.
	From     int    `json:"from_round"`
	To       int    `json:"to_round"`
	Baseline string `json:"baseline"`
	// BaselinePicked tells that the baseline was not named, but picked for its low
	// mean regret.
	BaselinePicked bool `json:"baseline_picked"`
	// Tests is the size of the family that Holm's correction is for: the differences that
	// have a test. Where the baseline was picked it is that of all pairs of policies, as any
	// could have been picked: with the differences alone, one of six equal policies is found
	// different in 8 to 10 % of cases instead of 5 % (TestFalsePositives).
	Tests       int          `json:"tests"`
	Differences []Difference `json:"differences"` // of all other policies, the smallest first
	// Ranks are over the seeds in which all policies finished (CommonSeeds), the
	// best first; empty if there are none.
	Ranks       []Rank    `json:"ranks"`
	CommonSeeds []uint64  `json:"common_seeds"`
	Warnings    []Warning `json:"warnings"`
}

// Compare compares all policies with the baseline, a policy's label, and gives
// t-intervals; "" picks the policy with the lowest mean regret. Where no trial did all
// its rounds the error is ErrNoneFinished.
func Compare(set *results.Set, baseline string, metric Metric) (*Comparison, error) {
	return CompareBy(set, baseline, metric, stats.StudentT)
}

// CompareBy is Compare with another method of making intervals. BCa with fewer than
// MinBCaPairs pairs is an error.
func CompareBy(set *results.Set, baseline string, metric Metric, interval stats.IntervalMethod) (*Comparison, error) {
	return CompareRounds(set, baseline, metric, interval, 1, set.Conditions.Protocol.Rounds)
}

// CompareRounds is CompareBy of the regret in the rounds from … to alone, counted from 1,
// both among them. Unless they are all rounds it reads the trial files; one that turns out to be
// damaged is a Damaged.
func CompareRounds(set *results.Set, baseline string, metric Metric, interval stats.IntervalMethod, from, to int) (*Comparison, error) {
	if _, err := stats.ParseIntervalMethod(string(interval)); err != nil {
		return nil, err
	}
	if _, err := ParseMetric(string(metric)); err != nil {
		return nil, err
	}
	if rounds := set.Conditions.Protocol.Rounds; from < 1 || to < from || to > rounds {
		return nil, fmt.Errorf("compare: rounds %d to %d, want 1 ≤ from ≤ to ≤ %d", from, to, rounds)
	}
	policies, err := finished(set, metric, from, to)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	base, err := findBaseline(policies, baseline)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	c := &Comparison{
		Conditions: set.Conditions, Metric: metric, Interval: interval, From: from, To: to, Baseline: base.label, BaselinePicked: baseline == "",
		Ranks: []Rank{}, CommonSeeds: []uint64{}, Warnings: []Warning{},
	}
	c.test(policies, base)
	for i := range c.Differences {
		d := &c.Differences[i]
		if n := d.Mean.N; interval == stats.BCa && 0 < n && n < stats.MinBCaPairs {
			return nil, fmt.Errorf("compare: interval bca: %s and %s have %s in common, want at least %d: of fewer, BCa intervals hold the true difference too rarely: take t or bootstrap-t",
				words.Plain(d.Policy), words.Plain(base.label), words.Count(n, "seed"), stats.MinBCaPairs)
		}
		d.finish(interval)
	}
	c.rank(policies)
	c.warn(set)
	return c, nil
}

// test fills Differences and Tests.
func (c *Comparison) test(policies []regretBySeed, base regretBySeed) {
	family := []Difference{} // [] in JSON
	for _, other := range policies {
		if other.label != base.label {
			family = append(family, other.less(base))
		}
	}
	differences := len(family)
	if c.BaselinePicked {
		for i, p := range policies {
			for _, q := range policies[:i] {
				if p.label != base.label && q.label != base.label {
					family = append(family, p.less(q))
				}
			}
		}
	}
	c.Tests = correct(family)
	c.Differences = family[:differences:differences]
	slices.SortStableFunc(c.Differences, func(a, b Difference) int {
		x, y := a.Mean.Mean, b.Mean.Mean
		return cmp.Or(cmp.Compare(rankNaN(x), rankNaN(y)), cmp.Compare(x, y))
	})
}

// regretBySeed is a policy's regret in the trials that did all their rounds.
type regretBySeed struct {
	label string
	seeds []uint64 // sorted
	total map[uint64]float64
}

func finished(set *results.Set, metric Metric, from, to int) ([]regretBySeed, error) {
	policies := make([]regretBySeed, len(set.Policies))
	for i, p := range set.Policies {
		policies[i] = regretBySeed{label: p.Label, total: make(map[uint64]float64, len(p.Records))}
		for _, t := range p.Records {
			if t.Totals.Failure != nil {
				continue
			}
			total := metric.total(t.Totals)
			if from > 1 || to < set.Conditions.Protocol.Rounds {
				var err error
				if total, err = regretBetween(t, metric, from, to); err != nil {
					return nil, results.Damaged{Path: t.Path, Err: err}
				}
			}
			policies[i].seeds = append(policies[i].seeds, t.Seed)
			policies[i].total[t.Seed] = total
		}
	}
	return policies, nil
}

// mean is NaN without a finished trial.
func (r regretBySeed) mean() float64 {
	var m stats.Moments
	for _, seed := range r.seeds {
		m.Add(r.total[seed])
	}
	return m.Estimate().Mean
}

// findBaseline returns the policy of that label or, for "", the best.
func findBaseline(policies []regretBySeed, label string) (regretBySeed, error) {
	labels := make([]string, len(policies))
	var best *regretBySeed
	for i := range policies {
		p := &policies[i]
		labels[i] = p.label
		if p.label == label {
			return *p, nil
		}
		if len(p.seeds) > 0 && (best == nil || p.mean() < best.mean()) {
			best = p
		}
	}
	switch {
	case label != "":
		return regretBySeed{}, unknownPolicy(label, labels)
	case best == nil:
		return regretBySeed{}, ErrNoneFinished
	}
	return *best, nil
}

func unknownPolicy(label string, known []string) error {
	return fmt.Errorf("unknown policy %q%s: the folder has %s", label, nearest.DidYouMean(label, known), strings.Join(known, ", "))
}
