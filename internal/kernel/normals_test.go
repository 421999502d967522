package kernel

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"testing"

	"banditsim/internal/must"
)

func TestNormalsSameOnAllKernels(t *testing.T) {
	r := source(21)
	eachKernel(t, func(t *testing.T) {
		b := &borders{t: t}
		for n := 0; n <= 1000; n++ {
			key, nonce, first := r.Uint64(), r.Uint64(), r.Uint64()
			if n%5 == 0 { // the counter wraps
				first = -uint64(r.IntN(64))
			}
			want := make([]float32, (n+NormalChunk-1)/NormalChunk*NormalChunk)
			normalChunksPlain(want, key, nonce, first)
			got := b.slice(n, n%16)
			Normals(got, key, nonce, first)
			same(t, fmt.Sprintf("n=%d", n), got, want[:n])
			b.check()
		}
		want, got := make([]float32, 1<<20), make([]float32, 1<<20)
		normalChunksPlain(want, 1, 2, 3)
		Normals(got, 1, 2, 3)
		same(t, "long", got, want)
	})
}

// TestNormalsBits compares a hash of results, which must be the same on every processor. Another hash means other random
// streams: these need a new results epoch and an entry in CHANGELOG.
func TestNormalsBits(t *testing.T) {
	x := make([]float32, 100_000)
	Normals(x, 0x0123456789abcdef, 42, 0)
	hashed(t, x, 0xd49e99fe67c7d381)
}

// hashed fails unless the FNV-1a hash of the bytes of x is want.
func hashed(t *testing.T, x any, want uint64) {
	t.Helper()
	h := fnv.New64a()
	err := binary.Write(h, binary.LittleEndian, x)
	must.That(t, err == nil && h.Sum64() == want, "hash %#x, %v, want %#x", h.Sum64(), err, want)
}

// TestBoxMullerError compares normals with float64 arithmetic on the same words.
func TestBoxMullerError(t *testing.T) {
	r := source(22)
	words := []uint32{0, 1, 2, 1<<30 - 1, 1 << 30, 1<<31 - 1, 1 << 31, 3<<30 - 1, 3 << 30, 3<<30 + 1, ^uint32(0), ^uint32(1)}
	for range 300_000 {
		w := r.Uint32()
		words = append(words, w, w>>r.IntN(32), ^(w >> r.IntN(32)))
	}
	var radiusErr, circleErr, normalErr float64
	for i, w := range words {
		u := (float64(w) + 0.5) / (1 << 32)
		exact := math.Sqrt(-2 * math.Log(u))
		if u > 0.5 {
			exact = math.Sqrt(-2 * math.Log1p(-(float64(^w)+0.5)/(1<<32)))
		}
		radiusErr = max(radiusErr, math.Abs(float64(radius(w))/exact-1))

		a := words[len(words)-1-i]
		sin, cos := math.Sincos(math.Pi / 2 * float64(int32(a<<2|2)) / (1 << 32))
		if a>>31 == 1 {
			cos = -cos
		}
		if a>>30&1 == 1 {
			sin, cos = cos, sin
		}
		c, s := circle(a)
		circleErr = max(circleErr, math.Abs(float64(c)/cos-1), math.Abs(float64(s)/sin-1))
		c, s = boxMuller(w, a)
		normalErr = max(normalErr, math.Abs(float64(c)/(exact*cos)-1), math.Abs(float64(s)/(exact*sin)-1))
	}
	t.Logf("largest relative errors: radius %.3g, circle %.3g, normal %.3g", radiusErr, circleErr, normalErr)
	must.That(t, radiusErr < 2e-7 && circleErr < 2e-7 && normalErr < 4e-7, "error too large")
}

// tally accumulates statistics of a distribution.
type tally struct {
	n       float64
	power   [7]float64 // power[k] is the sum of xᵏ, for k from 1 to 6
	beyond4 int
	beyond5 int
}

func (s *tally) add(x []float32) {
	for _, v := range x {
		p := 1.0
		for k := 1; k <= 6; k++ {
			p *= float64(v)
			s.power[k] += p
		}
		if v > 4 || v < -4 {
			s.beyond4++
		}
		if v > 5 || v < -5 {
			s.beyond5++
		}
	}
	s.n += float64(len(x))
}

// check compares the statistics with those of the standard normal. With eight
// statistics and six standard errors, a false alarm has a probability below 2e-8.
func (s *tally) check(t *testing.T) {
	even := [7]float64{1, 0, 1, 0, 3, 0, 15} // the moments of order k
	for k := 1; k <= 6; k++ {
		square := []float64{1, 1, 3, 15, 105, 945, 10395}[k] // the moment of order 2k
		z := (s.power[k]/s.n - even[k]) / math.Sqrt((square-even[k]*even[k])/s.n)
		t.Logf("moment %d: %.6f, %+.2f standard errors", k, s.power[k]/s.n, z)
		must.That(t, math.Abs(z) < 6, "moment %d is off", k)
	}
	for _, c := range []struct {
		sigma float64
		count int
	}{{4, s.beyond4}, {5, s.beyond5}} {
		want := s.n * math.Erfc(c.sigma/math.Sqrt2)
		z := (float64(c.count) - want) / math.Sqrt(want)
		t.Logf("beyond %gσ: %d, expected %.1f, %+.2f standard errors", c.sigma, c.count, want, z)
		// The tail of a Poisson distribution with a small mean is longer than a normal one.
		must.That(t, math.Abs(z) < 6+6/math.Sqrt(want), "tail beyond %gσ is off", c.sigma)
	}
}

func TestNormalsDistribution(t *testing.T) {
	x := make([]float32, 1<<20)
	Normals(x, 1, 2, 0)
	var s tally
	s.add(x)
	s.check(t)
}

// TestNormalsSlow tests a billion draws. The doc comment of Normals cites its output.
func TestNormalsSlow(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("set BANDITSIM_LONG=1 to draw a billion normals")
	}
	x := make([]float32, 1<<16)
	var s tally
	for block := uint64(0); s.n < 1e9; block += uint64(len(x) / 4) {
		Normals(x, 2024, 1, block)
		s.add(x)
	}
	s.check(t)
}

// TestPhiloxKnownAnswers compares Philox with the known answers of the Random123 distribution (kat_vectors, philox4x32 with 10 rounds).
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		name            string
		key, nonce, ctr uint64
		want            [4]uint32
	}{
		{"zeros", 0, 0, 0, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{"ones", ^uint64(0), ^uint64(0), ^uint64(0), [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{"pi", 0x299f31d0_a4093822, 0x03707344_13198a2e, 0x85a308d3_243f6a88, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		must.Equal(t, c.name, Philox(c.key, c.nonce, c.ctr), c.want)
	}
}

func TestPhiloxWords(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, first := range []uint64{0, 1<<32 - 9, 1<<64 - 70} {
			for n := range 400 {
				got := make([]uint64, n)
				PhiloxWords(got, 0x123456789abcdef0, 0xfedcba9876543210, first)
				for i, v := range got {
					b := Philox(0x123456789abcdef0, 0xfedcba9876543210, first+uint64(i/2))
					if want := uint64(b[i%2*2]) | uint64(b[i%2*2+1])<<32; v != want {
						t.Fatalf("from block %d: word %d of %d is %x, want %x", first, i, n, v, want)
					}
				}
			}
		}
	})
}
