package harness

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/results"
)

// never is a number of rounds between checkpoints that no trial reaches: checkpoints are written only when the run is stopped.
const never = 1 << 30

// brake stops a run at the end of a round.
type brake struct {
	at   int
	stop func(ctx context.Context) error
}

// stoppable is Thompson sampling over a network, with a brake. Its state is that of Thompson sampling.
type stoppable struct {
	saved
	*brake
}

// saved are the methods of a policy over a posterior that can be saved.
type saved interface {
	bandit.RewardDrawer
	bandit.Policy
	bandit.BatchActor
	bandit.RoundEnder
	Unwrap() any
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

func (s stoppable) EndRound(ctx context.Context, round int) error {
	if err := s.saved.EndRound(ctx, round); err != nil {
		return err
	}
	if round == s.at {
		return s.stop(ctx)
	}
	return nil
}

// stateless is a policy that cannot be saved.
type stateless struct{}

func (stateless) Act(bandit.Round) (int, error)          { return 1, nil }
func (stateless) Learn(bandit.Round, int, float64) error { return nil }

// oneTrial returns a plan of one trial, and the brake of its policy, which is off.
func oneTrial(t testing.TB) (*experiment.Plan, *brake) {
	t.Helper()
	c, b := toytest.Catalog(t), &brake{}
	must.OK(t, toytest.AddPolicy(c, "Stoppable", toytest.Small(), func(o neural.LangevinOptions, s policy.Setup) (bandit.Policy, error) {
		n, err := neural.PICSGLD().New(o, s.Posterior())
		if err != nil {
			return nil, err
		}
		return stoppable{policy.NewThompson(n, posterior.Draw, 2).(saved), b}, nil
	}))
	return toyPlan(t, c, "Stoppable", 1), b
}

// A folder is an output folder of a plan in a test.
type folder struct {
	t        testing.TB
	runner   Runner
	plan     *experiment.Plan
	warnings []string
}

func newFolder(t testing.TB, plan *experiment.Plan, every int) *folder {
	f := &folder{t: t, plan: plan}
	f.runner = Runner{
		Dir: t.TempDir(), Workers: 1, Now: time.Now, Checkpoint: every,
		Progress: &Progress{}, Warn: func(message string) { f.warnings = append(f.warnings, message) },
	}
	return f
}

// stop runs until the brake stops the run in round at.
func (f *folder) stop(b *brake, at int) Summary {
	f.t.Helper()
	ctx, cancel := context.WithCancelCause(f.t.Context())
	enough := errors.New("enough")
	*b = brake{at, func(context.Context) error { cancel(enough); return nil }}
	s, err := f.runner.Run(ctx, f.plan)
	*b = brake{}
	must.Hold(f.t, errors.Is(err, enough), "stopped in round %d: error %v, want that it was enough", at, err)
	return s
}

func (f *folder) run() Summary {
	f.t.Helper()
	return must.Get(f.runner.Run(f.t.Context(), f.plan))(f.t)
}

// path returns the path of the first trial's file.
func (f *folder) path() string {
	return filepath.Join(f.runner.Dir, results.TrialsDir, f.plan.Cells[0].FileName())
}

// sidecar returns the sidecar of the first trial.
func (f *folder) sidecar() results.Sidecar {
	f.t.Helper()
	return must.Get(results.Record{Path: f.path()}.Sidecar())(f.t)
}

// left returns the names of all files except trials and sidecars.
func (f *folder) left() []string {
	f.t.Helper()
	entries := must.Get(os.ReadDir(filepath.Join(f.runner.Dir, results.TrialsDir)))(f.t)
	var list []string
	for _, e := range entries {
		if name := e.Name(); name[0] == '.' || !strings.HasSuffix(name, ".jsonl") && !strings.HasSuffix(name, ".meta.json") {
			list = append(list, name)
		}
	}
	return list
}

// undisturbed returns the trial files of a run without checkpoints.
func undisturbed(t testing.TB, plan *experiment.Plan) map[string]string {
	f := newFolder(t, plan, 0)
	f.run()
	return trialFiles(t, f.runner.Dir)
}

// TestStoppedInAnyRoundGoesOn stops a run in each round, with several checkpoint intervals, with pulls and without, and
// checks that the resumed run gives the same bytes and leaves no checkpoint. Recording pulls changes nothing in the trial.
func TestStoppedInAnyRoundGoesOn(t *testing.T) {
	plan, brake := oneTrial(t)
	want := undisturbed(t, plan)
	whole := newFolder(t, plan, 0)
	whole.runner.Pulls = true
	whole.run()
	pulls := pullsOf(t, whole)
	for _, c := range []struct {
		every int
		pulls bool
	}{{0, false}, {1, false}, {3, false}, {never, false}, {0, true}, {3, true}, {never, true}} {
		for at := 1; at < plan.Environments[0].Protocol.Rounds; at++ {
			f := newFolder(t, plan, c.every)
			f.runner.Pulls = c.pulls
			first := f.stop(brake, at)
			second := f.run()
			expected := min(c.every, 1)
			did := []Summary{{Saved: expected}, {Run: 1, Resumed: expected}}
			must.Equal(t, fmt.Sprintf("%+v, stopped in round %d", c, at), []Summary{first, second}, did)
			must.Equal(t, "trial files", want, trialFiles(t, f.runner.Dir))
			var kept []string
			if c.pulls {
				kept = []string{filepath.Base(results.PullsPath(f.path()))}
			}
			if left := f.left(); !slices.Equal(left, kept) || c.pulls && pullsOf(t, f) != pulls {
				t.Errorf("%+v, stopped in round %d: left %v, or other pulls", c, at, left)
			}
			must.Equal(t, fmt.Sprintf("%+v, stopped in round %d: sessions before", c, at), len(f.sidecar().Earlier), expected)
			must.Equal(t, fmt.Sprintf("%+v, stopped in round %d: rounds", c, at), f.runner.Progress.rounds.Load(), int64(at*(1-expected)+8))
		}
	}
}

// TestStoppedAgainAndAgain stops a run after every round.
func TestStoppedAgainAndAgain(t *testing.T) {
	plan, brake := oneTrial(t)
	f := newFolder(t, plan, never)
	for at := 1; at < plan.Environments[0].Protocol.Rounds; at++ {
		s := f.stop(brake, at)
		must.Hold(t, s.Saved == 1, "round %d: %+v", at, s)
	}
	must.Equal(t, "trials resumed", f.run().Resumed, 1)
	must.Equal(t, "trial files", undisturbed(t, plan), trialFiles(t, f.runner.Dir))
	whole := newFolder(t, plan, 0)
	whole.run()
	at, once := f.sidecar(), whole.sidecar()
	must.Equal(t, "sessions before", len(at.Earlier), 7)
	must.That(t, at.Steps != nil && once.Steps != nil && *at.Steps == *once.Steps && *once.Steps != 0,
		"gradient steps %v and, without a stop, %v", at.Steps, once.Steps)
}

// TestRoundThatDoesNotEndIsDropped checks that a run ends after its grace and resumes from the checkpoint before, and that a round which
// ends within the grace is kept.
func TestRoundThatDoesNotEndIsDropped(t *testing.T) {
	plan, brake := oneTrial(t)
	want := undisturbed(t, plan)
	for _, c := range []struct {
		name   string
		grace  time.Duration
		needs  time.Duration
		played int64 // rounds of both runs
	}{
		{"dropped", 20 * time.Millisecond, time.Hour, 5 + 4},
		{"ends in time", time.Hour, 20 * time.Millisecond, 6 + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFolder(t, plan, 2)
			f.runner.Grace = c.grace
			ctx, cancel := context.WithCancel(t.Context())
			brake.at, brake.stop = 6, func(late context.Context) error {
				cancel()
				select {
				case <-late.Done():
					return late.Err()
				case <-time.After(c.needs):
					return nil
				}
			}
			s, err := f.runner.Run(ctx, plan)
			must.Hold(t, errors.Is(err, context.Canceled) && s.Saved == 1, "%+v, %v, want it canceled and a checkpoint", s, err)
			brake.at = 0
			f.run()
			must.Equal(t, "rounds played", f.runner.Progress.rounds.Load(), c.played)
			must.Equal(t, "trial files", want, trialFiles(t, f.runner.Dir))
		})
	}
}

