package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// NoneFinished is the only sentence about a set in which every trial failed.
const NoneFinished = "No trial did all its rounds, so there is no best policy: see the failures."

// Conclude returns the comparison whose sentences end summaries and runs: by the Primary metric over all rounds, with
// the best policy as the baseline. If no trial played all its rounds its only sentence is NoneFinished.
func Conclude(set *results.Set) (*Comparison, error) {
	c, err := Compare(set, DefaultOptions(set))
	if errors.Is(err, ErrNoneFinished) {
		return &Comparison{Conditions: set.Conditions, Options: DefaultOptions(set), Sentences: []string{NoneFinished}}, nil
	}
	return c, err
}

func (c *Comparison) setSentences(set *results.Set) {
	c.Sentences = []string{c.contrast()}
	if c.Metric != Primary() || c.From > 1 || c.To < c.Conditions.Protocol.Rounds {
		return
	}
	s := Totals(set)
	if c.BaselinePicked {
		c.Sentences[0] = c.verdict(s, set)
	}
	if c.Constant != nil {
		c.Sentences = append(c.Sentences, c.Constant.sentence(s))
	}
}

// contrast returns a sentence that lists the policies with lower, higher, and not significantly different regret, and
// those with too few pairs for a test.
func (c *Comparison) contrast() string {
	kinds := []string{"lower: ", "higher: ", "no significant difference: ", fmt.Sprintf("no test, which needs %d pairs: ", MinSeeds)}
	policies := make([]string, len(kinds))
	for _, d := range c.Differences {
		kind := 1
		switch {
		case d.Mean.N < MinSeeds:
			kind = 3
		case !d.Significant():
			kind = 2
		case d.Mean.Mean < 0:
			kind = 0
		}
		policies[kind] += ", " + words.Plain(d.Policy)
	}
	var parts []string
	for i, list := range policies {
		if list != "" {
			parts = append(parts, kinds[i]+list[2:])
		}
	}
	return fmt.Sprintf("Beside the %s regret of %s: %s.", c.Metric, words.Plain(c.Baseline), cmp.Or(strings.Join(parts, "; "), "no other policy"))
}

// verdict returns a text that names the policies with the lowest regret, says whether the difference from the next
// policy is significant, and ends with the caveats.
func (c *Comparison) verdict(s *Summary, set *results.Set) string {
	best, others := s.lowest()
	place := "second"
	if len(best) > 1 {
		place = "next"
	}
	text := lead(best, len(others) == 0)
	switch {
	case len(best[0].Seeds) == 1:
		text += fmt.Sprintf(", but one seed cannot tell luck from skill: try --seeds %s.", MoreSeeds(set))
	case len(others) == 0:
		text += "."
	case len(others[0].Seeds) == 0:
		text += "; no other policy finished a trial."
	default:
		next := c.Differences[slices.IndexFunc(c.Differences, func(d Difference) bool { return d.Policy == others[0].Policy })]
		if next.Mean.N < 2 {
			text += fmt.Sprintf("; it shares %s with the %s, %s: too few to compare them.", words.Count(next.Mean.N, "seed"), place, words.Plain(next.Policy))
			break
		}
		difference := size(next.Mean, next.Policy)
		if next.isPoint() && next.Mean.Mean >= 0 {
			difference = fmt.Sprintf("%s on each of %s", next.Mean.MeanText(), words.Count(next.Mean.N, "seed"))
		}
		var open []string
		for _, d := range c.Differences {
			if next.Significant() && !d.Significant() && d.Mean.N > 0 && !slices.ContainsFunc(best, func(p PolicySummary) bool { return p.Policy == d.Policy }) {
				open = append(open, d.Policy)
			}
		}
		text += fmt.Sprintf("; the difference to the %s, %s, is %s: %s%s.", place, words.Plain(next.Policy), difference, next.outcome(set), uncertain("not significant", open))
	}
	return text + caveats(s, set, best)
}

// size returns d, the difference of a policy from the one with the lowest mean, with its interval. The means can be
// over different seeds, so d can be below 0: then the text says that the policy has the lower regret on common seeds.
func size(d stats.Estimate, policy string) string {
	text := d.WithInterval()
	if d.Mean < 0 {
		text += fmt.Sprintf(" on the %s that both finished, where %s has the lower regret", words.Count(d.N, "seed"), words.Plain(policy))
	}
	return text
}

// uncertain returns a verdict's end: the argument what, such as "not settled", and the policies; "" without policies.
func uncertain(what string, policies []string) string {
	if len(policies) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s: %s", what, words.Plain(words.Shorten(strings.Join(policies, ", "), 100)))
}

