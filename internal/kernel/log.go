package kernel

import "math"

// Log returns the natural logarithm of x with the same bits on every processor,
// unlike math.Log, which uses assembly on some. The error is below 1 ulp. The
// special cases are those of math.Log: Log(±0) = −Inf, Log(x < 0) = NaN,
// Log(+Inf) = +Inf, Log(NaN) = NaN.
//
// The algorithm is that of FreeBSD's e_log.c: x = 2ᵏ(1+f) with √½ < 1+f ≤ √2, and
// log(1+f) is a polynomial in (f/(2+f))².
func Log(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01 // 3fe62e42 fee00000
		ln2Lo = 1.90821492927058770002e-10 // 3dea39ef 35793c76
		l1    = 6.666666666666735130e-01   // 3FE55555 55555593
		l2    = 3.999999999940941908e-01   // 3FD99999 9997FA04
		l3    = 2.857142874366239149e-01   // 3FD24924 94229359
		l4    = 2.222219843214978396e-01   // 3FCC71C5 1D8E78AF
		l5    = 1.818357216161805012e-01   // 3FC74664 96CB03DE
		l6    = 1.531383769920937332e-01   // 3FC39A09 D078C69F
		l7    = 1.479819860511658591e-01   // 3FC2F112 DF3E5244
	)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	f := m - 1
	k := float64(e)
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	t1 := float64(s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7)))))))
	t2 := float64(s4 * (l2 + float64(s4*(l4+float64(s4*l6)))))
	r := t1 + t2
	h := float64(0.5 * float64(f*f))
	return float64(k*ln2Hi) - ((h - (float64(s*(h+r)) + float64(k*ln2Lo))) - f)
}