// TestPolicyThatGivesUp checks that an error of a round that wraps the cause of the run's end does not fail the trial, which resumes from
// its last checkpoint, and that Begin is called with each trial before its first round in a run.
func TestPolicyThatGivesUp(t *testing.T) {
	plan, b := oneTrial(t)
	f := newFolder(t, plan, 3)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("another process is gone")
	b.at, b.stop = 7, func(context.Context) error {
		cancel(gone)
		return fmt.Errorf("in the middle: %w", gone)
	}
	begun, refuse := 0, error(nil)
	f.runner.Begin = func(trial *bandit.Trial) error {
		begun++
		_, err := trial.MarshalBinary()
		return errors.Join(err, refuse)
	}
	s, err := f.runner.Run(ctx, plan)
	must.Is(t, err, gone)
	must.Equal(t, "the run that ended", s, Summary{Saved: 1})
	b.at, refuse = 0, errors.New("not yet")
	s, err = f.runner.Run(t.Context(), plan)
	must.Is(t, err, refuse)
	must.Equal(t, "the run that was refused", s, Summary{Saved: 1})
	refuse = nil
	must.Equal(t, "the last run", f.run(), Summary{Run: 1, Resumed: 1})
	must.Equal(t, "calls of Begin", begun, 3)
	must.Equal(t, "trial files", trialFiles(t, f.runner.Dir), undisturbed(t, plan))
}

