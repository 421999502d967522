package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Threshold is a condition on a policy's mean regret over the seeds, or on the difference of two policies:
//
//	post_burn_in_regret(pICSGLD) < 4000
//	regret(pICSGLD) - regret("hot pSGLD") <= 0
//
// The quantities are regret and post_burn_in_regret, by the Primary metric. Names such as expected_regret and
// post_burn_in_realised_regret choose the metric. The operators are <, <=, > and >=.
type Threshold struct {
	Text  string
	Terms []Term // one term, or two of which the second is subtracted
	// Environment is the label of the set to which the threshold applies; "" if there is only one set.
	Environment string
	Place       place.Place // place in the file from which it was read
	op          string
	limit       float64
}

// A Term is a quantity of one policy.
type Term struct {
	Metric      string // name of the quantity
	Policy      string // label
	At          int    // offset of the policy in the threshold's text, in bytes
	AfterBurnIn bool   // reports whether only the rounds after burn-in count
}

// maxThreshold bounds the length of a threshold in bytes.
const maxThreshold = 1000

const postBurnIn = "post_burn_in_"

// ThresholdMetrics returns the names of the quantities that thresholds may use.
func ThresholdMetrics() []string {
	var names []string
	for _, prefix := range []string{"", postBurnIn} {
		names = append(names, prefix+"regret")
		for _, m := range metrics {
			names = append(names, prefix+m.name+"_regret")
		}
	}
	return names
}

func (t Term) value(totals results.Totals) float64 {
	m, err := ParseMetric(strings.TrimSuffix(strings.TrimPrefix(t.Metric, postBurnIn), "_regret"))
	if err != nil { // regret, without the name of a metric
		m = Primary()
	}
	if t.AfterBurnIn {
		return m.AfterBurnIn(totals)
	}
	return m.Total(totals)
}

// ParseThreshold parses a threshold. It does not check whether policies exist. Errors are *[place.TextError] in text.
func ParseThreshold(text string) (Threshold, error) {
	t, p := Threshold{Text: text}, thresholdParser{text: text}
	if len(text) > maxThreshold {
		return t, p.wrong(maxThreshold, "longer than %d bytes: this is no threshold", maxThreshold)
	}
	orMinus := ", or - and a second metric"
	for len(t.Terms) == 0 || len(t.Terms) == 1 && p.accept("-") {
		term, err := p.term()
		if err != nil {
			return t, err
		}
		if t.Terms = append(t.Terms, term); len(t.Terms) == 2 {
			orMinus = ""
		}
	}
	operators := []string{"<=", ">=", "<", ">"} // the longer ones first
	k := slices.IndexFunc(operators, p.accept)
	if k < 0 {
		return t, p.wrong(p.at, "an operator is missing: want <, <=, > or >=%s", orMinus)
	}
	t.op = operators[k]
	limit := strings.TrimRightFunc(p.rest(), unicode.IsSpace)
	if limit == "" {
		return t, p.wrong(p.at, "the limit is missing: want a number, such as 4000")
	}
	var err error
	if t.limit, err = check.ParseFloat(limit); err != nil {
		return t, p.wrong(p.at, "%w: want one such as 4000", err)
	}
	return t, nil
}

// Renamed returns a copy of the threshold with other policies, one per term. It also replaces the policies in Text.
func (t Threshold) Renamed(policies []string) Threshold {
	t.Terms = slices.Clone(t.Terms)
	shift := 0 // bytes by which Text has grown
	for i := range t.Terms {
		term := &t.Terms[i]
		term.At += shift
		t.Text = t.Text[:term.At] + policies[i] + t.Text[term.At+len(term.Policy):]
		shift += len(policies[i]) - len(term.Policy)
		term.Policy = policies[i]
	}
	return t
}

// A thresholdParser reads a threshold from left to right.
type thresholdParser struct {
	text string
	at   int // offset in text of the next byte to read
}

func (p *thresholdParser) wrong(at int, format string, args ...any) error {
	return &place.TextError{Text: p.text, Offset: at, Err: fmt.Errorf(format, args...)}
}

// rest skips spaces and returns the text that was not read.
func (p *thresholdParser) rest() string {
	rest := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.at = len(p.text) - len(rest)
	return rest
}

// accept skips spaces, and then sign if it comes next. It reports whether sign came next.
func (p *thresholdParser) accept(sign string) bool {
	found := strings.HasPrefix(p.rest(), sign)
	if found {
		p.at += len(sign)
	}
	return found
}

