package policy

import (
	"math"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/posterior"
)

// RegCBOptions are the options of RegCB over a posterior with options O.
type RegCBOptions[O any] struct {
	Mellowness float64 `json:"mellowness"`                                 // width C₀ of the set of regressors, in units of the noise variance, at least 0
	Optimistic bool    `json:"optimistic"`                                 // whether to pull the arm with the highest upper bound; if not, a random one that may be best
	Model      Model   `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Covering
	Posterior O `json:"posterior"`
}

// RegCBKind declares RegCB over a posterior, under the posterior's name: confidence bounds by regression (Foster,
// Agarwal, Dudík, Luo and Schapire, ICML 2018, algorithm 1; Bietti, Agarwal and Langford, JMLR 22, 2021, section 3.5,
// as Vowpal Wabbit's --regcb and --regcbopt).
//
// Let F be the regressors f whose squared loss on all rewards exceeds the minimum by at most β = C₀·noise²·ln(Kt), in
// pull t with K arms. The bounds of arm a are the minimum and maximum of f(a) over F. The sources approximate them by a
// binary search over the weight of an artificial reward. For exact.Linear, whose loss includes the ridge penalty λ‖w‖²,
// the loss of weights w exceeds the minimum, at ŵ, by (w−ŵ)ᵀA(w−ŵ) with A = λI + Σ xxᵀ, and the bounds are
//
//	ŵ·x ± √β·√(xᵀA⁻¹x) = mean(a) ± √(C₀·ln(Kt))·spread(a)
//
// RegCB pulls an arm drawn uniformly from those whose upper bound is at least the lower bound of every arm or, if
// optimistic, the arm with the highest upper bound. Unlike the sources it does not clip bounds to a range of rewards.
func RegCBKind[O any](k posterior.Kind[O]) Kind[RegCBOptions[O]] {
	return Kind[RegCBOptions[O]]{
		Name: k.Name, Doc: "arms that may be best by confidence bounds of regressors, over " + k.Doc + " (Foster et al. 2018)",
		Defaults: func() RegCBOptions[O] { return RegCBOptions[O]{Mellowness: 0.1, Posterior: k.Defaults()} },
		New: func(o RegCBOptions[O], s Setup) (bandit.Policy, error) {
			return newRegCB(s, o.Mellowness, o.Optimistic, o.Model, o.Covering, configure(k, o.Posterior))
		},
	}
}

func newRegCB(s Setup, c0 float64, optimistic bool, model Model, cover Covering, c configured) (bandit.Policy, error) {
	rule := func(p, spread []float64, t int) {
		factor := math.Sqrt(c0 * kernel.Log(float64(len(p)*t)))
		highestLow := math.Inf(-1)
		for i, v := range p {
			highestLow = max(highestLow, v-float64(factor*spread[i]))
			p[i] += float64(factor * spread[i])
		}
		best, _ := argmax(p, nil)
		kept := 0.0
		for i, high := range p {
			p[i] = 0
			if i == best || !optimistic && high >= highestLow {
				p[i] = 1
				kept++
			}
		}
		for i := range p {
			p[i] /= kept
		}
	}
	p, err := newSampled(s, model, cover, false, rule, c,
		check.That(c0 >= 0 && c0 <= 1e12, "mellowness: %g, want 0 to 1e12", c0))
	if err != nil {
		return nil, err
	}
	return p, p.useSpread("RegCB", c.name)
}
