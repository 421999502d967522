package kernel

import "math"

// A chunk is NormalChunk normals, computed from NormalBlocks blocks of [Philox].
const (
	NormalBlocks = 16
	NormalChunk  = 4 * NormalBlocks
)

// Normals fills dst with independent standard normal numbers, called normals.
//
// Each [Philox] block under (key, nonce) gives four normals. Element 64k + 16j + l of
// dst is normal j of block firstBlock + 16k + l, so that vectors of up to 16 lanes are
// stored without a permutation. If the length is not a multiple of NormalChunk, the
// last elements are the beginning of a whole chunk.
//
// The four words of a block give two pairs by the method of Box and Muller (A
// note on the generation of random normal deviates, 1958):
//
//	n0, n1 = r(w0)·cos φ(w1), r(w0)·sin φ(w1)
//	n2, n3 = r(w2)·cos φ(w3), r(w2)·sin φ(w3)
//
// The radius r(w) = √(−2 ln u), u = (w + ½)/2³², has full relative precision for
// u near 0, where r is up to 6.76, and near 1, where r is down to 1.5e-5.
//
// The angle φ(w) is uniform over 2³² points of the circle, which are symmetric
// under reflections: the low 30 bits are an angle within ±π/4 of an axis, the
// highest bit selects the end of the axis, and the next one selects the axis.
//
// The polynomials are minimax approximations, evaluated in float32. The relative
// error of a normal with respect to exact arithmetic on the same words is below
// 4e-7; the largest in the tests is 2.9e-7.
//
// In 10⁹ draws (TestNormalsSlow) the moments 1 to 6 differ from those of the normal
// distribution by +0.23, −0.46, −0.15, −1.48, −0.36 and −1.90 standard errors;
// 62,936 draws are beyond 4σ (expected 63,343, −1.62 standard errors) and 589
// beyond 5σ (expected 573, +0.66).
func Normals(dst []float32, key, nonce, firstBlock uint64) {
	whole := len(dst) - len(dst)%NormalChunk
	normalChunks(dst[:whole], key, nonce, firstBlock)
	if rest := dst[whole:]; len(rest) > 0 {
		var chunk [NormalChunk]float32
		normalChunks(chunk[:], key, nonce, firstBlock+uint64(whole/4))
		copy(rest, chunk[:])
	}
}

// Coefficients of the three polynomials, lowest degree first.
var (
	// −2 ln(1+f) = −2f + f²·P(f) for −¼ ≤ f ≤ ½, relative error 2^−27.6.
	logCoef = [9]float32{1, -0.6666690707206726, 0.500001072883606, -0.39981213212013245, 0.33295536041259766,
		-0.2896411120891571, 0.2632444202899933, -0.208966925740242, 0.08981980383396149}
	// sin(πz/2) = z·S(z²) for |z| ≤ ½, relative error 2^−28.2.
	sinCoef = [4]float32{1.5707963705062866, -0.6459634900093079, 0.07968003302812576, -0.00460165785625577}
	// cos(πz/2) = 1 + z²·C(z²) for |z| ≤ ½, relative error 2^−33.9.
	cosCoef = [4]float32{-1.2337005138397217, 0.25366923213005066, -0.02086016535758972, 0.0009037664858624339}
)

const minus2Ln2 = -1.3862943649291992 // −2 ln 2 as a float32

// normalChunks is Normals for whole chunks.
func normalChunks(dst []float32, key, nonce, firstBlock uint64) {
	if active == plain {
		normalChunksPlain(dst, key, nonce, firstBlock)
		return
	}
	keys := philoxKeys(key)
	const most = 256 // chunks per call
	for len(dst) > 0 {
		n := min(most, len(dst)/NormalChunk)
		normalsAsm(&dst[0], n, &keys, nonce, firstBlock)
		dst = dst[n*NormalChunk:]
		firstBlock += uint64(n * NormalBlocks)
	}
}

// normalChunksPlain is normalChunks in plain Go.
func normalChunksPlain(dst []float32, key, nonce, firstBlock uint64) {
	for k := 0; k < len(dst); k += NormalChunk {
		for l := range NormalBlocks {
			w := Philox(key, nonce, firstBlock)
			firstBlock++
			c := dst[k+l:]
			c[0], c[16] = boxMuller(w[0], w[1])
			c[32], c[48] = boxMuller(w[2], w[3])
		}
	}
}

// boxMuller returns r(w)·cos φ(a) and r(w)·sin φ(a).
func boxMuller(w, a uint32) (float32, float32) {
	r := radius(w)
	c, s := circle(a)
	return float32(r * c), float32(r * s)
}

// radius returns √(−2 ln u), u = (w + ½)/2³².
func radius(w uint32) float32 {
	// t is the distance from u to the nearer end of the interval (0, 1), with full relative precision; y is u.
	sign := int32(w) >> 31
	t := FMA32(float32(int32(w)^sign), 0x1p-32, 0x1p-33)
	y := t
	if sign != 0 {
		y = 1 - t
	}
	// y = 2ᵉ(1+f), −¼ ≤ f < ½. If e is 0, y is 1 − t, so that −t is f without the rounding error of y.
	const threeQuarters = 0x3f400000
	b := int32(math.Float32bits(y))
	e := (b - threeQuarters) >> 23
	f := math.Float32frombits(uint32(b-e<<23)) - 1
	if e == 0 {
		f = -t
	}
	p := logCoef[8]
	for i := 7; i >= 0; i-- {
		p = FMA32(p, f, logCoef[i])
	}
	q := FMA32(float32(f*f), p, float32(-2*f))
	return sqrt(FMA32(float32(e), minus2Ln2, q))
}

// circle returns cos φ(w) and sin φ(w).
func circle(w uint32) (float32, float32) {
	z := float32(float32(int32(w<<2|2)) * 0x1p-32)
	y := float32(z * z)
	s := sinCoef[3]
	c := cosCoef[3]
	for i := 2; i >= 0; i-- {
		s = FMA32(s, y, sinCoef[i])
		c = FMA32(c, y, cosCoef[i])
	}
	s = float32(s * z)
	c = FMA32(c, y, 1)
	c = math.Float32frombits(math.Float32bits(c) ^ w&0x80000000)
	if w&0x40000000 != 0 {
		return s, c
	}
	return c, s
}
