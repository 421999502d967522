package worked

import (
	"math"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Options of the samplers in the checks that are none of sgmcmc.LangevinOptions, which package sgmcmc declares.
const (
	cycle              = 20
	rungs              = 3
	hottestRate        = 1.25
	hottestTemperature = 2
	estimateEvery      = 100
	smoothing          = 0.3 // share by which σ² moves to an estimate
	friction           = 0.8
)

// square is U = x².
func square(x float64) (u, du float64) { return x * x, 2 * x }

// lineTarget returns a target of one dimension, with an energy and its derivative.
func lineTarget(f func(x float64) (u, du float64)) func(int) posterior.Target {
	return func(int) posterior.Target {
		return posterior.TargetFunc(1, func(grad, x []float32) float64 {
			u, du := f(float64(x[0]))
			grad[0] = float32(du)
			return u
		})
	}
}

// oneChain is a chain of one dimension with a source of noise and the places after each step.
func oneChain(name string, eps, temperature, start float64, target func(x float64) (u, du float64),
	noise [][][]float64, after ...float64) Case {
	c := Case{
		Name: name, Options: sgmcmc.Plain(eps, temperature), Target: lineTarget(target), Start: [][]float64{{start}},
		Noise: noise, Tolerance: 1e-6,
	}
	for _, x := range after {
		c.After = append(c.After, State{X: [][]float64{{x}}})
	}
	return c
}

// hamiltonian is two steps at friction 0.8, ε = ½, U = x², τ = 5:
//
//	p = −½·6 + √(2·0.8·½·5)·1 = −1;       x = 3 − ½ = 2.5
//	p = 0.6·(−1) − ½·5 + 2·(−2) = −7.1;   x = 2.5 − 3.55 = −1.05
func hamiltonian() Case {
	return oneChain("two steps, momentum first", 0.5, 5, 3, square, [][][]float64{{{1}}, {{-2}}}, 2.5, -1.05)
}

// thermostat is two steps at c = 0.8, ε = ½, U = x², τ = 5:
//
//	p = −½·6 + √(2·0.8·½·5)·1 = −1;         x = 3 − ½ = 2.5;         ξ = 0.8 + ½(1 − 5) = −1.2
//	p = 1.6·(−1) − ½·5 + 2·(−2) = −8.1;     x = 2.5 − 4.05 = −1.55
func thermostat() Case {
	return oneChain("two steps, the friction changes", 0.5, 5, 3, square, [][][]float64{{{1}}, {{-2}}}, 2.5, -1.55)
}

// metropolis is three steps on U = x² at ε = ⅛, h = ½, τ = 4. From x = 3, w = ½: p = 1; to p = 1 − ¼·6 = −½,
// x = 3 − ¼ = 2¾, p = −½ − ¼·5½ = −1⅞; ΔH = 2¾² + 1⅞²/2 − 9 − ½ = −.1796875 is accepted. From there with w =
// 3: p = 6; to p = 6 − 1⅜ = 4⅝, x = 5 1/16, p = 4⅝ − ¼·10⅛ = 2 3/32; ΔH/τ = .564575… is accepted where
// the exponential number is ½·1.2² = .72. From there with w = 3 to x = 6.796875, p = .0703125, ΔH/τ =
// .6427…, which is rejected at ½·.3² = .045.
func metropolis() Case {
	noise := [][][]float64{{{0.5, 0, 0}}, {{3, 1.2, 0}}, {{3, 0.3, 0}}}
	return oneChain("three steps, two accepted", 0.125, 4, 3, square, noise, 2.75, 5.0625, 5.0625)
}

// leapfrog is metropolis with four leapfrog steps, the first step alone: from x = 3, p = 1 by the places 2¾
// and then 1½x − x' with x' the place before, as h²·2x = ½x: 1⅛, −1 1/16, −2 23/32. The last p is −1 61/64; ΔH =
// −.201… is accepted.
func leapfrog() Case {
	return oneChain("a step of four leapfrog steps", 0.125, 4, 3, square, [][][]float64{{{0.5, 0, 0}}}, -2.71875)
}

// cyclical is a cycle and the beginning of the next under a constant gradient, with noise in its second step.
func cyclical() Case {
	x := 0.0
	return cycles("a cycle of steps under a constant gradient", 0, func(e, temperature, w float64) float64 {
		x -= e
		x += float64(math.Sqrt(2*temperature*e) * w)
		return x
	})
}

// cyclicalMomentum is cyclical with momentum; in the last quarter of a cycle the learning rate stays.
func cyclicalMomentum() Case {
	x, p := 0.0, 0.0
	const name = "a cycle of steps with momentum under a constant gradient"
	return cycles(name, cycle/4, func(e, temperature, w float64) float64 {
		p = float64((1-float64(e*friction))*p) - e
		p += float64(math.Sqrt(2*friction*e*temperature) * w)
		x += float64(e * p)
		return x
	})
}

// cycles follows move with the learning rates of a cycle, of which the last stays for so many steps.
func cycles(name string, hold int, move func(e, temperature, w float64) float64) Case {
	const peak, temperature = 0.3, 0.5
	line := func(x float64) (u, du float64) { return x, 1 }
	c := oneChain(name, peak, temperature, 0, line, [][][]float64{{{0}}, {{1.5}}})
	for step := range cycle + 3 {
		e := peak / 2 * (math.Cos(math.Pi*float64(min(step%cycle, cycle-hold))/cycle) + 1)
		w := 0.0
		if step == 1 {
			w = 1.5
		}
		c.After = append(c.After, State{X: [][]float64{{move(e, temperature, w)}}})
	}
	return c
}

// exchange has energies so far apart that neighbors swap for certain, or for certain do not.
// The gradient moves with the position; temperature and step stay with the rung.
func exchange() Case {
	return exchanged(func(eps, temperature, x, g, _, w float64) float64 {
		return x - float64(eps*g) + float64(math.Sqrt(2*eps*temperature)*w)
	})
}

// exchangeMomentum is the step of exchange with momentum: chains 2 and 3, which swap, begin with half a step of the new
// gradient less half of the old one.
func exchangeMomentum() Case {
	return exchanged(func(e, temperature, x, g, old, w float64) float64 {
		p := e / 2 * (g - old)
		p = float64((1-float64(e*friction))*p) - float64(e*g) + float64(math.Sqrt(2*friction*e*temperature)*w)
		return x + float64(e*p)
	})
}

// exchanged moves by move after a swap of the last two chains.
func exchanged(move func(eps, temperature, x, g, old, w float64) float64) Case {
	const eps, temperature = 0.5, 1e-6
	at := func(rung int, x, g, old, w float64) []float64 {
		part := float64(rung) / (rungs - 1)
		e, tau := eps*math.Pow(hottestRate, part), temperature*math.Pow(hottestTemperature, part)
		return []float64{move(e, tau, x, g, old, w)}
	}
	return Case{
		Name:    "a step in which one of two neighbors swap",
		Options: sgmcmc.Plain(eps, temperature),
		// The third chain's energy is lowest, then the first's.
		Target: lineTarget(func(x float64) (u, g float64) { return -x, x }),
		Start:  [][]float64{{4}, {1}, {10}},
		Noise:  [][][]float64{{{100}, {200}, {300}}},
		// Pairs in turn: (4, 1) stays; (1, 10) swaps: 4, 10, 1.
		After:     []State{{X: [][]float64{at(0, 4, 4, 4, 100), at(1, 10, 10, 1, 200), at(2, 1, 1, 10, 300)}}},
		Tolerance: 1e-5,
	}
}

// noisyExchange: a swap of the two colder chains that is certain by their energies, Δ apart, is
// certainly refused once σ² is known to be so large that dσ² = 1.5·Δ: certain it stays with half of it.
func noisyExchange() Case {
	const eps, temperature, apart = 0.5, 1e-6, 3.
	d := (1 - 1/math.Sqrt(hottestTemperature)) / temperature
	spread := math.Sqrt(1.5 * apart / d / smoothing * 2) // between two energies, so that σ² becomes 1.5·Δ/d
	c := Case{
		Name:      "no swap where the noise may have caused it",
		Options:   sgmcmc.Plain(eps, temperature),
		Start:     [][]float64{{1}, {2}, {3}},
		After:     make([]State, estimateEvery),
		Tolerance: 1e-5,
	}
	c.Target = func(chain int) posterior.Target {
		calls := 0
		return posterior.TargetFunc(1, func(grad, x []float32) float64 {
			grad[0] = 0
			calls++
			switch { // the place of the second chain becomes better at the step of the estimate
			case chain == 0 && calls == estimateEvery+1:
				return spread
			case chain == 1 && calls >= estimateEvery:
				return -apart
			}
			return float64(chain) * 1e6
		})
	}
	c.After[estimateEvery-1] = State{X: c.Start}
	return c
}

// order is four steps of two chains on U = x². It shows the order within a step: θ is updated
// by the positions before the move, the multipliers come from the new θ, and the first step does
// not change θ.
func order() Case {
	o := sgmcmc.Plain(1./16, 0.5)
	o.Contour.Kind, o.Contour.Bins, o.Contour.Width = "paper", 4, 1
	o.Contour.Zeta, o.Contour.Omega = 2, 0.25
	return Case{
		Name:    "four steps of two chains with a contour",
		Options: o,
		Target:  lineTarget(square),
		Start:   [][]float64{{1.5}, {-1.25}},
		Noise:   [][][]float64{{{1}, {2}}, {{-0.5}, {-2}}, {{1.5}, {0.5}}, {{-1}, {1}}},
		After: []State{
			{[][]float64{{1.5625}, {-0.59375}}, []float64{1, 1}, []float64{0.25, 0.25, 0.25, 0.25}, []int{3, 2}},
			{[][]float64{{1.21774157364}, {-1.01953125}},
				[]float64{1.12516314295, 1}, []float64{0.265625, 0.234375, 0.265625, 0.234375}, []int{3, 1}},
			{[][]float64{{1.42372639531}, {-0.753026467899}}, []float64{1.11035170016, 1.11035170016},
				[]float64{0.250061035156, 0.279235839844, 0.250061035156, 0.220642089844}, []int{2, 2}},
			{[][]float64{{0.99312432486}, {-0.408898159412}},
				[]float64{1.01481335765, 1},
				[]float64{0.265686034225, 0.261779339053, 0.265686034225, 0.206848592497}, []int{3, 1}},
		},
		Tolerance: 3e-7,
	}
}

// momentumOrder is four steps of two chains on U = x² at friction 0.8, the fourth of them with both chains
// in bin 1, worked out by a program of its own.
func momentumOrder() Case {
	c := order()
	c.Name, c.Options.LearningRate = "four steps of two chains with momenta and a contour", 0.25
	c.After = []State{
		{[][]float64{{1.424303398875}, {-0.87014320225}},
			[]float64{1, 1}, []float64{0.25, 0.25, 0.25, 0.25}, []int{3, 2}},
		{[][]float64{{1.107522707438}, {-0.681096661519}},
			[]float64{1.125163142954, 1}, []float64{0.265625, 0.234375, 0.265625, 0.234375}, []int{3, 1}},
		{[][]float64{{0.90069054204}, {-0.388820646806}},
			[]float64{0.874836857046, 1},
			[]float64{0.2822265625, 0.2490234375, 0.2490234375, 0.2197265625}, []int{2, 1}},
		{[][]float64{{0.510835093092}, {0.005406144689}},
			[]float64{1, 1}, []float64{0.33287024498, 0.231453180313, 0.231453180313, 0.204223394394}, []int{1, 1}},
	}
	return c
}

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
	x, h2 := [2]float64{0, 2}, [2]float64{} // positions, whose gradients are the same numbers
	for step := range 2 {
		a, b := x[0], x[1]
		h := (b - a) * (b - a) / math.Log(3)
		for i, phi := range [2]float64{
			(-a/temperature - k*b/temperature + float64(2/h*k*(a-b))) / 2,
			(-k*a/temperature - b/temperature + float64(2/h*k*(b-a))) / 2,
		} {
			if h2[i] = float64(smoothing*h2[i]) + float64((1-smoothing)*phi*phi); step == 0 {
				h2[i] = phi * phi
			}
			x[i] += eps * phi / (rho + math.Sqrt(h2[i]))
		}
		c.After = append(c.After, State{X: [][]float64{{x[0]}, {x[1]}}})
	}
	return c
}
