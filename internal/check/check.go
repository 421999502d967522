// Package check has the checks of option values. Their errors give the option's key, the value
// found and the range allowed.
package check

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The largest values of options that several packages have, far above all use: a typing error
// ends in a message rather than in full memory.
const (
	MaxChains  = 100_000
	MaxSteps   = 1_000_000 // in a round
	MaxNumbers = 1e8       // in one kind of memory of one trial: parameters, activations, bins
)

// First returns the first error that is not nil.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Within returns an error unless low ≤ v ≤ high.
func Within(key string, v, low, high int) error {
	if v < low || v > high {
		return fmt.Errorf("%s: %d, want %d to %d", key, v, low, high)
	}
	return nil
}

// Finite returns an error if v is infinite or NaN.
func Finite(key string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %g, want a finite number", key, v)
	}
	return nil
}

// NotNegative returns an error unless v is finite and at least 0.
func NotNegative(key string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %g, want a finite number of at least 0", key, v)
	}
	return nil
}

// Positive returns an error unless v is finite and above 0.
func Positive(key string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %g, want a finite number above 0", key, v)
	}
	return nil
}

// OneOf returns an error unless v is one of the values allowed.
func OneOf(key, v string, allowed ...string) error {
	if !slices.Contains(allowed, v) {
		return fmt.Errorf("%s: %q, want one of %s", key, v, strings.Join(allowed, ", "))
	}
	return nil
}
