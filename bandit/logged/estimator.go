package logged

import (
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
)

// An Estimator is a way to estimate a policy's value.
type Estimator struct {
	Name  string // name in options and columns
	Title string // header in tables
	Doc   string
	Model bool // needs predictions of rewards
	// Biased: the interval ignores a bias, of the model or of changed weights, that does not vanish with more rows.
	Biased bool

	from func(*sample) estimate
}

// of returns the estimate from a sample. Estimators that need no model get it with q = V = 0 (see sample).
func (e Estimator) of(s *sample) estimate {
	if !e.Model {
		s = s.withoutModel()
	}
	return e.from(s)
}

// Estimators returns all estimators, in the order of tables.
func Estimators() []Estimator {
	clipped := func(s *sample) estimate { return choose(s, clips(s), math.Min) }
	corrected := func(s *sample) estimate {
		return estimate{terms(s, func(w float64) float64 { return w }), math.NaN()}
	}
	return []Estimator{
		{"dr", "DR", "doubly robust: mean of V + w(r − q) (Dudík et al. 2011)", true, false, corrected},
		{"snips", "SNIPS", "self-normalized IPS: Σw·r/Σw (Swaminathan and Joachims 2015)", false, false, selfNormalized},
		{"ips", "IPS", "inverse propensity scoring: mean of w·r (Horvitz and Thompson 1952)", false, false, corrected},
		{"sndr", "SNDR", "self-normalized DR: mean of V + Σw(r − q)/Σw (Thomas and Brunskill 2016)", true, false, selfNormalized},
		{"clip", "clipped IPS", "IPS with min(w, τ) (Ionides 2008)", false, true, clipped},
		{"dm", "DM", "direct method: mean of the model's predictions", true, true, func(s *sample) estimate { return estimate{slices.Clone(s.value), math.NaN()} }},
		{"switch", "Switch-DR", "doubly robust where w ≤ τ, else the model (Wang et al. 2017)", true, true, switchDR},
		{"dros", "DRos", "doubly robust with optimistic shrinkage, ŵ = λw/(w² + λ) (Su et al. 2020)", true, true, shrinkage},
		{"clipdr", "clipped DR", "DR with min(w, τ) (Su et al. 2020)", true, true, clipped},
	}
}

// estimatorsOf returns the estimators of the given names, in the order of Estimators.
func estimatorsOf(names []string) ([]Estimator, error) {
	list := Estimators()
	known := lists.Each(list, func(e Estimator) string { return e.Name })
	for _, name := range names {
		if _, err := nearest.Parse("--estimators: unknown estimator", name, known); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(e Estimator) bool { return !slices.Contains(names, e.Name) }), nil
}

// A sample is the input of estimators, which do not modify it: one policy on a log of n rows, as slices of length n.
type sample struct {
	weight []float64 // π(a|x)/p: the policy's probability of the logged arm over the logged propensity, finite and not negative
	reward []float64 // r, of the logged arm
	// model is q(x, a), the reward that a model predicts for the logged arm, and value is V = Σ π(b|x)·q(x, b) over all
	// arms b. Both are nil without a model. The model must not have seen the row for which it predicts.
	model, value []float64
}

// withoutModel returns the sample with q = V = 0.
func (s *sample) withoutModel() *sample {
	zeros := make([]float64, len(s.reward))
	return &sample{s.weight, s.reward, zeros, zeros}
}

// residual returns r − q of row i.
func (s *sample) residual(i int) float64 { return s.reward[i] - s.model[i] }

// An estimate is an estimate of a policy's value, the mean reward per pull.
type estimate struct {
	// terms has one number per row. The estimate is their mean, and its standard error is about that of the mean of
	// independent terms (by linearization for the self-normalized estimators).
	terms []float64
	// parameter is the estimator's chosen clip, threshold or shrinkage; NaN if it has none, infinite if no weight changed.
	parameter float64
}

// terms returns V + change(w)·(r − q) for each row. With unchanged weights, the mean of the terms is DR, or IPS without
// a model. It is unbiased if the propensities are right and positive wherever the policy acts, or the model is right.
func terms(s *sample, change func(w float64) float64) []float64 {
	list := make([]float64, len(s.reward))
	for i, w := range s.weight {
		list[i] = s.value[i] + float64(change(w)*s.residual(i))
	}
	return list
}

