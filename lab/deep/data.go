package deep

import (
	"fmt"

	"banditsim/bandit/stream"
	"banditsim/nn"
)

// Data is a set of gray images with their classes, and its source, which alone is in JSON. It is not changed, and safe for concurrent
// use.
type Data struct {
	Height  int       `json:"-"`
	Width   int       `json:"-"`
	Classes int       `json:"-"`
	Pixels  []float32 `json:"-"` // image by image, each row by row
	Labels  []int32   `json:"-"` // class of each image, 0 … Classes−1
	Name    string    `json:"name"`
	SHA256  string    `json:"sha256"`
}

// Len returns the number of images.
func (d *Data) Len() int { return len(d.Labels) }

// size returns the number of pixels of an image.
func (d *Data) size() int { return d.Height * d.Width }

// Split returns n images drawn by r without replacement, and all others.
func (d *Data) Split(n int, r *stream.Stream) (drawn, others *Data, err error) {
	if n < 1 || n >= d.Len() {
		return nil, nil, fmt.Errorf("deep: %d images to draw of %d, want 1 to %d", n, d.Len(), d.Len()-1)
	}
	order := make([]int32, d.Len())
	r.Permutation(order)
	return d.choose(order[:n]), d.choose(order[n:]), nil
}

// choose returns a copy of the images of the given indices.
func (d *Data) choose(indices []int32) *Data {
	chosen := *d
	chosen.Pixels, chosen.Labels = make([]float32, 0, len(indices)*d.size()), make([]int32, 0, len(indices))
	for _, i := range indices {
		chosen.Pixels = append(chosen.Pixels, d.image(i)...)
		chosen.Labels = append(chosen.Labels, d.Labels[i])
	}
	return &chosen
}

// first returns the first n images, which it shares with d.
func (d *Data) first(n int) *Data {
	first := *d
	first.Pixels, first.Labels = d.Pixels[:n*d.size()], d.Labels[:n]
	return &first
}

func (d *Data) image(i int32) []float32 { return d.Pixels[int(i)*d.size():][:d.size()] }

// rows sets rows to the images first … end−1, without a copy.
func (d *Data) rows(rows *nn.Rows, first, end int) {
	*rows = nn.Rows{N: end - first, Dense: d.Pixels[first*d.size() : end*d.size()]}
}
