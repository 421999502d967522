package page

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
	"banditsim/results/stats"
)

// compare sets Verdict and Comparisons, of the picked baseline, and Data.Compared, from which the scripts compute those of any
// other.
func (v *environmentView) compare(set *results.Set, summary *compare.Summary, styles map[string]int) error {
	data := newCompared(set, summary, styles)
	for _, m := range compare.Metrics {
		o := compare.DefaultOptions(set)
		o.Metric = m
		c, err := compare.Compare(set, o)
		if errors.Is(err, compare.ErrNoneFinished) {
			v.Verdict = compare.Verdict(set)
			return nil
		}
		if err != nil {
			return fmt.Errorf("page: %w", err)
		}
		if m == compare.Metrics[0] {
			c.AddVerdict(set)
			v.Verdict = c.Verdict
		}
		if len(c.Differences) == 0 {
			return nil
		}
		t := newTableView(report.ComparisonTable(c), styles)
		t.draw(c)
		v.Comparisons = append(v.Comparisons, comparisonView{m, t})
		data.add(c)
	}
	v.Data.Compared = data
	return v.anytime(set, styles)
}

// maxAnytime is the number of policies up to which the page has the anytime intervals of all pairs.
const maxAnytime = 12

// anytime sets Anytime.
func (v *environmentView) anytime(set *results.Set, styles map[string]int) error {
	if len(set.Policies) > maxAnytime {
		return nil
	}
	a, err := compare.Sequential(set, compare.Metrics[0], compare.Until{Separated: true})
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	if !slices.ContainsFunc(a.Pairs, func(p compare.AnytimePair) bool { return p.Mean.HasInterval() }) {
		return nil
	}
	t := newTableView(report.AnytimeTable(a), styles)
	v.Anytime = &t
	return nil
}

func newCompared(set *results.Set, summary *compare.Summary, styles map[string]int) *compared {
	d := &compared{Notes: []string{}, SignFlip: make(map[string][][]*float64), Constants: constants{stats.Significance, stats.Confidence,
		stats.Power, stats.MaxSeedsNeeded, compare.MinSeeds, stats.MaxExactPairs, stats.SignFlips}}
	for _, p := range set.Policies {
		i := slices.IndexFunc(summary.Policies, func(s compare.PolicySummary) bool { return s.Policy == p.Label })
		one := contender{Label: words.Plain(p.Label), Style: -1, Seeds: []string{}, Regret: make(map[string][]float64), Ranks: make(map[string]rank), Notes: []string{}}
		if style, ok := styles[one.Label]; ok {
			one.Style = style
		}
		for _, seed := range summary.Policies[i].Seeds {
			one.Seeds = append(one.Seeds, strconv.FormatUint(seed, 10))
		}
		for _, m := range compare.Metrics {
			one.Regret[m.Name] = append([]float64{}, summary.Policies[i].Regret[m].BySeed()...)
		}
		d.Policies = append(d.Policies, one)
	}
	return d
}

// add adds what a comparison by one metric has of every pair and policy.
func (d *compared) add(c *compare.Comparison) {
	d.CommonSeeds = len(c.CommonSeeds)
	at := make(map[string]int)
	pairs := make([][]*float64, len(d.Policies))
	for i, p := range d.Policies {
		at[p.Label] = i
		pairs[i] = make([]*float64, i)
	}
	for _, f := range c.Family {
		i, j := at[words.Plain(f.Policy)], at[words.Plain(f.Other)]
		pairs[max(i, j)][min(i, j)] = finite(f.SignFlip)
	}
	d.SignFlip[c.Metric.Name] = pairs
	for _, r := range c.Ranks {
		d.Policies[at[words.Plain(r.Policy)]].Ranks[c.Metric.Name] = rank{r.Mean, r.Best, finite(float64(r.ProbabilityBest))}
	}
	if c.Metric != compare.Metrics[0] {
		return
	}
	for _, w := range c.Warnings {
		switch w.Kind {
		case compare.TunedSeeds, compare.TrialsFailed:
			p := &d.Policies[at[words.Plain(w.Policy)]]
			p.Notes = append(p.Notes, "warning: "+words.Plain(w.Message))
		case compare.ReplicaData, compare.DamagedFiles:
			d.Notes = append(d.Notes, "warning: "+words.Plain(w.Message))
		}
	}
}

// finite returns nil for NaN and the infinities.
func finite(v float64) *float64 {
	if !words.Finite(v) {
		return nil
	}
	return &v
}
