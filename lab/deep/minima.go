package deep

import (
	"context"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A Descent describes the end point of gradient descent from a snapshot.
type Descent struct {
	Energy   float64 `json:"energy"`   // mean loss over the training images, in nats
	Accuracy float64 `json:"accuracy"` // accuracy on the held-out images
}

// descend moves all chains' snapshots by gradient descent on the same batches, and counts each chain's distinct minima.
// An end point counts only if its energy is low, because descent also stops where all units of a network output 0.
func (g *basinsSetup) descend(ctx context.Context, record *BasinsRecord, snapshots [][][]float32, r *stream.Stream) error {
	var predictions [][]float64
	var chain []int // index of the chain of each minimum
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
			row := make([]float64, len(predictions)) // an empty row is [] in JSON, not null
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

// descendFrom moves x by DescentSteps steps of stochastic gradient descent on batches drawn from the stream batches.
func (g *basinsSetup) descendFrom(ctx context.Context, x []float32, batches *stream.Stream) error {
	sampler, err := sgmcmc.NewLangevin(sgmcmc.Plain(g.o.DescentRate, 0), sgmcmc.Setup{Chains: 1})
	if err != nil {
		return err
	}
	chains := []posterior.Chain{posterior.NewChain(g.target(batches), x)}
	return walk(ctx, sampler, chains, g.o.DescentSteps, nothing)
}

// accuracy returns the share of images whose label has the largest probability.
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

// distance returns the total variation distance ½Σ|p−q| between predictions p and q, averaged over n images.
func distance(p, q []float64, n int) float64 {
	sum := 0.0
	for i, v := range p {
		sum += math.Abs(v - q[i])
	}
	return sum / 2 / float64(n)
}

// distinct returns the number of distinct minima of a chain. It counts a minimum if its distance from each one counted
// before is at least the argument apart. rows are the chain's rows of BasinsRecord.Distances, from index first.
func distinct(rows [][]float64, first int, apart float64) int {
	var counted []int
	for i, row := range rows {
		if !slices.ContainsFunc(counted, func(j int) bool { return row[j] < apart }) {
			counted = append(counted, first+i)
		}
	}
	return len(counted)
}

// between returns the median distance between minima of different chains, or 0 if no two chains have minima. For an
// even number of distances, it returns the upper of the middle two. chain has the index of each minimum's chain.
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

// A Plane is the projection of a path onto the plane through the path's mean along its first two singular directions,
// with the loss at points of the plane.
type Plane struct {
	Path  [][2]float64 `json:"path"`  // coordinates of the path's points
	Share [2]float64   `json:"share"` // share of the path's variance along each direction
	// Loss is the mean loss over some training images at the points of a grid over a square around the path, row-major;
	// the second coordinate is constant along a row, and lowest in the first row.
	Loss []float64 `json:"loss"`
	Side float64   `json:"side"` // half the side of the square, whose center is the mean of the path
}

// plane returns the Plane of a path.
func (g *basinsSetup) plane(path [][]float32) Plane {
	mean, gram := centered(path)
	p := Plane{Path: make([][2]float64, len(path))}
	total := 0.0
	for i := range gram {
		total += gram[i][i]
	}
	var axes [2][]float64
	for k := range axes {
		value, vector := leading(gram)
		if total > 0 {
			p.Share[k] = value / total
		}
		// The centered path is Σ √value·vector·axis: the coordinates of its points are √value·vector.
		root := math.Sqrt(max(value, 0))
		axis := make([]float64, len(mean))
		for i, v := range vector {
			p.Path[i][k] = root * v
			p.Side = max(p.Side, 1.1*math.Abs(root*v))
			if root > 0 {
				for d := range axis {
					axis[d] += float64(v / root * (float64(path[i][d]) - mean[d]))
				}
			}
			for j, w := range vector {
				gram[i][j] -= float64(value * float64(v*w))
			}
		}
		axes[k] = axis
	}
	if p.Side == 0 { // the chain does not move
		p.Side = 1
	}
	images := g.train.first(min(g.o.Images, g.train.Len()))
	x := make([]float32, len(mean))
	at := func(i int) float64 { return p.Side * (2*float64(i)/float64(g.o.Grid-1) - 1) }
	for row := range g.o.Grid {
		for col := range g.o.Grid {
			for d := range x {
				x[d] = float32(mean[d] + float64(at(col)*axes[0][d]) + float64(at(row)*axes[1][d]))
			}
			p.Loss = append(p.Loss, g.net.Energy(x, images)/float64(images.Len()))
		}
	}
	return p
}

// centered returns the mean of points and the Gram matrix of the centered points.
func centered(points [][]float32) (mean []float64, gram [][]float64) {
	mean = make([]float64, len(points[0]))
	for _, x := range points {
		for d, v := range x {
			mean[d] += float64(v) / float64(len(points))
		}
	}
	gram = make([][]float64, len(points))
	for i, x := range points {
		gram[i] = make([]float64, len(points))
		for j, y := range points[:i+1] {
			sum := 0.0
			for d, v := range x {
				sum += float64((float64(v) - mean[d]) * (float64(y[d]) - mean[d]))
			}
			gram[i][j], gram[j][i] = sum, sum
		}
	}
	return mean, gram
}

// leading returns the largest eigenvalue of a positive semidefinite matrix and its eigenvector, by power iteration.
func leading(matrix [][]float64) (value float64, vector []float64) {
	vector = make([]float64, len(matrix))
	for i := range vector { // not constant, because a Gram matrix of centered points maps constant vectors to 0
		vector[i] = float64(i) - float64(len(vector)-1)/3
	}
	next := make([]float64, len(vector))
	for range 1000 {
		norm := 0.0
		for i, row := range matrix {
			next[i] = 0
			for j, v := range vector {
				next[i] += float64(row[j] * v)
			}
			norm += float64(next[i] * next[i])
		}
		if norm = math.Sqrt(norm); norm == 0 {
			return 0, vector
		}
		for i := range vector {
			vector[i] = next[i] / norm
		}
		if math.Abs(norm-value) < 1e-12*norm {
			return norm, vector
		}
		value = norm
	}
	return value, vector
}
