// Package compare summarizes the trials of a set over seeds and compares policies seed by seed.
//
// Regret is in units of reward; lower is better. Expected and realised regret are reported ([Metrics]); comparisons use
// expected regret by default, as it is free of the rewards' noise. Comparisons are paired by seed, as policies with the
// same seed meet the same contexts and the same noise. Differences are tested twice, by the paired t-test and by the
// sign-flip test ([Difference]). p-values are corrected for the number of tests, which includes those of all pairs of
// policies if the baseline was picked for its low mean ([Comparison]). Failed trials are listed, but left out of means.
package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// Options are the options of a comparison.
type Options struct {
	Metric   *Metric              `json:"metric"`
	Interval stats.IntervalMethod `json:"interval"` // how the intervals of differences are computed
	// From and To are the first and the last round whose regret is compared, from 1.
	From     int    `json:"from_round"`
	To       int    `json:"to_round"`
	Baseline string `json:"baseline"` // label of a policy; "" picks the one with the lowest mean regret
}

// DefaultOptions returns the options of a comparison with the best policy: expected regret, all rounds, t-intervals.
func DefaultOptions(set *results.Set) Options {
	return Options{Metric: Expected(), Interval: stats.StudentT, From: 1, To: set.Conditions.Protocol.Rounds}
}

// A Comparison has the regret of every policy minus that of a baseline, paired by seed to reduce the variance.
type Comparison struct {
	Conditions results.Conditions
	Options    // Baseline is always set
	// BaselinePicked is true if the baseline was not named, but picked for its low mean regret.
	BaselinePicked bool
	// Tests is the number of tests for which Holm's method corrects: one per difference over at least MinSeeds seeds. If
	// the baseline was picked, the differences of all pairs of policies count, as any could have been picked. With those
	// from the baseline alone, six equal policies seem to differ in 8 to 10 % of cases, not 5 % (TestFalsePositives).
	Tests       int
	Differences []Difference // one per policy except the baseline, the smallest first
	// Ranks are over the seeds that all policies finished (CommonSeeds), the best first; empty if there is no such seed.
	Ranks       []Rank
	CommonSeeds []uint64
	Parameters  Parameters
	Constant    *Constant // best constant arm of the environment, nil if no sidecar has it
	// Sentences state the findings. If the baseline was picked, by the Primary metric over all rounds, they name the best
	// policy. Otherwise they name the policies that differ from the baseline.
	Sentences []string
	Warnings  []Warning
	// Intervals is the number of intervals that hold at once with stats.Simultaneous: one per difference over at least two
	// seeds. If the baseline was picked, the differences of all pairs of policies count.
	Intervals int

	policies []regretBySeed
}

// Compare compares all policies of a set with the baseline. Only if the options leave out rounds, it reads the trial
// files; the error is a results.Damaged if one is damaged. If all trials failed, the error is ErrNoneFinished. BCa
// intervals of fewer than stats.MinBCaPairs pairs are an error.
func Compare(set *results.Set, o Options) (*Comparison, error) {
	if _, err := stats.ParseIntervalMethod(string(o.Interval)); err != nil {
		return nil, err
	}
	if o.Metric == nil {
		return nil, errors.New("compare: no metric")
	}
	if rounds := set.Conditions.Protocol.Rounds; o.From < 1 || o.To < o.From || o.To > rounds {
		return nil, fmt.Errorf("compare: rounds %d to %d, want 1 ≤ from ≤ to ≤ %d", o.From, o.To, rounds)
	}
	c := &Comparison{Conditions: set.Conditions, Options: o, Ranks: []Rank{}, Parameters: NewParameters(set), Constant: newConstant(set)}
	var err error
	if c.policies, err = finished(set, o); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	c.rank()
	return c.With(set, o.Baseline)
}

// With is Compare for another baseline. It takes the ranks, which do not depend on the baseline, from c.
func (c *Comparison) With(set *results.Set, baseline string) (*Comparison, error) {
	base, err := findBaseline(c.policies, baseline)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	with := *c
	c = &with
	c.Baseline, c.BaselinePicked, c.Warnings = base.label, baseline == "", []Warning{}
	c.test(base)
	for i := range c.Differences {
		d := &c.Differences[i]
		if n := d.Mean.N; c.Interval == stats.BCa && 0 < n && n < stats.MinBCaPairs {
			return nil, fmt.Errorf("compare: interval bca: %s and %s have %s in common, want at least %d: of fewer, BCa intervals hold the true difference too rarely: take t or bootstrap-t",
				words.Plain(d.Policy), words.Plain(c.Baseline), words.Count(n, "seed"), stats.MinBCaPairs)
		}
		d.Mean.Low, d.Mean.High = c.Interval.Of(d.Values, c.Intervals)
	}
	c.warn(set)
	c.setSentences(set)
	return c, nil
}

// test sets Tests and Intervals, and Differences with corrected p-values.
func (c *Comparison) test(base regretBySeed) {
	family := []Difference{} // not nil, so that JSON has []
	for _, other := range c.policies {
		if other.label != base.label {
			family = append(family, other.minus(base))
		}
	}
	differences := len(family)
	for i, p := range c.policies {
		for _, q := range c.policies[:i] {
			if c.BaselinePicked && p.label != base.label && q.label != base.label {
				family = append(family, p.minus(q))
			}
		}
	}
	c.Tests, c.Intervals = correct(family)
	c.Differences = family[:differences]
	slices.SortStableFunc(c.Differences, func(a, b Difference) int { return compareMeans(a.Mean, b.Mean) })
}

// regretBySeed is a policy's regret in the trials that played all their rounds.
type regretBySeed struct {
	label string
	seeds []uint64           // sorted
	total map[uint64]float64 // regret by seed
	mean  float64            // mean of total; NaN if it is empty
}

// finished returns the regret of each policy of the set, in the rounds and by the metric of o.
func finished(set *results.Set, o Options) ([]regretBySeed, error) {
	policies := make([]regretBySeed, len(set.Policies))
	for i, p := range set.Policies {
		policies[i] = regretBySeed{label: p.Label, total: make(map[uint64]float64, len(p.Records))}
		var m stats.Moments
		err := results.InOrder(results.Finished(p.Records), func(rec results.Record) (float64, error) {
			if o.From == 1 && o.To == set.Conditions.Protocol.Rounds {
				return o.Metric.Total(rec.Totals), nil
			}
			t, err := trace(rec, []int{o.From - 1, o.To}, o.Metric)
			if err != nil {
				return 0, err
			}
			return t.Regret[0][1], nil
		}, func(rec results.Record, total float64) {
			policies[i].seeds = append(policies[i].seeds, rec.Seed)
			policies[i].total[rec.Seed] = total
			m.Add(total)
		})
		if err != nil {
			return nil, err
		}
		policies[i].mean = m.Estimate().Mean
	}
	return policies, nil
}

// findBaseline returns the policy with the given label, or for "" the policy with the lowest mean regret.
func findBaseline(policies []regretBySeed, label string) (regretBySeed, error) {
	labels := lists.Each(policies, func(p regretBySeed) string { return p.label })
	i := slices.Index(labels, label)
	if label != "" && i < 0 {
		return regretBySeed{}, nearest.Unknown("no policy compared is named", label, labels)
	}
	best := slices.MinFunc(policies, byMean)
	switch {
	case len(best.seeds) == 0:
		return best, ErrNoneFinished
	case label == "":
		return best, nil
	}
	return policies[i], nil
}

// byMean orders policies by their mean, with NaN last.
func byMean(a, b regretBySeed) int { return cmp.Compare(-b.mean, -a.mean) }