// TestFailureAfterResuming checks the round of a failure after resuming.
func TestFailureAfterResuming(t *testing.T) {
	plan, brake := oneTrial(t)
	fail := func(context.Context) error { return errors.New("no more") }
	f, whole := newFolder(t, plan, 2), newFolder(t, plan, 0)
	f.stop(brake, 5)
	brake.at, brake.stop = 7, fail
	for _, f := range []*folder{f, whole} {
		must.Equal(t, "failed", f.run().Failed, []Failed{{"Stoppable", 1, results.Failure{Round: 7, Cause: "no more"}}})
	}
	must.Equal(t, "trial files", trialFiles(t, whole.runner.Dir), trialFiles(t, f.runner.Dir))
	must.Equal(t, "files left", len(f.left()), 0)
}

// TestTrialsThatCannotBeSaved checks that trials of a policy that cannot be saved run, with one warning.
func TestTrialsThatCannotBeSaved(t *testing.T) {
	c := toytest.Catalog(t)
	must.OK(t, toytest.AddPolicy(c, "Stateless", struct{}{},
		func(struct{}, policy.Setup) (bandit.Policy, error) { return stateless{}, nil }))
	plan := toyPlan(t, c, "Stateless,Uniform", 2)
	f := newFolder(t, plan, 2)
	f.run()
	must.Equal(t, "trial files", undisturbed(t, plan), trialFiles(t, f.runner.Dir))
	if len(f.warnings) != 1 || !strings.Contains(f.warnings[0], "Stateless: no checkpoints") || !strings.Contains(f.warnings[0], "harness.stateless cannot be saved") {
		t.Errorf("warnings %q, want why there are no checkpoints of Stateless, once", f.warnings)
	}
}

// TestDamagedFilesAreSetAside checks that a file that is cut or has a flipped byte is renamed with a warning, and that the run ends with
// the right bytes.
func TestDamagedFilesAreSetAside(t *testing.T) {
	plan, brake := oneTrial(t)
	want := undisturbed(t, plan)
	stopped, finished := newFolder(t, plan, 3), newFolder(t, plan, 3)
	stopped.stop(brake, 6)
	finished.run()
	cut := func(b []byte, at int) []byte { return b[:at] }
	flip := func(b []byte, at int) []byte { b[at] ^= 4; return b }
	for _, kind := range []struct {
		name string
		of   *folder
		file func(trial string) string
	}{
		{"trial", finished, func(trial string) string { return trial }},
		{"partial file", stopped, partialPath},
		{"checkpoint", stopped, results.CheckpointPath},
	} {
		whole := must.Get(os.ReadFile(kind.file(kind.of.path())))(t)
		for how, damage := range map[string]func([]byte, int) []byte{"cut": cut, "flip": flip} {
			for at := 0; at < len(whole); at += 1 + len(whole)/25 {
				f := newFolder(t, plan, 0)
				must.OK(t, os.CopyFS(f.runner.Dir, os.DirFS(kind.of.runner.Dir)))
				path, bad := kind.file(f.path()), damage([]byte(string(whole)), at)
				must.OK(t, os.WriteFile(path, bad, 0o666))
				where := fmt.Sprintf("%s, %s at %d of %d", kind.name, how, at, len(whole))
				s := f.run()
				aside := strings.TrimPrefix(filepath.Base(path), ".") + ".damaged-1"
				if s.Run != 1 || s.Resumed != 0 || len(f.warnings) != 1 || !strings.Contains(f.warnings[0], path) || !strings.Contains(f.warnings[0], aside) {
					t.Errorf("%s: %+v, warnings %q", where, s, f.warnings)
				}
				kept, err := os.ReadFile(filepath.Join(filepath.Dir(path), aside))
				must.That(t, err == nil && string(kept) == string(bad),
					"%s: what was set aside is not the damaged file (%v)", where, err)
				left := f.left()
				must.That(t, len(left) == 1, "%s: left %v, want what was set aside", where, left)
				must.Equal(t, "trial files", want, trialFiles(t, f.runner.Dir))
			}
		}
	}
}

