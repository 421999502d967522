package exact

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/ridge"
	"banditsim/posterior"
)

// KNNOptions are the options of KNN.
type KNNOptions struct {
	K      int     `json:"k"`      // neighbors, 1 to 10,000
	Noise  float64 `json:"noise"`  // standard deviation of a reward about its mean, in units of reward, at least 0
	Memory int     `json:"memory"` // number of an arm's latest rewards that are kept, at least k
	// OwnScale makes the mean of all rewards so far the prior mean, and their standard deviation the unit of noise.
	OwnScale bool `json:"own_scale,omitzero"`
	// Standardize, with own_scale, divides each column with numbers other than 0 and 1 by its standard deviation so far.
	Standardize bool `json:"standardize,omitzero"`
	// Repeats averages all rewards in contexts equal to the current one if there are k or more; without it, the k oldest.
	Repeats bool `json:"repeats,omitzero"`
}

// KNN predicts the mean of an arm's rewards in the k contexts nearest to the current one by Euclidean distance, out of
// those in which the arm was pulled, or in all if there are fewer than k. A mean of n rewards has standard deviation
// noise/√n (Guan and Jiang, AAAI 2018, use k-nearest-neighbor means with such bounds). An arm without pulls has mean 0
// and standard deviation noise. In a joint draw for several contexts, each reward has the same error in all of them.
//
// A prediction costs O(memory·s) where s of the context's numbers are not zero. Update does nothing.
func KNN() posterior.Kind[KNNOptions] {
	return posterior.Kind[KNNOptions]{
		Name: "kNN", Doc: "mean reward of the nearest contexts (Guan and Jiang 2018)",
		Defaults: func() KNNOptions { return KNNOptions{K: 5, Noise: 1, Memory: 2000} },
		New:      KNNOptions.build,
		Claims:   posterior.Claims{Rounds: 1}, // no Spread: noise/√k does not grow far from data
	}
}

func (o KNNOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	if err := cmp.Or(check.Within("k", o.K, 1, 10_000), check.NotNegative("noise", o.Noise), check.Within("memory", o.Memory, o.K, maxMemory)); err != nil {
		return nil, fmt.Errorf("exact: nearest neighbors: %w", err)
	}
	return newLocal(setup, o.Memory, o.OwnScale, o.Standardize, o.estimate), nil
}

func (o KNNOptions) estimate(n *neighbors, x *ridge.Vector, norm float64, u *units) (mean, sd float64) {
	n.nearest = n.nearest[:0]
	for i := range n.rewards {
		d := near{n.squared(i, x, norm), i}
		if k := len(n.nearest); o.Repeats && k >= o.K && d.distance == 0 && n.nearest[k-1].distance == 0 {
			n.nearest = append(n.nearest, d)
			continue
		}
		n.insert(o.K, d)
	}
	k, noise, sum := math.Max(1, float64(len(n.nearest))), o.Noise*u.noise, 0.0
	for _, d := range n.nearest {
		sum += n.rewards[d.row]
	}
	mean = sum / k
	if len(n.nearest) == 0 {
		mean, n.nearest = u.mean, append(n.nearest, near{}) // without rewards, errors[0] is the error of the prior
	}
	if n.errors != nil {
		for _, d := range n.nearest {
			mean += float64(noise*float64(n.errors[d.row])) / k
		}
	}
	return mean, noise / math.Sqrt(k)
}

// insert inserts d into nearest by ascending distance, after rows of equal distance. If nearest has k rows already, it
// keeps the k nearest of them and d. If it has more (option Repeats), their distances are all 0, and d is left out.
func (n *neighbors) insert(k int, d near) {
	if len(n.nearest) >= k {
		if d.distance >= n.nearest[k-1].distance {
			return
		}
		n.nearest = n.nearest[:k-1]
	}
	i := len(n.nearest)
	for i > 0 && n.nearest[i-1].distance > d.distance {
		i--
	}
	n.nearest = slices.Insert(n.nearest, i, d)
}
