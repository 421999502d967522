package stream

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/kernel"
	"banditsim/internal/must"
)

// chiSquareLimit is the value that chi-square with the given degrees of freedom exceeds with probability 1e-9, by the
// approximation of Wilson and Hilferty (The distribution of chi-square, PNAS 1931).
func chiSquareLimit(df float64) float64 {
	c := 2 / (9 * df)
	return df * math.Pow(1-c+6*math.Sqrt(c), 3)
}

func words(s *Stream, n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = s.Uint64()
	}
	return w
}

// TestSequence pins the numbers, on which every result of the program depends. They were computed in Python, with
// SHA-256 from hashlib and Philox4x32-10 written after Salmon et al., SC 2011 (see Root, Child and kernel.Philox).
func TestSequence(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream *Stream
		want   []uint64
	}{
		{"root(1)", Root(1), []uint64{
			0x7b49e6367b561770, 0x1cac0ffd4865e28a, 0x1b0130f393628967, 0x5308d0d92fd3db9a, 0xccdd002c1d9b8048}},
		{"root(1)/policy/chain/2/noise", Root(1).Child("policy", "chain", 2, "noise"), []uint64{
			0xb7219323f17b4c6a, 0x7cc098f6523ee29d, 0x96c26aa5e4cdba9d, 0xe5a51a0b96a5947e, 0x2517d9fac1b842e5}},
		{"root(2⁶⁴−1)", Root(math.MaxUint64), []uint64{
			0xcc1c1a1783380985, 0x62436269bca56b28, 0xfa895291a98188c9, 0xc077ae36a58a4c23, 0xe25cb6b55e8b25ff}},
	} {
		must.Equal(t, c.name, words(c.stream, 5), c.want)
	}
}

// TestDerivedSequences checks Float64 and IntN on the same words.
func TestDerivedSequences(t *testing.T) {
	s := Root(1)
	// The expected values are computed from the first two words of TestSequence.
	must.Equal(t, "Float64", s.Float64(), float64(0x7b49e6367b561770>>11)/(1<<53))
	must.Equal(t, "IntN", s.IntN(1000), int((0x1cac0ffd4865e28a>>32)*1000>>32))
}

func TestChild(t *testing.T) {
	root := Root(1)
	want := words(root.Child("a", "b"), 4)

	used := Root(1)
	words(used, 7)
	used.Normals(make([]float32, 100))
	for name, s := range map[string]*Stream{
		"the same again":            root.Child("a", "b"),
		"step by step":              root.Child("a").Child("b"),
		"of a stream that was used": used.Child("a", "b"),
	} {
		must.Equal(t, name, words(s, 4), want)
	}
	must.Equal(t, "no path", words(used.Child(), 4), words(Root(1), 4))
	// Child does not draw from the parent.
	parent := Root(1)
	first := parent.Uint64()
	parent.Child("a")
	must.Equal(t, "numbers of the parent of a child", []uint64{first, parent.Uint64()}, words(Root(1), 2))
}

// TestPathsDiffer checks that the streams of different seeds and paths share no number.
func TestPathsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	add := func(name string, s *Stream) {
		for _, w := range words(s, 8) {
			other, ok := seen[w]
			must.That(t, !ok, "%s and %s give the same number %#x", name, other, w)
			seen[w] = name
		}
	}
	for _, seed := range []uint64{0, 1, 2, 1 << 32, math.MaxUint64} {
		root := Root(seed)
		add(fmt.Sprint(seed), root)
		for _, path := range [][]any{
			{"a"}, {"b"}, {"ab"}, {"a", "b"}, {"b", "a"}, {"a/b"}, {"a", ""}, {"", "a"}, {""},
			{"chain", 1}, {"chain", 11}, {"chain", 1, 1}, {"chain1"}, {1}, {"noise"}, {"batch"},
		} {
			add(fmt.Sprintf("%d/%q", seed, path), root.Child(path...))
		}
	}
}

