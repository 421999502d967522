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
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/results"
)

// light is an environment of two arms with four one-hot contexts: arm 1 has mean reward +1 in the
// first two and −1 in the others, with noise of ±1.
type light struct{ r *stream.Stream }

func (l light) Spec() bandit.Spec {
	return bandit.Spec{Dim: 4, Arms: []string{"off", "on"}, IgnoresActions: true, UniformRegret: 0.5}
}

func (l light) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Row = l.r.IntN(4)
	clear(r.Context)
	r.Context[r.Row] = 1
	o.Reward[0], o.Mean[0] = 0, 0
	o.Mean[1] = 1 - 2*float64(r.Row/2)
	o.Reward[1] = o.Mean[1] + 1 - 2*float64(l.r.IntN(2))
	return nil
}

func (l light) MarshalBinary() ([]byte, error) { return l.r.MarshalBinary() }
func (l light) UnmarshalBinary(b []byte) error { return l.r.UnmarshalBinary(b) }

type lightOptions struct {
	Colour string `json:"colour"`
}

// sulker is a policy that fails after some rounds.
type sulker struct {
	policy.Fixed
	after int
	err   error
	hook  func(round int)
}

func (s sulker) EndRound(_ context.Context, round int) error {
	if s.hook != nil {
		s.hook(round)
	}
	if round == s.after {
		return s.err
	}
	return nil
}

type sulkerOptions struct {
	After int `json:"after"`
}

// small is a network posterior that trains fast.
func small() neural.LangevinOptions {
	o := neural.PICSGLD.Defaults()
	o.Hidden, o.Chains, o.Steps, o.Batch, o.Buffer, o.TrainAfter = []int{6}, 2, 3, 8, 64, 10
	o.DataSize, o.LearningRate = 64, 1e-3
	return o
}

// smallKind declares a small network under a name.
func smallKind(name, doc string) posterior.Kind[neural.LangevinOptions] {
	return posterior.Kind[neural.LangevinOptions]{Name: name, Doc: doc, Defaults: small, New: neural.LangevinOptions.New, Claims: posterior.Claims{Rounds: 1}}
}

