package kernel

import (
	"math"
	"math/big"
	"testing"

	"banditsim/internal/must"
)

const prec = 200

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// bigExp returns eˣ: the Taylor series at x/2¹⁶, with the sum squared sixteen times.
func bigExp(x float64) *big.Float {
	r := bigFloat(x)
	r.SetMantExp(r, -16)
	sum, term := bigFloat(1), bigFloat(1)
	for k := 1; k < 40; k++ {
		term.Mul(term, r)
		term.Quo(term, bigFloat(float64(k)))
		sum.Add(sum, term)
	}
	for range 16 {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns ln x = ln m + e·ln 2, with ln m = 2·atanh((m−1)/(m+1)).
func bigLog(x float64) *big.Float {
	log := func(m *big.Float) *big.Float {
		one := bigFloat(1)
		z := new(big.Float).Quo(new(big.Float).Sub(m, one), new(big.Float).Add(m, one))
		z2 := new(big.Float).Mul(z, z)
		sum, power := bigFloat(0), z
		for k := 1; k < 200; k += 2 {
			sum.Add(sum, new(big.Float).Quo(power, bigFloat(float64(k))))
			power = new(big.Float).Mul(power, z2)
		}
		return sum.Mul(sum, bigFloat(2))
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	return new(big.Float).Add(log(bigFloat(m)), new(big.Float).Mul(log(bigFloat(2)), bigFloat(float64(e))))
}

// ulps returns the error of got in units of the last place of the exact value.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	d := new(big.Float).Sub(bigFloat(got), want)
	ulp := math.Nextafter(math.Abs(w), math.Inf(1)) - math.Abs(w)
	e, _ := d.Quo(d, bigFloat(ulp)).Float64()
	return math.Abs(e)
}

func TestLogExp(t *testing.T) {
	r := source(12)
	worst := map[string]float64{}
	note := func(name string, x, got float64, want *big.Float) {
		e := ulps(got, want)
		if !(e < 1) {
			t.Fatalf("%s(%v) = %v is off by %.3f ulp", name, x, got, e)
		}
		worst[name] = max(worst[name], e)
	}
	for range 1000 {
		for _, x := range []float64{
			math.Exp(400 * r.NormFloat64() / 3), 1 + 0.1*r.NormFloat64(), 1 + 1e-6*r.NormFloat64(), r.Float64(),
		} {
			if x > 0 && !math.IsInf(x, 0) && x != 1 {
				note("Log", x, Log(x), bigLog(x))
			}
		}
		for _, x := range []float64{1400*r.Float64() - 700, r.NormFloat64(), 1e-6 * r.NormFloat64()} {
			note("Exp", x, Exp(x), bigExp(x))
		}
	}
	t.Logf("largest errors in ulp: %v", worst)

	// The ends of the range, where math.Log and math.Exp are inaccurate on amd64.
	for _, x := range []float64{5e-324, 1e-310, 0x1p-1022, math.MaxFloat64} {
		note("Log", x, Log(x), bigLog(x))
	}
	for _, x := range []float64{709.78, -708} {
		note("Exp", x, Exp(x), bigExp(x))
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name         string
		f            func(float64) float64
		x, want, tol float64
	}{
		{"Log", Log, 0, -inf, 0}, {"Log", Log, math.Copysign(0, -1), -inf, 0}, {"Log", Log, 1, 0, 0},
		{"Log", Log, -1, nan, 0}, {"Log", Log, inf, inf, 0}, {"Log", Log, -inf, nan, 0}, {"Log", Log, nan, nan, 0},
		{"Exp", Exp, 0, 1, 0}, {"Exp", Exp, math.Copysign(0, -1), 1, 0}, {"Exp", Exp, inf, inf, 0}, {"Exp", Exp, -inf, 0, 0},
		{"Exp", Exp, nan, nan, 0}, {"Exp", Exp, 709.79, inf, 0}, {"Exp", Exp, 1e300, inf, 0}, {"Exp", Exp, -1e300, 0, 0},
		{"Exp", Exp, -746, 0, 0}, {"Exp", Exp, -745, 5e-324, 0}, {"Exp", Exp, -740, 4.2e-322, 5e-324},
	} {
		got := c.f(c.x)
		must.That(t, got == c.want || got != got && c.want != c.want || math.Abs(got-c.want) <= c.tol,
			"%s(%v) = %v, want %v", c.name, c.x, got, c.want)
	}
}

// TestLogExpBits compares a hash of results. Their bits must be the same on every
// processor, and may change only together with the results epoch.
func TestLogExpBits(t *testing.T) {
	r := source(13)
	var x []float64
	for range 20_000 {
		x = append(x, Log(r.Float64()*100), Exp(float64(r.Float64()*100)-50)) // the conversion prevents an FMA
	}
	hashed(t, x, 0x6f7d8f24ef67ae97)
}
