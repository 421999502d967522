// Package replay stores the rows that networks learn from, and draws batches of them.
package replay

import (
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/nn"
)

// A Buffer is a first-in-first-out buffer of rows (context, arm, reward). One-hot contexts (only zeros and ones) are
// stored as the indices of their ones. The first context that is not one-hot makes the whole buffer dense.
type Buffer struct {
	dim     int
	arms    int
	N       int // rows held, in slots 0 to N−1
	Next    int // slot of the next row
	Added   int // rows ever added
	slots   []slot
	dense   []float32                    // slot × dim; nil while sparse
	inputs  []float32                    // the contexts of dense, standardized by scaling; nil: contexts are not standardized
	scaling func(dst, context []float32) // writes the standardized context to dst
}

// A slot holds a row, except its context if the buffer is dense.
type slot struct {
	reward float64
	arm    int32
	ones   []int32 // indices of the ones of a one-hot context
}

// New returns an empty buffer of the given capacity for contexts of length dim and a number of arms.
func New(capacity, dim, arms int) *Buffer {
	return &Buffer{dim: dim, arms: arms, slots: make([]slot, capacity)}
}

// IsDense reports whether contexts are stored as numbers, because one of them was not one-hot.
func (b *Buffer) IsDense() bool { return b.dense != nil }

// Arm returns the arm of the row in a slot.
func (b *Buffer) Arm(slot int) int { return int(b.slots[slot].arm) }

// Reward returns the reward of the row in a slot.
func (b *Buffer) Reward(slot int) float64 { return b.slots[slot].reward }

// Add copies a row into the buffer, in place of the oldest if it is full.
func (b *Buffer) Add(context []float32, arm int, reward float64) error {
	if err := check.Row(context, b.dim, arm, b.arms, reward); err != nil {
		return fmt.Errorf("neural: observe: %w", err)
	}
	s := &b.slots[b.Next]
	s.reward, s.arm = reward, int32(arm)
	if b.dense == nil {
		ones, ok := nn.Ones(s.ones[:0], context)
		if s.ones = ones; !ok {
			b.MakeDense()
		}
	}
	if b.dense != nil {
		copy(b.dense[b.Next*b.dim:(b.Next+1)*b.dim], context)
	}
	if b.inputs != nil {
		b.scaling(b.inputs[b.Next*b.dim:(b.Next+1)*b.dim], context)
	}
	b.N = max(b.N, b.Next+1)
	b.Next = (b.Next + 1) % len(b.slots)
	b.Added++
	return nil
}

// MakeDense makes the buffer store all contexts as numbers, including those added later.
func (b *Buffer) MakeDense() {
	b.dense = make([]float32, len(b.slots)*b.dim)
	for i := range b.slots {
		for _, j := range b.slots[i].ones {
			b.dense[i*b.dim+int(j)] = 1
		}
		b.slots[i].ones = nil
	}
}

// Value returns element j of the context in a slot, as it was added. The buffer must be dense.
func (b *Buffer) Value(slot, j int) float32 { return b.dense[slot*b.dim+j] }

// Standardize makes f standardize the contexts in batches, those held and those added later. The buffer must be dense.
func (b *Buffer) Standardize(f func(dst, context []float32)) {
	if b.inputs == nil {
		b.inputs = make([]float32, len(b.dense))
	}
	b.scaling = f
	for i := range b.N {
		f(b.inputs[i*b.dim:(i+1)*b.dim], b.dense[i*b.dim:(i+1)*b.dim])
	}
}

// State saves the rows, or restores them in a buffer of the same capacity, dim and arms.
func (b *Buffer) State(c *state.Codec) {
	n, next, added, dense := b.N, b.Next, b.Added, b.dense != nil
	if c.Reading() {
		*b = Buffer{dim: b.dim, arms: b.arms, slots: make([]slot, len(b.slots))}
	}
	c.Int("rows", &n, 0, len(b.slots))
	c.Int("next row", &next, 0, len(b.slots)-1)
	c.Int("rows added", &added, n, math.MaxInt)
	if c.Bool(&dense); dense && c.Reading() {
		b.MakeDense()
	}
	for i := range n {
		s := &b.slots[i]
		c.Float64(&s.reward)
		state.Integer(c, "arm", &s.arm, 0, int32(b.arms-1))
		if dense {
			c.Float32s(b.dense[i*b.dim : (i+1)*b.dim])
			continue
		}
		s.ones = state.Resize(c, "ones in a row", s.ones, b.dim)
		c.Int32s("place of a one", s.ones, 0, b.dim-1)
	}
	b.N, b.Next, b.Added = n, next, added
}

// A Batch holds copies of some rows of a Buffer. Its memory is reused.
type Batch struct {
	Rows    nn.Rows
	Arms    []int32
	Rewards []float64
	Slots   []int32 // slots of the rows in the buffer
	order   []int32 // a permutation of the slots; between draws, the identity
	swaps   []int32 // scratch of Draw: element i of order was swapped with element swaps[i]
}

// Draw sets b to min(n, buffer.N) rows, drawn uniformly without replacement.
func (b *Batch) Draw(buffer *Buffer, n int, r *stream.Stream) {
	n = min(n, buffer.N)
	for len(b.order) < buffer.N {
		b.order = append(b.order, int32(len(b.order)))
	}
	b.Reset()
	b.swaps = b.swaps[:0]
	// The first n places of a Fisher–Yates shuffle. The swaps are undone afterwards, so that a
	// draw depends on the stream alone and there is no permutation to save.
	for i := range n {
		j := i + r.IntN(buffer.N-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
		b.swaps = append(b.swaps, int32(j))
	}
	for _, i := range b.order[:n] {
		b.Add(buffer, int(i))
	}
	for i := n - 1; i >= 0; i-- {
		j := b.swaps[i]
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
}

// Fill sets b to the rows in slots first to end−1.
func (b *Batch) Fill(buffer *Buffer, first, end int) {
	b.Reset()
	for slot := first; slot < end; slot++ {
		b.Add(buffer, slot)
	}
}

// Reset makes the batch empty.
func (b *Batch) Reset() {
	b.Rows.Reset()
	b.Arms, b.Rewards, b.Slots = b.Arms[:0], b.Rewards[:0], b.Slots[:0]
}

// Add adds the row in a slot of the buffer. Its context is standardized if the buffer's Standardize has been called.
func (b *Batch) Add(buffer *Buffer, slot int) {
	rows := buffer.dense
	if buffer.inputs != nil {
		rows = buffer.inputs
	}
	if rows == nil {
		b.Rows.AppendSparse(buffer.slots[slot].ones)
	} else {
		b.Rows.AppendDense(rows[slot*buffer.dim : (slot+1)*buffer.dim])
	}
	b.Slots = append(b.Slots, int32(slot))
	b.Arms = append(b.Arms, buffer.slots[slot].arm)
	b.Rewards = append(b.Rewards, buffer.slots[slot].reward)
}
