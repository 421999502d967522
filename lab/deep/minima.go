package deep

import (
	"cmp"
	"context"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A Descent is where plain gradient steps from a snapshot end.
type Descent struct {
	Energy   float64 `json:"energy"`   // of all images for training, per image
	Accuracy float64 `json:"accuracy"` // on those held out
}

// descend descends from the snapshots of all chains by plain gradient steps, all on the same batches, and tells the minima apart.
// An end that is not low is no minimum: no gradient leads away from where a network has died.
func (g *ground) descend(ctx context.Context, record *BasinsRecord, snapshots [][][]float32, r *stream.Stream) error {
	var predictions [][]float64
	var chain []int // of each minimum
	for i := range record.Chains {
		c, first := &record.Chains[i], len(chain)
		for _, x := range snapshots[i] {
			if err := g.descendFrom(ctx, x, r.Child("descent")); err != nil {
				return err
			}
			p := make([]float64, g.heldOut.Len()*g.net.Classes)
			g.net.Probabilities(p, x, g.heldOut, nil)
			d := Descent{Energy: g.net.Energy(x, g.train) / float64(g.train.Len()), Accuracy: accuracy(p, g.heldOut)}
			c.Descents = append(c.Descents, d)
			if d.Energy > g.o.Low {
				continue
			}
			row := make([]float64, len(predictions))
			for j, q := range predictions {
				row[j] = distance(p, q, g.heldOut.Len())
			}
			record.Distances, predictions, chain = append(record.Distances, row), append(predictions, p), append(chain, i)
			c.Minima++
		}
		c.Distinct = distinct(record.Distances[first:], first, g.o.Distance)
	}
	record.Between = between(record.Distances, chain)
	return nil
}

// descendFrom moves x by plain gradient steps.
func (g *ground) descendFrom(ctx context.Context, x []float32, batches *stream.Stream) error {
	target, err := NewCrossEntropy(g.net, g.train, g.o.Batch, g.o.Decay, batches)
	if err != nil {
		return err
	}
	sampler, err := sgmcmc.NewLangevin(sgmcmc.Plain(g.o.DescentRate, 0), sgmcmc.Setup{Chains: 1})
	if err != nil {
		return err
	}
	chains := []posterior.Chain{posterior.NewChain(target, x)}
	for range g.o.DescentSteps {
		if err := cmp.Or(ctx.Err(), sampler.Step(chains)); err != nil {
			return err
		}
	}
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

// distinct returns how many minima are at least the given distance from all that were counted before them. rows are those of
// some minima, of which the first has the index first among all.
func distinct(rows [][]float64, first int, apart float64) int {
	var counted []int
	for i, row := range rows {
		if !slices.ContainsFunc(counted, func(j int) bool { return row[j] < apart }) {
			counted = append(counted, first+i)
		}
	}
	return len(counted)
}

// between returns the median distance of minima of different chains; 0 if there are none.
func between(rows [][]float64, chain []int) float64 {
	var all []float64
	for i, row := range rows {
		for j, d := range row {
			if chain[i] != chain[j] {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
