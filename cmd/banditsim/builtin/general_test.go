package builtin_test

import (
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
)

// record keeps the arms and the expected regret of a trial.
type record struct {
	pulls
	expected float64
}

func (r *record) Record(round *bandit.RoundRecord) error {
	r.expected += round.Expected
	return r.pulls.Record(round)
}

// unitless are the policies of the profile general whose options have no unit of reward: softmax's scale and SquareCB's γ
// have one.
var unitless = []string{"pICSGLD", "pCSGLD", "pSGLD", "SGLD", "cycSGLD", "reSGLD", "Dropout", "ConstSGD", "EpsGreedy", "Ensemble", "Bootstrap"}

// TestGeneralHasNoUnit: under the profile general, rewards times 2ᵏ give the same arms, bit for bit, and 2ᵏ times the regret.
func TestGeneralHasNoUnit(t *testing.T) {
	c := builtin.Default()
	run := func(scale, sd string) map[string]record {
		e, err := c.Preset("general")
		if err != nil {
			t.Fatal(err)
		}
		e.Environment, e.Policies = "linear", unitless
		e.Protocol.Rounds = 12
		for _, s := range []string{"environment.scale=" + scale, "environment.noise.sd=" + sd, "all.hidden=16,16", "all.steps=6"} {
			setting, err := experiment.ParseSetting(s)
			if err != nil {
				t.Fatal(err)
			}
			e.Settings = append(e.Settings, setting)
		}
		got := map[string]record{}
		for _, cell := range resolve(t, e, c).Cells {
			var r record
			trial, _, err := cell.NewTrial(nil, &r)
			if err != nil {
				t.Fatal(err)
			}
			if err := trial.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			got[cell.Label] = r
		}
		return got
	}
	one := run("1", "0.5")
	if len(one) != len(unitless) {
		t.Fatalf("%d policies ran, want %d", len(one), len(unitless))
	}
	for _, scaled := range []struct {
		scale, sd string
		factor    float64
	}{{"1024", "512", 1024}, {"0.0009765625", "0.00048828125", 1. / 1024}} {
		for name, r := range run(scaled.scale, scaled.sd) {
			if r.pulls != one[name].pulls {
				t.Errorf("%s: rewards times %g: other arms", name, scaled.factor)
			}
			if got, want := r.expected/scaled.factor, one[name].expected; !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("%s: rewards times %g: regret %g times that, want %g", name, scaled.factor, got, want)
			}
		}
	}
}
