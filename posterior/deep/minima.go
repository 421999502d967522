package deep

import (
	"context"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A Minimum is where a snapshot descends to.
type Minimum struct {
	Energy   float64 `json:"energy"`   // of all images for training, per image
	Accuracy float64 `json:"accuracy"` // on those held out
}

// descend descends from the snapshots of a chain by plain gradient steps, all on the same batches, and counts the distinct minima.
// A point that does not reach a low energy is none: no gradient leads away from where a network has died.
func (g *ground) descend(ctx context.Context, c *BasinsChain, snapshots [][]float32, r *stream.Stream) error {
	var predictions [][]float64
	for _, x := range snapshots {
		target, err := NewCrossEntropy(g.net, g.train, g.o.Batch, g.o.Decay, r.Child("descent"))
		if err != nil {
			return err
		}
		sampler, err := sgmcmc.NewLangevin(sgmcmc.Plain(g.o.DescentRate, 0), sgmcmc.Setup{Chains: 1})
		if err != nil {
			return err
		}
		chains := []posterior.Chain{posterior.NewChain(target, x)}
		for range g.o.DescentSteps {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := sampler.Step(chains); err != nil {
				return err
			}
		}
		p := make([]float64, g.heldOut.Len()*g.net.Classes)
		g.net.Probabilities(p, x, g.heldOut, nil)
		m := Minimum{Energy: g.net.Energy(x, g.train) / float64(g.train.Len()), Accuracy: accuracy(p, g.heldOut)}
		c.Minima = append(c.Minima, m)
		if m.Energy <= g.o.Low {
			c.Distances = append(c.Distances, nil)
			for _, q := range predictions {
				last := len(predictions)
				c.Distances[last] = append(c.Distances[last], distance(p, q, g.heldOut.Len()))
			}
			predictions = append(predictions, p)
		}
	}
	c.Distinct = distinct(c.Distances, g.o.Distance)
	return nil
}

// accuracy returns the share of the images whose most probable class is theirs.
func accuracy(p []float64, d *Data) float64 {
	right := 0
	for i, label := range d.Labels {
		row := p[i*d.Classes : (i+1)*d.Classes]
		if row[label] == slices.Max(row) {
			right++
		}
	}
	return float64(right) / float64(d.Len())
}

// distance returns the mean over n images of the total variation distance ½Σ|p−q| of their predictions.
func distance(p, q []float64, n int) float64 {
	sum := 0.0
	for i, v := range p {
		sum += math.Abs(v - q[i])
	}
	return sum / 2 / float64(n)
}

// distinct returns how many minima are at least the given distance from all that were counted before them.
func distinct(distances [][]float64, apart float64) int {
	var counted []int
	for i, row := range distances {
		if !slices.ContainsFunc(counted, func(j int) bool { return row[j] < apart }) {
			counted = append(counted, i)
		}
	}
	return len(counted)
}
