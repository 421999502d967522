package builtin_test

import (
	"encoding/json"
	"os"
	"runtime"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// contracts returns the contract of every registered posterior and, with BANDITSIM_LONG=1, of the five of the six on which the
// profile authors has an effect.
func contracts(c *experiment.Catalog) []verify.Posterior {
	var list []verify.Posterior
	for _, p := range c.Contracts() {
		list = append(list, verify.Posterior{Subject: p})
	}
	if os.Getenv("BANDITSIM_LONG") == "" {
		return list
	}
	for _, k := range []posterior.Kind[neural.LangevinOptions]{neural.PICSGLD().Kind, neural.PCSGLD().Kind, neural.Over(sgmcmc.PSGLD()).Kind, neural.Dropout(), neural.EpsGreedy()} {
		defaults := k.Defaults
		k.Name += " authors"
		k.Defaults = func() neural.LangevinOptions {
			o := defaults()
			asAuthors(&o)
			return o
		}
		list = append(list, verify.Of(k))
	}
	return list
}

// TestContracts checks the contract of every posterior.
func TestContracts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a posterior has one goroutine, and the same bytes with every instruction set (TestGoldenTrials)")
	}
	c := builtin.Default()
	if len(c.Contracts()) != len(c.Posteriors()) {
		t.Errorf("%d contracts of %d posteriors", len(c.Contracts()), len(c.Posteriors()))
	}
	for _, p := range contracts(c) {
		t.Run(p.Name, func(t *testing.T) { verify.Test(t, p) })
	}
}

// TestContractSoak checks it with 200 seeds: no right posterior fails. (Package lab/claims has the
// same for samplers.)
func TestContractSoak(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("many minutes: BANDITSIM_LONG=1")
	}
	const from, seeds = 1000, 200
	var parts []verify.Part
	for _, p := range contracts(builtin.Default()) {
		parts = append(parts, verify.Part{Name: p.Name, Subject: p})
	}
	promises, failures := 0, 0
	for seed := uint64(from); seed < from+seeds; seed++ {
		cards, err := verify.Report(t.Context(), parts, verify.Options{Grade: verify.Quick, Seed: seed}, runtime.GOMAXPROCS(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, card := range cards {
			for _, r := range card.Results {
				promises += r.Numbers
				if r.Verdict == verify.Fail {
					failures++
					t.Errorf("%s, seed %d: %s", card.Name, seed, r)
				}
			}
		}
	}
	t.Logf("%d contracts, %d seeds, %d failures, %d numbers", len(parts), seeds, failures, promises)
}

// TestProfiles compares the options that the presets' cells have in either profile with the
// declared ones and the authors' differences from them.
func TestProfiles(t *testing.T) {
	t.Parallel()
	want := map[string]string{}
	for _, authors := range []bool{false, true} {
		clear(want)
		for _, k := range neural.Paper() {
			o := k.Defaults()
			if authors {
				asAuthors(&o)
			}
			b, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			want[k.Name] = string(b)
		}
		e, err := builtin.Default().Preset(map[bool]string{false: "mushroom-paper", true: "mushroom-authors"}[authors])
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range resolve(t, e, builtin.Default()).Policies {
			var o struct{ Posterior json.RawMessage }
			if err := json.Unmarshal(p.Policy.Options, &o); err != nil {
				t.Fatal(err)
			}
			if string(o.Posterior) != want[p.Label] {
				t.Errorf("authors %t: %s has the options %s, want %s", authors, p.Label, o.Posterior, want[p.Label])
			}
		}
	}
}

// asAuthors sets the options to those of the authors' program.
func asAuthors(o *neural.LangevinOptions) {
	o.Sampler.Preconditioner.Multiplied, o.Dropout.TrainSamples = true, o.Dropout.Samples
	if o.Sampler.Contour.Kind != "off" {
		o.Sampler.Contour.Kind = "authors"
	}
}
