package export

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

type trialLine struct {
	Trial         string  `csv:"trial"`
	Environment   string  `csv:"environment"`
	Setting       string  `csv:"setting"`
	DataSHA256    string  `csv:"data_sha256"`
	Epoch         int32   `csv:"epoch"`
	Policy        string  `csv:"policy"`
	PolicyName    string  `csv:"policy_name"`
	Options       string  `csv:"options"`
	Seed          uint64  `csv:"seed"`
	Failed        bool    `csv:"failed"`
	Rounds        int32   `csv:"rounds"`
	Realised      float64 `csv:"realised"`
	Expected      float64 `csv:"expected"`
	RealisedAfter float64 `csv:"realised_after"`
	ExpectedAfter float64 `csv:"expected_after"`
	Mistakes      int32   `csv:"mistakes"`
	Steps         *uint64 `csv:"steps"`
	SHA256        string  `csv:"sha256"`

	LogLoss     *float64 `csv:"log_loss"`
	Joint       *float64 `csv:"joint_log_loss"`
	Calibration *float64 `csv:"calibration_error"`
}

// The sums of a row are those of the trial's rounds, as an export of rounds has them.
func TestExportTrials(t *testing.T) {
	set := exportable(t)
	steps := int64(77)
	score := results.NewScore(bandit.ScoreOptions{Contexts: 2, Draws: 2, Noise: 1}, bandit.Score{LogLoss: 1, JointLogLoss: 2.5, Calibration: 0.25}, nil)
	if err := results.WriteSidecar(set.Policies[0].Records[0].Path, results.Sidecar{Label: set.Policies[0].Label, Steps: &steps, Score: score}); err != nil {
		t.Fatal(err)
	}
	// A sidecar of a version that did not count steps.
	if err := results.WriteSidecar(set.Policies[0].Records[1].Path, results.Sidecar{Label: set.Policies[0].Label}); err != nil {
		t.Fatal(err)
	}
	set, err := results.Load(set.Dir)
	if err != nil {
		t.Fatal(err)
	}
	got := readCSV[trialLine](t, written(t, Options{Of: Trials, PolicyOptions: true}, set))
	sums := make(map[string]trialLine)
	for _, r := range wanted(t, set) {
		s := sums[r.Trial]
		s.Realised, s.Expected, s.Mistakes, s.Rounds = r.CumulativeRealised, r.CumulativeExpected, s.Mistakes+r.Mistakes, r.Round
		if r.AfterBurnIn {
			s.RealisedAfter += r.Realised
			s.ExpectedAfter += r.Expected
		}
		sums[r.Trial] = s
	}
	k := 0
	for _, p := range set.Policies {
		for _, rec := range p.Records {
			g, w := got[k], sums[rec.ID()]
			if g.Trial != rec.ID() || g.Policy != p.Label || g.Options != string(p.Policy.Options) || g.Seed != rec.Seed || g.Failed != (rec.Totals.Failure != nil) ||
				!bytes.HasSuffix(resultstest.ReadFile(t, rec.Path), fmt.Appendf(nil, "{\"sha256\":%q}\n", g.SHA256)) || g.Setting != set.Label || g.Rounds != int32(rec.Totals.Rounds) || (g.Steps != nil) != (k == 0) || (g.LogLoss != nil) != (k == 0) {
				t.Errorf("row %d: %+v", k, g)
			}
			if g.Rounds > 0 && (g.Rounds != w.Rounds || g.Realised != w.Realised || g.Expected != w.Expected || g.RealisedAfter != w.RealisedAfter || g.ExpectedAfter != w.ExpectedAfter || g.Mistakes != w.Mistakes) {
				t.Errorf("row %d: %+v, the rounds say %+v", k, g, w)
			}
			k++
		}
	}
	if k != len(got) || *got[0].Steps != uint64(steps) {
		t.Errorf("%d rows, %v steps in the first; want %d rows, %d", len(got), got[0].Steps, k, steps)
	}
	if g := got[0]; *g.LogLoss != 1 || *g.Joint != 2.5 || *g.Calibration != 0.25 {
		t.Errorf("scores %g, %g and %g", *g.LogLoss, *g.Joint, *g.Calibration)
	}
}

// Without Options.PolicyOptions there is no column of them, and a parameter has one.
func TestExportTrialsColumns(t *testing.T) {
	dir := t.TempDir()
	for _, rate := range []string{"0.1", "0.2"} {
		i := resultstest.Identity("net", 1, 1)
		i.Policy.Options = []byte(`{"rate":` + rate + `}`)
		resultstest.WriteRounds(t, dir, i, nil, &bandit.RoundRecord{Round: 1, Arms: []int{12, 8}})
	}
	set, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := records(t, written(t, Options{Of: Trials}, set))
	last := len(rows[0]) - 1
	if strings.Contains(strings.Join(rows[0], " "), " options ") || rows[0][last] != "option_rate" || rows[1][last] != "0.1" || rows[2][last] != "0.2" {
		t.Errorf("rows %q", rows)
	}
}