// selfNormalized returns mean(V) + v with v = Σw(r − q)/Σw, NaN if all weights are 0. The terms are those of the
// linearized ratio, V + v + w(r − q − v)/w̄, with w̄ the mean weight.
func selfNormalized(s *sample) estimate {
	n := float64(len(s.reward))
	var weights, weighted float64
	for i, w := range s.weight {
		weights += w
		weighted += float64(w * s.residual(i))
	}
	correction := weighted / weights
	terms := make([]float64, len(s.reward))
	for i, w := range s.weight {
		terms[i] = s.value[i] + correction + float64(w*(s.residual(i)-correction))/(weights/n)
	}
	return estimate{terms, math.NaN()}
}

// switchDR drops the correction w(r − q) where the weight w is above the clip τ (Wang, Agarwal and Dudík, ICML 2017).
func switchDR(s *sample) estimate {
	return choose(s, clips(s), func(w, clip float64) float64 {
		if w > clip {
			return 0
		}
		return w
	})
}

// shrinkage uses the weights ŵ = λw/(w² + λ), which tend to w for λ → ∞ and to 0 for λ → 0 (Su, Dimakopoulou,
// Krishnamurthy and Dudík, ICML 2020, equation 7); λ is chosen among the squares of the clips.
func shrinkage(s *sample) estimate {
	squares := lists.Each(clips(s), func(clip float64) float64 { return clip * clip })
	return choose(s, squares, func(w, lambda float64) float64 {
		if math.IsInf(lambda, 1) {
			return w
		}
		return lambda * w / (float64(w*w) + lambda)
	})
}

// gridSize is the number of clips below the largest weight.
const gridSize = 20

// clips returns the clips to choose from, ascending: gridSize clips that are evenly spaced in their logarithm, from the
// larger of 1 and the median positive weight to just below the largest weight, then +Inf, which clips nothing. If the
// largest weight is not above the first clip, +Inf is the only one.
func clips(s *sample) []float64 {
	positive := slices.DeleteFunc(slices.Clone(s.weight), func(w float64) bool { return !(w > 0) })
	var grid []float64
	if n := len(positive); n > 0 {
		slices.Sort(positive)
		low, high := max(1, positive[n/2]), positive[n-1]
		for i := 0; i < gridSize && high > low; i++ {
			grid = append(grid, low*math.Pow(high/low, float64(i)/gridSize))
		}
	}
	return append(grid, math.Inf(1))
}

// choose returns the estimate with changed weights ŵ = change(w, parameter) at the parameter of the grid with the least
// estimated mean squared error (Su et al. 2020, section 5):
//
//	(variance of the terms)/n + bias²,  bias = mean of (ŵ − w)(r − q),
//
// where the bias is estimated from the residuals that the change leaves out. Among parameters with the same error it
// takes the largest, which changes least. change(0, …) must be 0, since rows with weight 0 are summed only once.
func choose(s *sample, grid []float64, change func(w, parameter float64) float64) estimate {
	type row struct{ weight, residual, value float64 }
	n := float64(len(s.reward))
	center := 0.0 // mean of the values, subtracted so that sums of squares keep their digits
	for i := range s.reward {
		center += s.value[i] / n
	}
	var rows []row
	var unweighted, unweightedSquares float64
	for i, w := range s.weight {
		v := s.value[i] - center
		if w > 0 {
			rows = append(rows, row{w, s.residual(i), v})
			continue
		}
		unweighted += v
		unweightedSquares += float64(v * v)
	}
	best, least := math.Inf(1), math.Inf(1)
	for _, parameter := range slices.Backward(grid) {
		sum, squares, bias := unweighted, unweightedSquares, 0.0
		for _, r := range rows {
			changed := change(r.weight, parameter)
			term := r.value + float64(changed*r.residual)
			sum += term
			squares += float64(term * term)
			bias += float64((changed - r.weight) * r.residual)
		}
		variance := (squares - float64(sum*sum)/n) / max(n-1, 1)
		if mse := variance/n + float64(bias/n*bias/n); mse < least {
			best, least = parameter, mse
		}
	}
	return estimate{terms(s, func(w float64) float64 { return change(w, best) }), best}
}
