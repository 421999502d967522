package worked

import "banditsim/posterior/sgmcmc"

// hamiltonian is two steps at friction 0.8, ε = ½, U = x², τ = 5:
//
//	p = −½·6 + √(2·0.8·½·5)·1 = −1;       x = 3 − ½ = 2.5
//	p = 0.6·(−1) − ½·5 + 2·(−2) = −7.1;   x = 2.5 − 3.55 = −1.05
func hamiltonian() Case {
	return Case{
		Name:      "two steps, momentum first",
		Options:   sgmcmc.Plain(0.5, 5),
		Target:    lineTarget(func(x float64) (u, du float64) { return x * x, 2 * x }),
		Start:     [][]float64{{3}},
		Noise:     [][][]float64{{{1}}, {{-2}}},
		After:     []State{{X: [][]float64{{2.5}}}, {X: [][]float64{{-1.05}}}},
		Tolerance: 1e-6,
	}
}

// thermostat is two steps at c = 0.8, ε = ½, U = x², τ = 5:
//
//	p = −½·6 + √(2·0.8·½·5)·1 = −1;         x = 3 − ½ = 2.5;         ξ = 0.8 + ½(1 − 5) = −1.2
//	p = 1.6·(−1) − ½·5 + 2·(−2) = −8.1;     x = 2.5 − 4.05 = −1.55
func thermostat() Case {
	return Case{
		Name:      "two steps, the friction changes",
		Options:   sgmcmc.Plain(0.5, 5),
		Target:    lineTarget(func(x float64) (u, du float64) { return x * x, 2 * x }),
		Start:     [][]float64{{3}},
		Noise:     [][][]float64{{{1}}, {{-2}}},
		After:     []State{{X: [][]float64{{2.5}}}, {X: [][]float64{{-1.55}}}},
		Tolerance: 1e-6,
	}
}
