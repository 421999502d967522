package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/internal/flatjson"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Warning is a reason to doubt a summary or a comparison.
type Warning struct {
	Kind    WarningKind  `json:"kind"`
	Policy  string       `json:"policy,omitempty"` // label; "" for all policies
	Other   string       `json:"other,omitempty"`  // for kinds sameTotal and Identical, the policy with the same regret
	Seeds   []uint64     `json:"seeds,omitempty"`  // nil for all seeds
	Failed  FailedTrials `json:"failed,omitempty"` // for kind TrialsFailed, the failed trials
	Message string       `json:"message"`

	same []string // for kind sameTotal, all policies with the same regret that come earlier in the Summary
}

// A WarningKind identifies the reason for a warning, for programs.
type WarningKind string

// The kinds of warnings.
const (
	fewSeeds      WarningKind = "few-seeds"      // fewer than MinSeeds seeds
	coarseTest    WarningKind = "coarse-test"    // too few seeds for the sign-flip test to reach significance
	testsDisagree WarningKind = "tests-disagree" // significant in the t-test alone
	Outliers      WarningKind = "outliers"       // some seeds are far from the others
	SkewedSample  WarningKind = "skewed"         // the t-interval cannot be trusted; see stats.Skewed
	tunedSeeds    WarningKind = "tuned-seeds"    // some seeds are those on which the policy's options were chosen
	NoInterval    WarningKind = "no-interval"    // too few pairs for the interval method
	noSpread      WarningKind = "no-spread"      // the difference is the same on every seed, so the interval is a point
	UnpairedSeeds WarningKind = "unpaired-seeds" // some seeds were not finished by all compared policies
	TrialsFailed  WarningKind = "failed-trials"
	damagedFiles  WarningKind = "damaged-files"
	sameTotal     WarningKind = "same-total" // another policy has the same total regret on every seed
	Identical     WarningKind = "identical"  // another policy has the same regret in every round
	repeatedRows  WarningKind = "repeated-rows"
)

// MinSeeds is the smallest number of seeds with a test and ProbabilityBest. With fewer, a t-interval depends too much
// on the assumption of normal differences, and the sign-flip test's p-value is never below stats.Significance.
const MinSeeds = 6

func (c *Comparison) warn(set *results.Set) {
	if repeats := set.Conditions.Repeats(); repeats != "" {
		warn(&c.Warnings, Warning{Kind: repeatedRows}, "%s", repeats)
	}
	enough := MinSeeds // smallest number of seeds with which a corrected sign-flip test can be significant
	for c.leastSignFlip(enough) >= stats.Significance {
		enough++
	}
	// largest number of seeds of any difference
	most := slices.Max(append(lists.Each(c.Differences, func(d Difference) int { return d.Mean.N }), 0))
	for _, d := range c.Differences {
		c.warnOfPairs(set, d)
		c.Warnings = append(c.Warnings, sampleWarnings(d.Policy, "difference", d.Seeds, d.Values)...)
		if n := d.Mean.N; 2 <= n && n < min(most, MinSeeds) {
			warn(&c.Warnings, Warning{Kind: fewSeeds, Policy: d.Policy}, "%s: %s settle nothing: need at least %d for a test and for its interval to be trusted", words.Plain(d.Policy), words.Count(n, "pair"), MinSeeds)
		}
		if d.Significant() && d.Mean.N >= enough && !(d.SignFlipHolm < stats.Significance) {
			warn(&c.Warnings, Warning{Kind: testsDisagree, Policy: d.Policy}, "%s: only the t-test, which takes differences to be normal, finds a difference", words.Plain(d.Policy))
		}
	}
	if 2 <= most && most < MinSeeds {
		warn(&c.Warnings, Warning{Kind: fewSeeds}, "%s settle nothing: need at least %d for tests and for intervals to be trusted", words.Count(most, "seed"), MinSeeds)
	}
	if MinSeeds <= most && most < enough {
		warn(&c.Warnings, Warning{Kind: coarseTest}, "the sign-flip test cannot go below p = %s with %s and %s: it needs %d seeds",
			words.PValue(c.leastSignFlip(most)), words.Count(most, "seed"), words.Count(c.Tests, "test"), enough)
	}
	c.Warnings = append(c.Warnings, trialWarnings(set)...)
}

// trialWarnings returns the warnings about tuned seeds, failed trials and damaged files; never nil.
func trialWarnings(set *results.Set) []Warning {
	list := []Warning{}
	for _, p := range set.Policies {
		warnOfTuned(&list, &p)
		if failed := Failed(p.Records); len(failed) > 0 {
			warn(&list, Warning{Kind: TrialsFailed, Policy: p.Label, Seeds: failed.Seeds(), Failed: failed}, "%s: %s", words.Plain(p.Label), failed)
		}
	}
	if n := len(set.Damaged); n > 0 {
		warn(&list, Warning{Kind: damagedFiles}, "%s could not be read", words.Count(n, "file"))
	}
	return list
}