// TestSaveAndRestore saves at even and odd positions, and after various numbers of normals.
func TestSaveAndRestore(t *testing.T) {
	for taken := range 40 {
		for _, normals := range []int{-1, 0, 1, 63, 64, 65, 200} {
			s := Root(5).Child("saved")
			words(s, taken)
			if normals >= 0 {
				s.Normals(make([]float32, normals))
				words(s, taken%3)
			}
			state := must.Get(s.MarshalBinary())(t)
			restored := Root(99)
			words(restored, 3)
			must.OK(t, restored.UnmarshalBinary(state))
			must.That(t, restored.Child("x").Uint64() == s.Child("x").Uint64(),
				"%d words, %d normals: a child of the restored stream differs", taken, normals)
			a, b := make([]float32, 70), make([]float32, 70)
			for range 3 {
				restored.Normals(a)
				s.Normals(b)
				if got, want := words(restored, 3), words(s, 3); !slices.Equal(got, want) || !slices.Equal(a, b) {
					t.Fatalf("%d words, %d normals: restored to %#x, want %#x, or the normals differ", taken, normals, got, want)
				}
			}
		}
	}
}

func TestSavedState(t *testing.T) {
	s := Root(1)
	appended := must.Get(s.AppendBinary([]byte("before")))(t)
	state := must.Get(s.MarshalBinary())(t)
	must.That(t, string(appended) == "before"+string(state), "AppendBinary does not append what MarshalBinary returns")
	for _, bad := range [][]byte{nil, state[1:], append(state, 0)} {
		r := Root(2)
		must.That(t, r.UnmarshalBinary(bad) != nil, "restored from %d bytes", len(bad))
		got, want := r.Uint64(), Root(2).Uint64()
		must.That(t, got == want, "a failed restore changes the stream")
	}
}

// TestIntN checks that all values are equally frequent. At three eighths of all values the bias without rejection would
// be large: a residue modulo 3 would have frequency 1/4 or 1/2 instead of 1/3.
func TestIntN(t *testing.T) {
	for _, c := range []struct {
		n      int
		groups int // values are counted modulo groups
	}{{1, 1}, {2, 2}, {7, 7}, {64, 64}, {1000, 1000}, {3 * (math.MaxInt>>2 + 1), 3}, {math.MaxInt, 16}} {
		const draws = 400_000
		s := Root(4).Child("intn", c.n)
		counts := make([]float64, c.groups)
		for range draws {
			v := s.IntN(c.n)
			if v < 0 || v >= c.n {
				t.Fatalf("IntN(%d) is %d", c.n, v)
			}
			counts[v%c.groups]++
		}
		chi, want := 0.0, draws/float64(c.groups)
		for _, v := range counts {
			chi += (v - want) * (v - want) / want
		}
		if limit := chiSquareLimit(float64(c.groups - 1)); c.groups > 1 && !(chi <= limit) {
			t.Errorf("IntN(%d): chi-square %g with %d degrees of freedom, want at most %g", c.n, chi, c.groups-1, limit)
		}
	}
}

func TestIntNOfNothingPanics(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt} {
		func() {
			defer func() {
				r, _ := recover().(string)
				must.That(t, strings.Contains(r, fmt.Sprint(n)), "IntN(%d): panic %q, want one that names it", n, r)
			}()
			Root(1).IntN(n)
		}()
	}
}

