package builtin_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/posteriortest"
	"banditsim/posterior/verify"
)

// TestContracts holds every registered posterior, in both profiles, to the contract.
func TestContracts(t *testing.T) {
	c := builtin.Default()
	for _, profile := range []posterior.Profile{posterior.Paper, posterior.Authors} {
		contracts := c.Contracts(profile)
		if len(contracts) != len(c.Posteriors()) {
			t.Errorf("%d contracts of %d posteriors", len(contracts), len(c.Posteriors()))
		}
		for _, p := range contracts {
			t.Run(fmt.Sprint(p.Name, " ", profile), func(t *testing.T) { posteriortest.Run(t, p) })
		}
	}
}

// TestContractSoak holds them to it with 200 seeds: no right posterior fails. (package posteriortest has
// the same for samplers.)
func TestContractSoak(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("many minutes: BANDITSIM_LONG=1")
	}
	const from, seeds = 1000, 200
	var parts []verify.Part
	for _, profile := range []posterior.Profile{posterior.Paper, posterior.Authors} {
		for _, p := range builtin.Default().Contracts(profile) {
			parts = append(parts, verify.Part{Name: fmt.Sprint(p.Name, " ", profile), Subject: p})
		}
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

// TestEveryPosteriorsSamplerIsVerified: but for Dropout, which declares no density, and GP, which
// has no sampler.
func TestEveryPosteriorsSamplerIsVerified(t *testing.T) {
	c := builtin.Default()
	samplers := map[string]bool{}
	for _, s := range c.Samplers() {
		samplers[s.Name] = true
	}
	for _, p := range c.Posteriors() {
		if !samplers[p.Name] && p.Name != neural.Dropout && p.Name != "GP" {
			t.Errorf("there is no sampler %s with claims", p.Name)
		}
	}
}
