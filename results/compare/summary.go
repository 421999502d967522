package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/origin"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// ErrNoneFinished is the error of curves and comparisons if every trial of the set failed.
var ErrNoneFinished = errors.New("no trial did all its rounds: all failed")

// A Summary has the regret of every policy of a set over its seeds.
type Summary struct {
	// Environment is the name of the environment in an experiment on several environments, else "".
	Environment string
	Conditions  results.Conditions
	Policies    []PolicySummary // the lowest mean of the Primary metric first
	Parameters  Parameters
	Constant    *Constant // best constant arm of the environment; nil if no sidecar has it
	// Ranks and Sentences are from Conclude. The function Totals leaves them empty.
	Ranks      []Rank
	Sentences  []string
	Warnings   []Warning
	Damaged    []results.Damaged
	Provenance *origin.Provenance // shown below the table; nil by default
}

// A PolicySummary has the regret of one policy, over the trials that played all their rounds.
type PolicySummary struct {
	Policy  string // label
	Options json.RawMessage
	Seeds   []uint64 // seeds of the trials that did not fail
	Failed  FailedTrials
	Regret  map[*Metric]Regret // one Regret for each of Metrics
}

// A Regret has a policy's cumulative regret per trial. All is over all rounds; AfterBurnIn is over the rounds from
// Protocol.AfterBurnIn on, with N = 0 if there are none.
type Regret struct {
	All         stats.Estimate `json:"all"`
	AfterBurnIn stats.Estimate `json:"after_burn_in"`
	// Percent and PercentAfterBurnIn are the means of All and AfterBurnIn as percentages of the uniform policy's expected
	// regret in the same rounds; NaN if that is zero or unknown.
	Percent            words.Float `json:"percent_of_uniform"`
	PercentAfterBurnIn words.Float `json:"percent_of_uniform_after_burn_in"`
	// Median, Best and Worst are of the seeds' regrets over all rounds. Without trials Median is NaN, the others are 0.
	Median words.Float `json:"median"`
	Best   SeedRegret  `json:"best"`
	Worst  SeedRegret  `json:"worst"`

	BySeed []float64 `json:"-"` // regret over all rounds of each of the policy's seeds
}

// A SeedRegret is the regret of one seed.
type SeedRegret struct {
	Seed   uint64  `json:"seed"`
	Regret float64 `json:"regret"`
	// Departs is 0 except for a worst seed whose cumulative regret is an outlier at the end (stats.Outliers). It is then
	// the first round from which on the regret stays an outlier, among the rounds that are compared (departureMarks).
	Departs int `json:"departs_round,omitzero"`
}

// Summarize returns the summary of a set. It reads the trial files of policies whose worst seed is an outlier and of
// policies with the same regret. The error is a results.Damaged if a file is damaged.
func Summarize(set *results.Set) (*Summary, error) {
	s := Totals(set)
	if err := s.Explain(set); err != nil {
		return nil, err
	}
	for _, p := range s.Policies {
		if err := p.findDepartures(set); err != nil {
			return nil, err
		}
	}
	c, err := Conclude(set)
	if err != nil {
		return nil, err
	}
	s.Ranks, s.Sentences = c.Ranks, c.Sentences
	return s, nil
}

// Totals is Summarize without reading trial files: it does not set Ranks, Sentences and SeedRegret.Departs, and the
// warnings of equal regret give no reasons (see Explain).
func Totals(set *results.Set) *Summary {
	s := &Summary{Conditions: set.Conditions, Policies: []PolicySummary{}, Warnings: []Warning{}, Damaged: append([]results.Damaged{}, set.Damaged...),
		Parameters: NewParameters(set), Constant: newConstant(set)}
	if set.Named {
		s.Environment = set.Label
	}
	for _, p := range set.Policies {
		s.Policies = append(s.Policies, summarize(&p, set.Conditions))
	}
	slices.SortStableFunc(s.Policies, func(a, b PolicySummary) int {
		return compareMeans(a.Regret[Primary()].All, b.Regret[Primary()].All)
	})
	for _, p := range s.Policies {
		s.Warnings = append(s.Warnings, sampleWarnings(p.Policy, "regret", p.Seeds, p.Regret[Primary()].BySeed)...)
		warnOfTuned(&s.Warnings, set.Find(p.Policy))
	}
	s.warnOfSame()
	return s
}

