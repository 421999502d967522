package harness

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/must"
	"banditsim/results"
)

// scoring is the value of brake.at that stops a run while its trial is scored.
const scoring = -1

func (s stoppable) DrawRewards(dst []float64, rounds []bandit.Round, together bool) error {
	if s.at == scoring {
		if err := s.stop(nil); err != nil {
			return err
		}
	}
	return s.saved.DrawRewards(dst, rounds, together)
}

// score returns the score of the folder's trial.
func (f *folder) score() results.Score {
	f.t.Helper()
	s := f.sidecar().Score
	must.Hold(f.t, s != nil, "no score")
	return *s
}

// TestRecordedScores checks that a recorded score equals that of Score, changes nothing in the trial, and is the same after the run was
// stopped in any round or while the trial was scored.
func TestRecordedScores(t *testing.T) {
	plan, brake := oneTrial(t)
	o := bandit.ScoreOptions{Contexts: 20, Draws: 10, Noise: 0.5}
	want := undisturbed(t, plan)
	scores := must.Get(Score(t.Context(), plan, o, 1, nil))(t)
	for _, every := range []int{0, 3, never} {
		for _, at := range []int{1, 4, plan.Environments[0].Protocol.Rounds, scoring} {
			f := newFolder(t, plan, every)
			f.runner.Scores = &o
			f.stop(brake, at)
			if s := f.run(); every > 0 && s.Resumed != 1 {
				t.Errorf("every %d rounds, stopped in round %d: %+v, want a trial that resumes", every, at, s)
			}
			must.Equal(t, "trial files", want, trialFiles(t, f.runner.Dir))
			if got := f.score(); got.ScoreOptions != o || got.Values() != scores[0].Score {
				t.Errorf("every %d rounds, stopped in round %d: the score %+v, want %+v", every, at, got, scores[0].Score)
			}
			must.Equal(t, fmt.Sprintf("every %d rounds, stopped in round %d: files left", every, at), len(f.left()), 0)
		}
	}
}

// TestScoresAreAddedToAFolder checks that a trial without a score is run again to the same bytes, and one with a score is not. The score
// is kept if the trial is run again for its pulls, and replaced if the options of the score change.
func TestScoresAreAddedToAFolder(t *testing.T) {
	plan, _ := oneTrial(t)
	f := newFolder(t, plan, never)
	f.run()
	for i, c := range []struct {
		scores *bandit.ScoreOptions
		pulls  bool
		noise  float64
		run    int
	}{
		{&bandit.ScoreOptions{Contexts: 4, Draws: 3, Noise: 2}, false, 2, 1},
		{&bandit.ScoreOptions{Contexts: 4, Draws: 3, Noise: 2}, false, 2, 0},
		{nil, false, 2, 0},
		{nil, true, 2, 1},
		{&bandit.ScoreOptions{Contexts: 4, Draws: 3, Noise: 1}, true, 1, 1},
	} {
		f.runner.Scores, f.runner.Pulls = c.scores, c.pulls
		must.Equal(t, fmt.Sprintf("run %d: trials", i), f.run().Run, c.run)
		must.Equal(t, fmt.Sprintf("run %d: a score with a noise of", i), f.score().Noise, c.noise)
	}
	must.Equal(t, "trial files", undisturbed(t, plan), trialFiles(t, f.runner.Dir))
}

// TestScoreThatFails checks that a failed score is recorded and not tried again, and that policies without a posterior have none.
func TestScoreThatFails(t *testing.T) {
	plan, brake := oneTrial(t)
	f := newFolder(t, plan, never)
	f.runner.Scores = &bandit.ScoreOptions{Contexts: 4, Draws: 3, Noise: 2}
	brake.at, brake.stop = scoring, func(context.Context) error { return errors.New("no draws today") }
	for i, want := range []int{1, 0} {
		must.Equal(t, fmt.Sprint("run ", i), f.run(), Summary{Run: want, Skipped: 1 - want})
		must.Equal(t, fmt.Sprint("run ", i), f.score().Failure, "bandit: score: no draws today")
	}
	f = newFolder(t, toyPlan(t, toytest.Catalog(t), "Uniform", 1), never)
	f.runner.Scores = &bandit.ScoreOptions{Contexts: 4, Draws: 3, Noise: 2}
	for i, want := range []int{1, 0} {
		must.Equal(t, fmt.Sprintf("Uniform, run %d: trials", i), f.run().Run, want)
	}
	must.Equal(t, "the score of Uniform", f.sidecar().Score, nil)
	f.runner.Scores.Draws = 0
	must.Refuse(f.runner.Run(t.Context(), f.plan))(t, "harness: run: scores: ")
}
