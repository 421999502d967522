package compare

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"banditsim/internal/flatjson"
	"banditsim/internal/words"
	"banditsim/results"
)

// sameTotals warns of policies that have the regret of one before them, by every metric and on every seed.
func (s *Summary) sameTotals() []Warning {
	var warnings []Warning
	for i, p := range s.Policies {
		if same := s.sameAs(i); len(same) > 0 {
			warnings = append(warnings, newWarning(Warning{Kind: sameTotal, Policy: p.Policy, Other: same[0]}, "%s has the same regret as %s on every seed", words.Plain(p.Policy), words.Plain(same[0])))
		}
	}
	return warnings
}

// sameAs returns the policies before the i-th with the same regret.
func (s *Summary) sameAs(i int) (policies []string) {
	p := s.Policies[i]
	for _, q := range s.Policies[:i] {
		differs := func(m *Metric) bool { return !slices.Equal(p.Regret[m].BySeed, q.Regret[m].BySeed) }
		if len(p.Seeds) > 0 && slices.Equal(p.Seeds, q.Seeds) && !slices.ContainsFunc(Metrics(), differs) {
			policies = append(policies, q.Policy)
		}
	}
	return policies
}

// Explain reads the rounds of policies with the same regret, and says in the warnings whether they are
// Identical, and why. A trial that cannot be read is an error.
func (s *Summary) Explain(set *results.Set) error {
	for i := range s.Warnings {
		if w := &s.Warnings[i]; w.Kind == sameTotal {
			k := slices.IndexFunc(s.Policies, func(p PolicySummary) bool { return p.Policy == w.Policy })
			if err := w.explain(set, s.sameAs(k)); err != nil {
				return err
			}
		}
	}
	return nil
}

// explain compares the rounds of the warning's policy with those of others, each with the same regret.
func (w *Warning) explain(set *results.Set, others []string) error {
	p, message := set.Find(w.Policy), w.Message
	for _, other := range others {
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
		case w.Message == message: // the message of the first
			w.Message += fmt.Sprintf(", by coincidence: they differ from round %s of seed %d on", words.Int(round), seed)
		}
	}
	return nil
}

// firstDifferent returns the first round in which two policies differ in regret or pulls, and its seed; 0 if they
// differ in none. Their finished trials have the same seeds.
func firstDifferent(p, q *results.PolicyRecords) (seed uint64, round int, err error) {
	others := results.Finished(q.Records)
	for i, rec := range results.Finished(p.Records) {
		if round, err = firstDifferentRound(rec, others[i]); round > 0 || err != nil {
			return rec.Seed, round, err
		}
	}
	return 0, 0, nil
}

func firstDifferentRound(a, b results.Record) (round int, err error) {
	next, stop := iter.Pull2(b.Regrets())
	defer stop()
	for r, err := range a.Regrets() {
		other, otherErr, _ := next()
		if err := cmp.Or(err, otherErr); err != nil {
			return 0, err
		}
		if r.Expected != other.Expected || r.Realised != other.Realised || !slices.Equal(r.Arms, other.Arms) || !slices.Equal(r.Wrong, other.Wrong) {
			return r.Round, nil
		}
	}
	return 0, nil
}

// whyIdentical says in which options two policies differ that pulled the same arms in every round, and
// whether their contours had an effect.
func whyIdentical(set *results.Set, p, q *results.PolicyRecords) (string, error) {
	c := set.Conditions.Protocol
	if c.BurnIn >= c.Rounds*c.Pulls {
		return "all rounds are burn-in, in which no policy acts", nil
	}
	why := "both pulled the same arms"
	var keys []string
	for _, change := range flatjson.Changed(p.Policy.Options, q.Policy.Options) {
		key, _, _ := strings.Cut(change, "=")
		keys = append(keys, strings.TrimPrefix(key, "posterior."))
	}
	if more := len(keys) - 3; more > 0 {
		keys = append(keys[:3], fmt.Sprintf("%d more", more))
	}
	if len(keys) > 0 {
		why += ", though they differ in " + words.Plain(strings.Join(keys, ", "))
	}
	for _, one := range []*results.PolicyRecords{p, q} {
		rounds, from, err := contourMoves(results.Finished(one.Records)[0])
		switch {
		case err != nil:
			return "", err
		case rounds == 0:
		case from == 0:
			why += fmt.Sprintf("; the contour of %s had no effect: its multipliers are 1 in all rounds", words.Plain(one.Label))
		default:
			why += fmt.Sprintf("; the contour of %s had no effect before round %s: its multipliers are 1", words.Plain(one.Label), words.Int(from))
		}
	}
	return why, nil
}

// contourMoves returns the number of rounds with multipliers, and the first of them in which one is not 1, 0 if
// none is.
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