// compareMeans orders estimates by their mean, with NaN last.
func compareMeans(a, b stats.Estimate) int { return cmp.Compare(-b.Mean, -a.Mean) }

func summarize(p *results.PolicyRecords, c results.Conditions) PolicySummary {
	s := PolicySummary{Policy: p.Label, Options: p.Policy.Options, Seeds: []uint64{}, Failed: Failed(p.Records), Regret: make(map[*Metric]Regret)}
	records := results.Finished(p.Records)
	for _, rec := range records {
		s.Seeds = append(s.Seeds, rec.Seed)
	}
	uniform, uniformAfter := c.UniformRegret()
	for _, m := range Metrics() {
		var after stats.Moments
		r := Regret{Median: words.Float(math.NaN())}
		for i, rec := range records {
			at := SeedRegret{Seed: rec.Seed, Regret: m.Total(rec.Totals)}
			if i == 0 || at.Regret < r.Best.Regret {
				r.Best = at
			}
			if i == 0 || at.Regret > r.Worst.Regret {
				r.Worst = at
			}
			r.BySeed = append(r.BySeed, at.Regret)
			if c.Protocol.AfterBurnIn() <= c.Protocol.Rounds {
				after.Add(m.AfterBurnIn(rec.Totals))
			}
		}
		r.All, r.AfterBurnIn = stats.NewEstimate(r.BySeed), after.Estimate()
		if len(records) > 0 {
			r.Median = words.Float(stats.Median(r.BySeed))
		}
		r.Percent, r.PercentAfterBurnIn = percent(r.All.Mean, uniform), percent(r.AfterBurnIn.Mean, uniformAfter)
		s.Regret[m] = r
	}
	return s
}

// percent returns part as a percentage of whole, or NaN if whole is not positive.
func percent(part, whole float64) words.Float {
	if !(whole > 0) { // also if it is NaN
		return words.Float(math.NaN())
	}
	return words.Float(100 * part / whole)
}

// SeedsText returns the seeds in words, such as "3 seeds (1–3)", "2 to 3 seeds" or "seed 1 alone"; "" if no trial
// finished. The result interval reports whether any policy has an interval.
func (s *Summary) SeedsText() (text string, interval bool) {
	least, most, same := math.MaxInt, 0, true
	for _, p := range s.Policies {
		least, most = min(least, len(p.Seeds)), max(most, len(p.Seeds))
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

// A failedTrial is a trial that ended before its last round.
type failedTrial struct {
	Seed uint64 `json:"seed"`
	results.Failure
}

// FailedTrials has the failed trials of one policy, sorted by seed.
type FailedTrials []failedTrial

// Failed returns the failed trials among records; never nil.
func Failed(records []results.Record) FailedTrials {
	failed := FailedTrials{}
	for _, t := range records {
		if f := t.Totals.Failure; f != nil {
			failed = append(failed, failedTrial{t.Seed, *f})
		}
	}
	return failed
}

// Seeds returns the trials' seeds.
func (f FailedTrials) Seeds() []uint64 {
	return lists.Each(f, func(t failedTrial) uint64 { return t.Seed })
}

// String returns a string such as "2 failed: seeds 3, 7".
func (f FailedTrials) String() string {
	noun := "seeds"
	if len(f) == 1 {
		noun = "seed"
	}
	return fmt.Sprintf("%d failed: %s %s", len(f), noun, words.Ranges(f.Seeds()))
}
