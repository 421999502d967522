package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"banditsim/internal/must"
)

// eachKernel runs a test or a benchmark with every available kernel.
func eachKernel[T interface {
	testing.TB
	Run(string, func(T)) bool
}](t T, f func(t T)) {
	t.Helper()
	defer restoreKernel(t, Name())
	for _, name := range Available() {
		restoreKernel(t, name)
		t.Run(name, f)
	}
}

func restoreKernel(tb testing.TB, name string) {
	must.OK(tb, Use(name))
}

// source returns a random source with a fixed seed.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

type float interface{ float32 | float64 }

// special returns values for which wrong implementations often fail, the zeros first.
func special[F float]() []F {
	tiny, huge := math.SmallestNonzeroFloat64, math.MaxFloat64
	if unsafe.Sizeof(F(0)) == 4 {
		tiny, huge = math.SmallestNonzeroFloat32, math.MaxFloat32
	}
	inf := F(math.Inf(1))
	return []F{0, F(math.Copysign(0, -1)), inf, -inf, F(math.NaN()), F(tiny), F(-3 * tiny), 0x1p-126, F(huge), F(-huge)}
}

// fill sets x to normal deviates and, unless rare is 0, about one element in rare to a special value.
func fill[F float](r *rand.Rand, x []F, rare int) {
	values := special[F]()
	for i := range x {
		x[i] = F(r.NormFloat64())
		if rare > 0 && r.IntN(rare) == 0 {
			x[i] = values[r.IntN(len(values))]
		}
	}
}

// random returns a new slice of n elements, set by fill.
func random[F float](r *rand.Rand, n, rare int) []F {
	x := make([]F, n)
	fill(r, x, rare)
	return x
}

// clone returns a copy of x allocated by b. Copies of float64s are aligned to eight bytes, and lead counts float64s.
func clone[F float](b *borders, x []F, lead int) []F {
	words := int(unsafe.Sizeof(F(0)) / 4)
	y := unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(b.slice(words*len(x), words*lead)))), len(x))
	copy(y, x)
	return y
}

// borders allocates slices between guard words and detects writes to them. If the system allows it, a slice ends at a
// page without access, so that reads beyond its end are detected as well.
type borders struct {
	t     testing.TB
	pages pages
	made  [][]float32 // the guard words before and after each slice
}

const guardWords = 16

var guardValue = math.Float32frombits(0x7fc0dead) // a NaN, so that reading it changes results

// slice returns n elements. They begin lead elements after an aligned address unless they end at a protected page.
func (b *borders) slice(n, lead int) []float32 {
	whole, end := b.pages.alloc(2*guardWords + n + lead)
	first := guardWords + lead
	if end { // the end of the page determines the alignment
		whole = whole[:len(whole)-guardWords]
		first = len(whole) - n
	}
	for i := range whole {
		whole[i] = guardValue
	}
	b.made = append(b.made, whole[:first], whole[first+n:])
	return whole[first : first+n : first+n]
}

// check fails if a guard word has changed, and frees all slices.
func (b *borders) check() {
	b.t.Helper()
	for _, g := range b.made {
		for i, v := range g {
			if math.Float32bits(v) != math.Float32bits(guardValue) {
				b.t.Fatalf("guard word %d of %d was overwritten by %v", i, len(g), v)
			}
		}
	}
	b.made = b.made[:0]
	b.pages.reset()
}

// same fails unless got and want have the same bits. All NaNs count as equal.
func same[F float](t testing.TB, what string, got, want []F) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: length %d, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !sameBits(got[i], want[i]) {
			t.Fatalf("%s: element %d of %d is %v (%x), want %v (%x)", what, i, len(got), got[i], got[i], want[i], want[i])
		}
	}
}

func sameBits[F float](a, b F) bool {
	return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
}

// mustPanic fails unless f panics with the message want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		must.Equal(t, "panic", fmt.Sprint(recover()), want)
	}()
	f()
}
