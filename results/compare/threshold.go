package compare

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"banditsim/internal/check"
	"banditsim/internal/nearest"
	"banditsim/internal/place"
	"banditsim/results"
)

// A Threshold is a condition on a policy's mean over the seeds, or on the
// difference of two:
//
//	post_burn_in_regret(pICSGLD) < 4000
//	regret(pICSGLD) - regret("hot pSGLD") <= 0
//
// The quantities are regret and post_burn_in_regret, which go by the Primary metric, and both for
// each metric: expected_regret, post_burn_in_realised_regret. The operators are <, <=, > and >=.
type Threshold struct {
	Text  string
	Terms []Term // one, or two of which the second is subtracted
	// Environment is the label of the set that it is judged on, "" where there is but one.
	Environment string
	op          string
	limit       float64
}

// A Term is a quantity of one policy.
type Term struct {
	Metric      string // name of the quantity
	Policy      string // label
	At          int    // offset of the policy in the threshold's text, in bytes
	AfterBurnIn bool   // the rounds after burn-in alone

	metric *Metric
}

// maxThreshold bounds a threshold's length: names are short.
const maxThreshold = 1000

const postBurnIn = "post_burn_in_"

// ThresholdMetrics returns the names of the quantities of thresholds.
func ThresholdMetrics() []string {
	var names []string
	for _, prefix := range []string{"", postBurnIn} {
		names = append(names, prefix+"regret")
		for _, m := range Metrics() {
			names = append(names, prefix+m.name+"_regret")
		}
	}
	return names
}

// find sets the fields that the quantity's name determines, and reports whether there is one.
func (t *Term) find() bool {
	name, after := strings.CutPrefix(t.Metric, postBurnIn)
	t.AfterBurnIn = after
	if name == "regret" {
		t.metric = Primary()
	}
	for _, m := range Metrics() {
		if name == m.name+"_regret" {
			t.metric = m
		}
	}
	return t.metric != nil
}

// value returns the quantity of one trial.
func (t Term) value(totals results.Totals) float64 {
	all, after := t.metric.total(totals)
	if t.AfterBurnIn {
		return after
	}
	return all
}

// ParseThreshold reads a threshold. Its errors are of type [place.TextError], which points into the
// text. It does not know which policies there are.
func ParseThreshold(text string) (Threshold, error) {
	p := thresholdParser{text: text}
	if len(text) > maxThreshold {
		return Threshold{}, p.wrong(maxThreshold, "longer than %d bytes: this is no threshold", maxThreshold)
	}
	t := Threshold{Text: text}
	for {
		term, err := p.term()
		if err != nil {
			return Threshold{}, err
		}
		t.Terms = append(t.Terms, term)
		if len(t.Terms) == 2 || !p.accept("-") {
			break
		}
	}
	var err error
	if t.op, err = p.operator(len(t.Terms)); err != nil {
		return Threshold{}, err
	}
	t.limit, err = p.number()
	return t, err
}

// Renamed returns the threshold on other policies: one for each term, which takes the place of the policy's name in the
// text too.
func (t Threshold) Renamed(policies []string) Threshold {
	t.Terms = slices.Clone(t.Terms)
	shift := 0 // how far the text has shifted so far
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
	at   int // offset of the rest
}

// wrong returns an error about the text at an offset.
func (p *thresholdParser) wrong(at int, format string, args ...any) error {
	return &place.TextError{Text: p.text, Offset: at, Err: fmt.Errorf(format, args...)}
}

// rest skips spaces and returns the rest of the text.
func (p *thresholdParser) rest() string {
	rest := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.at = len(p.text) - len(rest)
	return rest
}

// accept skips sign if it is next, and reports whether it was.
func (p *thresholdParser) accept(sign string) bool {
	if !strings.HasPrefix(p.rest(), sign) {
		return false
	}
	p.at += len(sign)
	return true
}

// term reads metric(policy).
func (p *thresholdParser) term() (Term, error) {
	known := ThresholdMetrics()
	rest := p.rest()
	begin := p.at
	t := Term{Metric: word(rest)}
	p.at += len(t.Metric)
	switch {
	case t.Metric == "":
		return t, p.wrong(begin, "a metric is missing, as in regret(pICSGLD) < 4000: known are %s", strings.Join(known, ", "))
	case !t.find():
		return t, p.wrong(begin, "there is no metric %q%s: known are %s", t.Metric, nearest.DidYouMean(t.Metric, known), strings.Join(known, ", "))
	case !p.accept("("):
		return t, p.wrong(p.at, "a policy in parentheses is missing, as in %s(pICSGLD)", t.Metric)
	}
	if p.accept(`"`) {
		name, _, closed := strings.Cut(p.text[p.at:], `"`)
		if !closed {
			return t, p.wrong(p.at, "the closing quote is missing")
		}
		t.Policy, t.At = name, p.at
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

// word returns the letters, digits and underscores that s begins with.
func word(s string) string {
	rest := strings.TrimLeftFunc(s, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	return s[:len(s)-len(rest)]
}

// operator reads an operator, after a number of terms.
func (p *thresholdParser) operator(terms int) (string, error) {
	for _, op := range []string{"<=", ">=", "<", ">"} { // the longer ones first
		if p.accept(op) {
			return op, nil
		}
	}
	or := ""
	if terms == 1 {
		or = ", or - and a second metric"
	}
	return "", p.wrong(p.at, "an operator is missing: want <, <=, > or >=%s", or)
}

// number reads the limit, which ends the threshold.
func (p *thresholdParser) number() (float64, error) {
	rest := strings.TrimRightFunc(p.rest(), unicode.IsSpace)
	if rest == "" {
		return 0, p.wrong(p.at, "the limit is missing: want a number, such as 4000")
	}
	v, err := check.ParseFloat(rest)
	if err != nil {
		return 0, p.wrong(p.at, "%w: want one such as 4000", err)
	}
	return v, nil
}
