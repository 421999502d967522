package neural

import (
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/state"
	"banditsim/nn"
)

// A replay is a first-in-first-out buffer of rows (context, arm, reward). One-hot contexts are
// stored as the indices of their ones; the first other context makes the whole buffer dense.
type replay struct {
	dim     int
	n, next int // rows held, slot of the next one
	added   int // rows ever added
	slots   []slot
	stride  int       // stride of ones: the most that a row has had
	ones    []int32   // indices, of which the slot's first count are set
	dense   []float32 // slot × dim; nil while sparse
	inputs  []float32 // dense, standardized; nil: as it is
	scaling *inputs   // by which
	scratch []int32
}

// A slot is a row without its context.
type slot struct {
	reward float64
	arm    int32
	count  int32 // number of ones
}

// newReplay returns an empty buffer of the given capacity for contexts of length dim.
func newReplay(capacity, dim int) *replay {
	return &replay{dim: dim, slots: make([]slot, capacity)}
}

// Len returns the number of rows held.
func (b *replay) Len() int { return b.n }

// Add copies a row into the buffer, in place of the oldest if it is full.
func (b *replay) Add(context []float32, arm int, reward float64) error {
	if len(context) != b.dim {
		return fmt.Errorf("neural: observe: the context has %d elements, want %d", len(context), b.dim)
	}
	s := slot{reward: reward, arm: int32(arm)}
	if b.dense == nil {
		ones, ok := nn.Ones(b.scratch[:0], context)
		if ok {
			b.scratch = ones
			b.widen(len(ones))
			s.count = int32(copy(b.ones[b.next*b.stride:], ones))
		} else {
			b.toDense()
		}
	}
	if b.dense != nil {
		copy(b.dense[b.next*b.dim:(b.next+1)*b.dim], context)
	}
	if b.inputs != nil {
		b.scaling.standardize(b.inputs[b.next*b.dim:(b.next+1)*b.dim], context)
	}
	b.slots[b.next] = s
	b.n = max(b.n, b.next+1)
	b.next = (b.next + 1) % len(b.slots)
	b.added++
	return nil
}

// widen makes room for rows with that many ones.
func (b *replay) widen(count int) {
	if count <= b.stride {
		return
	}
	wide := make([]int32, len(b.slots)*count)
	for i := range b.n {
		copy(wide[i*count:], b.sparseRow(i))
	}
	b.ones, b.stride = wide, count
}

// sparseRow returns the indices of a slot's ones.
func (b *replay) sparseRow(slot int) []int32 {
	return b.ones[slot*b.stride:][:b.slots[slot].count]
}

func (b *replay) toDense() {
	b.dense = make([]float32, len(b.slots)*b.dim)
	for i := range b.n {
		for _, j := range b.sparseRow(i) {
			b.dense[i*b.dim+int(j)] = 1
		}
	}
	b.ones = nil
}

// standardize makes the rows that batches draw standardized, by in from now on.
func (b *replay) standardize(in *inputs) {
	if b.inputs == nil {
		b.inputs = make([]float32, len(b.dense))
	}
	b.scaling = in
	for i := range b.n {
		in.standardize(b.inputs[i*b.dim:(i+1)*b.dim], b.dense[i*b.dim:(i+1)*b.dim])
	}
}

// MarshalBinary returns the rows.
func (b *replay) MarshalBinary() ([]byte, error) { return state.Save(b.state) }

// UnmarshalBinary restores the rows of a buffer of the same size.
func (b *replay) UnmarshalBinary(data []byte) error { return state.Restore(data, b.state) }

func (b *replay) state(c *state.Codec) {
	n, next, added, dense := b.n, b.next, b.added, b.dense != nil
	if c.Reading() {
		*b = replay{dim: b.dim, slots: make([]slot, len(b.slots))}
	}
	c.Int("rows", &n, 0, len(b.slots))
	c.Int("next row", &next, 0, len(b.slots)-1)
	c.Int("rows added", &added, n, math.MaxInt)
	if c.Bool(&dense); dense && c.Reading() {
		b.toDense()
	}
	for i := range n {
		s := &b.slots[i]
		c.Float64(&s.reward)
		state.Integer(c, "arm", &s.arm, 0, math.MaxInt32)
		if dense {
			c.Float32s(b.dense[i*b.dim : (i+1)*b.dim])
			continue
		}
		state.Integer(c, "ones in a row", &s.count, 0, int32(b.dim))
		if c.Reading() {
			b.n = i // the rows to move when the rows get wider
			b.widen(int(s.count))
		}
		c.Int32s("place of a one", b.sparseRow(i), 0, b.dim-1)
	}
	b.n, b.next, b.added = n, next, added
}

// A batch is a sample of a replay, with memory that is used again.
type batch struct {
	Rows    nn.Rows
	Arms    []int32
	Rewards []float64
	Slots   []int32 // where in the buffer the rows are
	order   []int32 // a permutation of the slots; the identity between draws
	swaps   []int32
}

// Draw sets b to min(n, buffer.Len()) rows, uniformly without replacement.
func (b *batch) Draw(buffer *replay, n int, r *stream.Stream) {
	n = min(n, buffer.n)
	for len(b.order) < buffer.n {
		b.order = append(b.order, int32(len(b.order)))
	}
	b.reset()
	b.swaps = b.swaps[:0]
	// The first n places of a Fisher–Yates shuffle. The swaps are undone afterwards, so that a
	// draw depends on the stream alone and there is no permutation to save.
	for i := range n {
		j := i + r.IntN(buffer.n-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
		b.swaps = append(b.swaps, int32(j))
	}
	for _, i := range b.order[:n] {
		b.add(buffer, int(i))
	}
	for i := n - 1; i >= 0; i-- {
		j := b.swaps[i]
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
}

func (b *batch) reset() {
	b.Rows.Reset()
	b.Arms, b.Rewards, b.Slots = b.Arms[:0], b.Rewards[:0], b.Slots[:0]
}

func (b *batch) add(buffer *replay, slot int) {
	rows := buffer.dense
	if buffer.inputs != nil {
		rows = buffer.inputs
	}
	if rows == nil {
		b.Rows.AppendSparse(buffer.sparseRow(slot))
	} else {
		b.Rows.AppendDense(rows[slot*buffer.dim : (slot+1)*buffer.dim])
	}
	b.Slots = append(b.Slots, int32(slot))
	b.Arms = append(b.Arms, buffer.slots[slot].arm)
	b.Rewards = append(b.Rewards, buffer.slots[slot].reward)
}
