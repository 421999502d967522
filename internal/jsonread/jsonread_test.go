package jsonread

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// Numbers are read as strconv reads them, bit for bit, and what is no number of JSON is refused.
func TestFloat(t *testing.T) {
	same := func(text string) {
		t.Helper()
		f := New([]byte(text + ","))
		got := f.Float()
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || f.Bad || string(f.Rest()) != "," || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: %v (bad %v, rest %q), want %v", text, got, f.Bad, f.Rest(), want)
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
		f := New([]byte(text))
		if f.Float(); !f.Bad && len(f.Rest()) == 0 {
			t.Errorf("%q is accepted", text)
		}
	}
}

// digits reads what a loop reads, whatever follows the digits.
func TestDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 256 {
		for place := range 8 {
			for range 20 {
				b := fmt.Appendf(nil, "%08d", rng.IntN(1e8))
				b[place] = byte(i)
				for later := place + 1; later < 8 && rng.IntN(2) == 0; later++ {
					b[later] = byte(rng.IntN(256))
				}
				var want uint64
				wantN := 0
				for ; wantN < 8 && '0' <= b[wantN] && b[wantN] <= '9'; wantN++ {
					want = 10*want + uint64(b[wantN]-'0')
				}
				if v, n := digits(b); v != want || n != wantN {
					t.Fatalf("%q: %d of %d digits, want %d of %d", b, v, n, want, wantN)
				}
			}
		}
	}
}

// quotient is division, at ties and beside them too.
func TestQuotient(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for places := 1; places < len(powersOfTen); places++ {
		d := powersOfTen[places]
		for i := range 50_000 {
			m := rng.Uint64() >> rng.IntN(64)
			if i%2 == 0 { // a multiple of 10^places/2^k: its quotient has few bits, or is a tie
				if m = rng.Uint64() >> rng.IntN(64) * (d >> rng.IntN(places+1)); i%4 == 0 {
					m += rng.Uint64N(3) - 1
				}
			}
			m = max(m, 1)
			got, want := quotient(m, places), division(m, places)
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%d / 1e%d is %v, want %v", m, places, got, want)
			}
			if i%50 > 1 {
				continue
			}
			if exact, _ := new(big.Rat).SetFrac(new(big.Int).SetUint64(m), new(big.Int).SetUint64(d)).Float64(); want != exact {
				t.Fatalf("%d / 1e%d by division is %v, want %v", m, places, want, exact)
			}
		}
	}
}

func BenchmarkFloat(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var lines [][]byte
	for range 1000 {
		lines = append(lines, fmt.Appendf(nil, "%v,", math.Ldexp(rng.Float64(), rng.IntN(10))))
	}
	for b.Loop() {
		for _, line := range lines {
			f := New(line)
			f.Float()
		}
	}
}
