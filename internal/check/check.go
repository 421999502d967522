// Package check has the checks of option values, and of the rows that posteriors take. Errors of options give the
// option's key, the value found and the range allowed.
package check

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"banditsim/internal/lists"
)

// Limits of options that several packages have, far above any use. They catch typing errors that would fill the memory.
const (
	MaxChains  = 10_000
	MaxSteps   = 1_000_000 // steps in a round
	MaxNumbers = 1e8       // numbers of one kind in the memory of a trial: parameters, activations or bins
)

// The range of real options. Most² still fits float32, in which networks compute.
const (
	Least = 1e-30 // the least value above 0
	Most  = 1e15
)

// ParseFloat parses a finite number. One too large for a float64, or so near to 0 that it would become 0, is an error.
func ParseFloat(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s does not fit 64 bits: it is too large", text)
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%q is not a number", text)
	case v == 0 && strings.ContainsAny(mantissa, "123456789"):
		return 0, fmt.Errorf("%s does not fit 64 bits: it is too near to 0", text)
	}
	return v, nil
}

// That returns an error with the formatted text unless the condition holds.
func That(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// Within returns an error unless low ≤ v ≤ high.
func Within(key string, v, low, high int) error {
	return That(v >= low && v <= high, "%s: %d, want %d to %d", key, v, low, high)
}

// Finite returns an error unless v is from −Most to Most.
func Finite(key string, v float64) error {
	return That(v >= -Most && v <= Most, "%s: %g, want a number from %g to %g", key, v, -Most, Most)
}

// NotNegative returns an error unless v is 0 or from Least to Most.
func NotNegative(key string, v float64) error {
	return That(v == 0 || v >= Least && v <= Most, "%s: %g, want 0 or a number from %g to %g", key, v, Least, Most)
}

// Positive returns an error unless v is from Least to Most.
func Positive(key string, v float64) error {
	return That(v >= Least && v <= Most, "%s: %g, want a number from %g to %g", key, v, Least, Most)
}

// OneOf returns an error unless v is one of the values allowed.
func OneOf(key, v string, allowed ...string) error {
	return That(slices.Contains(allowed, v), "%s: %q, want one of %s", key, v, strings.Join(allowed, ", "))
}

// UTF8 returns an error unless all names are in UTF-8. JSON would replace their other bytes, so two could become one.
func UTF8(key string, names ...string) error {
	return cmp.Or(lists.Each(names, func(name string) error { return That(utf8.ValidString(name), "%s %q, want text in UTF-8", key, name) })...)
}

// Row returns an error unless a row has a finite context of length dim, an arm from 0 to arms−1 and a finite reward.
func Row(context []float32, dim, arm, arms int, reward float64) error {
	switch {
	case len(context) != dim:
		return fmt.Errorf("a context of %d numbers, want %d", len(context), dim)
	case arm < 0 || arm >= arms:
		return fmt.Errorf("arm %d, want 0 to %d", arm, arms-1)
	case math.IsNaN(reward) || math.IsInf(reward, 0):
		return fmt.Errorf("a reward of %g", reward)
	}
	for _, v := range context {
		if v-v != 0 { // infinite or NaN
			return errors.New("a context that is not finite")
		}
	}
	return nil
}

// Reward returns an error if a reward is so large that sums of squares of rewards may overflow.
func Reward(reward float64) error {
	const most = 1e100
	if math.Abs(reward) > most {
		return fmt.Errorf("a reward of %g, want at most %g in size", reward, most)
	}
	return nil
}
