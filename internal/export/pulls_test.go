package export

import (
	"io"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

type pullRow struct {
	Trial          string   `csv:"trial"`
	Environment    string   `csv:"environment"`
	Policy         string   `csv:"policy"`
	PolicyName     string   `csv:"policy_name"`
	Seed           uint64   `csv:"seed"`
	Round          int32    `csv:"round"`
	Pull           int32    `csv:"pull"`
	Row            *int32   `csv:"row"`
	Arm            int32    `csv:"arm"`
	ArmName        string   `csv:"arm_name"`
	Reward         float64  `csv:"reward"`
	ExpectedReward float64  `csv:"expected_reward"`
	BestReward     float64  `csv:"best_reward"`
	Realised       float64  `csv:"realised"`
	Expected       float64  `csv:"expected"`
	Mistake        bool     `csv:"mistake"`
	Propensity     *float64 `csv:"propensity"`
}

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
	set, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestExportPulls(t *testing.T) {
	set := withPulls(t)
	if err := newTable(t, set, Options{Of: Pulls}).Write(io.Discard); err == nil || !strings.Contains(err.Error(), "the pulls of other, seed 1, were not recorded") {
		t.Errorf("error %v", err)
	}
	set.Policies = []results.PolicyRecords{*set.Find("p")}
	b := written(t, Options{Of: Pulls}, set)
	rows := readCSV[pullRow](t, b)
	var realised float64
	for k, r := range rows {
		if k%20 == 0 {
			realised = 0
		}
		realised += r.Realised
		if k >= 40 && r.Arm == 1 && (r.Expected != 0 || r.Mistake) {
			t.Errorf("pull %d of a best arm has the regret %g, mistake %t", k+1, r.Expected, r.Mistake)
		}
		if r.Pull != int32(k+1) || (r.Row == nil) != (k%20 == 0) || (r.Propensity == nil) != (k < 20) || r.Mistake != (r.Arm == 0) || r.ArmName != set.Conditions.Environment.Arms[r.Arm] || r.Policy != "p" {
			t.Fatalf("row %d: %+v", k, r)
		}
	}
	if len(rows) != 60 || 3*realised != set.Policies[0].Records[0].Totals.Realised {
		t.Errorf("%d rows, regret of a round %g; want 60 and a third of %g", len(rows), realised, set.Policies[0].Records[0].Totals.Realised)
	}
	cells := records(t, b)
	if got := strings.Join(cells[2][4:], " "); got != "1 1 2 0 1 "+set.Conditions.Environment.Arms[1]+" 0.1 0.30000000000000004 0.3 0.19999999999999998 -5.551115123125783e-17 false " {
		t.Errorf("row 2: %q", got)
	}
}
