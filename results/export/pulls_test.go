package export

import (
	"bytes"
	"encoding/csv"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

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
	trials := filepath.Join(dir, results.TrialsDir)
	resultstest.WriteTrial(t, dir, resultstest.Identity("other", 1, 3), 12, 0) // makes the folder
	i := resultstest.Identity("p", 1, 3)
	w, err := results.Create(trials, i)
	if err == nil {
		err = w.RecordPulls()
	}
	if err != nil {
		t.Fatal(err)
	}
	for round := 1; round <= 3; round++ {
		r := bandit.RoundRecord{Round: round, Arms: make([]int, len(i.Environment.Arms))}
		for k := range i.Protocol.Pulls {
			p := bandit.PullRecord{Round: round, T: (round-1)*i.Protocol.Pulls + k + 1, Row: k - 1, Arm: k % 2, Reward: 0.1 * float64(k), Expected: 0.1 + 0.2*float64(k%2), Best: 0.3, Propensity: math.NaN()}
			if round > 1 {
				p.Propensity = 0.7
			}
			if round == 3 && p.Arm == 1 {
				p.Expected = p.Best // exactly
			}
			r.Realised += p.Best - p.Reward
			r.Expected += p.Best - p.Expected
			r.Arms[p.Arm]++
			if err := w.RecordPull(&p); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Record(&r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Finish(nil); err != nil {
		t.Fatal(err)
	}
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
	rows, err := parquet.ReadFile[pullRow](path)
	if err != nil {
		t.Fatal(err)
	}
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
