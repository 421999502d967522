package deep

import "math"

// A Plane is a path in the plane of its first two singular directions, through its mean, over the loss in that plane.
type Plane struct {
	Path  [][2]float64 `json:"path"`  // coordinates of its points
	Share [2]float64   `json:"share"` // share of the path's variance along each direction
	// Loss is that of images for training, per image, at the points of a grid over the square about the path, row by row from
	// the lowest second coordinate.
	Loss []float64 `json:"loss"`
	Side float64   `json:"side"` // half of the side of the square, about 0
}

// plane returns the plane of a path.
func (g *ground) plane(path [][]float32) Plane {
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
		// X = Σ √value·vector·axis: the coordinates of the points are √value·vector.
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
	if p.Side == 0 { // a chain that does not move
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

// centered returns the mean of points and the products of their differences from it.
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

// leading returns the largest eigenvalue of a symmetric matrix without negative ones, and its vector, by power iteration.
func leading(matrix [][]float64) (value float64, vector []float64) {
	vector = make([]float64, len(matrix))
	for i := range vector { // not along a path's mean, which is 0
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
