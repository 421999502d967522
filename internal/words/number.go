package words

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// None is shown in place of a missing number.
const None = "–"

// Finite reports whether v is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// A Float is a float64 of a report, which is null in JSON if it is not finite. In trial files, from which NaN and
// infinities must be read back, results.Number takes its place.
type Float float64

// MarshalJSON implements json.Marshaler.
func (v Float) MarshalJSON() ([]byte, error) {
	if !Finite(float64(v)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(v))
}

// Group returns a decimal number such as "-12345.6" with commas and a minus sign: "−12,345.6".
func Group(s string) string {
	whole, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(whole, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if negative {
		whole = "−" + whole
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

// Int returns n as "12,345".
func Int(n int) string { return Group(strconv.Itoa(n)) }

// Amount returns v as an integer or, if |v| is below 100, with three significant digits: "5,012", "12.3", "0.0123".
func Amount(v float64) string { return AmountTo(v, Decimals(v)) }

// Decimals returns the number of decimals in Amount(v).
func Decimals(v float64) int {
	a := math.Abs(v)
	if !Finite(v) || a == 0 || a >= 99.95 {
		return 0
	}
	return min(2-exponent(a), 12)
}

// DecimalsOf returns the number of decimals for a mean and half the width of its interval, so that half has two
// significant digits. If half is not finite, or is zero up to rounding errors, it returns Decimals(mean).
func DecimalsOf(mean, half float64) int {
	if !(half > 0) || !Finite(half) || IsPoint(mean, half) {
		return Decimals(mean)
	}
	return min(max(1-exponent(half), 0), 12)
}

// IsPoint reports whether an interval is a point up to rounding errors. half is half its width.
func IsPoint(mean, half float64) bool { return half <= 1e-12*math.Abs(mean) }

// exponent rounds v > 0 to ten digits and returns its decimal exponent. The floor of math.Log10(v) can be 1 too low.
func exponent(v float64) int {
	s := strconv.FormatFloat(v, 'e', 9, 64)
	e, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:]) // cannot fail, as s is from FormatFloat
	return e
}

// AmountTo is Amount with a given number of decimals. From 1e15 on and below 1e-9 it returns four significant digits.
func AmountTo(v float64, decimals int) string {
	if !Finite(v) {
		return None
	}
	if a := math.Abs(v); a >= 1e15 || a != 0 && a < 1e-9 {
		s := strconv.FormatFloat(a, 'g', 4, 64) // tables have no room for all digits
		if v < 0 {
			return "−" + s
		}
		return s
	}
	s := Group(fixed(v, decimals))
	if strings.Trim(s, "−0.") == "" {
		return "0"
	}
	return s
}

// fixed returns v with the given number of decimals. Below 1e9 it first rounds v to twelve digits, so that a tie such
// as 0.5 with a rounding error is still a tie. The text of a mean then does not depend on the order of summation.
func fixed(v float64, decimals int) string {
	if math.Abs(v) < 1e9 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', 11, 64), 64) // cannot fail
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// PlusMinus returns a mean and half the width of its interval as "5,012 ± 80", with DecimalsOf(mean, half) decimals.
func PlusMinus(mean, half float64) string {
	d := DecimalsOf(mean, half)
	if IsPoint(mean, half) {
		half = 0
	}
	return Beside(mean, half, d) + " ± " + AmountTo(half, d)
}

// Beside is AmountTo for the mean or a bound v of an interval. half is half the interval's width. If |v| ≤ 1e-12·half,
// v is 0 up to a rounding error, and Beside returns "0".
func Beside(v, half float64, decimals int) string {
	if Finite(half) && IsPoint(half, math.Abs(v)) {
		v = 0
	}
	return AmountTo(v, decimals)
}

// Tick returns the tick label at v, with decimals that distinguish marks step apart. On a logarithmic axis step is v.
func Tick(v, step float64) string {
	digits := max(0, -exponent(step))
	if v == 0 {
		return strconv.FormatFloat(0, 'f', min(digits, 9), 64)
	}
	return AmountTo(v, digits)
}

// Percent returns a percentage as "75.6 %".
func Percent(v float64) string {
	if !Finite(v) {
		return None
	}
	return AmountTo(v, 1) + " %"
}

// PValue returns a p-value as "0.092" or "< 0.001".
func PValue(p float64) string {
	switch {
	case math.IsNaN(p):
		return None
	case p < 0.001:
		return "< 0.001"
	case p > 0.999:
		return "1"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// Share returns a share of resamples as "0.42". Resampling never gives certainty, so above 0.99, also for 1, it returns
// "> 0.99", and below 0.01 "< 0.01".
func Share(v float64) string {
	switch {
	case math.IsNaN(v):
		return None
	case v < 0.01:
		return "< 0.01"
	case v > 0.99:
		return "> 0.99"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// Exact returns the shortest decimal that reads back as v, in the form of JSON; "" if v is not finite.
func Exact(v float64) string {
	if !Finite(v) {
		return ""
	}
	b, _ := json.Marshal(v) // cannot fail for finite numbers
	return string(b)
}

// NiceStep returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least step.
func NiceStep(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= step {
			return m * power
		}
	}
	return 10 * power
}
