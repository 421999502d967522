package exact

import (
	"cmp"
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/ridge"
	"banditsim/posterior"
)

// KernelRegressionOptions are the options of KernelRegression.
type KernelRegressionOptions struct {
	Bandwidth float64 `json:"bandwidth"` // standard deviation h of the Gaussian kernel, above 0
	Lambda    float64 `json:"lambda"`    // weight λ of the prior mean (0), in rewards; above 0
	Noise     float64 `json:"noise"`     // standard deviation of a reward about its mean, in units of reward, at least 0
	Memory    int     `json:"memory"`    // number of an arm's latest rewards that are kept, at least 1
	// OwnScale makes the mean of all rewards so far the prior mean, and measures noise in units of their standard
	// deviation. It measures bandwidth in units of the root mean square distance of two contexts.
	OwnScale bool `json:"own_scale,omitzero"`
	// Standardize, with own_scale, divides each column with numbers other than 0 and 1 by its standard deviation so far.
	Standardize bool `json:"standardize,omitzero"`
}

// KernelRegression predicts the weighted mean of an arm's rewards (Nadaraya, Theory of Probability and its Applications
// 9, 1964; Watson, Sankhyā A 26, 1964). With weights w = exp(−‖c − c'‖²/2h²) of contexts c' where the arm was pulled,
//
//	mean = Σ w·reward/(λ + Σ w),  standard deviation = noise/√(λ + Σ w)
//
// This is the posterior of a mean reward that is the same in all contexts c', if the error of a reward of weight w has
// the standard deviation noise/√w. Each context c has such a model of its own. In a joint draw for several contexts,
// the error of each reward is the same number of standard deviations in all of them.
//
// A prediction costs O(memory·s), where s of the context's numbers are not zero. Update does nothing.
func KernelRegression() posterior.Kind[KernelRegressionOptions] {
	return posterior.Kind[KernelRegressionOptions]{
		Name: "KernelRegression", Doc: "weighted mean reward of nearby contexts (Nadaraya 1964; Watson 1964)",
		Defaults: func() KernelRegressionOptions {
			return KernelRegressionOptions{Bandwidth: 0.5, Lambda: 0.01, Noise: 1, Memory: 2000}
		},
		New:    KernelRegressionOptions.build,
		Claims: posterior.Claims{Rounds: 1, Spread: true},
	}
}

func (o KernelRegressionOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	if err := cmp.Or(check.Positive("bandwidth", o.Bandwidth), check.Positive("lambda", o.Lambda), check.NotNegative("noise", o.Noise), check.Within("memory", o.Memory, 1, maxMemory)); err != nil {
		return nil, fmt.Errorf("exact: kernel regression: %w", err)
	}
	return newLocal(setup, o.Memory, o.OwnScale, o.Standardize, o.estimate), nil
}

func (o KernelRegressionOptions) estimate(n *neighbors, x *ridge.Vector, norm float64, u *units) (mean, sd float64) {
	bandwidth, noise := o.Bandwidth*u.distance, o.Noise*u.noise
	sum, weights := float64(o.Lambda*u.mean), o.Lambda
	if n.errors != nil {
		sum += float64(noise * math.Sqrt(o.Lambda) * float64(n.errors[len(n.rewards)]))
	}
	for i, reward := range n.rewards {
		w := kernel.Exp(-n.squared(i, x, norm) / (2 * bandwidth * bandwidth))
		sum += float64(w * reward)
		if n.errors != nil {
			sum += float64(noise * math.Sqrt(w) * float64(n.errors[i]))
		}
		weights += w
	}
	return sum / weights, noise / math.Sqrt(weights)
}
