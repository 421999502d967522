package synthetic

import (
	"cmp"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
)

// Noise is what is added to the mean of a reward.
type Noise struct {
	Kind string  `json:"kind" enum:"gaussian,student-t"` // distribution of the noise
	SD   float64 `json:"sd"`                             // standard deviation of either kind, in units of reward: 0 or more
	// Degrees of freedom of Student's t distribution: above 2, for a finite variance, to 1e6.
	Degrees float64 `json:"degrees,omitzero"`
}

func gaussian(sd float64) Noise { return Noise{Kind: "gaussian", SD: sd} }

func (n Noise) validate() error {
	return cmp.Or(
		check.OneOf("noise.kind", n.Kind, "gaussian", "student-t"),
		check.NotNegative("noise.sd", n.SD),
		check.That(n.Kind == "gaussian" || n.Degrees > 2 && n.Degrees <= 1e6, "noise.degrees: %g, want a number above 2, for a finite variance, to 1e6", n.Degrees),
		check.That(n.Kind != "gaussian" || n.Degrees == 0, "noise.degrees: %g, want 0: Gaussian noise has none", n.Degrees))
}

// add sets reward to mean plus noise. The three slices have the same length; buffer is scratch space.
func (n Noise) add(r *stream.Stream, reward, mean []float64, buffer []float32) {
	if n.Kind == "student-t" {
		scale := n.SD * math.Sqrt((n.Degrees-2)/n.Degrees)
		for a, m := range mean {
			reward[a] = m + float64(scale*studentT(r, n.Degrees))
		}
		return
	}
	r.Normals(buffer)
	for a, m := range mean {
		reward[a] = m + float64(n.SD*float64(buffer[a]))
	}
}

// studentT draws from Student's t distribution by the polar method (Bailey: Polar generation of random
// variates with the t-distribution, Mathematics of Computation 62, 1994).
func studentT(r *stream.Stream, degrees float64) float64 {
	for {
		u, v := 2*r.Float64()-1, 2*r.Float64()-1
		w := float64(u*u) + float64(v*v)
		if w > 1 || w == 0 {
			continue
		}
		power := kernel.Exp(-2 / degrees * kernel.Log(w)) // w^(−2/degrees)
		return u * math.Sqrt(degrees*(power-1)/w)
	}
}
