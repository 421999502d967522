package compare

import (
	"errors"
	"math"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

func TestScores(t *testing.T) {
	set := resultstest.Trials(t, []string{"a", "b", "c"}, 3, 90, nil) // policies of increasing regret
	o := bandit.ScoreOptions{Contexts: 2, Draws: 5, Noise: 3}
	write := func(label string, i int, s *results.Score) {
		t.Helper()
		if err := results.WriteSidecar(set.Find(label).Records[i].Path, results.Sidecar{Score: s}); err != nil {
			t.Fatal(err)
		}
	}
	load := func() *results.Set {
		t.Helper()
		set, err := results.Load(set.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	if _, _, err := Scores(load()); !errors.Is(err, ErrNoScores) {
		t.Errorf("error %v, want that there is none", err)
	}
	nan := math.NaN()
	write("b", 0, results.NewScore(o, bandit.Score{LogLoss: 1, JointLogLoss: 2.5, Calibration: 0.1}, nil))
	write("b", 1, results.NewScore(o, bandit.Score{LogLoss: 2, JointLogLoss: 3.5, Calibration: 0.3}, nil))
	write("b", 2, results.NewScore(o, bandit.Score{}, errors.New("it diverged")))
	write("a", 1, results.NewScore(o, bandit.Score{LogLoss: 3, JointLogLoss: nan, Calibration: 0.2}, nil))
	list, how, err := Scores(load())
	if err != nil || how != o || len(list) != 2 {
		t.Fatalf("%+v, %+v, %v", list, how, err)
	}
	a, b := list[0], list[1]
	if a.Policy != "a" || a.Seeds != 1 || !math.IsNaN(a.Measures["joint_log_loss"].Mean) || a.Measures["log_loss"].Mean != 3 || a.Failures != nil {
		t.Errorf("%+v", a)
	}
	regret := (Primary().Total(set.Find("b").Records[0].Totals) + Primary().Total(set.Find("b").Records[1].Totals)) / 2
	resultstest.CloseTo(t, "regret of the trials with a score", b.Regret.Mean, regret, 1e-12)
	resultstest.CloseTo(t, "calibration error", b.Measures["calibration_error"].Mean, 0.2, 1e-12)
	if b.Policy != "b" || b.Seeds != 2 || b.Measures["joint_log_loss"].Mean != 3 || len(b.Failures) != 1 || b.Failures[0] != "it diverged" {
		t.Errorf("%+v", b)
	}
	o.Noise = 1
	write("c", 0, results.NewScore(o, bandit.Score{LogLoss: 1}, nil))
	if _, _, err := Scores(load()); err == nil || errors.Is(err, ErrNoScores) || !strings.Contains(err.Error(), "a noise of 3, and 2, 5 and 1") {
		t.Errorf("error %v, want one that names both ways", err)
	}
}
