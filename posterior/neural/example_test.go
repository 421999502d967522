package neural_test

import (
	"context"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/neural"
)

// This example trains a posterior over networks on rewards and predicts rewards with it.
func ExampleNewNetwork() {
	o := neural.PICSGLD().Defaults()
	o.Hidden, o.Batch, o.TrainAfter, o.Sampler.LearningRate = []int{16}, 32, 32, 1e-5
	o.DataSize = 64
	network, err := neural.PICSGLD().New(o, posterior.Setup{Dim: 2, Arms: 2, Rounds: 100, Stream: stream.Root(1)})
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
