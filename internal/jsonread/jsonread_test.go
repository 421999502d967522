package jsonread

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// Numbers are read as strconv reads them, bit for bit, and what is no number of JSON is refused.
func TestFloat(t *testing.T) {
	same := func(text string) {
		t.Helper()
		f := Reader{Rest: []byte(text + ",")}
		got := f.Float()
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || f.Bad || string(f.Rest) != "," || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: %v (bad %v, rest %q), want %v", text, got, f.Bad, f.Rest, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		v := math.Ldexp(rng.Float64()-0.5, rng.IntN(80)-40)
		same(strconv.FormatFloat(v, 'f', -1, 64))
		same(strconv.FormatFloat(v, 'g', rng.IntN(18)+1, 64))
		same(strconv.FormatFloat(v, 'f', rng.IntN(25), 64))
		// Halfway between two float64, or just beside.
		m := 1<<53 + rng.Uint64N(1<<10)
		same(fmt.Sprint(2*m + 1))
		same(fmt.Sprintf("%d.%0*d", m/2, 1+rng.IntN(4), rng.IntN(10)))
	}
	for _, text := range []string{
		"0", "-0", "-0.0", "0.1", "9007199254740993", "9999999999999999999", "18446744073709551615", "18446744073709551616",
		"0.9999999999999999999", "0.99999999999999994", "0.0000000000000000001", "0.00000000000000000001", "1.00000000000000011102230246251565",
		"4503599627370496.5", "4503599627370497.5", "1e21", "1E+5", "-2.5e-308", "5e-324", "12345678", "0.12345678", "1.123456789",
	} {
		same(text)
	}
	for _, text := range []string{"", "-", "+1", "01", "-01", "1.", ".5", "1.e5", "1e", "1e999", "inf", "NaN", "0x1p3", "1_0"} {
		f := Reader{Rest: []byte(text)}
		if f.Float(); !f.Bad && len(f.Rest) == 0 {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestEightDigits(t *testing.T) {
	for i := range 256 {
		for place := range 8 {
			b := []byte("12345678")
			b[place] = byte(i)
			v, ok := eightDigits(b)
			want, err := strconv.ParseUint(string(b), 10, 64)
			if ok != (err == nil) || ok && v != want {
				t.Errorf("%q: %d, %v", b, v, ok)
			}
		}
	}
}
