package claims

import (
	"math"

	"banditsim/posterior"
)

// plain is a setup for hand-computed steps, with all parts off.
func plain(eps, temperature float64) Setup {
	return off(Setup{LearningRate: eps, Decay: 1, Temperature: temperature})
}

// handContour are the steps of a contour for a number of chains (0: any).
func handContour(preconditioned bool, chains int) []HandCase {
	var list []HandCase
	if chains != 1 {
		list = append(list, handOrder())
	}
	if preconditioned {
		list = append(list, handNetwork("contour"))
	}
	return list
}

// handOrder is O12 of algorithms.md: two chains on U = x². It tells the order of
// things: θ learns from where the chains are before the move, the multipliers
// come from the new θ, and the first step does not move θ.
func handOrder() HandCase {
	u := plain(1./16, 0.5)
	u.Contour = contour(4, 0, 1, "skip")
	u.Contour.Zeta, u.Contour.Omega = 2, 0.25
	return HandCase{
		Name:   "four steps of two chains with a contour (O12)",
		Setup:  u,
		Target: line(func(x float64) (u, du float64) { return x * x, 2 * x }),
		Start:  [][]float64{{1.5}, {-1.25}},
		Noise:  [][][]float64{{{1}, {2}}, {{-0.5}, {-2}}, {{1.5}, {0.5}}, {{-1}, {1}}},
		After: []HandState{
			{[][]float64{{1.5625}, {-0.59375}}, []float64{1, 1}, []float64{0.25, 0.25, 0.25, 0.25}, []int{3, 2}},
			{[][]float64{{1.21774157364}, {-1.01953125}}, []float64{1.12516314295, 1},
				[]float64{0.265625, 0.234375, 0.265625, 0.234375}, []int{3, 1}},
			{[][]float64{{1.42372639531}, {-0.753026467899}}, []float64{1.11035170016, 1.11035170016},
				[]float64{0.250061035156, 0.279235839844, 0.250061035156, 0.220642089844}, []int{2, 2}},
			{[][]float64{{0.99312432486}, {-0.408898159412}}, []float64{1.01481335765, 1},
				[]float64{0.265686034225, 0.261779339053, 0.265686034225, 0.206848592497}, []int{3, 1}},
		},
		Tolerance: 3e-7,
	}
}

// handHamiltonian is O3's update by hand, at friction 0.8: ε = ½, U = x², τ = 5.
//
//	p = −½·6 + √(2·0.8·½·5)·1 = −1;       x = 3 − ½ = 2.5
//	p = 0.6·(−1) − ½·5 + 2·(−2) = −7.1;   x = 2.5 − 3.55 = −1.05
func handHamiltonian() HandCase {
	return HandCase{
		Name:      "two steps, momentum first (O3)",
		Setup:     plain(0.5, 5),
		Target:    line(func(x float64) (u, du float64) { return x * x, 2 * x }),
		Start:     [][]float64{{3}},
		Noise:     [][][]float64{{{1}}, {{-2}}},
		After:     []HandState{{X: [][]float64{{2.5}}}, {X: [][]float64{{-1.05}}}},
		Tolerance: 1e-6,
	}
}

// handStein is two steps of two particles on U = x²/2 at τ = 2. They are 2 apart at first:
// med² = 4, h = 4/log 3, k = 1/3, and φ/√H is a sign. In general, of two particles
// k = exp(−log 3) whatever their distance.
func handStein() HandCase {
	const eps, k, temperature, smoothing, rho = 0.1, 1. / 3, 2., 0.9, 1e-6
	c := HandCase{
		Name:      "two steps of two particles",
		Setup:     plain(eps, temperature),
		Target:    line(func(x float64) (u, du float64) { return x * x / 2, x }),
		Start:     [][]float64{{0}, {2}},
		Tolerance: 1e-6,
	}
	a, b := 0., 2. // where they are; their gradients are the same numbers
	var ha, hb float64
	for step := range 2 {
		h := (b - a) * (b - a) / math.Log(3)
		phiA := (-a/temperature - k*b/temperature + 2/h*k*(a-b)) / 2
		phiB := (-k*a/temperature - b/temperature + 2/h*k*(b-a)) / 2
		if step == 0 {
			ha, hb = phiA*phiA, phiB*phiB
		} else {
			ha, hb = smoothing*ha+(1-smoothing)*phiA*phiA, smoothing*hb+(1-smoothing)*phiB*phiB
		}
		a += eps * phiA / (rho + math.Sqrt(ha))
		b += eps * phiB / (rho + math.Sqrt(hb))
		c.After = append(c.After, HandState{X: [][]float64{{a}, {b}}})
	}
	return c
}

// handCyclical is a cycle and the beginning of the next under a constant gradient, with noise in
// its second step.
func handCyclical() HandCase {
	const peak, temperature = 0.3, 0.5
	c := HandCase{
		Name:      "a cycle of steps under a constant gradient",
		Setup:     plain(peak, temperature),
		Target:    line(func(x float64) (u, du float64) { return x, 1 }),
		Start:     [][]float64{{0}},
		Noise:     [][][]float64{{{0}}, {{1.5}}},
		Tolerance: 1e-6,
	}
	x := 0.0
	for step := range cycle + 3 {
		e := cyclicalRate(peak, step%cycle)
		x -= e
		if step == 1 {
			x += math.Sqrt(2*temperature*e) * 1.5
		}
		c.After = append(c.After, HandState{X: [][]float64{{x}}})
	}
	return c
}

// handExchange: energies so far apart that neighbours swap for certain, or for certain do
// not. A place takes its gradient along; temperature and step stay with the rung.
func handExchange() HandCase {
	const eps, temperature = 0.5, 1e-6
	rate := func(rung int) float64 { return eps * math.Pow(hottestRate, float64(rung)/(rungs-1)) }
	heat := func(rung int) float64 { return temperature * math.Pow(hottestTemperature, float64(rung)/(rungs-1)) }
	move := func(rung int, x, g, w float64) []float64 {
		return []float64{x - rate(rung)*g + math.Sqrt(2*rate(rung)*heat(rung))*w}
	}
	return HandCase{
		Name:  "a step in which one of two neighbours swap",
		Setup: plain(eps, temperature),
		// U = −x, g = x: the third chain's energy is lowest, then the first's.
		Target: func(int) posterior.Target {
			return function{1, func(grad, x []float32) float64 {
				grad[0] = x[0]
				return -float64(x[0])
			}}
		},
		Start: [][]float64{{4}, {1}, {10}},
		Noise: [][][]float64{{{100}, {200}, {300}}},
		// Pairs in turn: (4, 1) stays; (1, 10) swaps: 4, 10, 1.
		After:     []HandState{{X: [][]float64{move(0, 4, 4, 100), move(1, 10, 10, 200), move(2, 1, 1, 300)}}},
		Tolerance: 1e-5,
	}
}
