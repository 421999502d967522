package kernel

import "math"

// Exp returns e**x with the same bits on every processor, unlike math.Exp, which
// uses assembly on some. The error is below 1 ulp if the result is normal. The
// special cases are those of math.Exp: Exp(+Inf) = +Inf, Exp(−Inf) = 0,
// Exp(NaN) = NaN; large values overflow to +Inf, very small ones underflow to 0.
//
// The algorithm is that of FreeBSD's e_exp.c: x = k·ln 2 + r with |r| ≤ ½ ln 2, and eʳ is a rational function whose
// numerator and denominator share a polynomial in r².
func Exp(x float64) float64 {
	const (
		ln2Hi     = 6.93147180369123816490e-01
		ln2Lo     = 1.90821492927058770002e-10
		log2e     = 1.44269504088896338700e+00
		overflow  = 7.09782712893383973096e+02
		underflow = -7.45133219101941108420e+02
		p1        = 1.66666666666666657415e-01  // 3FC55555 55555555
		p2        = -2.77777777770155933842e-03 // BF66C16C 16BEBD93
		p3        = 6.61375632143793436117e-05  // 3F11566A AF25DE2C
		p4        = -1.65339022054652515390e-06 // BEBBBD41 C5D26BF1
		p5        = 4.13813679705723846039e-08  // 3E663769 72BEA4D0
	)
	switch {
	case math.IsNaN(x):
		return x
	case x > overflow:
		return math.Inf(1)
	case x < underflow:
		return 0
	}
	var k int
	switch {
	case x < 0:
		k = int(float64(log2e*x) - 0.5)
	case x > 0:
		k = int(float64(log2e*x) + 0.5)
	}
	hi := x - float64(float64(k)*ln2Hi)
	lo := float64(float64(k) * ln2Lo)
	r := hi - lo
	t := float64(r * r)
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	if -1021 <= k && k <= 1023 { // 2ᵏ and 2ᵏ·y are normal, so the product is exact, and faster than Ldexp
		return float64(y * math.Float64frombits(uint64(k+1023)<<52))
	}
	return math.Ldexp(y, k)
}
