package export

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// withPulls writes a trial of three rounds with its pulls and loads it.
func withPulls(t *testing.T) *results.Set {
	t.Helper()
	dir := t.TempDir()
	resultstest.WriteTrial(t, dir, resultstest.Identity("other", 1, 3), 12, 0)
	resultstest.WritePulls(t, dir, resultstest.Identity("p", 1, 3), func(_ *bandit.RoundRecord, p *bandit.PullRecord, k int) {
		p.Row, p.Arm, p.Reward, p.Expected, p.Best = k-1, k%2, 0.1*float64(k), 0.1+0.2*float64(k%2), 0.3
		if p.Round > 1 {
			p.Propensity = 0.7
		}
		if p.Round == 3 && p.Arm == 1 {
			p.Expected = p.Best // exactly
		}
	})
	return must.Get(results.Load(dir))(t)
}

func TestExportPulls(t *testing.T) {
	set := withPulls(t)
	must.Fail(t, newTable(t, set, Options{Of: Pulls}).Write(io.Discard), "the pulls of other, seed 1, were not recorded")
	set.Policies = []results.PolicyRecords{*set.Find("p")}
	b := written(t, Options{Of: Pulls}, set)
	all := records(t, b)
	realised := 0.0
	for k, r := range all[1:] {
		if k%20 == 0 {
			realised = 0
		}
		regret := must.Get(strconv.ParseFloat(r[13], 64))(t)
		realised += regret
		must.That(t, k < 40 || r[8] != "1" || r[14] == "0.0", "pull %d of a best arm has the regret %s", k+1, r[14])
		if r[6] != fmt.Sprint(k+1) || (r[7] == "") != (k%20 == 0) || (r[16] == "") != (k < 20) || r[15] != fmt.Sprint(r[8] == "0") || r[2] != "p" {
			t.Fatalf("row %d: %q", k, r)
		}
	}
	if len(all) != 61 || 3*realised != set.Policies[0].Records[0].Totals.Realised {
		t.Errorf("%d lines, regret of a round %g; want 61 and a third of %g", len(all), realised, set.Policies[0].Records[0].Totals.Realised)
	}
	must.Equal(t, "row 2", strings.Join(all[2][4:], " "), "1 1 2 0 1 "+set.Conditions.Environment.Arms[1]+" 0.1 0.30000000000000004 0.3 0.19999999999999998 -5.551115123125783e-17 false  "+set.Label)
}
