package neural

import "banditsim/internal/check"

// feelGoodOptions are the options of a term that makes parameters likelier that promise a high reward.
type feelGoodOptions struct {
	// Kind is "off", "hard" (Zhang 2022) or "smooth" (arXiv 2507.15290).
	Kind      string  `json:"kind" enum:"off,hard,smooth"`
	Weight    float64 `json:"weight"`    // its weight beside the squared errors, in units of reward, µ
	Cap       float64 `json:"cap"`       // the reward beyond which it does not grow, b
	Sharpness float64 `json:"sharpness"` // how sharp the bend at the cap is, in 1/reward, s; smooth only; above 0
}

// Unused returns the options that have no effect on a term of this kind.
func (o feelGoodOptions) Unused() []string {
	switch o.Kind {
	case "off":
		return []string{"weight", "cap", "sharpness"}
	case "hard":
		return []string{"sharpness"}
	}
	return nil
}

func (o *feelGoodOptions) validate(arms int) error {
	return check.First(
		check.OneOf("feel_good.kind", o.Kind, "off", "hard", "smooth"),
		check.NotNegative("feel_good.weight", o.Weight),
		check.Finite("feel_good.cap", o.Cap),
		check.Positive("feel_good.sharpness", o.Sharpness),
		check.That(o.Kind == "off" || arms > 1,
			"feel_good.kind: %s, but the model has one output, so that a row has no best arm: want model: disjoint, or off", o.Kind),
	)
}

// feelGood is the feel-good term of Thompson sampling (Zhang, SIAM Journal on Mathematics of Data Science
// 4, 2022, equation 3),
//
//	−µ Σᵢ B(max_a f_x(cᵢ)[a]),  B(f) = min(b, f)                     hard
//	                            B(f) = b − log(1 + exp(s(b − f)))/s   smooth
//
// over the contexts of the rows. Smooth is arXiv 2507.15290's; it tends to hard as s → ∞.
type feelGood struct {
	feelGoodOptions
	best   []int     // the arm with the highest output, row by row
	slopes []float64 // derivative by its output
}

// begin returns scale times the term of a batch's outputs, and keeps its derivative for add.
func (f *feelGood) begin(out []float32, arms int, scale float64) (energy float64) {
	f.best, f.slopes = f.best[:0], f.slopes[:0]
	if f.Kind == "off" {
		return 0
	}
	for at := 0; at < len(out); at += arms {
		row, best := out[at:at+arms], 0
		for a, v := range row {
			if v > row[best] {
				best = a
			}
		}
		bonus, slope := f.bonus(float64(row[best]))
		energy -= float64(f.Weight * bonus)
		f.best, f.slopes = append(f.best, best), append(f.slopes, -scale*f.Weight*slope)
	}
	return scale * energy
}

// bonus returns B and its derivative.
func (f *feelGood) bonus(v float64) (bonus, slope float64) {
	if f.Kind == "hard" {
		if v < f.Cap {
			return v, 1
		}
		return f.Cap, 0
	}
	soft, slope := softplus(float32(f.Sharpness * (f.Cap - v)))
	return f.Cap - soft/f.Sharpness, slope
}

// add adds the derivative to those of a batch's outputs.
func (f *feelGood) add(delta []float32, arms int) {
	for i, a := range f.best {
		delta[i*arms+a] += float32(f.slopes[i])
	}
}
