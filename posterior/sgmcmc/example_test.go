package sgmcmc_test

import (
	"fmt"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// normal is a target with a thousand independent standard normal coordinates: its energy is Σx²/2.
type normal struct{}

func (normal) Dim() int { return 1000 }

func (normal) EnergyGrad(grad, x []float32) (energy float64, err error) {
	for i, v := range x {
		grad[i] = v
		energy += float64(v) * float64(v) / 2
	}
	return energy, nil
}

// This example samples a user-defined density with Langevin dynamics.
func ExampleLangevin() {
	setup := sgmcmc.Setup{Chains: 1, Dim: 1000, Noise: []posterior.Normals{stream.Root(1).Child("noise")}}
	sampler, err := sgmcmc.NewLangevin(sgmcmc.Plain(0.05, 1), setup) // ε and τ
	if err != nil {
		fmt.Println(err)
		return
	}
	chains := []posterior.Chain{posterior.NewChain(normal{}, make([]float32, 1000))}
	variance, n := 0.0, 0.0
	for step := range 1000 {
		if err := sampler.Step(chains); err != nil {
			fmt.Println(err)
			return
		}
		if step < 100 { // warm-up
			continue
		}
		for _, x := range chains[0].X {
			variance += float64(x) * float64(x)
			n++
		}
	}
	fmt.Printf("variance %.1f\n", variance/n)
	// Output: variance 1.0
}
