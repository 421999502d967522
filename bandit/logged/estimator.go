package logged

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/nearest"
)

// An Estimator is a way to estimate a policy's value.
type Estimator struct {
	Name  string // name in options and columns
	Title string // header in tables
	Doc   string
	Model bool // needs predictions of rewards
	// Biased: its interval leaves out a bias that does not vanish, of the model or of changed weights.
	Biased bool

	of func(*sample) estimate // of a sample that check accepts; a Model estimator needs predictions
}

// Estimators returns all estimators, in the order of tables.
func Estimators() []Estimator {
	return []Estimator{
		{"dr", "DR", "doubly robust: mean of V + w(r − q) (Dudík et al. 2011)", true, false, doublyRobust},
		{"snips", "SNIPS", "self-normalized IPS: Σw·r/Σw (Swaminathan and Joachims 2015)", false, false, snips},
		{"ips", "IPS", "inverse propensity scoring: mean of w·r (Horvitz and Thompson 1952)", false, false, ips},
		{"sndr", "SNDR", "self-normalized DR: mean of V + Σw(r − q)/Σw (Thomas and Brunskill 2016)", true, false, selfNormalizedDR},
		{"clip", "clipped IPS", "IPS with min(w, τ) (Ionides 2008)", false, true, clippedIPS},
		{"dm", "DM", "direct method: mean of the model's predictions", true, true, directMethod},
		{"switch", "Switch-DR", "doubly robust where w ≤ τ, else the model (Wang et al. 2017)", true, true, switchDR},
		{"dros", "DRos", "doubly robust with optimistic shrinkage, ŵ = λw/(w² + λ) (Su et al. 2020)", true, true, shrinkage},
		{"clipdr", "clipped DR", "DR with min(w, τ) (Su et al. 2020)", true, true, clippedDR},
	}
}

// estimatorsOf returns the estimators of the given names, in the order of Estimators.
func estimatorsOf(names []string) ([]Estimator, error) {
	list := Estimators()
	known := make([]string, len(list))
	for i, e := range list {
		known[i] = e.Name
	}
	for _, name := range names {
		if _, err := nearest.Parse("unknown estimator", name, known); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(e Estimator) bool { return !slices.Contains(names, e.Name) }), nil
}

// A sample is what estimators see of one policy and a log of n rows: slices of length n. They do not change it.
type sample struct {
	weight []float64 // π(a|x)/p: the policy's probability of the logged arm over the logged propensity
	reward []float64 // r, of the logged arm
	// model is q(x, a), the reward that a model predicts of the logged arm, and value Σ π(b|x)·q(x, b) over all arms. Both
	// are nil without a model. The model of a row must not have seen the row.
	model, value []float64
}

// check returns an error if lengths differ, there is no row, or a weight is negative or not finite.
func (s *sample) check() error {
	n := len(s.reward)
	if n == 0 {
		return fmt.Errorf("logged: no rows")
	}
	if len(s.weight) != n || len(s.model) != len(s.value) || s.model != nil && len(s.model) != n {
		return fmt.Errorf("logged: %d rewards, %d weights, %d and %d predictions: want equal numbers",
			n, len(s.weight), len(s.model), len(s.value))
	}
	for i, w := range s.weight {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("logged: row %d has the weight %g, want at least 0", i+1, w)
		}
	}
	return nil
}

// residual returns r − q of row i, or r without a model.
func (s *sample) residual(i int, model bool) float64 {
	if !model {
		return s.reward[i]
	}
	return s.reward[i] - s.model[i]
}

// valueOf returns value of row i, or 0 without a model.
func (s *sample) valueOf(i int, model bool) float64 {
	if !model {
		return 0
	}
	return s.value[i]
}

// An estimate is the value of a policy: mean reward per pull.
type estimate struct {
	value float64
	// terms has one number per row. Their mean is value, and the variance of value is about that of a mean of as many
	// independent terms (for the self-normalized estimators by linearization).
	terms []float64
	// parameter is the clip, threshold or shrinkage that the estimator chose; NaN for those that have none, infinite
	// where no weight was changed.
	parameter float64
}

// mean returns the mean of terms as an estimate without a parameter.
func mean(terms []float64) estimate {
	sum := 0.0
	for _, t := range terms {
		sum += t
	}
	return estimate{value: sum / float64(len(terms)), terms: terms, parameter: math.NaN()}
}
