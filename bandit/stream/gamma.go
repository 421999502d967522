package stream

import (
	"math"

	"banditsim/internal/kernel"
)

// Gamma returns a positive number from the gamma distribution with the given positive shape and scale 1 (Marsaglia and
// Tsang, TOMS 26, 2000). For a shape below 1 it draws with shape+1 and multiplies by U^(1/shape), where U is uniform.
func (s *Stream) Gamma(shape float64) float64 {
	factor := 1.0
	if shape < 1 {
		factor = kernel.Exp(kernel.Log(1-s.Float64()) / shape)
		shape++
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		x, u := s.Normal(), 1-s.Float64()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if kernel.Log(u) < float64(0.5*float64(x*x))+float64(d*(1-v+kernel.Log(v))) {
			return max(factor*float64(d*v), math.SmallestNonzeroFloat64) // never 0, so that ratios exist
		}
	}
}
