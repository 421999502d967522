package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/results"
	"banditsim/results/stats"
)

// Until says when an anytime comparison stops adding seeds: when all pairs of policies are settled. A pair is settled
// if Separated is set and its interval excludes 0, or if Width is above 0 and its interval is not wider.
type Until struct {
	Separated bool    `json:"separated"`
	Width     float64 `json:"width,omitzero"` // in units of regret
}

// ParseUntil parses "separated", "width=X", or both with a comma between them.
func ParseUntil(text string) (Until, error) {
	var u Until
	for _, part := range strings.Split(text, ",") {
		value, isWidth := strings.CutPrefix(part, "width=")
		switch width, err := strconv.ParseFloat(value, 64); {
		case part == "separated":
			u.Separated = true
		case isWidth && err == nil && width > 0 && !math.IsInf(width, 1):
			u.Width = width
		default:
			return u, fmt.Errorf("%q: want separated, width=X with a regret above 0, or separated,width=X", text)
		}
	}
	return u, nil
}

// An Anytime compares all pairs of policies with intervals that hold for all pairs and all numbers of seeds at once, so
// that seeds may be added until the intervals are conclusive. See stats.Anytime.
type Anytime struct {
	Conditions results.Conditions `json:"setting"`
	Metric     *Metric            `json:"metric"`
	Until
	Settled  bool          `json:"settled"` // reports whether all pairs are settled
	Pairs    []AnytimePair `json:"-"`
	Warnings []Warning     `json:"warnings"` // about the trials, and about the values of settled pairs
}

// An AnytimePair is the regret of Policy minus the regret of Other, paired by seed and taken in the order of the seeds.
// Mean has an anytime interval of level 1 − stats.Significance/n, where n is the number of pairs (Bonferroni). It is
// infinite for fewer than stats.MinAnytime seeds. P and Sign are the two p-values of stats.Anytime; Holm and SignHolm
// correct them for all pairs. SignFlip, SignFlipHolm and SeedsNeeded mean nothing here, as they are not anytime.
type AnytimePair struct {
	Difference
	Sign, SignHolm float64
	Settled        bool
}

// Sequential returns the anytime comparison of a set's policies, by metric m over all rounds.
func Sequential(set *results.Set, m *Metric, u Until) (*Anytime, error) {
	if m == nil {
		return nil, errors.New("compare: no metric")
	}
	policies, err := finished(set, Options{Metric: m, From: 1, To: set.Conditions.Protocol.Rounds})
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	slices.SortStableFunc(policies, byMean)
	a := &Anytime{Conditions: set.Conditions, Metric: m, Until: u, Pairs: []AnytimePair{}, Settled: true, Warnings: trialWarnings(set)}
	n := len(policies) * (len(policies) - 1) / 2
	var p, sign []float64
	for i, better := range policies {
		for _, worse := range policies[i+1:] {
			pair := AnytimePair{Difference: worse.minus(better)}
			pair.Mean.Low, pair.Mean.High, pair.P, pair.Sign = stats.Anytime(pair.Values, stats.Significance/float64(n))
			pair.Settled = u.Separated && (pair.Mean.Low > 0 || pair.Mean.High < 0) || u.Width > 0 && pair.Mean.High-pair.Mean.Low <= u.Width
			if pair.Settled {
				a.Warnings = append(a.Warnings, sampleWarnings(worse.label+" less "+better.label, "difference", pair.Seeds, pair.Values)...)
			}
			a.Settled = a.Settled && pair.Settled
			a.Pairs = append(a.Pairs, pair)
			p, sign = append(p, pair.P), append(sign, pair.Sign)
		}
	}
	p, sign = stats.Holm(p), stats.Holm(sign)
	for i := range a.Pairs {
		a.Pairs[i].Holm, a.Pairs[i].SignHolm = p[i], sign[i]
	}
	return a, nil
}

// Open returns the pairs that are not settled.
func (a *Anytime) Open() []AnytimePair {
	return slices.DeleteFunc(slices.Clone(a.Pairs), func(p AnytimePair) bool { return p.Settled })
}
