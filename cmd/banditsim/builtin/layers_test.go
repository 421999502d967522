package builtin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/datasets/images"
	"banditsim/internal/must"
	"banditsim/internal/optiontree"
	"banditsim/results"
	"banditsim/results/compare"
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

// customers returns a table of six numbers and a class: the one with the highest of three noisy linear scores.
func customers() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var w [3][6]float64
	for k := range w {
		for j := range w[k] {
			w[k][j] = r.NormFloat64()
		}
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, "a,b,c,d,e,f,class")
	for range 800 {
		var x [6]float64
		for j := range x {
			x[j] = r.NormFloat64()
		}
		best, most := 0, -1e9
		for k := range w {
			score := 1.6 * r.NormFloat64()
			for j := range x {
				score += w[k][j] * x[j]
			}
			if score > most {
				best, most = k, score
			}
		}
		for _, v := range x {
			fmt.Fprintf(&b, "%.4f,", v)
		}
		fmt.Fprintln(&b, best)
	}
	return b.Bytes()
}

// TestEachRowOnce checks, on a table that is linear except for noise, that kNN wins if each row comes ten times, because it
// remembers rows, with a warning in the verdict, and that LinUCB wins if each row comes once, the default.
func TestEachRowOnce(t *testing.T) {
	t.Parallel()
	file := must.File(t, "customers.csv", customers())
	for passes, best := range map[string]string{"": "LinUCB", "10": "kNN"} {
		c := builtin.Default()
		e := must.Get(c.Preset("general"))(t)
		must.Get(e.SelectEnvironments([]string{"table"}))(t)
		e.Data, e.Policies, e.Seeds = file, []string{"LinUCB", "kNN"}, []uint64{1, 2, 3, 4, 5, 6}
		if passes != "" {
			set("environment.passes=" + passes)(&e)
		}
		dir := t.TempDir()
		mustRun(t, dir, 2, resolve(t, e, c))
		loaded := must.Get(results.Load(dir))(t)
		concluded := must.Get(compare.Conclude(loaded))(t)
		verdict := strings.Join(concluded.Sentences, " ")
		must.That(t, strings.HasPrefix(verdict, best+" has the lowest") &&
			strings.Contains(verdict, "significant (p < 0.001, Holm)"), "passes %q: %s", passes, verdict)
		warned := strings.Contains(verdict, "each row came 10 times: this favors policies that remember rows")
		must.Equal(t, fmt.Sprintf("passes %q: %s", passes, verdict), warned, passes == "10")
	}
}
