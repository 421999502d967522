package results

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
)

// The writer's own line is what encoding/json makes of Round.
func TestAppendRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	full := record(rng, identity("p", 1, 3), 3, 1)
	infinite := record(rng, identity("p", 1, 3), 3, 1)
	infinite.Diagnostics.Chains[0].Energy = math.Inf(1)
	infinite.Diagnostics.Chains[1].MultiplierMin = math.Inf(-1)
	infinite.Diagnostics.Theta = infinite.Diagnostics.Theta[:3]
	copy(infinite.Diagnostics.Theta, []float64{1e-35, 2e-9, 1e21})
	infinite.Realised, infinite.Expected = -5e6, 1e-7
	noContour := record(rng, identity("p", 1, 3), 3, 1)
	noContour.Diagnostics.Theta = nil
	own := record(rng, identity("p", 1, 3), 3, 1)
	own.Diagnostics.Series = []diagnostics.Series{{Name: "accepted", Values: []float64{0.5}}, {Name: "heat", Unit: "τ", Values: []float64{1, math.NaN()}}}
	bare := &bandit.RoundRecord{Round: 1, Arms: []int{20, 0}}
	for name, r := range map[string]*bandit.RoundRecord{"full": full, "infinite": infinite, "no contour": noContour, "series of its own": own, "bare": bare} {
		for _, withTheta := range []bool{false, true} {
			want := Round{Round: r.Round, Realised: r.Realised, Expected: r.Expected, Arms: r.Arms}
			for _, m := range r.Mistakes {
				want.Wrong = append(want.Wrong, [2]int{m.Row, m.Arm})
			}
			d := r.Diagnostics
			for _, c := range d.Chains {
				want.Energy = append(want.Energy, Number(c.Energy))
				want.ESS = Number(d.WeightESS)
				if d.Theta != nil {
					want.Bin = append(want.Bin, c.Bin)
					want.Multiplier = append(want.Multiplier, [3]Number{Number(c.MultiplierMin), Number(c.MultiplierMean), Number(c.MultiplierMax)})
				}
			}
			if withTheta {
				for _, v := range d.Theta {
					want.Theta = append(want.Theta, Number(v))
				}
			}
			for _, s := range d.Series {
				var values []Number
				for _, v := range s.Values {
					values = append(values, Number(v))
				}
				want.Series = append(want.Series, Series{s.Name, s.Unit, values})
			}
			wantText, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			got := appendRound(nil, r, withTheta)
			if string(got) != string(wantText)+"\n" {
				t.Errorf("%s:\n got %s want %s", name, got, wantText)
			}
			back, err := parseRound(got, r.Round, 2)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(back); string(again) != string(wantText) {
				t.Errorf("%s: read back as %s, want %s", name, again, wantText)
			}
			var fast Round
			pulls := 0
			for _, n := range r.Arms {
				pulls += n
			}
			err = fast.parse(got, r.Round, 2, pulls, false)
			if err != nil || fast.Round != r.Round || fast.Realised != r.Realised || fast.Expected != r.Expected || !slices.Equal(fast.Arms, r.Arms) || len(fast.Wrong) != len(r.Mistakes) {
				t.Errorf("%s: parse gives %+v, %v", name, fast, err)
			}
			sameParse(t, got, 2)
			if err := fast.parse(got, r.Round, 2, pulls+1, true); err == nil || !strings.Contains(err.Error(), "pulls in all") {
				t.Errorf("%s: other pulls: %v", name, err)
			}
		}
	}
	if text := string(appendRound(nil, infinite, true)); !strings.Contains(text, `"energy":["+Inf",`) {
		t.Errorf("no infinite energy in %s", text)
	}
}

func TestRecordAllocatesNothing(t *testing.T) {
	i := identity("p", 1, 1)
	w, err := Create(t.TempDir(), i)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	r := record(rand.New(rand.NewPCG(1, 2)), i, 0, 1)
	if n := testing.AllocsPerRun(1000, func() {
		r.Round++
		if err := w.Record(r); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a round, want none", n)
	}
}

// A regret that JSON cannot hold is an error of its round, after which the
// trial can still be recorded as failed.
func TestRecordNotFinite(t *testing.T) {
	dir, i := t.TempDir(), identity("p", 1, 3)
	w, err := Create(dir, i)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Record(&bandit.RoundRecord{Round: 1, Realised: 1, Expected: 2, Arms: []int{1, 0}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Record(&bandit.RoundRecord{Round: 2, Realised: math.NaN(), Arms: []int{1, 0}}); err == nil {
		t.Fatal("a regret of NaN: no error")
	}
	totals, err := w.Finish(&Failure{Round: 2, Cause: "regret"})
	if err != nil || totals.Rounds != 1 || totals.Expected != 2 {
		t.Errorf("totals %+v, error %v", totals, err)
	}
}

func TestAppendNumber(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 0.1, 1e-6, 9.99e-7, 1e-9, 1e-10, 1e20, 1e21, 1e100, -2.5e-7, 5e-324, math.MaxFloat64, math.Copysign(0, -1)} {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendNumber(nil, v)); got != string(want) {
			t.Errorf("%v: %s, want %s as encoding/json has it", v, got, want)
		}
	}
	for text, ok := range map[string]bool{`"NaN"`: true, `"+Inf"`: true, `"-Inf"`: true, `1e-7`: true, `"Inf"`: false, `"nan"`: false, `"1"`: false, `null`: false, `true`: false, `1e999`: false} {
		var n Number
		if err := json.Unmarshal([]byte(text), &n); (err == nil) != ok {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

func TestFileName(t *testing.T) {
	i := identity("a/b c|d "+strings.Repeat("ü", 300), 1, 1)
	name := i.FileName()
	if strings.ContainsAny(name, "/ |ü") || len(name) > 200 || !strings.HasPrefix(name, "a_b_c_d_") {
		t.Errorf("file name %q", name)
	}
}
