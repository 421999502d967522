package posterior

import (
	"fmt"

	"banditsim/bandit/stream"
	"banditsim/nn"
)

// A Replay is a first-in-first-out buffer of rows (context, arm, reward).
// One-hot contexts are kept by the indices of their ones; the first context
// that holds anything else turns the whole buffer dense.
type Replay struct {
	dim     int
	n, next int // rows held, slot of the next one
	arms    []int32
	rewards []float64
	ones    [][]int32 // slot → indices; nil once dense
	dense   []float32 // slot × dim; nil while sparse
}

// NewReplay returns an empty buffer of the given capacity for contexts of
// length dim.
func NewReplay(capacity, dim int) *Replay {
	return &Replay{
		dim:     dim,
		arms:    make([]int32, capacity),
		rewards: make([]float64, capacity),
		ones:    make([][]int32, capacity),
	}
}

// Len returns the number of rows held.
func (b *Replay) Len() int { return b.n }

// Add copies a row into the buffer, in place of the oldest if it is full.
func (b *Replay) Add(context []float32, arm int, reward float64) error {
	if len(context) != b.dim {
		return fmt.Errorf("posterior: observe: the context has %d elements, want %d", len(context), b.dim)
	}
	slot := b.next
	if b.ones != nil {
		ones, ok := nn.Ones(b.ones[slot][:0], context)
		if ok {
			b.ones[slot] = ones
		} else {
			b.toDense()
		}
	}
	if b.ones == nil {
		copy(b.dense[slot*b.dim:(slot+1)*b.dim], context)
	}
	b.arms[slot], b.rewards[slot] = int32(arm), reward
	b.next = (slot + 1) % len(b.arms)
	b.n = max(b.n, slot+1)
	return nil
}

func (b *Replay) toDense() {
	b.dense = make([]float32, len(b.arms)*b.dim)
	for slot, ones := range b.ones[:b.n] {
		for _, j := range ones {
			b.dense[slot*b.dim+int(j)] = 1
		}
	}
	b.ones = nil
}

// A Batch is a sample of a Replay, with the memory to draw it again and again.
type Batch struct {
	Rows    nn.Rows
	Arms    []int32
	Rewards []float64
	order   []int32 // a permutation of the slots; the identity between draws
	swaps   []int32
}

// Draw fills b with min(n, buffer.Len()) rows, uniformly without replacement.
func (b *Batch) Draw(buffer *Replay, n int, r *stream.Stream) {
	n = min(n, buffer.n)
	for len(b.order) < buffer.n {
		b.order = append(b.order, int32(len(b.order)))
	}
	b.Rows.Reset()
	b.Arms, b.Rewards, b.swaps = b.Arms[:0], b.Rewards[:0], b.swaps[:0]
	// The first n places of a Fisher–Yates shuffle. The swaps are undone
	// afterwards, so that a draw depends on the stream alone and there is no
	// permutation to save.
	for i := range n {
		j := i + r.IntN(buffer.n-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
		b.swaps = append(b.swaps, int32(j))
		b.add(buffer, int(b.order[i]))
	}
	for i := n - 1; i >= 0; i-- {
		j := b.swaps[i]
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
}

func (b *Batch) add(buffer *Replay, slot int) {
	if buffer.ones != nil {
		b.Rows.AppendSparse(buffer.ones[slot])
	} else {
		b.Rows.AppendDense(buffer.dense[slot*buffer.dim : (slot+1)*buffer.dim])
	}
	b.Arms = append(b.Arms, buffer.arms[slot])
	b.Rewards = append(b.Rewards, buffer.rewards[slot])
}