// caveats returns the sentences after a verdict: on repeated rows, columns left out, and the best policies' warnings.
func caveats(s *Summary, set *results.Set, best []PolicySummary) (text string) {
	if repeats := set.Conditions.Repeats(); repeats != "" {
		text += fmt.Sprintf(" Warning: %s.", repeats)
	}
	if left := set.Conditions.LeftOut(); left != "" {
		text += fmt.Sprintf(" Columns %s.", left)
	}
	for _, w := range s.Warnings {
		if w.Kind != sameTotal && slices.ContainsFunc(best, func(p PolicySummary) bool { return p.Policy == w.Policy }) {
			text += fmt.Sprintf(" Warning: %s.", words.Plain(w.Message))
		}
	}
	return text
}

// Verdict returns sentences like those of Conclude, but with anytime intervals: for runs that add seeds until the best
// policy is settled. The argument best is the label of that policy. The second policy is the one with the smallest mean
// difference from best, over the seeds that both finished.
func (a *Anytime) Verdict(set *results.Set, best string) []string {
	s := Totals(set)
	at := slices.IndexFunc(s.Policies, func(p PolicySummary) bool { return p.Policy == best })
	if at < 0 || len(s.Policies[at].Seeds) == 0 {
		return []string{NoneFinished}
	}
	first := s.Policies[at : at+1]
	text, next := lead(first, false), (*AnytimePair)(nil)
	var open []string
	worse := map[string]bool{best: true} // best, and every policy that is surely worse than another policy in the map
	for _, p := range a.Pairs {          // sorted by the mean regret of Other, so that one pass is enough
		if p.Mean.Low > 0 && worse[p.Other] {
			worse[p.Policy] = true
		}
	}
	for i, p := range a.Pairs {
		if p.Other != best || p.Mean.N == 0 {
			continue
		}
		if next == nil || p.Mean.Mean < next.Mean.Mean {
			next = &a.Pairs[i]
		}
		if !p.Settled && !worse[p.Policy] {
			open = append(open, p.Policy)
		}
	}
	switch {
	case next == nil:
	case !next.Mean.HasInterval():
		text += fmt.Sprintf("; the difference to the second, %s, is %s on %s: too few to settle it", words.Plain(next.Policy), next.Mean.MeanText(), words.Count(next.Mean.N, "seed"))
	default:
		text += fmt.Sprintf("; the difference to the second, %s, is %s, an anytime interval for %s together: %s", words.Plain(next.Policy),
			size(next.Mean, next.Policy), words.Count(len(a.Pairs), "pair"), next.outcome(a.Until))
		if next.Settled {
			text += uncertain("not settled", open)
		}
		for _, w := range sampleWarnings(next.Policy, "difference", next.Seeds, next.Values) {
			text += fmt.Sprintf(". Warning: %s", words.Plain(w.Message))
		}
	}
	list := []string{text + "." + caveats(s, set, first)}
	if s.Constant != nil {
		list = append(list, s.Constant.sentence(s))
	}
	return list
}

// outcome returns in words whether the pair is settled.
func (p AnytimePair) outcome(u Until) string {
	switch {
	case p.Mean.Low > 0 || p.Mean.High < 0:
		return "settled"
	case p.Settled:
		return fmt.Sprintf("alike, as the interval is at most %s wide", words.Amount(u.Width))
	}
	return "not settled"
}

// lowest returns the policies that share the lowest mean regret by the Primary metric, and the other policies.
func (s *Summary) lowest() (best, others []PolicySummary) {
	n := 1
	for n < len(s.Policies) && s.Policies[n].Regret[Primary()].All.Mean == s.Policies[0].Regret[Primary()].All.Mean {
		n++
	}
	return s.Policies[:n], s.Policies[n:]
}

// lead returns the start of a verdict: the best policies and their regret. all is set if there are no others.
func lead(best []PolicySummary, all bool) string {
	m := Primary()
	r := best[0].Regret[m]
	list := words.AtMost(lists.Each(best, func(p PolicySummary) string { return words.Plain(p.Policy) }), maxNamed, "")
	names, last := list[0], len(list)-1
	if last > 0 {
		names = strings.Join(list[:last], ", ") + " and " + list[last]
	}
	same := !slices.ContainsFunc(best, func(p PolicySummary) bool { return !slices.Equal(p.Regret[m].BySeed, r.BySeed) })
	var claim string
	switch {
	case len(best) == 1 && all:
		claim = fmt.Sprintf("has an %s regret of", m)
	case len(best) == 1:
		claim = fmt.Sprintf("has the lowest %s regret,", m)
	case same && all:
		claim = fmt.Sprintf("have the same %s regret on every seed,", m)
	case same:
		claim = fmt.Sprintf("share the lowest %s regret, the same on every seed,", m)
	default:
		claim = fmt.Sprintf("share the lowest mean of the %s regret,", m)
	}
	text := fmt.Sprintf("%s %s %s over %s", names, claim, r.All, words.Count(r.All.N, "seed"))
	if r.All.N > 2 && same {
		text += fmt.Sprintf(" (median %s, worst %s on seed %d)", words.Amount(float64(r.Median)), words.Amount(r.Worst.Regret), r.Worst.Seed)
	}
	return text
}

