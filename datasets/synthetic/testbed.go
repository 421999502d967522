package synthetic

import (
	"cmp"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/lists"
)

// TestbedOptions are the options of testbed.
type TestbedOptions struct {
	Arms        int     `json:"arms"`        // 2 to 10,000
	Dim         int     `json:"dim"`         // length of the features of an arm: 1 to 10,000
	Hidden      int     `json:"hidden"`      // units of each of the two hidden layers: 1 to 1000
	Temperature float64 `json:"temperature"` // softmax temperature, above 0: the lower, the closer class probabilities are to 0 and 1
	Problem     uint64  `json:"problem"`     // number that determines the random network and the arms, for all seeds alike
}

// Testbed declares the bandit of the neural testbed (Osband, Wen, Asghari, Dwaracherla, Hao, Ibrahimi, Lawson, Lu,
// O'Donoghue and Van Roy: The neural testbed: evaluating joint predictions, NeurIPS 2022): a network of two hidden ReLU
// layers with random weights gives the logits of two classes from the features x_a ~ N(0, I) of an arm, which pays 1
// with the probability of the second class, σ((l₂ − l₁)/temperature). A layer's weights are N(0, 1/number of its
// inputs); there are no biases. Network and arms are those of the option problem; seeds differ in the rewards alone.
//
// The context is the constant 1. The regret of acting uniformly is the largest probability of an arm minus the average.
func Testbed() datasets.Kind[TestbedOptions] {
	return kind("testbed", "arms with features; a random network of two layers gives the probabilities that they pay 1", func() TestbedOptions {
		return TestbedOptions{Arms: 100, Dim: 10, Hidden: 50, Temperature: 0.5, Problem: 1}
	}, openTestbed)
}

func openTestbed(o TestbedOptions) (*datasets.World, error) {
	if err := cmp.Or(
		check.Within("arms", o.Arms, 2, 10_000), check.Within("dim", o.Dim, 1, 10_000), check.Within("arms·dim", o.Arms*o.Dim, 2, 1e7),
		check.Within("hidden", o.Hidden, 1, 1000), check.Positive("temperature", o.Temperature)); err != nil {
		return nil, err
	}
	r := stream.Root(o.Problem).Child("testbed")
	var weights [3][]float32
	for i, size := range []int{o.Dim * o.Hidden, o.Hidden * o.Hidden, o.Hidden * 2} {
		weights[i] = make([]float32, size)
		r.Child("layer", i).Normals(weights[i])
	}
	features, means := make([][]float32, o.Arms), make([]float64, o.Arms)
	of := r.Child("features")
	for a := range means {
		features[a] = make([]float32, o.Dim)
		of.Normals(features[a])
		inputs := lists.Each(features[a], func(v float32) float64 { return float64(v) })
		logits := layer(relu(layer(relu(layer(inputs, weights[0])), weights[1])), weights[2])
		means[a] = logistic((logits[1] - logits[0]) / o.Temperature)
	}
	names := armNames(o.Arms)
	spec := bandit.Spec{
		Dim: 1, Arms: names, ArmDim: o.Dim, IgnoresActions: true, UniformRegret: meanRegret(means),
		ConstantArm: &bandit.ConstantArm{Arm: names[slices.Index(means, slices.Max(means))]}, // regret 0, as means stay the same
	}
	return simulate(func(s *stream.Stream) simulation {
		return simulation{s, spec, func(r *bandit.Round, o *bandit.Outcome) {
			r.Context[0] = 1
			for a, x := range features {
				copy(r.Arms[a], x)
			}
			copy(o.Mean, means)
			bernoulli(s, o.Reward, o.Mean, nil)
		}}
	}), nil
}

// layer returns the outputs of a layer for its inputs; weights holds the weights of each input in turn.
func layer(inputs []float64, weights []float32) []float64 {
	outputs := make([]float64, len(weights)/len(inputs))
	scale := 1 / math.Sqrt(float64(len(inputs)))
	for i, x := range inputs {
		for k := range outputs {
			outputs[k] += float64(float64(x*scale) * float64(weights[i*len(outputs)+k]))
		}
	}
	return outputs
}

func relu(v []float64) []float64 {
	for i := range v {
		v[i] = max(v[i], 0)
	}
	return v
}
