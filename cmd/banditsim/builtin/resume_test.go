package builtin_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// lines is a recorder that keeps every record as a string.
type lines struct{ rounds []string }

func (l *lines) Record(r *bandit.RoundRecord) error {
	l.rounds = append(l.rounds, fmt.Sprintf("%+v", *r))
	return nil
}

// newTrial returns the trial of a cell and its recorder.
func newTrial(t testing.TB, cell experiment.Cell) (*bandit.Trial, *lines) {
	t.Helper()
	l := &lines{}
	trial, _, err := cell.NewTrial(nil, l)
	must.OK(t, err)
	return trial, l
}

// shrunk returns an experiment with every policy of the catalog that is small enough to run many times, but has training,
// a buffer that overflows and a contour that changes.
func shrunk(t testing.TB, c *experiment.Catalog, profile string, act string) experiment.Experiment {
	t.Helper()
	e := must.Get(c.Preset("quick"))(t)
	e.Policies, e.Profile = nil, profile
	for _, p := range c.Policies() {
		e.Policies = append(e.Policies, p.Name)
	}
	set("protocol.rounds=14", "protocol.pulls=8", "protocol.burn_in=36",
		"all.hidden=6", "all.batch=16", "all.steps=2", "all.buffer=60", "all.train_after=36",
		"all.contour.width=1e3", "all.contour.theta_warmup=0", "all.act="+act)(&e)
	return e
}

// TestEveryPolicyGoesOnFromEveryRound checks that a trial restored from the state after any round continues identically,
// and that saving does not change the trial.
func TestEveryPolicyGoesOnFromEveryRound(t *testing.T) {
	t.Parallel()
	done := map[string]bool{} // by ID: a policy with the same options in both profiles is checked once
	for _, v := range []struct {
		profile string
		act     string
	}{{"paper", "mean"}, {"authors", "sample"}} {
		c := builtin.Default()
		e := shrunk(t, c, v.profile, v.act)
		set("all.models=3")(&e)
		for _, cell := range resolve(t, e, c).Cells {
			if done[cell.ID()] {
				continue
			}
			done[cell.ID()] = true
			t.Run(fmt.Sprint(cell.Policy.Name, "/", v.profile), func(t *testing.T) {
				whole, want := newTrial(t, cell)
				var saved [][]byte // after each round
				for {
					b := must.Get(whole.MarshalBinary())(t)
					saved = append(saved, b)
					if len(want.rounds) == cell.Protocol.Rounds {
						break
					}
					must.OK(t, whole.Round(t.Context()))
				}
				unsaved, unsavedLines := newTrial(t, cell)
				must.OK(t, unsaved.Run(t.Context()))
				if !slices.Equal(unsavedLines.rounds, want.rounds) {
					t.Fatal("saving changes what follows")
				}
				for round, b := range saved {
					trial, got := newTrial(t, cell)
					must.OK(t, trial.UnmarshalBinary(b))
					if again, err := trial.MarshalBinary(); err != nil || !bytes.Equal(again, b) {
						t.Fatalf("saved after round %d, restored and saved again: other bytes (%v)", round, err)
					}
					// Run from every seventh round to the end, and from other rounds for one round.
					more := len(saved) - 1 - round
					if round%7 != 0 {
						more = min(more, 1)
					}
					for range more {
						must.OK(t, trial.Round(t.Context()))
					}
					if now, err := trial.MarshalBinary(); err != nil || !bytes.Equal(now, saved[round+more]) ||
						!slices.Equal(got.rounds, want.rounds[round:round+more]) {
						t.Errorf("saved after round %d: continues differently (%v)", round, err)
					}
				}
			})
		}
	}
}

// TestStateOfAnotherTrialIsRefused checks that a trial cannot be restored from another trial's state of a different size.
func TestStateOfAnotherTrialIsRefused(t *testing.T) {
	c := builtin.Default()
	e := shrunk(t, c, "paper", "mean")
	e.Policies = []string{"pICSGLD", "pSGLD", "Uniform", "Never", "Always"}
	trials := resolve(t, e, c).Cells
	for _, from := range trials {
		trial, _ := newTrial(t, from)
		b := must.Get(trial.MarshalBinary())(t)
		for _, to := range trials {
			trial, _ := newTrial(t, to)
			if err := trial.UnmarshalBinary(b); (err == nil) != (from.ID() == to.ID()) {
				t.Errorf("the state of %s in %s: error %v", from.Policy.Name, to.Policy.Name, err)
			}
		}
	}
}

// TestStateGolden checks the SHA-256 of the saved states of trials, so that no change of the format goes unnoticed: older
// checkpoints must not be read as the new format.
func TestStateGolden(t *testing.T) {
	c, got := builtin.Default(), map[string]string{}
	e := shrunk(t, c, "paper", "mean")
	e.Policies = append(paperPolicies(t), "Uniform")
	for _, cell := range resolve(t, e, c).Cells {
		got[cell.Policy.Name] = fmt.Sprintf("%x", sha256.Sum256(stateAfter(t, cell, 9)))
	}
	golden(t, "testdata/state.json", append(must.Get(json.MarshalIndent(got, "", "  "))(t), '\n'))
	must.That(t, !t.Failed(), "the saved state has changed: raise checkpointSchema in results, unless results.Epoch was raised")
}

// stateAfter returns the saved state of a trial after some rounds.
func stateAfter(t testing.TB, cell experiment.Cell, rounds int) []byte {
	t.Helper()
	trial, l := newTrial(t, cell)
	for len(l.rounds) < rounds {
		must.OK(t, trial.Round(t.Context()))
	}
	return must.Get(trial.MarshalBinary())(t)
}

// FuzzTrialState checks that no state makes a trial panic. Run it with -fuzzminimizetime 10x: minimizing is slow.
func FuzzTrialState(f *testing.F) {
	c := builtin.Default()
	e := shrunk(f, c, "paper", "mean")
	trials := resolve(f, e, c).Cells
	for i, cell := range trials {
		f.Add(i, stateAfter(f, cell, 7))
	}
	f.Fuzz(func(t *testing.T, i int, b []byte) {
		trial, l := newTrial(t, trials[uint(i)%uint(len(trials))])
		if err := trial.UnmarshalBinary(b); err != nil {
			_, err := trial.MarshalBinary()
			must.That(t, err != nil, "a trial that could not be restored can be saved")
			return
		}
		// From an accepted state, rounds run or return an error.
		for len(l.rounds) < 3 && trial.Round(t.Context()) == nil {
		}
	})
}
