package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/results"
)

// set returns a change that adds settings as the command line does.
var set = toytest.Set

// toyPlan returns the plan of the preset toy with settings, policies separated by commas ("": the preset's) and the first seeds.
func toyPlan(t testing.TB, c *experiment.Catalog, policies string, seeds uint64, settings ...string) *experiment.Plan {
	t.Helper()
	e := toytest.Toy(t, c)
	if policies != "" {
		e.Policies = strings.Split(policies, ",")
	}
	e.Seeds = nil
	for k := range seeds {
		e.Seeds = append(e.Seeds, k+1)
	}
	set(settings...)(&e)
	return toytest.Resolve(t, e, c)
}

// runIn runs an experiment in a folder.
func runIn(t testing.TB, dir string, workers int, plan *experiment.Plan) (Summary, error) {
	t.Helper()
	r := Runner{Dir: dir, Workers: workers, Now: time.Now, Progress: &Progress{}}
	return r.Run(t.Context(), plan)
}

func mustRun(t testing.TB, dir string, workers int, plan *experiment.Plan) Summary {
	t.Helper()
	return must.Get(runIn(t, dir, workers, plan))(t)
}

// trialFiles returns the trial files of a folder by name.
func trialFiles(t testing.TB, dir string) map[string]string {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join(dir, results.TrialsDir, "*.jsonl")))(t)
	files := map[string]string{}
	for _, path := range paths {
		b := must.Get(os.ReadFile(path))(t)
		files[filepath.Base(path)] = string(b)
	}
	return files
}

// TestAnyNumberOfWorkersWritesTheSameBytes checks several trials, and one trial whose chains run on idle workers.
func TestAnyNumberOfWorkersWritesTheSameBytes(t *testing.T) {
	c := toytest.Catalog(t)
	several, one := toyPlan(t, c, "", 5), toyPlan(t, c, "Small", 1, "protocol.rounds=100", "Small.chains=5")
	for _, plan := range []*experiment.Plan{several, one} {
		want := undisturbed(t, plan)
		dir := t.TempDir()
		must.Equal(t, "trials run", mustRun(t, dir, 4, plan).Run, len(plan.Cells))
		must.Equal(t, "trial files", want, trialFiles(t, dir))
	}
}

// TestTrialsAreIndependentOfTheirCompany checks that the bytes of a trial do not depend on other policies and seeds, or their order.
func TestTrialsAreIndependentOfTheirCompany(t *testing.T) {
	c := toytest.Catalog(t)
	all, alone := t.TempDir(), t.TempDir()
	mustRun(t, all, 1, toyPlan(t, c, "", 2))
	e := toytest.Toy(t, c)
	e.Seeds, e.Policies = []uint64{2}, []string{"Small"}
	mustRun(t, alone, 1, toytest.Resolve(t, e, c))
	files := trialFiles(t, all)
	for name, text := range trialFiles(t, alone) {
		must.Equal(t, name, files[name], text)
	}
}

func TestFailedTrialIsRecordedAndTheOthersGoOn(t *testing.T) {
	c := toytest.Catalog(t)
	dir := t.TempDir()
	for run := range 2 {
		s := mustRun(t, dir, 2, toyPlan(t, c, "Sulker,Uniform", 2))
		if want := 4 * (1 - run); s.Run != want || len(s.Failed) != 2 {
			t.Fatalf("run %d: %d run, %d failed, want %d and 2", run, s.Run, len(s.Failed), want)
		}
		must.Equal(t, "failure", s.Failed[0], Failed{"Sulker", 1, results.Failure{Round: 3, Cause: "not again: EOF"}})
	}
}

