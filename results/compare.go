package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/nearest"
)

// A Comparison sets policies against a baseline, paired by seed: policies of one
// seed meet the same contexts and the same luck, so that differences vary less than
// the regrets themselves.
type Comparison struct {
	Setting     Setting      `json:"setting"`
	Metric      Metric       `json:"metric"`
	Baseline    string       `json:"baseline"`
	Differences []Difference `json:"differences"` // of all other policies, the smallest first
	// Ranks are over the seeds in which all policies finished (CommonSeeds), the
	// best first; empty if there are none.
	Ranks       []Rank    `json:"ranks"`
	CommonSeeds []uint64  `json:"common_seeds"`
	Warnings    []Warning `json:"warnings"`
}

// A Difference is a policy's regret less the baseline's, over the seeds that both
// finished: positive where the baseline is better.
type Difference struct {
	Policy string
	Seeds  []uint64 // of the pairs
	Mean   Estimate
	// P is the two-sided p-value of the paired t-test, Holm the same corrected
	// for the number of differences; NaN (null in JSON) for fewer than two seeds.
	P, Holm float64
}

// Significant tells whether luck is an unlikely reason of the difference.
func (d Difference) Significant() bool { return d.Holm < Significance }

// MarshalJSON writes null for what cannot be had.
func (d Difference) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Policy      string   `json:"policy"`
		Seeds       []uint64 `json:"seeds"`
		Difference  Estimate `json:"difference"`
		P           *float64 `json:"p"`
		Holm        *float64 `json:"p_holm"`
		Significant bool     `json:"significant"`
	}{d.Policy, d.Seeds, d.Mean, orNull(d.P), orNull(d.Holm), d.Significant()})
}

// A Rank is how a policy stood among all, seed by seed: 1 is the lowest regret, and
// equals share the mean of their places.
type Rank struct {
	Policy string  `json:"policy"`
	Mean   float64 `json:"mean_rank"`
	Best   int     `json:"best"` // seeds in which none was lower
}

// Compare compares all policies with the baseline, a policy's label; "" takes
// the one with the lowest mean regret. Where no trial did all its rounds the error
// is ErrNoneFinished.
func Compare(set *Set, baseline string, metric Metric) (*Comparison, error) {
	if _, err := ParseMetric(string(metric)); err != nil {
		return nil, err
	}
	c := &Comparison{Setting: set.Setting, Metric: metric, Differences: []Difference{}, Ranks: []Rank{}, CommonSeeds: []uint64{}, Warnings: []Warning{}}
	policies := finished(set, metric)
	base, err := findBaseline(policies, baseline)
	if err != nil {
		return nil, fmt.Errorf("results: compare: %w", err)
	}
	c.Baseline = base.label
	var p []float64
	for _, other := range policies {
		if other.label != base.label {
			d := other.less(base)
			c.Differences = append(c.Differences, d)
			p = append(p, d.P)
		}
	}
	for i, corrected := range holm(p) {
		c.Differences[i].Holm = corrected
	}
	slices.SortStableFunc(c.Differences, func(a, b Difference) int {
		x, y := a.Mean.Mean, b.Mean.Mean
		return cmp.Or(cmp.Compare(rankNaN(x), rankNaN(y)), cmp.Compare(x, y))
	})
	c.rank(policies)
	c.warn(set, base)
	return c, nil
}

// regretBySeed is a policy's regret in the trials that did all their rounds.
type regretBySeed struct {
	label string
	seeds []uint64 // sorted
	total map[uint64]float64
}

func finished(set *Set, metric Metric) []regretBySeed {
	policies := make([]regretBySeed, len(set.Policies))
	for i, p := range set.Policies {
		policies[i] = regretBySeed{label: p.Label, total: make(map[uint64]float64, len(p.Trials))}
		for _, t := range p.Trials {
			if t.Totals.Failure == nil {
				policies[i].seeds = append(policies[i].seeds, t.Seed)
				policies[i].total[t.Seed] = metric.total(t.Totals)
			}
		}
	}
	return policies
}

// mean is NaN without a finished trial.
func (r regretBySeed) mean() float64 {
	var m moments
	for _, seed := range r.seeds {
		m.add(r.total[seed])
	}
	return m.estimate().Mean
}

// less returns r − base, seed by seed. Holm is left for the family.
func (r regretBySeed) less(base regretBySeed) Difference {
	d := Difference{Policy: r.label, Seeds: []uint64{}}
	var m moments
	for _, seed := range r.seeds {
		if b, ok := base.total[seed]; ok {
			d.Seeds = append(d.Seeds, seed)
			m.add(r.total[seed] - b)
		}
	}
	d.Mean = m.estimate()
	d.P = d.Mean.pValue()
	return d
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

// rank fills Ranks and CommonSeeds.
func (c *Comparison) rank(policies []regretBySeed) {
	for _, seed := range policies[0].seeds {
		if !slices.ContainsFunc(policies, func(p regretBySeed) bool { _, ok := p.total[seed]; return !ok }) {
			c.CommonSeeds = append(c.CommonSeeds, seed)
		}
	}
	if len(c.CommonSeeds) == 0 {
		return
	}
	for _, p := range policies {
		r := Rank{Policy: p.label}
		for _, seed := range c.CommonSeeds {
			lower, equal := 0, 0 // equal counts p itself
			for _, other := range policies {
				switch v := other.total[seed]; {
				case v < p.total[seed]:
					lower++
				case v == p.total[seed]:
					equal++
				}
			}
			r.Mean += float64(lower) + float64(equal+1)/2
			if lower == 0 {
				r.Best++
			}
		}
		r.Mean /= float64(len(c.CommonSeeds))
		c.Ranks = append(c.Ranks, r)
	}
	slices.SortStableFunc(c.Ranks, func(a, b Rank) int { return cmp.Compare(a.Mean, b.Mean) })
}
