package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// ErrNoneFinished is why there is no curve and no comparison of a set all of
// whose trials failed.
var ErrNoneFinished = errors.New("no trial did all its rounds: all failed")

// A Metric is a kind of regret.
type Metric string

// Expected regret (pseudo-regret) has the chosen arm's expected reward, realised
// regret the reward received, which adds the luck of the draw.
const (
	Expected Metric = "expected"
	Realised Metric = "realised"
)

var metrics = []string{string(Expected), string(Realised)}

// ParseMetric returns the metric of that name: expected or realised.
func ParseMetric(name string) (Metric, error) {
	if slices.Contains(metrics, name) {
		return Metric(name), nil
	}
	return "", fmt.Errorf("compare: unknown metric %q%s, want expected or realised", name, nearest.DidYouMean(name, metrics))
}

// total returns the trial's cumulative regret of that kind.
func (m Metric) total(t results.Totals) float64 {
	if m == Realised {
		return t.Realised
	}
	return t.Expected
}

// A Summary says what every policy of a set came to over its seeds.
type Summary struct {
	Conditions results.Conditions `json:"setting"`
	Policies   []PolicySummary    `json:"policies"` // the lowest mean expected regret first
	Damaged    []results.Damaged  `json:"damaged"`
	// Provenance is shown below the table; nil, as Summarise leaves it, if it is not asked for.
	Provenance *results.Provenance `json:"provenance,omitempty"`
}

// A PolicySummary is a policy's. Means are over the trials that did all their
// rounds.
type PolicySummary struct {
	Policy   string          `json:"policy"` // its label
	Options  json.RawMessage `json:"options"`
	Seeds    []uint64        `json:"seeds"` // of the trials that did not fail
	Failed   FailedTrials    `json:"failed"`
	Expected Regret          `json:"expected"`
	Realised Regret          `json:"realised"`
}

// A Regret is cumulative, a trial: over all rounds, and over those from
// Protocol.AfterBurnIn on (N = 0 if there are none).
type Regret struct {
	All         stats.Estimate
	AfterBurnIn stats.Estimate
	// Percent of what acting uniformly is expected to cost over the same rounds;
	// NaN where that is not known.
	Percent, PercentAfterBurnIn float64
}

// MarshalJSON writes null for what cannot be had.
func (r Regret) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		All          stats.Estimate `json:"all"`
		AfterBurnIn  stats.Estimate `json:"after_burn_in"`
		Percent      *float64       `json:"percent_of_uniform"`
		PercentAfter *float64       `json:"percent_of_uniform_after_burn_in"`
	}{r.All, r.AfterBurnIn, words.OrNull(r.Percent), words.OrNull(r.PercentAfterBurnIn)})
}

// Summarise takes means over seeds. It reads no files.
func Summarise(set *results.Set) *Summary {
	s := &Summary{Conditions: set.Conditions, Policies: []PolicySummary{}, Damaged: slices.Clip(set.Damaged)}
	if s.Damaged == nil {
		s.Damaged = []results.Damaged{} // [] in JSON
	}
	for _, p := range set.Policies {
		s.Policies = append(s.Policies, summarise(&p, set.Conditions))
	}
	slices.SortStableFunc(s.Policies, func(a, b PolicySummary) int {
		x, y := a.Expected.All.Mean, b.Expected.All.Mean
		// Policies without a finished trial come last.
		return cmp.Or(cmp.Compare(rankNaN(x), rankNaN(y)), cmp.Compare(x, y))
	})
	return s
}

func rankNaN(v float64) int {
	if math.IsNaN(v) {
		return 1
	}
	return 0
}

func summarise(p *results.PolicyRecords, setting results.Conditions) PolicySummary {
	s := PolicySummary{Policy: p.Label, Options: p.Policy.Options, Seeds: []uint64{}, Failed: Failed(p.Records)}
	var expected, realised, expectedAfter, realisedAfter stats.Moments
	hasAfter := setting.Protocol.AfterBurnIn() <= setting.Protocol.Rounds
	for _, t := range p.Records {
		if t.Totals.Failure != nil {
			continue
		}
		s.Seeds = append(s.Seeds, t.Seed)
		expected.Add(t.Totals.Expected)
		realised.Add(t.Totals.Realised)
		if hasAfter {
			expectedAfter.Add(t.Totals.ExpectedAfter)
			realisedAfter.Add(t.Totals.RealisedAfter)
		}
	}
	s.Expected = regret(expected, expectedAfter, setting)
	s.Realised = regret(realised, realisedAfter, setting)
	return s
}

func regret(all, after stats.Moments, setting results.Conditions) Regret {
	r := Regret{All: all.Estimate(), AfterBurnIn: after.Estimate()}
	uniform, uniformAfter := setting.UniformRegret()
	r.Percent = percent(r.All.Mean, uniform)
	r.PercentAfterBurnIn = percent(r.AfterBurnIn.Mean, uniformAfter)
	return r
}

// percent is NaN unless there is something to be a part of.
func percent(part, whole float64) float64 {
	if !(whole > 0) { // NaN too
		return math.NaN()
	}
	return 100 * part / whole
}

// SeedsText is "3 seeds (1–3)", "2 to 3 seeds" or "seed 1 alone", and tells whether any
// policy has an interval.
func (s *Summary) SeedsText() (text string, interval bool) {
	least, most := 0, 0
	same := true
	for i, p := range s.Policies {
		n := len(p.Seeds)
		if i == 0 {
			least = n
		}
		least, most = min(least, n), max(most, n)
		same = same && slices.Equal(p.Seeds, s.Policies[0].Seeds)
	}
	switch {
	case most == 0:
		return "", false
	case same && most == 1:
		return "seed " + words.Ranges(s.Policies[0].Seeds) + " alone", false
	case same:
		return words.Count(most, "seed") + " (" + words.Shorten(words.Ranges(s.Policies[0].Seeds), 60) + ")", true
	case least == most:
		return words.Count(most, "seed") + ", not the same for all", most > 1
	}
	return fmt.Sprintf("%d to %s", least, words.Count(most, "seed")), most > 1
}
