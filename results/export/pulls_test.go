package export

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/results"
	"banditsim/results/internal/resultstest"
)

type pullRow struct {
	Trial          string   `parquet:"trial"`
	Environment    string   `parquet:"environment"`
	Policy         string   `parquet:"policy"`
	PolicyName     string   `parquet:"policy_name"`
	Seed           uint64   `parquet:"seed"`
	Round          int32    `parquet:"round"`
	Pull           int32    `parquet:"pull"`
	Row            *int32   `parquet:"row,optional"`
	Arm            int32    `parquet:"arm"`
	ArmName        string   `parquet:"arm_name"`
	Reward         float64  `parquet:"reward"`
	ExpectedReward float64  `parquet:"expected_reward"`
	BestReward     float64  `parquet:"best_reward"`
	Realised       float64  `parquet:"realised"`
	Expected       float64  `parquet:"expected"`
	Mistake        bool     `parquet:"mistake"`
	Propensity     *float64 `parquet:"propensity,optional"`
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
	all := []*results.Set{set}
	var b bytes.Buffer
	if err := WritePulls(&b, CSV, all); err == nil || !strings.Contains(err.Error(), "the pulls of other, seed 1, were not recorded") {
		t.Errorf("error %v", err)
	}
	set.Policies = []results.PolicyRecords{*set.Find("p")}
	path := filepath.Join(t.TempDir(), "p.parquet")
	if err := WritePullsFile(path, all); err != nil {
		t.Fatal(err)
	}
	rows := readParquet[pullRow](t, resultstest.ReadFile(t, path))
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
	b.Reset()
	if err := WritePulls(&b, CSV, all); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(records) != 61 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if got := strings.Join(records[2][4:], " "); got != "1 1 2 0 1 "+set.Conditions.Environment.Arms[1]+" 0.1 0.30000000000000004 0.3 0.19999999999999998 -5.551115123125783e-17 false " {
		t.Errorf("row 2: %q", got)
	}
	if err := WritePulls(&b, Archive, all); err == nil {
		t.Error("pulls in an archive: no error")
	}
}
