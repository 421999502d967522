package worked

import "banditsim/posterior/sgmcmc"

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
		Target:  lineTarget(func(x float64) (u, du float64) { return x * x, 2 * x }),
		Start:   [][]float64{{1.5}, {-1.25}},
		Noise:   [][][]float64{{{1}, {2}}, {{-0.5}, {-2}}, {{1.5}, {0.5}}, {{-1}, {1}}},
		After: []State{
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

// momentumOrder is four steps of two chains on U = x² at friction 0.8, the fourth of them with both chains
// in bin 1, worked out by a program of its own.
func momentumOrder() Case {
	c := order()
	c.Name, c.Options.LearningRate = "four steps of two chains with momenta and a contour", 0.25
	c.After = []State{
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
