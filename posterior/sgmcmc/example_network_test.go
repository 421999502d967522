package sgmcmc_test

import (
	"fmt"

	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// squares is the energy of a network: half the squared errors of its two outputs, over all rows.
// Its gradient includes the prior's λx.
type squares struct {
	net     *nn.Network
	pass    *nn.Pass
	rows    nn.Rows
	targets []float32 // rows × outputs
	lambda  float32
}

func (s *squares) Dim() int { return s.net.Dim() }

func (s *squares) EnergyGrad(grad, x []float32) (energy float64, err error) {
	out := s.pass.Forward(x, &s.rows, nil)
	for i, target := range s.targets {
		out[i] -= target // derivative of the energy with respect to the output
		energy += float64(out[i]) * float64(out[i]) / 2
	}
	s.pass.Backward(grad, x, out)
	for i, v := range x {
		grad[i] += s.lambda * v
	}
	return energy, nil
}

// silence is noise that is always 0, so that the steps can be followed by hand.
type silence struct{}

func (silence) Normals(w []float32) { clear(w) }

// This example does three steps of preconditioned contour SGLD on a 2–2–2 network with its own energy.
func Example_network() {
	net, err := nn.New(2, 2, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	target := &squares{net: net, pass: net.NewPass(2), targets: []float32{1, 0, 0, 1}, lambda: 0.5}
	target.rows.Reset()
	target.rows.AppendDense([]float32{1, 0})
	target.rows.AppendDense([]float32{0, 2})
	x := []float32{
		1, 0.5, 0, 1, // from input 1 to units 1 and 2, from input 2 to both
		0, 0, // biases of the units
		1, 0, 0, 1, // from unit 1 to outputs 1 and 2, from unit 2 to both
		0, 0, // biases of the outputs
	}
	options := sgmcmc.Plain(0.0625, 1) // ε and τ
	options.Preconditioner = sgmcmc.PreconditionerOptions{Kind: "rmsprop", Alpha: 0.5, Rho: 1, Scale: 1}
	options.Contour = sgmcmc.DefaultContour()
	options.Contour.Kind, options.Contour.Bins, options.Contour.Width = "paper", 4, 0.125
	options.Contour.Zeta, options.Contour.Omega = 0.5, 0.5
	sampler, err := sgmcmc.NewLangevin(options, sgmcmc.Setup{Chains: 1, Dim: net.Dim(), Noise: []posterior.Normals{silence{}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	chains := []posterior.Chain{posterior.NewChain(target, x)}
	for range 3 {
		if err := sampler.Step(chains); err != nil {
			fmt.Println(err)
			return
		}
		c := &chains[0]
		theta, bins := sampler.Histogram()
		fmt.Printf("energy %.4f in bin %d, θ %.4f, multiplier %.4f, x₁ %.4f\n", c.Energy, bins[0], theta, c.Multiplier, c.X[0])
	}
	// The first step does not change θ: the energy of the start is no sample.

	// Output:
	// energy 0.6250 in bin 0, θ [0.2500 0.2500 0.2500 0.2500], multiplier 1.0000, x₁ 0.9825
	// energy 0.3117 in bin 3, θ [0.2188 0.2188 0.3438 0.2188], multiplier 2.8079, x₁ 0.9344
	// energy 0.0226 in bin 1, θ [0.3042 0.1948 0.3062 0.1948], multiplier 1.0000, x₁ 0.9199
}