// TestNormalsUseWholeChunks checks that Normals starts at the next whole chunk of 64 numbers, which is
// 16 blocks or 32 words of the stream, and consumes whole chunks.
func TestNormalsUseWholeChunks(t *testing.T) {
	const chunkWords = 2 * kernel.NormalBlocks
	all := make([]float32, 8*kernel.NormalChunk) // from the beginning
	r := Root(6)
	kernel.Normals(all, r.key, r.nonce, 0)
	sequence := words(Root(6), 10*chunkWords)
	for taken := range 2*chunkWords + 2 {
		for _, n := range []int{0, 1, 63, 64, 65, 128, 129, 200} {
			s := Root(6)
			words(s, taken)
			got := make([]float32, n)
			s.Normals(got)
			first := (taken + chunkWords - 1) / chunkWords // index of the first chunk
			if want := all[first*kernel.NormalChunk:][:n]; !slices.Equal(got, want) {
				t.Fatalf("%d normals after %d words are not those of chunk %d", n, taken, first)
			}
			next := (first + (n+kernel.NormalChunk-1)/kernel.NormalChunk) * chunkWords
			if w := s.Uint64(); w != sequence[next] {
				t.Fatalf("after %d words and %d normals the next is %#x, want word %d, %#x", taken, n, w, next, sequence[next])
			}
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	s, x := Root(1), make([]float32, 100)
	if n := testing.AllocsPerRun(10, func() {
		s.Uint64()
		s.Float64()
		s.IntN(10)
		s.Normals(x)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestUint64sIsManyUint64(t *testing.T) {
	one, many := Root(3), Root(3)
	for n := range 300 {
		got := make([]uint64, n)
		many.Uint64s(got)
		for i, v := range got {
			if want := one.Uint64(); v != want {
				t.Fatalf("word %d of %d is %x, want %x", i, n, v, want)
			}
		}
		must.Hold(t, n%3 != 0 || one.Uint64() == many.Uint64(), "after %d words, the next one differs", n)
	}
}

// TestPoisson compares frequencies with e⁻¹/n! within 5 standard errors.
func TestPoisson(t *testing.T) {
	const n = 200_000
	r := Root(1)
	var counts [30]float64
	for range n {
		counts[r.Poisson()]++
	}
	p := 1 / math.E
	for k := range 7 {
		if k > 0 {
			p /= float64(k)
		}
		must.Near(t, fmt.Sprint("share of ", k), counts[k]/n, p, 5*math.Sqrt(p*(1-p)/n))
	}
	got := poisson(math.Nextafter(1, 0))
	must.That(t, got <= 20, "the largest is %d", got)
}

func TestChoose(t *testing.T) {
	below := math.Nextafter(1, 0)
	for _, c := range []struct {
		name    string
		weights []float64
		u       float64
		want    int
	}{
		{"the first", []float64{0.5, 0.5}, 0, 0},
		{"on the border", []float64{0.5, 0.5}, 0.5, 1},
		{"a weight of 0 at 0", []float64{0, 1}, 0, 1},
		{"a weight of 0 on the border", []float64{0.25, 0, 0.75}, 0.25, 2},
		{"above the sum", []float64{0.3, 0.3, 0.3}, below, 2},
		{"above the sum, without a last weight", []float64{0.3, 0.6, 0}, below, 1},
		{"no weights", []float64{0, 0}, 0.5, 1},
	} {
		got := Choose(len(c.weights), c.u, func(i int) float64 { return c.weights[i] })
		must.That(t, got == c.want, "%s: %v at %g: %d, want %d", c.name, c.weights, c.u, got, c.want)
	}
}

// TestPermutation checks that the 24 orders of four are equally likely: 1000 of 24,000 each, with standard deviation √(1000·23/24) = 31.
func TestPermutation(t *testing.T) {
	counts := map[[4]int32]int{}
	s := Root(3)
	for range 24_000 {
		var order [4]int32
		s.Permutation(order[:])
		sorted := slices.Sorted(slices.Values(order[:]))
		must.Hold(t, slices.Equal(sorted, []int32{0, 1, 2, 3}), "%v is no permutation", order)
		counts[order]++
	}
	for order, n := range counts {
		must.Near(t, fmt.Sprint(order), float64(n), 1000, 6*31)
	}
	must.Equal(t, "orders", len(counts), 24)
}

// TestGamma compares the mean and the variance with the shape, and the mean of the logarithms with the digamma
// function, within 5 standard errors.
func TestGamma(t *testing.T) {
	const n = 200_000
	for _, c := range []struct{ shape, digamma, trigamma float64 }{
		{0.5, -1.9635100260214235, 4.934802200544679},
		{1, -0.5772156649015329, 1.6449340668482264},
		{7.25, 1.9104535437588613, 0.14786956},
	} {
		r := Root(3)
		var sum, squares, logs float64
		for range n {
			x := r.Gamma(c.shape)
			sum += x
			squares += (x - c.shape) * (x - c.shape)
			logs += math.Log(x)
		}
		a := c.shape
		of := fmt.Sprint(" of gamma ", a)
		must.Near(t, "mean"+of, sum/n, a, 5*math.Sqrt(a/n))
		must.Near(t, "variance"+of, squares/n, a, 5*math.Sqrt((2*a*a+6*a)/n))
		must.Near(t, "mean logarithm"+of, logs/n, c.digamma, 5*math.Sqrt(c.trigamma/n))
	}
}
