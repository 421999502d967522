package builtin_test

import (
	"os"
	"runtime"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/reportcard"
	"banditsim/internal/verify"
)

// TestContracts checks the contract of every posterior.
func TestContracts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a posterior has one goroutine, and the same bytes with every instruction set (TestGoldenTrials)")
	}
	c := builtin.Default()
	must.Equal(t, "contracts, one for each posterior", len(c.Contracts), len(c.Posteriors()))
	for _, p := range c.Contracts {
		t.Run(p.Name, func(t *testing.T) { checktest.Checks(t, verify.Posterior(p)) })
	}
}

// TestContractSoak checks the contract of every posterior with 200 seeds, to find false alarms. Package lab/claims has
// the same test for samplers.
func TestContractSoak(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("many minutes: BANDITSIM_LONG=1")
	}
	const from, seeds = 1000, 200
	var parts []reportcard.Part
	for _, p := range builtin.Default().Contracts {
		parts = append(parts, reportcard.Part{Name: p.Name, Checks: verify.Posterior(p)})
	}
	promises, failures := 0, 0
	for seed := uint64(from); seed < from+seeds; seed++ {
		card := must.Get(reportcard.Run(t.Context(), parts, verify.Options{Grade: verify.Quick, Seed: seed}, runtime.GOMAXPROCS(0), nil))(t)
		for _, part := range card.Cards {
			for _, r := range part.Results {
				promises += r.Numbers
				if r.Verdict == verify.Fail {
					failures++
					t.Errorf("%s, seed %d: %+v", part.Name, seed, r)
				}
			}
		}
	}
	t.Logf("%d contracts, %d seeds, %d failures, %d numbers", len(parts), seeds, failures, promises)
}
