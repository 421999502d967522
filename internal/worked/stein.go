package worked

import (
	"math"

	"banditsim/posterior/sgmcmc"
)

// stein is two steps of two particles on U = x²/2 at τ = 2. They are 2 apart at first: med² =
// 4, h = 4/log 3, k = 1/3, and φ/√H is a sign. Of two particles k = exp(−log 3) at any distance.
func stein() Case {
	const eps, k, temperature, smoothing, rho = 0.1, 1. / 3, 2., 0.9, 1e-6
	c := Case{
		Name:      "two steps of two particles",
		Options:   sgmcmc.Plain(eps, temperature),
		Target:    lineTarget(func(x float64) (u, du float64) { return x * x / 2, x }),
		Start:     [][]float64{{0}, {2}},
		Tolerance: 1e-6,
	}
	a, b := 0., 2. // positions; their gradients are the same numbers
	var ha, hb float64
	for step := range 2 {
		h := (b - a) * (b - a) / math.Log(3)
		phiA := (-a/temperature - k*b/temperature + float64(2/h*k*(a-b))) / 2
		phiB := (-k*a/temperature - b/temperature + float64(2/h*k*(b-a))) / 2
		if step == 0 {
			ha, hb = phiA*phiA, phiB*phiB
		} else {
			ha, hb = float64(smoothing*ha)+float64((1-smoothing)*phiA*phiA), float64(smoothing*hb)+float64((1-smoothing)*phiB*phiB)
		}
		a += eps * phiA / (rho + math.Sqrt(ha))
		b += eps * phiB / (rho + math.Sqrt(hb))
		c.After = append(c.After, State{X: [][]float64{{a}, {b}}})
	}
	return c
}
