package results

import (
	"math"
	"strconv"
	"strings"
)

// none stands in tables for what cannot be had.
const none = "–"

// group puts commas between the thousands of a decimal number such as
// "-12345.6".
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	whole, fraction, hasFraction := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if hasFraction {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// Amount is a regret as tables show it to people, as "5,012", "12.3" and "0.0123".
func Amount(v float64) string { return amount(v) }

// amount is a regret for people: whole numbers, or three significant digits where
// it is small, as "5,012", "12.3" and "0.0123".
func amount(v float64) string {
	return amountTo(v, decimals(v))
}

// decimals is the number of them that amount shows of v.
func decimals(v float64) int {
	a := math.Abs(v)
	if !finite(v) || a == 0 || a >= 99.95 {
		return 0
	}
	return min(2-int(math.Floor(math.Log10(a))), 12)
}

func amountTo(v float64, decimals int) string {
	if !finite(v) {
		return none
	}
	if a := math.Abs(v); a >= 1e15 || a != 0 && a < 1e-9 {
		return strconv.FormatFloat(v, 'g', 4, 64) // no table has room for it
	}
	s := group(strconv.FormatFloat(v, 'f', decimals, 64))
	if strings.Trim(s, "−0.") == "" {
		return "0"
	}
	return s
}

// plusMinus is "5,012 ± 80", or "5,012" without an interval.
func plusMinus(e Estimate) string {
	if !e.HasInterval() {
		return amount(e.Mean)
	}
	d := e.decimals()
	return amountTo(e.Mean, d) + " ± " + amountTo(e.Half(), d)
}

// interval is "[−40, 280]", or none.
func interval(e Estimate) string {
	if !e.HasInterval() {
		return none
	}
	d := e.decimals()
	return "[" + amountTo(e.Low, d) + ", " + amountTo(e.High, d) + "]"
}

// decimals are as many as two digits of half the interval need, for the mean as well.
func (e Estimate) decimals() int {
	half := e.Half()
	if !(half > 0) {
		return decimals(e.Mean)
	}
	return min(max(1-int(math.Floor(math.Log10(half))), 0), 12)
}

// percentage is "75.6 %".
func percentage(v float64) string {
	if !finite(v) {
		return none
	}
	return amountTo(v, 1) + " %"
}

// probability is a p-value: "0.092", "< 0.001".
func probability(p float64) string {
	switch {
	case math.IsNaN(p):
		return none
	case p < 0.001:
		return "< 0.001"
	case p > 0.999:
		return "1"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// exact is a number for machines: the shortest decimal that reads back the same,
// and nothing for what cannot be had.
func exact(v float64) string {
	if !finite(v) {
		return ""
	}
	return string(appendNumber(nil, v))
}

// plain makes a name fit to be shown: no control characters, which could play tricks
// on a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// share is a probability estimated from resamples, which are never sure: "0.42", "> 0.99".
func share(v float64) string {
	switch {
	case math.IsNaN(v):
		return none
	case v < 0.01:
		return "< 0.01"
	case v > 0.99:
		return "> 0.99"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
