package builtin_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/datasets"
	"banditsim/datasets/synthetic"
	"banditsim/internal/must"
)

// pulls is a hash of the arms and mistakes of each round.
type pulls string

func (p *pulls) Record(r *bandit.RoundRecord) error {
	sum := sha256.Sum256(fmt.Appendln(nil, *p, r.Arms, r.Mistakes))
	*p = pulls(sum[:])
	return nil
}

// record records the pulls and the expected regret of the trials of a policy.
type record struct {
	pulls
	expected float64
}

func (r *record) Record(round *bandit.RoundRecord) error {
	r.expected += round.Expected
	return r.pulls.Record(round)
}

// rescaled is an environment with the rewards Factor·r + Shift, where r is the reward of another environment, rounded so
// that the result is exact.
type rescaled struct {
	bandit.Environment
	o unitOptions
}

type unitOptions struct {
	Factor float64 `json:"factor"`
	Shift  float64 `json:"shift"`
}

func (e rescaled) Next(r *bandit.Round, o *bandit.Outcome) error {
	err := e.Environment.Next(r, o)
	for _, list := range [][]float64{o.Reward, o.Mean} {
		for i, v := range list {
			list[i] = e.o.Factor*math.Round(1024*v)/1024 + e.o.Shift
		}
	}
	return err
}

// addRescaled adds a rescaled environment to a catalog.
func addRescaled[O any](t *testing.T, c *experiment.Catalog, name string, base datasets.Kind[O]) {
	t.Helper()
	must.OK(t, experiment.AddEnvironment(c, datasets.Kind[unitOptions]{
		Name: name, Doc: base.Name + " with another unit of reward",
		Defaults: func() unitOptions { return unitOptions{Factor: 1} },
		Open: func(ctx context.Context, o unitOptions, data string) (*datasets.World, error) {
			w, err := base.Open(ctx, base.Defaults(), data)
			if err != nil {
				return nil, err
			}
			open := w.New
			w.New = func(r *stream.Stream) (bandit.Environment, error) {
				env, err := open(r)
				return rescaled{env, o}, err
			}
			return w, nil
		},
	}))
}

// records runs trials and returns their records by policy.
func records(t *testing.T, cells []experiment.Cell) map[string]record {
	t.Helper()
	got := map[string]record{}
	for _, cell := range cells {
		r := got[cell.Label]
		trial, _, err := cell.NewTrial(nil, &r)
		must.OK(t, err)
		if err := trial.Run(t.Context()); err != nil {
			t.Fatalf("%s: %v", cell.Label, err)
		}
		got[cell.Label] = r
	}
	return got
}

// withUnit lists the policies whose behavior under the profile general depends on the unit of reward, with the reason.
// docs/algorithms.md lists them too.
var withUnit = map[string]string{
	"LMCTS": "its temperature is the variance of the noise in units of reward, as in the source",
}

// TestGeneralHasNoUnit checks every policy under the profile general: with rewards times 2ᵏ it pulls the same arms and has
// exactly 2ᵏ times the regret, and with rewards plus a constant its regret changes by at most 1 %.
func TestGeneralHasNoUnit(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	addRescaled(t, c, "rescaled", synthetic.Linear())
	var policies []string
	for _, p := range c.Policies() {
		if withUnit[p.Name] == "" {
			policies = append(policies, p.Name)
		}
	}
	for name := range withUnit {
		if !slices.ContainsFunc(c.Policies(), func(e experiment.Entry) bool { return e.Name == name }) {
			t.Errorf("%s is listed, and not in the catalog", name)
		}
	}
	run := func(factor, shift string) map[string]record {
		e := must.Get(c.Preset("general"))(t)
		e.Environment, e.Policies = "rescaled", policies
		e.Protocol.Rounds = 12
		set("environment.factor="+factor, "environment.shift="+shift, "all.hidden=16,16", "all.steps=6")(&e)
		return records(t, resolve(t, e, c).Cells)
	}
	one := run("1", "0")
	must.Hold(t, len(one) == len(policies), "%d policies ran, want %d", len(one), len(policies))
	for name, r := range run("1024", "0") {
		if r.pulls != one[name].pulls || r.expected != 1024*one[name].expected {
			t.Errorf("%s, rewards times 1024: other arms, with a regret of 1024 times %g, want %g", name, r.expected/1024, one[name].expected)
		}
	}
	for name, r := range run("1", "64") {
		if want := one[name].expected; !(math.Abs(r.expected-want) <= 0.01*want) {
			t.Errorf("%s, rewards plus 64: regret %g, want %g within 1 %%", name, r.expected, want)
		}
	}
}

// TestCorralOfOneBase checks that Corral over a single base pulls the same arms as that policy, also under the profile
// general, whose options apply to bases.
func TestCorralOfOneBase(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	for _, base := range []string{"KLUCB", "LinEpsGreedy", "LinTS", "LinUCB", "Uniform", "kNNUCB"} {
		e := must.Get(c.Preset("general"))(t)
		e.Environment, e.Policies = "wheel", []string{base, "Corral"}
		e.Protocol.Rounds = 12
		set("Corral.bases=" + base)(&e)
		got := records(t, resolve(t, e, c).Cells)
		must.That(t, got["Corral"].pulls != "", "no pulls are recorded")
		must.Equal(t, base+": pulls of Corral", got["Corral"].pulls, got[base].pulls)
	}
}