// warn appends w, with a message, to list.
func warn(list *[]Warning, w Warning, format string, args ...any) {
	w.Message = fmt.Sprintf(format, args...)
	*list = append(*list, w)
}

// warnOfPairs adds the warnings about the pairing and the interval of a difference.
func (c *Comparison) warnOfPairs(set *results.Set, d Difference) {
	policy, base := words.Plain(d.Policy), words.Plain(c.Baseline)
	seed := func(rec results.Record) uint64 { return rec.Seed }
	lone := loneSeeds(d.Seeds, lists.Each(set.Find(d.Policy).Records, seed), lists.Each(set.Find(c.Baseline).Records, seed))
	n := d.Mean.N
	if n < 2 {
		warn(&c.Warnings, Warning{Kind: NoInterval, Policy: d.Policy}, "%s: %s in common with %s: no interval, need at least 2", policy, words.Count(n, "seed"), base)
		return
	}
	if len(lone) > 0 {
		warn(&c.Warnings, Warning{Kind: UnpairedSeeds, Policy: d.Policy, Seeds: lone}, "%s: paired with %s on the %d of %s that both finished; left out: %s",
			policy, base, n, words.Count(n+len(lone), "seed"), words.Shorten(words.Ranges(lone), 60))
	}
	if d.isPoint() {
		warn(&c.Warnings, Warning{Kind: noSpread, Policy: d.Policy}, "%s: the difference is %s on each of %s: as it does not vary, its interval is a point", policy, d.Mean.MeanText(), words.Count(n, "seed"))
	}
	if !d.Mean.HasInterval() {
		warn(&c.Warnings, Warning{Kind: NoInterval, Policy: d.Policy}, "%s: %s: too few for a %s, whose resamples often have no spread: take the t-interval", policy, words.Count(n, "pair"), c.Interval.Name())
	}
}

// loneSeeds returns the sorted seeds of the lists, without those in the list common.
func loneSeeds(common []uint64, seeds ...[]uint64) []uint64 {
	lone := slices.Sorted(slices.Values(slices.Concat(seeds...)))
	return slices.DeleteFunc(slices.Compact(lone), func(seed uint64) bool { return slices.Contains(common, seed) })
}

// maxNamed bounds the seeds and the policies that a sentence names.
const maxNamed = 10

// sampleWarnings returns warnings about seeds whose values are outliers, and about values so skewed that the t-interval
// of their mean cannot be trusted. The argument what names a value, such as "regret".
func sampleWarnings(policy, what string, seeds []uint64, values []float64) []Warning {
	var list []Warning
	var far []uint64
	var named []string
	for _, i := range stats.Outliers(values) {
		far = append(far, seeds[i])
		named = append(named, fmt.Sprintf("seed %d (%s)", seeds[i], words.Amount(values[i])))
	}
	if len(far) > 0 {
		warn(&list, Warning{Kind: Outliers, Policy: policy, Seeds: far}, "%s: far from the median %s, %s: %s",
			words.Plain(policy), what, words.Amount(stats.Median(values)), strings.Join(words.AtMost(named, maxNamed, ""), ", "))
	}
	if stats.Skewed(values) {
		warn(&list, Warning{Kind: SkewedSample, Policy: policy}, "%s: %ss too skewed for a t-interval to be trusted", words.Plain(policy), what)
	}
	return list
}

// warnOfTuned adds a warning to list if the policy has finished trials on seeds on which its options were chosen.
func warnOfTuned(list *[]Warning, p *results.PolicyRecords) {
	var here []uint64
	for _, rec := range results.Finished(p.Records) {
		if slices.Contains(p.TunedSeeds, rec.Seed) {
			here = append(here, rec.Seed)
		}
	}
	if len(here) > 0 {
		warn(list, Warning{Kind: tunedSeeds, Policy: p.Label, Seeds: here}, "%s: its options were chosen with %s of these in view (%s): their regret flatters it",
			words.Plain(p.Label), words.Count(len(here), "seed"), words.Shorten(words.Ranges(here), 60))
	}
}

// leastSignFlip returns the smallest possible corrected p-value of a sign-flip test with n = seeds. It belongs to
// differences of one sign: only two of the 2ⁿ patterns of signs, all plus and all minus, have a sum that far from zero.
func (c *Comparison) leastSignFlip(seeds int) float64 {
	return min(math.Ldexp(float64(c.Tests), 1-seeds), 1)
}

