package results

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"banditsim/internal/must"
)

// SameParse checks that parse reads a line as parseRound does, into a new Round and into a used one.
func SameParse(t *testing.T, line []byte, arms int) {
	t.Helper()
	want, wantErr := parseRound(line, 1, arms)
	pulls := 20
	if want != nil {
		want, wantErr = parseRound(line, want.Round, arms)
		pulls = 0
		for _, k := range want.Arms {
			pulls += k
			if k < 0 {
				return // parseRound does not check this
			}
		}
	}
	n := 1
	if want != nil {
		n = want.Round
	}
	used := &Round{Arms: []int{3}, Bin: []int{7, 8}, Theta: []Number{1}, ESS: 3, Series: []Series{{"s", "u", []Number{1, 2}}}[:0]}
	for _, r := range []*Round{{}, used} {
		err := r.parse(line, n, arms, pulls, true)
		must.Hold(t, (err != nil) == (wantErr != nil), "%s: error %v, want %v", line, err, wantErr)
		must.That(t, err != nil || mustJSON(r) == mustJSON(want),
			"%s:\nread as %s,\n   want %s", line, mustJSON(r), mustJSON(want))
	}
}

// TestParseRefuses checks parse against parseRound on a line with one character replaced or inserted.
func TestParseRefuses(t *testing.T) {
	const good = `{"round":1,"realised":1,"expected":1,"arms":[12,8],"energy":[1,"NaN"],"bin":[1,2],"multiplier":[[1,2,3],[1,"-Inf",3]],"ess":2,"theta":[0.5,0.5],"series":[{"name":"a","unit":"b","values":[1]}]}` + "\n"
	var r Round
	must.OK(t, r.parse([]byte(good), 1, 2, 20, true))
	SameParse(t, []byte(good), 2)
	for i := range good {
		for _, c := range "[],{}\"0-. :e\\x" {
			SameParse(t, []byte(good[:i]+string(c)+good[i+1:]), 2)
			SameParse(t, []byte(good[:i]+string(c)+good[i:]), 2)
		}
	}
	must.That(t, json.Valid([]byte(good)), "the line is not JSON")
}

// TestFloat checks that float returns the same bits as strconv and rejects text that is not a JSON number.
func TestFloat(t *testing.T) {
	same := func(text string) {
		t.Helper()
		f := fieldReader{text: []byte(text + ",")}
		got := f.float()
		want, err := strconv.ParseFloat(text, 64)
		must.That(t, err == nil && !f.bad && string(f.rest()) == "," && math.Float64bits(got) == math.Float64bits(want),
			"%s: %v (bad %v, rest %q), want %v", text, got, f.bad, f.rest(), want)
	}
	for _, text := range []string{
		"0", "-0", "-0.0", "0.1", "10.5", "9007199254740993", "18446744073709551616", "0.00000000000000000001", "1.00000000000000011102230246251565",
		"1e21", "1E+5", "-2.5e-308", "5e-324", "0e1",
	} {
		same(text)
	}
	for _, text := range []string{"", "-", "+1", "01", "-01", "1.", ".5", "1.e5", "1e", "1e999", "inf", "NaN", "0x1p3", "1_0"} {
		f := fieldReader{text: []byte(text)}
		if f.float(); !f.bad && len(f.rest()) == 0 {
			t.Errorf("%q is accepted", text)
		}
	}
}

// BenchmarkParse uses different rounds, so that the processor cannot learn to predict the branches.
func BenchmarkParse(b *testing.B) {
	const rounds = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	var lines [rounds][]byte
	for i := range lines {
		r := Round{Round: i + 1, Realised: 20 * rng.NormFloat64(), Expected: 98 * rng.Float64(), Arms: []int{12, 8}, Wrong: [][2]int{{17, 1}, {8123, 0}}, ESS: 3.9}
		for k := range 4 {
			r.Energy, r.Bin = append(r.Energy, Number(1000*rng.Float64())), append(r.Bin, 10+k)
			r.Multiplier = append(r.Multiplier, [3]Number{0.9, 1.01, 1.5})
		}
		lines[i] = append([]byte(mustJSON(r)), 10)
	}
	for _, whole := range []bool{false, true} {
		b.Run(fmt.Sprint("whole=", whole), func(b *testing.B) {
			b.ReportAllocs()
			var r Round
			for n := 0; b.Loop(); n = (n + 1) % rounds {
				must.OK(b, r.parse(lines[n], n+1, 2, 20, whole))
			}
		})
	}
	b.Run("json", func(b *testing.B) {
		for n := 0; b.Loop(); n = (n + 1) % rounds {
			must.Get(parseRound(lines[n], n+1, 2))(b)
		}
	})
}