func (p *thresholdParser) term() (Term, error) {
	known := ThresholdMetrics()
	rest := p.rest()
	begin := p.at
	after := strings.TrimLeftFunc(rest, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	t := Term{Metric: strings.TrimSuffix(rest, after)}
	t.AfterBurnIn = strings.HasPrefix(t.Metric, postBurnIn)
	p.at += len(t.Metric)
	switch {
	case t.Metric == "":
		return t, p.wrong(begin, "a metric is missing, as in regret(pICSGLD) < 4000: known are %s", strings.Join(known, ", "))
	case !slices.Contains(known, t.Metric):
		return t, p.wrong(begin, "there is no metric %q%s: known are %s", t.Metric, nearest.DidYouMean(t.Metric, known), strings.Join(known, ", "))
	case !p.accept("("):
		return t, p.wrong(p.at, "a policy in parentheses is missing, as in %s(pICSGLD)", t.Metric)
	}
	if p.accept(`"`) {
		name, _, closed := strings.Cut(p.text[p.at:], `"`)
		t.Policy, t.At = name, p.at
		if !closed {
			return t, p.wrong(p.at, "the closing quote is missing")
		}
		p.at += len(name) + 1
	} else {
		name, _, _ := strings.Cut(p.rest(), ")")
		t.Policy, t.At = strings.TrimRightFunc(name, unicode.IsSpace), p.at
		p.at += len(name)
	}
	switch {
	case !p.accept(")"):
		return t, p.wrong(p.at, "the closing parenthesis is missing")
	case t.Policy == "":
		return t, p.wrong(t.At, "the name of a policy is missing")
	}
	return t, nil
}

// A Judgment is the result of checking a threshold.
type Judgment struct {
	Threshold Threshold
	Estimate  stats.Estimate // value of the threshold's left side, over the seeds
	Met       bool
	Why       string // why there is no mean to compare, so that Met is false; else ""
}

// Judge checks a threshold against a set's trials. The function find must return the policy with a label, or nil. Of
// two terms, it takes the mean difference over common seeds. A threshold is not met if a trial of its policies failed.
func (t Threshold) Judge(set *results.Set, find func(label string) *results.PolicyRecords) Judgment {
	j := Judgment{Threshold: t, Estimate: stats.NewEstimate(nil)}
	var terms []regretBySeed
	for _, term := range t.Terms {
		p := find(term.Policy)
		switch {
		case p == nil:
			j.Why = fmt.Sprintf("there is no trial of %s", words.Plain(term.Policy))
			return j
		case len(Failed(p.Records)) > 0:
			j.Why = fmt.Sprintf("%s: %s", words.Plain(term.Policy), Failed(p.Records))
			return j
		case term.AfterBurnIn && set.Conditions.Protocol.AfterBurnIn() > set.Conditions.Protocol.Rounds:
			j.Why = "no round follows burn-in"
			return j
		}
		r := regretBySeed{total: make(map[uint64]float64)}
		for _, rec := range p.Records { // sorted by seed
			r.seeds = append(r.seeds, rec.Seed)
			r.total[rec.Seed] = term.value(rec.Totals)
		}
		terms = append(terms, r)
	}
	j.Estimate = stats.NewEstimate(lists.Each(terms[0].seeds, func(seed uint64) float64 { return terms[0].total[seed] }))
	if len(terms) == 2 {
		j.Estimate = terms[0].minus(terms[1]).Mean
	}
	if j.Estimate.N == 0 {
		j.Why = "the two policies share no seed"
		return j
	}
	v := j.Estimate.Mean
	j.Met = map[string]bool{"<": v < t.limit, "<=": v <= t.limit, ">": v > t.limit, ">=": v >= t.limit}[t.op]
	return j
}

// String returns a line such as "regret(pSGLD) < 4000: 3,811 ± 210 over 6 seeds: met".
func (j Judgment) String() string {
	verdict, found := "missed", j.Why
	if j.Met {
		verdict = "met"
	}
	if found == "" {
		value := j.Estimate.String()
		// Near the limit, rounding could hide on which side the mean is: show all digits.
		if mean := j.Estimate.Mean; math.Abs(mean-j.Threshold.limit) < 1e-3*math.Max(1, math.Abs(mean)) {
			value = fmt.Sprintf("%s (mean %s)", value, words.Exact(mean))
		}
		found = fmt.Sprintf("%s over %s", value, words.Count(j.Estimate.N, "seed"))
	}
	text := fmt.Sprintf("%s: %s: %s", words.Plain(j.Threshold.Text), found, verdict)
	if e := j.Threshold.Environment; e != "" {
		text = words.Plain(e) + ": " + text
	}
	return text
}
