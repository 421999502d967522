package estimate

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/nearest"
)

// A Sample is what estimators see of one policy and a log of n rows: slices of length n. They do not change it.
type Sample struct {
	Weight []float64 // π(a|x)/p: the policy's probability of the logged arm over the logged propensity
	Reward []float64 // r, of the logged arm
	// Model is q(x, a), the reward that a model predicts of the logged arm, and Value Σ π(b|x)·q(x, b) over all arms. Both
	// are nil without a model. The model of a row must not have seen the row.
	Model, Value []float64
}

// Check returns an error if lengths differ, there is no row, or a weight is negative or not finite.
func (s *Sample) Check() error {
	n := len(s.Reward)
	if n == 0 {
		return fmt.Errorf("estimate: no rows")
	}
	if len(s.Weight) != n || len(s.Model) != len(s.Value) || s.Model != nil && len(s.Model) != n {
		return fmt.Errorf("estimate: %d rewards, %d weights, %d and %d predictions: want equal numbers", n, len(s.Weight), len(s.Model), len(s.Value))
	}
	for i, w := range s.Weight {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("estimate: row %d has the weight %g, want at least 0", i+1, w)
		}
	}
	return nil
}

// residual returns r − q of row i, or r without a model.
func (s *Sample) residual(i int, model bool) float64 {
	if !model {
		return s.Reward[i]
	}
	return s.Reward[i] - s.Model[i]
}

// value returns Value of row i, or 0 without a model.
func (s *Sample) value(i int, model bool) float64 {
	if !model {
		return 0
	}
	return s.Value[i]
}

// An Estimate is the value of a policy: mean reward per pull.
type Estimate struct {
	Value float64
	// Terms has one number per row. Their mean is Value, and the variance of Value is about that of a mean of as many
	// independent terms (for the self-normalized estimators by linearization).
	Terms []float64
	// Parameter is the clip, threshold or shrinkage that the estimator chose; NaN for those that have none, infinite
	// where no weight was changed.
	Parameter float64
}

// An Estimator is a way to estimate a policy's value.
type Estimator struct {
	Name  string // name in flags and columns
	Title string // header in tables
	Doc   string
	Model bool // needs predictions of rewards
	// Biased: its interval leaves out a bias that does not vanish, of the model or of changed weights.
	Biased bool
	// Of returns the estimate of a sample that Check accepts; a Model estimator needs predictions.
	Of func(*Sample) Estimate
}

// All returns all estimators, in the order of tables.
func All() []Estimator {
	return []Estimator{DoublyRobust(), SNIPS(), IPS(), SelfNormalizedDR(), ClippedIPS(), DirectMethod(), SwitchDR(), Shrinkage(), ClippedDR()}
}

// DefaultNames returns the names of the estimators that are shown unless others are asked for: those without a bias of a model
// or of changed weights that are used most.
func DefaultNames() []string { return []string{DoublyRobust().Name, SNIPS().Name, IPS().Name} }

// Names returns the names of All.
func Names() []string {
	var names []string
	for _, e := range All() {
		names = append(names, e.Name)
	}
	return names
}

// Find returns the estimators of the given names, in the order of All.
func Find(names []string) ([]Estimator, error) {
	var list []Estimator
	for _, name := range names {
		if _, err := nearest.Parse("unknown estimator", name, Names()); err != nil {
			return nil, err
		}
	}
	for _, e := range All() {
		if slices.Contains(names, e.Name) {
			list = append(list, e)
		}
	}
	return list, nil
}

// mean returns the mean of terms as an estimate without a parameter.
func mean(terms []float64) Estimate {
	sum := 0.0
	for _, t := range terms {
		sum += t
	}
	return Estimate{Value: sum / float64(len(terms)), Terms: terms, Parameter: math.NaN()}
}