// TestInterruptKeepsWhatIsFinished cancels within the third trial and resumes.
func TestInterruptKeepsWhatIsFinished(t *testing.T) {
	c := toytest.Catalog(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	trials := 0
	must.OK(t, toytest.AddPolicy(c, "Hook", struct{}{},
		func(struct{}, policy.Setup) (bandit.Policy, error) {
			return toytest.Sulker{Hook: func(round int) {
				if round == 8 {
					trials++
				}
				if trials == 2 && round == 4 {
					cancel(stop)
				}
			}}, nil
		}))
	plan := toyPlan(t, c, "Hook", 5)
	dir := t.TempDir()
	r := Runner{Dir: dir, Workers: 1, Now: time.Now}
	s, err := r.Run(ctx, plan)
	must.Hold(t, errors.Is(err, stop) && s.Finished() == 2, "error %v, %d finished, want the cause and 2", err, s.Finished())
	left, err := os.ReadDir(filepath.Join(dir, results.TrialsDir))
	if err != nil || len(left) != 4 { // two trials with their sidecars
		t.Fatalf("%d files are left (%v), want 4: no temporary ones", len(left), err)
	}
	must.Equal(t, "resumed", mustRun(t, dir, 1, plan), Summary{Run: 3, Skipped: 2})
}

func TestFolderOfAnotherExperimentIsRefused(t *testing.T) {
	c := toytest.Catalog(t)
	dir := t.TempDir()
	mustRun(t, dir, 1, toyPlan(t, c, "", 2))
	for _, change := range []struct {
		name   string
		change func(e *experiment.Experiment)
		want   string
	}{
		{"rounds", set("protocol.rounds=9"), "protocol.rounds is 8 there and 9 here"},
		{"data", func(e *experiment.Experiment) { e.Data = "def" }, "environment.data.sha256"},
		{"environment option", set("environment.colour=blue"), "environment.options.colour"},
		{"policy option", set("Small.chains=3"), "policy.options.posterior.chains is 2 there and 3 here"},
	} {
		t.Run(change.name, func(t *testing.T) {
			e := toytest.Toy(t, c)
			change.change(&e)
			must.Refuse(runIn(t, dir, 1, toytest.Resolve(t, e, c)))(t, change.want, "--out")
		})
	}
	e := toytest.Toy(t, c)
	e.Seeds, e.Policies = []uint64{2, 3}, []string{"Small", "Sulker"}
	s := mustRun(t, dir, 1, toytest.Resolve(t, e, c))
	must.That(t, s.Run == 3 && s.Skipped == 1, "more seeds and policies: %d run, %d skipped, want 3 and 1", s.Run, s.Skipped)
}

func TestOutputFolderThatCannotBeWritten(t *testing.T) {
	c := toytest.Catalog(t)
	file := must.File(t, "file", "")
	must.Refuse(runIn(t, filepath.Join(file, "out"), 1, toyPlan(t, c, "", 2)))(t, file)
}

// TestRunnerOfNoUse checks that a run without workers, a clock or trials is an error.
func TestRunnerOfNoUse(t *testing.T) {
	plan := toyPlan(t, toytest.Catalog(t), "", 2)
	for want, try := range map[string]struct {
		runner Runner
		plan   *experiment.Plan
	}{
		"0 workers":          {Runner{Now: time.Now}, plan},
		"has no clock":       {Runner{Workers: 1}, plan},
		"plan has no trials": {Runner{Workers: 1, Now: time.Now}, &experiment.Plan{}},
	} {
		try.runner.Dir = t.TempDir()
		must.Refuse(try.runner.Run(t.Context(), try.plan))(t, want)
	}
}

// signaled is the error of a process that died; it is true if a signal killed the process.
type signaled bool

func (s signaled) Error() string  { return "the child has ended: signal: terminated" }
func (s signaled) Signaled() bool { return bool(s) }

// TestSignaledChild checks that a child killed by a signal just before the run is stopped is an interruption, as a scheduler signals
// every process of a job. If the run is not stopped, or no signal killed the child, the trial has failed.
func TestSignaledChild(t *testing.T) {
	for _, test := range []struct {
		name    string
		err     error
		stopped bool
		failed  int
	}{{"with the run", signaled(true), true, 0}, {"alone", signaled(true), false, 1}, {"an error beside a stop", signaled(false), true, 1}} {
		t.Run(test.name, func(t *testing.T) {
			c := toytest.Catalog(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			stop := errors.New("enough")
			must.OK(t, toytest.AddPolicy(c, "Child", struct{}{}, func(struct{}, policy.Setup) (bandit.Policy, error) {
				return toytest.Sulker{After: 3, Err: test.err, Hook: func(round int) {
					if round == 3 && test.stopped {
						time.AfterFunc(500*time.Millisecond, func() { cancel(stop) }) // too late for a run that does not wait
					}
				}}, nil
			}))
			s, err := (&Runner{Dir: t.TempDir(), Workers: 1, Now: time.Now}).Run(ctx, toyPlan(t, c, "Child", 1))
			must.That(t, len(s.Failed) == test.failed && errors.Is(err, stop) == (test.failed == 0),
				"%d failed, error %v, want %d", len(s.Failed), err, test.failed)
		})
	}
}