func partialPath(trial string) string {
	return strings.TrimSuffix(results.CheckpointPath(trial), ".checkpoint") + ".partial"
}

// TestWhatIsSetAsideIsKept checks that damaging the same file again keeps what was set aside before.
func TestWhatIsSetAsideIsKept(t *testing.T) {
	plan, _ := oneTrial(t)
	f := newFolder(t, plan, 0)
	for n := range 3 {
		must.OK(t, os.MkdirAll(filepath.Dir(f.path()), 0o777))
		must.OK(t, os.WriteFile(f.path(), fmt.Append(nil, n), 0o666))
		f.run()
	}
	for n := range 3 {
		b, err := os.ReadFile(fmt.Sprintf("%s.damaged-%d", f.path(), n+1))
		must.That(t, err == nil && string(b) == fmt.Sprint(n), "set aside as number %d: %q, %v", n+1, b, err)
	}
}

// TestDamagedTrialIsRedoneFromItsCheckpoint checks that an intact checkpoint is used.
func TestDamagedTrialIsRedoneFromItsCheckpoint(t *testing.T) {
	plan, brake := oneTrial(t)
	f := newFolder(t, plan, never)
	f.stop(brake, 5)
	must.OK(t, os.WriteFile(f.path(), []byte("{}"), 0o666))
	s := f.run()
	must.That(t, s.Resumed == 1 && len(f.warnings) == 1, "%+v, warnings %q", s, f.warnings)
	must.Equal(t, "trial files", undisturbed(t, plan), trialFiles(t, f.runner.Dir))
}

// TestStateThatDoesNotFit checks that a valid checkpoint that the policy rejects is set aside too.
func TestStateThatDoesNotFit(t *testing.T) {
	plan, brake := oneTrial(t)
	f := newFolder(t, plan, never)
	f.stop(brake, 5)
	dir := filepath.Dir(f.path())
	w, _, err := results.Resume(dir, plan.Cells[0].Identity)
	must.OK(t, err)
	must.OK(t, w.Checkpoint([]byte("nonsense"), nil, true))
	w.Abort()
	if s := f.run(); s.Run != 1 || s.Resumed != 0 || len(f.warnings) != 1 || !strings.Contains(f.warnings[0], "checkpoint.damaged-1") {
		t.Errorf("%+v, warnings %q", s, f.warnings)
	}
	must.Equal(t, "trial files", undisturbed(t, plan), trialFiles(t, f.runner.Dir))
}

// TestLockedFolder checks that a second run in a folder fails with the holder's name, and that the folder is free afterwards.
func TestLockedFolder(t *testing.T) {
	plan, brake := oneTrial(t)
	f := newFolder(t, plan, 0)
	f.runner.Sidecar.Command = []string{"banditsim", "run", "first"}
	brake.at, brake.stop = 3, func(context.Context) error {
		brake.at = 0 // does not stop the second run
		second := Runner{Dir: f.runner.Dir, Workers: 1, Now: time.Now}
		_, err := second.Run(t.Context(), plan)
		var locked *LockedError
		if !errors.As(err, &locked) {
			return fmt.Errorf("the second run: error %v, want a LockedError", err)
		}
		if locked.Holder.PID != os.Getpid() || !strings.Contains(err.Error(), "banditsim run first") || !strings.Contains(err.Error(), f.runner.Dir) {
			return fmt.Errorf("the second run's error does not say who holds %s: %w", f.runner.Dir, err)
		}
		return nil
	}
	s := f.run()
	must.That(t, len(s.Failed) == 0, "%v", s.Failed)
	f.run()
}
