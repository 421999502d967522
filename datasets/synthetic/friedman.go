package synthetic

import (
	"cmp"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// FriedmanOptions are the options of friedman.
type FriedmanOptions struct {
	Function int   `json:"function"` // 1, 2 or 3
	Noise    Noise `json:"noise"`    // sd is a multiple of the sd of Friedman's noise: 1, 125 or 0.1 for function 1, 2 or 3
}

// friedmanArms is the number of arms, each with inputs of its own.
const friedmanArms = 4

// A surface is a function of inputs that are uniform between low and high.
type surface struct {
	low, high []float64
	sd        float64 // standard deviation of Friedman's noise
	regret    float64 // of acting uniformly: expected maximum of four independent values less that of one value
	mean      func(x []float64) float64
}

var (
	circuitLow  = []float64{0, 40 * math.Pi, 0, 1}
	circuitHigh = []float64{100, 560 * math.Pi, 1, 11}
	// The regrets are integrals by the midpoint rule on grids of up to 28⁵ and 80⁴ points, extrapolated.
	surfaces = []surface{
		{[]float64{0, 0, 0, 0, 0}, []float64{1, 1, 1, 1, 1}, 1, 5.063, func(x []float64) float64 {
			return float64(10*math.Sin(math.Pi*x[0]*x[1])) + float64(20*(x[2]-0.5)*(x[2]-0.5)) + float64(10*x[3]) + float64(5*x[4])
		}},
		{circuitLow, circuitHigh, 125, 425.9, func(x []float64) float64 {
			r := reactance(x)
			return math.Sqrt(float64(x[0]*x[0]) + float64(r*r))
		}},
		{circuitLow, circuitHigh, 0.1, 0.2008, func(x []float64) float64 { return math.Atan(reactance(x) / x[0]) }},
	}
)

// reactance returns the reactance of a coil and a capacitor in series, ωL − 1/(ωC).
func reactance(x []float64) float64 { return float64(x[1]*x[2]) - 1/(x[1]*x[3]) }

// Friedman declares the regression problems of Friedman (Multivariate adaptive regression splines, Annals of Statistics
// 19, 1991) as the rewards of four arms: the mean of each is the function of its inputs, which the context has in turn.
//
//	1  10·sin(π·x₁x₂) + 20(x₃ − ½)² + 10x₄ + 5x₅, x uniform on [0, 1]
//	2  √(R² + (ωL − 1/(ωC))²), R from 0 to 100, ω from 40π to 560π, L from 0 to 1, C from 1 to 11: means up to 1,762
//	3  atan((ωL − 1/(ωC))/R), with the inputs of 2
//
// The arms' means are independent and identically distributed, so that all constant arms are equally good.
func Friedman() datasets.Kind[FriedmanOptions] {
	return kind("friedman", "Friedman's regression problems as the rewards of four arms, the second in thousands", func() FriedmanOptions {
		return FriedmanOptions{Function: 1, Noise: gaussian(1)}
	}, func(o FriedmanOptions) (*datasets.World, error) {
		if err := cmp.Or(check.Within("function", o.Function, 1, len(surfaces)), o.Noise.validate()); err != nil {
			return nil, err
		}
		f := surfaces[o.Function-1]
		o.Noise.SD *= f.sd
		return f.world(o.Noise), nil
	})
}

func (f surface) world(noise Noise) *datasets.World {
	names, n := armNames(friedmanArms), len(f.low)
	spec := bandit.Spec{
		Dim: friedmanArms * n, Arms: names, IgnoresActions: true, UniformRegret: f.regret,
		ConstantArm: &bandit.ConstantArm{Arm: names[0], Regret: f.regret},
	}
	return simulate(func(s *stream.Stream) simulation {
		x, buffer := make([]float64, n), make([]float32, friedmanArms)
		return simulation{state.Fields(func(c *state.Codec) { c.Object(s) }), spec, func(r *bandit.Round, o *bandit.Outcome) {
			for a := range o.Mean {
				for i, low := range f.low {
					x[i] = low + float64((f.high[i]-low)*s.Float64())
					r.Context[a*n+i] = float32(x[i])
				}
				o.Mean[a] = f.mean(x)
			}
			noise.add(s, o.Reward, o.Mean, buffer)
		}}
	})
}
