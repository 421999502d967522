package posterior_test

import (
	"context"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// normal is the target of one's own: a thousand independent coordinates with
// the density exp(−x²/2), that is the energy Σx²/2.
type normal struct{}

func (normal) Dim() int { return 1000 }

func (normal) EnergyGrad(grad, x []float32) (energy float64, err error) {
	for i, v := range x {
		grad[i] = v
		energy += float64(v) * float64(v) / 2
	}
	return energy, nil
}

// A Langevin sampler on a density of one's own.
func ExampleLangevin() {
	sampler := &posterior.Langevin{
		LearningRate: 0.05,
		Temperature:  1,
		Noise:        []posterior.Normals{stream.Root(1).Child("noise")},
	}
	chains := []posterior.Chain{posterior.NewChain(normal{}, make([]float32, 1000))}
	variance, n := 0.0, 0.0
	for step := range 1000 {
		if err := sampler.Step(chains); err != nil {
			fmt.Println(err)
			return
		}
		if step < 100 { // on its way from the start
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

// A posterior over networks that learns from rewards and predicts them.
func ExampleNewNetwork() {
	o, err := posterior.Preset(posterior.PICSGLD, posterior.Paper)
	if err != nil {
		fmt.Println(err)
		return
	}
	o.Hidden, o.Batch, o.TrainAfter, o.LearningRate = []int{16}, 32, 32, 1e-5
	o.DataSize = 64
	network, err := o.New(posterior.Setup{Dim: 2, Arms: 2, Rounds: 100, Stream: stream.Root(1)})
	if err != nil {
		fmt.Println(err)
		return
	}

	// Arm 0 is worth nothing; arm 1 is worth 5 in one context and −15 in the other.
	contexts := [][]float32{{1, 0}, {0, 1}}
	rewards := [][]float64{{0, 5}, {0, -15}}
	for i := range 64 {
		context, arm := i%2, i/2%2
		if err := network.Observe(contexts[context], arm, rewards[context][arm]); err != nil {
			fmt.Println(err)
			return
		}
	}
	for range 100 {
		if err := network.Update(context.Background()); err != nil {
			fmt.Println(err)
			return
		}
	}

	values := make([]float64, 4)
	if err := network.Predict(values, contexts, posterior.Mean); err != nil {
		fmt.Println(err)
		return
	}
	for i, context := range contexts {
		for arm := range 2 {
			fmt.Printf("context %v, arm %d: %g\n", context, arm, math.Round(values[2*i+arm])+0)
		}
	}
	// Output:
	// context [1 0], arm 0: 0
	// context [1 0], arm 1: 5
	// context [0 1], arm 0: 0
	// context [0 1], arm 1: -15
}
