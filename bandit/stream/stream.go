// Package stream provides all random numbers of the program, in named, splittable, seekable and saveable streams.
//
// A stream is determined by the seed and its role (root(seed)/policy/chain/2/noise), never by a label that a user may
// change or by a position in a list. Adding a policy, a chain or a worker therefore changes no other numbers, and two
// variants of one policy draw the same numbers.
//
// The numbers come from the counter-based generator Philox4x32-10 and are the same on every machine and kernel.
package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"banditsim/internal/kernel"
)

// A Stream is one sequence of random numbers. It is not safe for concurrent use: give every goroutine its own stream.
type Stream struct {
	id    [sha256.Size]byte // hash of the path from the root
	key   uint64            // first 64 bits of id, the key of Philox
	nonce uint64            // next 64 bits of id, a part of the counter of Philox
	word  uint64            // index of the next 64-bit word; a Philox block has two words, so it is in block word/2
	block [4]uint32         // the Philox block word/2 if word is odd, else out of date
}

// Root returns the root stream of a seed. Equal seeds give equal streams.
func Root(seed uint64) *Stream {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	return fromID(sha256.Sum256(append([]byte("banditsim/root/"), b[:]...)))
}

// Trial returns the streams of a trial: for the environment, for the policy, and for burn-in, in which the protocol
// chooses arms at random. Trials with the same seed have equal streams, whatever their policy.
func Trial(seed uint64) (environment, policy, burnIn *Stream) {
	root := Root(seed)
	return root.Child("environment"), root.Child("policy"), root.Child("burn-in")
}

// Child returns the stream at the given path below s. It depends only on the path of s and the arguments, not on the
// numbers drawn from s. Each argument is one step of the path: Child("chain", 2) is Child("chain").Child(2).
func (s *Stream) Child(path ...any) *Stream {
	id := s.id
	for _, p := range path {
		id = sha256.Sum256(fmt.Append(id[:], "/", p))
	}
	return fromID(id)
}

func fromID(id [sha256.Size]byte) *Stream {
	return &Stream{
		id:    id,
		key:   binary.LittleEndian.Uint64(id[0:]),
		nonce: binary.LittleEndian.Uint64(id[8:]),
	}
}

// Uint64 returns the next 64 random bits.
func (s *Stream) Uint64() uint64 {
	odd := s.word & 1
	if odd == 0 {
		s.block = kernel.Philox(s.key, s.nonce, s.word>>1)
	}
	s.word++
	return uint64(s.block[2*odd]) | uint64(s.block[2*odd+1])<<32
}

// Uint64s fills dst with the results of len(dst) calls of Uint64.
func (s *Stream) Uint64s(dst []uint64) {
	if len(dst) > 0 && s.word&1 == 1 {
		dst[0] = s.Uint64()
		dst = dst[1:]
	}
	even := len(dst) &^ 1
	kernel.PhiloxWords(dst[:even], s.key, s.nonce, s.word>>1)
	s.word += uint64(even)
	if even < len(dst) {
		dst[even] = s.Uint64()
	}
}

// Float64 returns a number from the uniform distribution on the multiples of 2⁻⁵³ in [0, 1).
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) * 0x1p-53 }

// IntN returns a number from the uniform distribution on 0 … n−1, without bias (Lemire: Fast random integer generation
// in an interval, TOMACS 2019). It panics if n < 1.
func (s *Stream) IntN(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("stream: IntN of %d", n))
	}
	bound := uint64(n)
	hi, lo := bits.Mul64(s.Uint64(), bound)
	if lo < bound {
		for reject := -bound % bound; lo < reject; {
			hi, lo = bits.Mul64(s.Uint64(), bound)
		}
	}
	return int(hi)
}

// Normals fills dst with independent standard normal numbers.
//
// For Normals, a stream consists of chunks of kernel.NormalChunk normal numbers, as many as any processor's widest
// vectors need. Normals begins with the next chunk and uses whole ones, to give the same numbers on all processors.
func (s *Stream) Normals(dst []float32) {
	const blocks = kernel.NormalBlocks
	first := ((s.word+1)/2 + blocks - 1) / blocks * blocks
	kernel.Normals(dst, s.key, s.nonce, first)
	chunks := (uint64(len(dst)) + kernel.NormalChunk - 1) / kernel.NormalChunk
	s.word = 2 * (first + chunks*blocks)
}

// Normal returns a standard normal number. It consumes a whole chunk, as Normals does.
func (s *Stream) Normal() float64 {
	var z [1]float32
	s.Normals(z[:])
	return float64(z[0])
}

// AppendBinary appends the result of MarshalBinary to b. It never fails.
func (s *Stream) AppendBinary(b []byte) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(append(b, s.id[:]...), s.word), nil
}

// MarshalBinary returns the state of the stream: the hash of its path and its position.
func (s *Stream) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// UnmarshalBinary restores a saved stream, which then continues with the same numbers.
func (s *Stream) UnmarshalBinary(b []byte) error {
	if len(b) != sha256.Size+8 {
		return errors.New("stream: restore: the saved state has the wrong length")
	}
	*s = *fromID([sha256.Size]byte(b))
	s.word = binary.LittleEndian.Uint64(b[sha256.Size:])
	if s.word&1 == 1 {
		s.block = kernel.Philox(s.key, s.nonce, s.word>>1)
	}
	return nil
}

// Poisson returns a number from the Poisson distribution with mean 1.
func (s *Stream) Poisson() int { return poisson(s.Float64()) }

// poisson returns the u-quantile, with u in [0, 1), of the Poisson distribution with mean 1.
func poisson(u float64) int {
	p, n := 1/math.E, 0
	for u >= p && n < 20 { // P(n > 20) is below 2⁻⁵³
		u -= p
		n++
		p /= float64(n)
	}
	return n
}

// Choose returns the first index i in 0 … n−1 for which u is below weight(0) + … + weight(i). If u is uniform on [0,
// 1), each i has the probability weight(i). The weights should sum to 1. If u is not below their sum, because of
// rounding, Choose returns the last index with a positive weight, or n−1 if there is none.
func Choose(n int, u float64, weight func(i int) float64) int {
	last := n - 1
	for i := range n {
		w := weight(i)
		if u < w {
			return i
		}
		if w > 0 {
			last = i
		}
		u -= w
	}
	return last
}

// Permutation fills order with a random permutation of 0 … len(order)−1.
func (s *Stream) Permutation(order []int32) {
	for i := range order {
		k := s.IntN(i + 1)
		order[i] = order[k]
		order[k] = int32(i)
	}
}

// Gamma returns a positive number from the gamma distribution with the given positive shape and scale 1 (Marsaglia and
// Tsang, TOMS 26, 2000). For a shape below 1 it draws with shape+1 and multiplies by U^(1/shape), where U is uniform.
func (s *Stream) Gamma(shape float64) float64 {
	factor := 1.0
	if shape < 1 {
		factor = kernel.Exp(kernel.Log(1-s.Float64()) / shape)
		shape++
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		x, u := s.Normal(), 1-s.Float64()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if kernel.Log(u) < float64(0.5*float64(x*x))+float64(d*(1-v+kernel.Log(v))) {
			return max(factor*float64(d*v), math.SmallestNonzeroFloat64) // never 0, so that it can be a divisor
		}
	}
}