// warnOfSame adds a warning for each policy whose regret equals that of an earlier policy, by all metrics on all seeds.
func (s *Summary) warnOfSame() {
	for i, p := range s.Policies {
		var same []string
		for _, q := range s.Policies[:i] {
			differs := func(m *Metric) bool { return !slices.Equal(p.Regret[m].BySeed, q.Regret[m].BySeed) }
			if len(p.Seeds) > 0 && slices.Equal(p.Seeds, q.Seeds) && !slices.ContainsFunc(Metrics(), differs) {
				same = append(same, q.Policy)
			}
		}
		if len(same) > 0 {
			warn(&s.Warnings, Warning{Kind: sameTotal, Policy: p.Policy, Other: same[0], same: same},
				"%s has the same regret as %s on every seed", words.Plain(p.Policy), words.Plain(same[0]))
		}
	}
}

// Explain reads the rounds of policies with the same regret, and adds to the warnings about them whether the policies
// are Identical, and why. It returns an error if a trial cannot be read.
func (s *Summary) Explain(set *results.Set) error {
	for i := range s.Warnings {
		if err := s.Warnings[i].explain(set); err != nil {
			return err
		}
	}
	return nil
}

// explain adds, only to a warning of kind sameTotal, whether the policy also equals those in w.same round by round.
func (w *Warning) explain(set *results.Set) error {
	p, message := set.Find(w.Policy), w.Message
	for _, other := range w.same {
		q := set.Find(other)
		seed, round, err := firstDifferent(p, q)
		switch {
		case err != nil:
			return err
		case round == 0:
			why, err := whyIdentical(set, p, q)
			if err != nil {
				return err
			}
			w.Kind, w.Other = Identical, other
			w.Message = fmt.Sprintf("%s has the same regret as %s in every round: %s", words.Plain(w.Policy), words.Plain(other), why)
			return nil
		case w.Message == message: // only the first of w.same is mentioned
			w.Message += fmt.Sprintf(", by coincidence: they differ from round %s of seed %d on", words.Int(round), seed)
		}
	}
	return nil
}

// firstDifferent returns the first seed and round in which two policies differ in regret or pulls; round is 0 if there
// is none. The finished trials of both must have the same seeds.
func firstDifferent(p, q *results.PolicyRecords) (seed uint64, round int, err error) {
	others := results.Finished(q.Records)
	for i, rec := range results.Finished(p.Records) {
		if round, err = rec.FirstDifference(others[i]); round > 0 || err != nil {
			return rec.Seed, round, err
		}
	}
	return 0, 0, nil
}

// whyIdentical returns possible reasons why two policies pulled the same arms: the options in which they nevertheless
// differ, and contours that had no effect.
func whyIdentical(set *results.Set, p, q *results.PolicyRecords) (string, error) {
	c := set.Conditions.Protocol
	if max(c.BurnIn, c.Initial*len(set.Conditions.Environment.Arms)) >= c.AllPulls() {
		return "no policy acts: burn-in or the first pulls of each arm (protocol.initial) fill the run", nil
	}
	why := "both pulled the same arms"
	var keys []string
	for _, change := range flatjson.Changed(p.Policy.Options, q.Policy.Options) {
		key, _, _ := strings.Cut(change, "=")
		keys = append(keys, strings.TrimPrefix(key, "posterior."))
	}
	if len(keys) > 0 {
		why += ", though they differ in " + words.Plain(strings.Join(words.AtMost(keys, 3, ""), ", "))
	}
	for _, one := range []*results.PolicyRecords{p, q} {
		first := results.Finished(one.Records)[0]
		rounds, from, err := contourMoves(first)
		switch {
		case err != nil:
			return "", err
		case rounds == 0: // no contour
		case from == 0:
			why += fmt.Sprintf("; the contour of %s had no effect in seed %d: its multipliers are 1 in all rounds", words.Plain(one.Label), first.Seed)
		default:
			why += fmt.Sprintf("; the contour of %s had no effect in seed %d before round %s: its multipliers are 1", words.Plain(one.Label), first.Seed, words.Int(from))
		}
	}
	return why, nil
}

// contourMoves returns in from the first round in which a contour multiplier is not 1; 0 if there is none. The result
// rounds is the number of rounds with multipliers, up to and including round from, or else in the whole trial.
func contourMoves(rec results.Record) (rounds, from int, err error) {
	for r, err := range rec.Rounds() {
		if err != nil {
			return 0, 0, err
		}
		if len(r.Multiplier) > 0 {
			rounds++
		}
		for _, m := range r.Multiplier {
			if m[0] != 1 || m[2] != 1 {
				return rounds, r.Round, nil
			}
		}
	}
	return rounds, 0, nil
}
