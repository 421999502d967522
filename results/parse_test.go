package results

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

// sameParse fails unless parse reads a line as parseRound does, fresh and after another round.
func sameParse(t *testing.T, line []byte, arms int) {
	t.Helper()
	want, wantErr := parseRound(line, 1, arms)
	pulls := 0
	if want != nil {
		want, wantErr = parseRound(line, want.Round, arms)
		for _, k := range want.Arms {
			pulls += k
			if k < 0 {
				return // parseRound leaves that to parse
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
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%s: error %v, want %v", line, err, wantErr)
		}
		if err == nil && mustJSON(r) != mustJSON(want) {
			t.Errorf("%s:\nread as %s,\n   want %s", line, mustJSON(r), mustJSON(want))
		}
	}
}

// What JSON does not allow between the elements of a list is refused.
func TestParseRefuses(t *testing.T) {
	const good = `{"round":1,"realised":1,"expected":1,"arms":[12,8],"energy":[1,"NaN"],"bin":[1,2],"multiplier":[[1,2,3],[1,"-Inf",3]],"ess":2,"theta":[0.5,0.5],"series":[{"name":"a","unit":"b","values":[1]}]}` + "\n"
	var r Round
	if err := r.parse([]byte(good), 1, 2, 20, true); err != nil {
		t.Fatal(err)
	}
	sameParse(t, []byte(good), 2)
	for i := range good {
		for _, c := range "[],{}\"0-. :e\\x" {
			sameParse(t, []byte(good[:i]+string(c)+good[i+1:]), 2)
			sameParse(t, []byte(good[:i]+string(c)+good[i:]), 2)
		}
	}
	if !json.Valid([]byte(good)) {
		t.Error("the line is not JSON")
	}
}

// The rounds differ, so that the processor cannot learn their branches.
func BenchmarkParse(b *testing.B) {
	const rounds = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	var lines [rounds][]byte
	for i := range lines {
		r := record(rng, identity("p", 1, rounds), i+1, 1)
		lines[i] = appendRound(nil, r, false)
	}
	for _, whole := range []bool{false, true} {
		b.Run(fmt.Sprint("whole=", whole), func(b *testing.B) {
			b.ReportAllocs()
			var r Round
			for n := 0; b.Loop(); n = (n + 1) % rounds {
				if err := r.parse(lines[n], n+1, 2, 20, whole); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("json", func(b *testing.B) {
		for n := 0; b.Loop(); n = (n + 1) % rounds {
			if _, err := parseRound(lines[n], n+1, 2); err != nil {
				b.Fatal(err)
			}
		}
	})
}
