package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
)

// light is an environment of two arms with four one-hot contexts: arm 1 brings
// +1 in the first two, −1 in the others, with noise of ±1.
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

// sulker is a policy that refuses to go on after some rounds.
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

// small is a network posterior that trains in no time.
func small(posterior.Profile) posterior.LangevinOptions {
	o, err := posterior.Preset(posterior.PICSGLD, posterior.Paper)
	if err != nil {
		panic(err)
	}
	o.Hidden, o.Chains, o.Steps, o.Batch, o.Buffer, o.TrainAfter = []int{6}, 2, 3, 8, 64, 10
	o.DataSize, o.LearningRate = 64, 1e-3
	return o
}

func newNetwork(o posterior.LangevinOptions, s posterior.Setup) (posterior.Posterior, error) {
	return o.New(s)
}

// testCatalog has the environment light, the posterior Small, and Sulker, Uniform.
func testCatalog(t testing.TB) *Catalog {
	t.Helper()
	c := &Catalog{}
	err := errors.Join(
		AddPosterior(c, "Small", "a small network", small, newNetwork),
		AddPolicy(c, "Uniform", "at random",
			func(posterior.Profile) struct{} { return struct{}{} },
			func(_ struct{}, s PolicySetup) (bandit.Policy, error) {
				return policy.NewUniform(2, s.Stream.Child("explore")), nil
			}),
		AddPolicy(c, "Sulker", "fails",
			func(posterior.Profile) sulkerOptions { return sulkerOptions{After: 3} },
			func(o sulkerOptions, s PolicySetup) (bandit.Policy, error) {
				return sulker{after: o.After, err: errors.New("I will not")}, nil
			}),
		AddEnvironment(c, "light", "a toy", lightOptions{Colour: "red"},
			func(_ context.Context, o lightOptions, data string) (*World, error) {
				if data == "none" {
					return nil, errors.New("no such data")
				}
				return &World{
					Data: results.Data{Name: "other", SHA256: data},
					New:  func(r *stream.Stream) (bandit.Environment, error) { return light{r}, nil },
				}, nil
			}),
		c.AddPreset(Experiment{Name: "toy", Environment: "light", Profile: posterior.Paper, Data: "abc",
			Protocol: bandit.Protocol{Rounds: 8, Pulls: 5, BurnIn: 12}, Policies: []string{"Small", "Uniform"}, Seeds: []uint64{1, 2}}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func toy(t testing.TB, c *Catalog) Experiment {
	t.Helper()
	e, err := c.Preset("toy")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func resolve(t testing.TB, e Experiment, c *Catalog) *Plan {
	t.Helper()
	p, err := e.Resolve(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runIn runs an experiment in a folder.
func runIn(t testing.TB, dir string, workers int, plan *Plan) (Summary, error) {
	t.Helper()
	r := Runner{Dir: dir, Workers: workers, Now: time.Now, Progress: &Progress{}}
	return r.Run(t.Context(), plan)
}

func mustRun(t testing.TB, dir string, workers int, plan *Plan) Summary {
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

// TestIdleWorkersHelpAndChangeNothing runs one trial with workers to spare: its
// chains run side by side, and its bytes are those of one worker.
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

// TestCrewDoesEveryTurnOnce, with and without idle helpers.
func TestCrewDoesEveryTurnOnce(t *testing.T) {
	for _, helpers := range []int{0, 1, 3} {
		crew := newCrew()
		var home sync.WaitGroup
		for range helpers {
			home.Go(crew.help)
		}
		for crew.idle.Load() < int64(helpers) {
			runtime.Gosched()
		}
		for n := range 200 {
			turns := make([]atomic.Int64, n)
			crew.parallel(n, func(i int) {
				turns[i].Add(1)
				runtime.Gosched()
			})
			for i := range turns {
				if got := turns[i].Load(); got != 1 {
					t.Fatalf("%d helpers: turn %d of %d done %d times", helpers, i, n, got)
				}
			}
		}
		crew.dismiss()
		home.Wait()
	}
}

// TestTrialsAreIndependentOfTheirCompany: a trial's bytes do not depend on the
// other policies and seeds, nor on their order.
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
	path := filepath.Join(dir, results.TrialsDir, plan.Trials[1].FileName())
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
			var told []string
			r := Runner{Dir: dir, Workers: 1, Now: time.Now, Warn: func(message string) { told = append(told, message) }}
			s, err := r.Run(t.Context(), plan)
			if err != nil {
				t.Fatal(err)
			}
			if s.Run != 1 || len(told) != 1 || !strings.Contains(told[0], path) {
				t.Errorf("%d run, told %q, want 1 and %s", s.Run, told, path)
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
	err := AddPolicy(c, "Hook", "", func(posterior.Profile) struct{} { return struct{}{} },
		func(struct{}, PolicySetup) (bandit.Policy, error) {
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
		change func(e *Experiment)
		want   string
	}{
		{"rounds", set("protocol.rounds=9"), "protocol.rounds is 8 there and 9 here"},
		{"data", func(e *Experiment) { e.Data = "def" }, "environment.data.sha256"},
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

func TestResolveRefuses(t *testing.T) {
	c := testCatalog(t)
	for _, test := range []struct {
		name   string
		change func(e *Experiment)
		want   string
	}{
		{"no seeds", func(e *Experiment) { e.Seeds = nil }, "at least one seed"},
		{"seed twice", func(e *Experiment) { e.Seeds = []uint64{1, 2, 1} }, "seed 1 occurs twice"},
		{"no policies", func(e *Experiment) { e.Policies = nil }, "at least one seed and one policy"},
		{"unknown policy", func(e *Experiment) { e.Policies = []string{"Smal"} }, "did you mean Small?"},
		{"policy twice", func(e *Experiment) { e.Policies = []string{"Small", "Small"} }, "named twice"},
		{"unknown environment", func(e *Experiment) { e.Environment = "lihgt" }, "did you mean light?"},
		{"no data", func(e *Experiment) { e.Data = "none" }, "no such data"},
		{"unknown scope", set("protocl.rounds=3"), "did you mean protocol?"},
		{"policy not in it", set("Sulker.after=3"), `"Sulker"`},
		{"unknown key", set("protocol.runds=3"), "did you mean rounds?"},
		{"unknown posterior key", set("Small.chain=3"), "did you mean chains?"},
		{"unknown key below", set("Small.contour.zta=3"), "did you mean zeta?"},
		{"a group", set("Small.contour=3"), "is a group of options"},
		{"below a leaf", set("Small.chains.x=3"), "has no options of its own"},
		{"text for a number", set("protocol.rounds=many"), "is not a number"},
		{"fraction for a count", set("protocol.rounds=1.5"), "is not a whole number"},
		{"number out of range", set("Small.temperature=1e999"), "fits 64 bits"},
		{"two values", set("protocol.rounds=1 2"), "is not a number"},
		{"text for a list", set("Small.hidden=wide"), "is not a list"},
		{"text in a list", set(`Small.hidden=["a"]`), "is not"},
		{"value refused by the protocol", set("protocol.rounds=0"), "protocol.rounds: 0, want 1 to 1000000000"},
		{"value refused by the posterior", set("Small.temperature=-1"), "temperature: -1"},
		{"value refused by the policy", set("Small.act=dream"), "want one of mean, sample"},
		{"nobody has it", set("all.epsilon=0"), "no policy of this experiment"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := toy(t, c)
			test.change(&e)
			_, err := e.Resolve(t.Context(), c)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// set returns a change that adds settings as the command line would.
func set(settings ...string) func(*Experiment) {
	return func(e *Experiment) {
		for _, s := range settings {
			parsed, err := ParseSetting(s)
			if err != nil {
				panic(err)
			}
			e.Settings = append(e.Settings, parsed)
		}
	}
}

func TestSettingsReachTheOptions(t *testing.T) {
	c := testCatalog(t)
	e := toy(t, c)
	set("all.act=sample", "Small.hidden=7,8", "Small.posterior.contour.zeta=3", "Small.temperature=1e-9",
		"protocol.pulls=4", "environment.colour=green", "Small.preconditioner.multiplied=true")(&e)
	plan := resolve(t, e, c)
	var o ThompsonOptions[posterior.LangevinOptions]
	if err := json.Unmarshal(plan.Trials[0].Policy.Options, &o); err != nil {
		t.Fatal(err)
	}
	p := o.Posterior
	if o.Act != "sample" || fmt.Sprint(p.Hidden) != "[7 8]" || p.Contour.Zeta != 3 || p.Temperature != 1e-9 || !p.Preconditioner.Multiplied {
		t.Errorf("options %+v", o)
	}
	if plan.Protocol.Pulls != 4 || string(plan.Trials[0].Environment.Options) != `{"colour":"green"}` {
		t.Errorf("protocol %+v, environment %s", plan.Protocol, plan.Trials[0].Environment.Options)
	}
}

func TestNamesAreRegisteredOnce(t *testing.T) {
	c := testCatalog(t)
	for name, err := range map[string]error{
		"posterior":   AddPosterior(c, "Small", "", small, newNetwork),
		"policy":      AddPosterior(c, "Uniform", "", small, newNetwork),
		"scope":       AddPosterior(c, "protocol", "", small, newNetwork),
		"environment": AddEnvironment(c, "light", "", lightOptions{}, nil),
		"preset":      c.AddPreset(Experiment{Name: "toy"}),
		"comma":       AddPosterior(c, "Small,Uniform", "", small, newNetwork),
		"dot":         AddPosterior(c, "Small.Net", "", small, newNetwork),
		"no name":     AddPosterior(c, "", "", small, newNetwork),
		"blank":       AddEnvironment(c, "the light", "", lightOptions{}, nil),
		"file":        c.AddPreset(Experiment{Name: "toy.yaml"}),
	} {
		if err == nil {
			t.Errorf("%s: registered without an error", name)
		}
	}
	Default() // panics if the project's own names clash
}

func TestShardsPartTheTrials(t *testing.T) {
	c := testCatalog(t)
	e := toy(t, c)
	e.Seeds = seedRange(1, 5)
	seen := map[string]int{}
	for i := 1; i <= 3; i++ {
		plan := resolve(t, e, c)
		if err := plan.Shard(i, 3); err != nil {
			t.Fatal(err)
		}
		for _, trial := range plan.Trials {
			seen[trial.ID()]++
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d trials in all shards, want 10", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("trial %s is in %d shards", id, n)
		}
	}
	for _, bad := range [][2]int{{0, 3}, {4, 3}, {1, 0}, {-1, 3}, {11, 12}} {
		if err := resolve(t, e, c).Shard(bad[0], bad[1]); err == nil {
			t.Errorf("shard %v: no error", bad)
		}
	}
}

// TestRunnerOfNoUse: what could run nothing, or not be timed, is an error and no
// success.
func TestRunnerOfNoUse(t *testing.T) {
	c := testCatalog(t)
	plan := resolve(t, toy(t, c), c)
	for name, try := range map[string]struct {
		runner Runner
		plan   *Plan
	}{
		"no workers": {Runner{Now: time.Now}, plan},
		"no clock":   {Runner{Workers: 1}, plan},
		"no trials":  {Runner{Workers: 1, Now: time.Now}, &Plan{}},
	} {
		try.runner.Dir = t.TempDir()
		if _, err := try.runner.Run(t.Context(), try.plan); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestParseSeeds(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1", "[1]"},
		{"1..3", "[1 2 3]"},
		{"7, 1..2,9", "[7 1 2 9]"},
		{"18446744073709551615", "[18446744073709551615]"},
		{"18446744073709551614..18446744073709551615", "[18446744073709551614 18446744073709551615]"},
	} {
		got, err := ParseSeeds(c.in)
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%q: %v, %v, want %s", c.in, got, err, c.want)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"0", "count from 1"}, {"5..1", "write 1..5"}, {"a", "is no seed"}, {"", "is no seed"}, {"1,,2", "is no seed"},
		{"-1", "is no seed"}, {"1.5", "is no seed"}, {"1..", "is no seed"}, {"..3", "is no seed"}, {"1...3", "is no seed"},
		{"1,2,1", "occurs twice"}, {"1..3,2", "occurs twice"}, {"18446744073709551616", "64 bits"},
		{"1..99999999999", "more than"}, {"1..18446744073709551615", "more than"}, {"0..3", "count from 1"},
	} {
		if got, err := ParseSeeds(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, %v, want an error with %q", c.in, got, err, c.want)
		}
	}
}