// outcome returns the result of the test of the difference in words, or why there is no test.
func (d Difference) outcome(set *results.Set) string {
	if d.Mean.N < MinSeeds {
		return fmt.Sprintf("%s settle nothing, try --seeds %s", words.Count(d.Mean.N, "pair"), MoreSeeds(set))
	}
	found, p := "not significant", words.PValue(d.Holm)
	if d.Significant() {
		found = "significant"
	}
	if !strings.HasPrefix(p, "<") {
		p = "= " + p
	}
	return fmt.Sprintf("%s (p %s, Holm)", found, p)
}

// maxNextSeed is the highest seed after which MoreSeeds proposes new seeds.
const maxNextSeed = 1_000_000

// MoreSeeds returns ten seeds for sets with too few to compare, in the form of --seeds. They start at the lowest seed
// of the sets or, if a set has a policy with several choices of options, as in a sweep, after the highest, as seeds on
// which options were chosen favor these. Seeds in TunedSeeds are left out too. There must be at least one trial.
func MoreSeeds(sets ...*results.Set) string {
	first, last, sweep := uint64(math.MaxUint64), uint64(0), false
	var tuned []uint64
	for _, set := range sets {
		names := make(map[string]bool)
		for _, p := range set.Policies {
			tuned = append(tuned, p.TunedSeeds...)
			sweep = sweep || names[p.Policy.Name]
			names[p.Policy.Name] = true
			for _, rec := range p.Records {
				first, last = min(first, rec.Seed), max(last, rec.Seed)
			}
		}
	}
	if sweep && last <= maxNextSeed {
		first = last + 1
	}
	slices.Sort(tuned)
	for _, seed := range tuned {
		if first <= seed && seed <= first+9 && seed <= maxNextSeed {
			first = seed + 1
		}
	}
	first = min(first, math.MaxUint64-9)
	return fmt.Sprintf("%d..%d", first, first+9)
}

// A Constant is an environment's best constant arm: the arm with the lowest expected regret if it is always pulled.
type Constant struct {
	Arm string `json:"arm"` // name of the arm; "" if it is unknown or differs between seeds or between rounds
	// Regret is the expected regret of always pulling Arm, over all rounds, and Percent is Regret as a percentage of the
	// uniform regret. Both are NaN if Arm is "". Percent is also NaN if the uniform regret is 0 or unknown.
	Regret  words.Float `json:"regret"`
	Percent words.Float `json:"percent_of_uniform"`
}

// newConstant returns the best constant arm of a set's environment; nil if no sidecar that it reads has the arm. As
// there may be thousands, it reads one of each policy: the highest seed's, most likely of a version that wrote the arm.
func newConstant(set *results.Set) *Constant {
	arms, nan := append([]string{""}, set.Conditions.Environment.Arms...), words.Float(math.NaN())
	for _, p := range set.Policies {
		if len(p.Records) == 0 {
			continue
		}
		s, err := p.Records[len(p.Records)-1].Sidecar()
		if err != nil || s.ConstantArm == nil || !slices.Contains(arms, s.ConstantArm.Arm) {
			continue
		}
		if s.ConstantArm.Arm == "" {
			return &Constant{Regret: nan, Percent: nan}
		}
		uniform, _ := set.Conditions.UniformRegret()
		regret := float64(set.Conditions.Protocol.AllPulls()) * s.ConstantArm.Regret
		return &Constant{Arm: s.ConstantArm.Arm, Regret: words.Float(regret), Percent: percent(regret, uniform)}
	}
	return nil
}

// String returns a line for captions.
func (c *Constant) String() string {
	if c.Arm == "" {
		return "best constant arm: " + words.None
	}
	text := fmt.Sprintf("best constant arm: always %q costs %s", words.Plain(c.Arm), words.Amount(float64(c.Regret)))
	if words.Finite(float64(c.Percent)) {
		text += fmt.Sprintf(", %s of uniform", words.Percent(float64(c.Percent)))
	}
	return text
}

// sentence returns a sentence with the best constant arm and the number of policies in a summary with less regret.
func (c *Constant) sentence(s *Summary) string {
	if c.Arm == "" {
		return "The best constant arm is not known, or differs between seeds or rounds."
	}
	text := "B" + c.String()[1:]
	below, surely := 0, false
	for _, p := range s.Policies {
		r := p.Regret[Primary()].All
		if r.Mean < float64(c.Regret) {
			below++
		}
		surely = surely || r.High < float64(c.Regret)
	}
	text += fmt.Sprintf("; %d of %d policies cost less", below, len(s.Policies))
	if below == 0 {
		text += ": always pulling it is as good as any of them"
	} else if lowest := s.Policies[0].Regret[Primary()].All; lowest.HasInterval() && !surely {
		text += ", none of them surely: it is within the interval of the best"
	}
	return text + "."
}
