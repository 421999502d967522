package worked

import "banditsim/posterior/sgmcmc"

// metropolis is three steps on U = x² at ε = ⅛, h = ½, τ = 4. From x = 3, w = ½: p = 1; to p = 1 − ¼·6 = −½,
// x = 3 − ¼ = 2¾, p = −½ − ¼·5½ = −1⅞; ΔH = 2¾² + 1⅞²/2 − 9 − ½ = −.1796875 is accepted. From there with w =
// 3: p = 6; to p = 6 − 1⅜ = 4⅝, x = 5 1/16, p = 4⅝ − ¼·10⅛ = 2 3/32; ΔH/τ = .564575… is accepted where
// the exponential number is ½·1.2² = .72. From there with w = 3 to x = 6.796875, p = .0703125, ΔH/τ =
// .6427…, which is rejected at ½·.3² = .045.
func metropolis() Case {
	return Case{
		Name:      "three steps, two accepted",
		Options:   sgmcmc.Plain(0.125, 4),
		Target:    lineTarget(func(x float64) (u, du float64) { return x * x, 2 * x }),
		Start:     [][]float64{{3}},
		Noise:     [][][]float64{{{0.5, 0, 0}}, {{3, 1.2, 0}}, {{3, 0.3, 0}}},
		After:     []State{{X: [][]float64{{2.75}}}, {X: [][]float64{{5.0625}}}, {X: [][]float64{{5.0625}}}},
		Tolerance: 1e-6,
	}
}

// leapfrog is metropolis with four leapfrog steps, the first step alone: from x = 3, p = 1 by the places 2¾
// and then 1½x − x' with x' the place before, as h²·2x = ½x: 1⅛, −1 1/16, −2 23/32. The last p is −1 61/64; ΔH =
// −.201… is accepted.
func leapfrog() Case {
	c := metropolis()
	c.Name, c.Noise = "a step of four leapfrog steps", c.Noise[:1]
	c.After = []State{{X: [][]float64{{-2.71875}}}}
	return c
}
