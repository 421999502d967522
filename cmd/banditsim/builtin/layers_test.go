package builtin_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/datasets/images"
	"banditsim/internal/must"
	"banditsim/internal/optiontree"
)

const oneConv = "layers=[{conv: 3, size: 3, pool: 2}]"

// overDigits returns the preset general for some policies on images of digits (8×8), with few steps at a low rate.
func overDigits(t *testing.T, c *experiment.Catalog, policies ...string) experiment.Experiment {
	t.Helper()
	e := must.Get(c.Preset("general"))(t)
	e.Environment, e.Data, e.Policies, e.Protocol.Rounds, e.Protocol.Pulls = "images", images.Digits, policies, 4, 15
	set("all.hidden=8", "all.steps=2", "all.batch=32", "all.learning_rate=0.01", "all.coverage=1", "all.train_after=15", "all.own_scale=true")(&e)
	return e
}

// withLayers returns the policies that have the option layers.
func withLayers(t *testing.T, c *experiment.Catalog) (list []string) {
	t.Helper()
	for _, p := range c.Policies() {
		e := overDigits(t, c, p.Name)
		e.Settings = nil
		set(p.Name + "." + oneConv)(&e)
		_, err := e.Resolve(context.Background(), c)
		if err == nil {
			list = append(list, p.Name)
		} else if !errors.Is(err, optiontree.ErrUnknownKey) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	must.That(t, len(list) >= 27, "only %q have layers", list)
	return list
}

// TestLayers checks, for each policy over a network or, without BANDITSIM_LONG=1, three of them, that a convolution changes
// the arms it pulls on images, and that rewards times 2ᵏ do not under the profile general.
func TestLayers(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	addRescaled(t, c, "rescaled", images.Kind())
	names := withLayers(t, c)
	if os.Getenv("BANDITSIM_LONG") == "" {
		names = slices.DeleteFunc(names, func(name string) bool {
			return !slices.Contains([]string{"pICSGLD", "SVGD", "NeuralLinear"}, name)
		})
	}
	e := overDigits(t, c, names...)
	without := records(t, resolve(t, e, c).Cells)
	set("all." + oneConv)(&e)
	with := records(t, resolve(t, e, c).Cells)
	for name, r := range without {
		must.That(t, r.pulls != with[name].pulls, "%s: the same arms with and without a convolution", name)
	}
	e.Environment = "rescaled"
	e.Policies = slices.DeleteFunc(e.Policies, func(name string) bool { return withUnit[name] != "" })
	set("environment.factor=1024")(&e)
	for name, r := range records(t, resolve(t, e, c).Cells) {
		if r.pulls != with[name].pulls || r.expected != 1024*with[name].expected {
			t.Errorf("%s, rewards times 1024: other arms, with a regret of 1024 times %g, want %g", name, r.expected/1024, with[name].expected)
		}
	}
}
