package sgmcmc

import "banditsim/posterior"

// NewICSGHMC returns SGHMC with friction c and the setup's contour, whose histogram all chains share. It
// validates the options.
func NewICSGHMC(u Setup, friction float64) (*SGHMC, error) {
	s, err := NewSGHMC(u, friction)
	if err == nil {
		s.Contour, err = u.contour()
	}
	return s, err
}

// MethodICSGHMC is interacting contour SGHMC: the histogram, multipliers and weights of ICSGLD (Deng et
// al., ICLR 2022, algorithm 1) with the dynamics of SGHMC (Chen, Fox and Guestrin, ICML 2014, equation (15))
// and the friction of MethodSGHMC. The authors publish Langevin dynamics alone; the momentum is ours: the
// multiplier scales the gradient, and neither friction nor noise depends on it.
var MethodICSGHMC = Method{
	Name: "ICSGHMC", Doc: "interacting contour stochastic gradient Hamiltonian Monte Carlo",
	New: func(u Setup) (posterior.Sampler, error) { return NewICSGHMC(u, friction) },
	Claims: func() Claims {
		c := hamiltonianClaims()
		steps := c.Steps
		c.Contour = true
		c.Steps = func() []HandCase { return append(steps(), handMomentumOrder()) }
		return c
	}(),
}

// handMomentumOrder is four steps of two chains on U = x² at friction 0.8, the fourth of them with both chains
// in bin 1, worked out by a program of its own.
func handMomentumOrder() HandCase {
	c := handOrder()
	c.Name, c.Setup.LearningRate = "four steps of two chains with momenta and a contour", 0.25
	c.After = []HandState{
		{[][]float64{{1.424303398875}, {-0.87014320225}}, []float64{1, 1}, []float64{0.25, 0.25, 0.25, 0.25}, []int{3, 2}},
		{[][]float64{{1.107522707438}, {-0.681096661519}}, []float64{1.125163142954, 1},
			[]float64{0.265625, 0.234375, 0.265625, 0.234375}, []int{3, 1}},
		{[][]float64{{0.90069054204}, {-0.388820646806}}, []float64{0.874836857046, 1},
			[]float64{0.2822265625, 0.2490234375, 0.2490234375, 0.2197265625}, []int{2, 1}},
		{[][]float64{{0.510835093092}, {0.005406144689}}, []float64{1, 1},
			[]float64{0.33287024498, 0.231453180313, 0.231453180313, 0.204223394394}, []int{1, 1}},
	}
	return c
}