// testCatalog has the environment light, the posterior Small, and Sulker, Uniform.
func testCatalog(t testing.TB) *experiment.Catalog {
	t.Helper()
	c := &experiment.Catalog{}
	err := errors.Join(
		experiment.AddPosterior(c, smallKind("Small", "a small network")),
		addPolicy(c, "Uniform", struct{}{},
			func(_ struct{}, s policy.Setup) (bandit.Policy, error) {
				return policy.NewUniform(2, s.Stream.Child("explore")), nil
			}),
		addPolicy(c, "Sulker", sulkerOptions{After: 3},
			func(o sulkerOptions, s policy.Setup) (bandit.Policy, error) {
				return sulker{after: o.After, err: errors.New("I will not")}, nil
			}),
		experiment.AddEnvironment(c, datasets.Kind[lightOptions]{Name: "light", Doc: "a toy", Defaults: func() lightOptions { return lightOptions{Colour: "red"} },
			Open: func(_ context.Context, o lightOptions, data string) (*datasets.World, error) {
				if data == "none" {
					return nil, errors.New("no such data")
				}
				return &datasets.World{
					Data: results.Data{Name: "other", SHA256: data},
					New:  func(r *stream.Stream) (bandit.Environment, error) { return light{r}, nil },
				}, nil
			}}),
		c.AddProfile(experiment.Profile{Name: "paper"}), c.AddProfile(experiment.Profile{Name: "authors", Settings: []experiment.Setting{{Key: "Small.contour.kind", Value: "authors"}}}),
		c.AddPreset(experiment.Experiment{Name: "toy", Environment: "light", Profile: "paper", Data: "abc",
			Protocol: bandit.Protocol{Rounds: 8, Pulls: 5, BurnIn: 12}, Policies: []string{"Small", "Uniform"}, Seeds: []uint64{1, 2}}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func toy(t testing.TB, c *experiment.Catalog) experiment.Experiment {
	t.Helper()
	e, err := c.Preset("toy")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func resolve(t testing.TB, e experiment.Experiment, c *experiment.Catalog) *experiment.Plan {
	t.Helper()
	p, err := e.Resolve(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runIn runs an experiment in a folder.
func runIn(t testing.TB, dir string, workers int, plan *experiment.Plan) (Summary, error) {
	t.Helper()
	r := Runner{Dir: dir, Workers: workers, Now: time.Now, Progress: &Progress{}}
	return r.Run(t.Context(), plan)
}

func mustRun(t testing.TB, dir string, workers int, plan *experiment.Plan) Summary {
	t.Helper()
	s, err := runIn(t, dir, workers, plan)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trialFiles returns the trial files of a folder by name.
func trialFiles(t testing.TB, dir string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, results.TrialsDir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(b)
	}
	return files
}

func same(t *testing.T, a, b map[string]string) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%d files and %d files", len(a), len(b))
	}
	for name, text := range a {
		if b[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

func TestAnyNumberOfWorkersWritesTheSameBytes(t *testing.T) {
	c := testCatalog(t)
	e := toy(t, c)
	e.Seeds = seedRange(1, 5)
	one, four := t.TempDir(), t.TempDir()
	mustRun(t, one, 1, resolve(t, e, c))
	s := mustRun(t, four, 4, resolve(t, e, c))
	if s.Run != 10 {
		t.Errorf("%d trials run, want 10", s.Run)
	}
	same(t, trialFiles(t, one), trialFiles(t, four))
}

// TestIdleWorkersHelpAndChangeNothing runs one trial with several workers: its chains run in
// parallel, and its bytes are those of one worker.
func TestIdleWorkersHelpAndChangeNothing(t *testing.T) {
	c := testCatalog(t)
	e := toy(t, c)
	e.Seeds, e.Policies = []uint64{1}, []string{"Small"}
	set("protocol.rounds=100", "Small.chains=5")(&e)
	one, four := t.TempDir(), t.TempDir()
	mustRun(t, one, 1, resolve(t, e, c))
	mustRun(t, four, 4, resolve(t, e, c))
	same(t, trialFiles(t, one), trialFiles(t, four))
}

// TestTrialsAreIndependentOfTheirCompany checks that the bytes of a trial do not depend on the other
// policies and seeds, nor on their order.
func TestTrialsAreIndependentOfTheirCompany(t *testing.T) {
	c := testCatalog(t)
	e := toy(t, c)
	all, alone := t.TempDir(), t.TempDir()
	mustRun(t, all, 1, resolve(t, e, c))
	e.Seeds, e.Policies = []uint64{2}, []string{"Small"}
	mustRun(t, alone, 1, resolve(t, e, c))
	files := trialFiles(t, all)
	for name, text := range trialFiles(t, alone) {
		if files[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

func TestRerunRunsNothingAndRedoesWhatIsDamaged(t *testing.T) {
	c := testCatalog(t)
	plan := resolve(t, toy(t, c), c)
	dir := t.TempDir()
	mustRun(t, dir, 2, plan)
	want := trialFiles(t, dir)
	if s := mustRun(t, dir, 2, plan); s.Run != 0 || s.Skipped != 4 {
		t.Errorf("rerun: %d run and %d skipped, want 0 and 4", s.Run, s.Skipped)
	}
	path := filepath.Join(dir, results.TrialsDir, plan.Cells[1].FileName())
	for _, c := range []struct {
		name   string
		damage func(b []byte) []byte
	}{
		{"cut in half", func(b []byte) []byte { return b[:len(b)/2] }},
		{"empty", func(b []byte) []byte { return nil }},
		{"a flipped bit", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, c.damage(b), 0o666); err != nil {
				t.Fatal(err)
			}
			var warnings []string
			r := Runner{Dir: dir, Workers: 1, Now: time.Now, Warn: func(message string) { warnings = append(warnings, message) }}
			s, err := r.Run(t.Context(), plan)
			if err != nil {
				t.Fatal(err)
			}
			if s.Run != 1 || len(warnings) != 1 || !strings.Contains(warnings[0], path) {
				t.Errorf("%d run, warnings %q, want 1 and %s", s.Run, warnings, path)
			}
			same(t, want, trialFiles(t, dir))
		})
	}
}

func TestFailedTrialIsRecordedAndTheOthersGoOn(t *testing.T) {
	c := testCatalog(t)
	e := toy(t, c)
	e.Policies = []string{"Sulker", "Uniform"}
	dir := t.TempDir()
	for run := range 2 {
		s := mustRun(t, dir, 2, resolve(t, e, c))
		if want := 4 * (1 - run); s.Run != want || len(s.Failed) != 2 {
			t.Fatalf("run %d: %d run, %d failed, want %d and 2", run, s.Run, len(s.Failed), want)
		}
		if f := s.Failed[0]; f.Policy != "Sulker" || f.Seed != 1 || f.Round != 3 || f.Cause != "I will not" {
			t.Errorf("run %d: %+v", run, f)
		}
	}
}

// TestInterruptKeepsWhatIsFinished cancels within the third trial and resumes.
func TestInterruptKeepsWhatIsFinished(t *testing.T) {
	c := testCatalog(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	trials := 0
	err := addPolicy(c, "Hook", struct{}{},
		func(struct{}, policy.Setup) (bandit.Policy, error) {
			return sulker{hook: func(round int) {
				if round == 8 {
					trials++
				}
				if trials == 2 && round == 4 {
					cancel(stop)
				}
			}}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	e := toy(t, c)
	e.Policies, e.Seeds = []string{"Hook"}, seedRange(1, 5)
	plan := resolve(t, e, c)
	dir := t.TempDir()
	r := Runner{Dir: dir, Workers: 1, Now: time.Now}
	s, err := r.Run(ctx, plan)
	if !errors.Is(err, stop) || s.Finished() != 2 {
		t.Fatalf("error %v, %d finished, want the cause and 2", err, s.Finished())
	}
	left, err := os.ReadDir(filepath.Join(dir, results.TrialsDir))
	if err != nil || len(left) != 4 { // two trials with their sidecars
		t.Fatalf("%d files are left (%v), want 4: no temporary ones", len(left), err)
	}
	if s := mustRun(t, dir, 1, plan); s.Run != 3 || s.Skipped != 2 {
		t.Errorf("resumed: %d run, %d skipped, want 3 and 2", s.Run, s.Skipped)
	}
}

func TestFolderOfAnotherExperimentIsRefused(t *testing.T) {
	c := testCatalog(t)
	dir := t.TempDir()
	mustRun(t, dir, 1, resolve(t, toy(t, c), c))
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
			e := toy(t, c)
			change.change(&e)
			_, err := runIn(t, dir, 1, resolve(t, e, c))
			if err == nil || !strings.Contains(err.Error(), change.want) || !strings.Contains(err.Error(), "--out") {
				t.Errorf("got %v, want %q and the cure", err, change.want)
			}
		})
	}
	e := toy(t, c)
	e.Seeds, e.Policies = seedRange(2, 3), []string{"Small", "Sulker"}
	if s := mustRun(t, dir, 1, resolve(t, e, c)); s.Run != 3 || s.Skipped != 1 {
		t.Errorf("more seeds and policies: %d run, %d skipped, want 3 and 1", s.Run, s.Skipped)
	}
}

func TestOutputFolderThatCannotBeWritten(t *testing.T) {
	c := testCatalog(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := runIn(t, filepath.Join(file, "out"), 1, resolve(t, toy(t, c), c)); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v, want an error that names %s", err, file)
	}
}

// set returns a change that adds settings as the command line does.
func set(settings ...string) func(*experiment.Experiment) {
	return func(e *experiment.Experiment) {
		for _, s := range settings {
			parsed, err := experiment.ParseSetting(s)
			if err != nil {
				panic(err)
			}
			e.Settings = append(e.Settings, parsed)
		}
	}
}

// TestRunnerOfNoUse checks that a run without workers, a clock or trials is an error.
func TestRunnerOfNoUse(t *testing.T) {
	c := testCatalog(t)
	plan := resolve(t, toy(t, c), c)
	for name, try := range map[string]struct {
		runner Runner
		plan   *experiment.Plan
	}{
		"no workers": {Runner{Now: time.Now}, plan},
		"no clock":   {Runner{Workers: 1}, plan},
		"no trials":  {Runner{Workers: 1, Now: time.Now}, &experiment.Plan{}},
	} {
		try.runner.Dir = t.TempDir()
		if _, err := try.runner.Run(t.Context(), try.plan); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func seedRange(low, high uint64) []uint64 {
	var list []uint64
	for s := low; s <= high; s++ {
		list = append(list, s)
	}
	return list
}

// addPolicy registers a policy of a test.
func addPolicy[O any](c *experiment.Catalog, name string, defaults O, build func(O, policy.Setup) (bandit.Policy, error)) error {
	return experiment.AddPolicy(c, policy.Kind[O]{Name: name, Defaults: func() O { return defaults }, New: build})
}
