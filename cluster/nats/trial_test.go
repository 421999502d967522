package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/results"
)

// TestMain runs the command instead of the tests if BANDITSIM_NATS_RANK is set: tests start the test binary as ranks.
func TestMain(m *testing.M) {
	if os.Getenv("BANDITSIM_NATS_RANK") != "" {
		main()
	}
	os.Exit(m.Run())
}

// serve starts a server on loopback and returns its URL.
func serve(t testing.TB) string { return serveWith(t, server.Options{}) }

func serveWith(t testing.TB, o server.Options) string {
	t.Helper()
	o.Host, o.Port, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	s := must.Get(server.NewServer(&o))(t)
	s.Start()
	t.Cleanup(s.Shutdown)
	must.Hold(t, s.ReadyForConnections(10*time.Second), "the NATS server does not start")
	return s.ClientURL()
}

// secret is the key of the tests' runs.
var secret = []byte("the key of the tests")

// small are settings of a trial that takes a second and in which θ changes.
var small = []string{"protocol.rounds=80", "all.hidden=8", "all.batch=32", "all.steps=4", "all.contour.width=1e3", "all.contour.theta_warmup=0"}

// args returns the command line of a rank.
func args(url, dir, policy string, rank, ranks int, set ...string) []string {
	list := []string{"--url", url, "--out", dir, "--policies", policy, "--seeds", "1", "--rank", fmt.Sprint(rank), "--ranks", fmt.Sprint(ranks)}
	for _, s := range set {
		list = append(list, "--set", s)
	}
	return append(list, "mushroom-paper")
}

// planOf returns the plan of the trial that args runs.
func planOf(t testing.TB, policy string, set ...string) *experiment.Plan {
	t.Helper()
	catalog := builtin.Default()
	e := must.Get((&options{policies: policy, seeds: "1", set: set}).experiment(catalog, "mushroom-paper"))(t)
	return must.Get(one(t.Context(), catalog, e, ""))(t)
}

// alone runs the trial in this process, without ranks, and returns the trial's file.
func alone(t testing.TB, plan *experiment.Plan) []byte {
	t.Helper()
	dir := t.TempDir()
	runner := harness.Runner{Dir: dir, Workers: 1, Now: time.Now}
	must.Get(runner.Run(t.Context(), plan))(t)
	return trialFile(t, dir, plan.Cells[0])
}

func trialFile(t testing.TB, dir string, cell experiment.Cell) []byte {
	t.Helper()
	path := filepath.Join(dir, results.TrialsDir, cell.FileName())
	must.Get(results.Check(path, cell.Identity))(t)
	return must.Get(os.ReadFile(path))(t)
}

// compare fails the test unless two trial files are equal.
func compare(t testing.TB, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		must.Hold(t, g[i] == w[i], "line %d differs:\n%.300s\n%.300s", i+1, g[i], w[i])
	}
	t.Fatalf("%d lines, want %d", len(g), len(w))
}

// A process is a rank that runs in a process of its own.
type process struct {
	*exec.Cmd
	out, err bytes.Buffer
}

func startRank(t testing.TB, args []string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...)}
	p.Env = append(os.Environ(), "BANDITSIM_NATS_RANK=1", keyVariable+"="+string(secret))
	p.Stdout, p.Stderr = &p.out, &p.err
	must.OK(t, p.Start())
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// startAll starts all ranks of a trial. The command line of each rank begins with the argument flags.
func startAll(t testing.TB, url, dir, policy string, ranks int, flags []string, set ...string) (all []*process) {
	t.Helper()
	for rank := range ranks {
		all = append(all, startRank(t, append(slices.Clone(flags), args(url, dir, policy, rank, ranks, set...)...)))
	}
	return all
}

// finish waits for all ranks, and fails the test if a rank prints an error or a warning.
func finish(t testing.TB, all []*process) {
	t.Helper()
	for rank, p := range all {
		err := p.Wait()
		must.Hold(t, err == nil && p.err.Len() == 0, "rank %d of %d: %v: %s", rank, len(all), err, p.err.String())
	}
}

// TestProcesses checks that a trial in two or four processes has the same file as in one process.
func TestProcesses(t *testing.T) {
	t.Parallel()
	url, plan := serve(t), planOf(t, "pICSGLD", small...)
	cell, want := plan.Cells[0], alone(t, plan)
	if flat := `"theta":[` + strings.Repeat("0.01,", 99); !bytes.Contains(want, []byte(`"theta":`)) || bytes.Contains(want[len(want)-4000:], []byte(flat)) {
		t.Fatalf("θ has not moved, which tests nothing: %s", want[len(want)-4000:])
	}
	for _, ranks := range []int{2, 4} {
		dir := t.TempDir()
		all := startAll(t, url, dir, "pICSGLD", ranks, nil, small...)
		finish(t, all)
		t.Logf("%d processes: %s", ranks, all[0].out.String())
		compare(t, trialFile(t, dir, cell), want)
		if again := startRank(t, args(url, dir, "pICSGLD", 0, ranks, small...)); again.Wait() == nil || !strings.Contains(again.err.String(), "is there already") {
			t.Errorf("a trial that is there: %s", again.err.String())
		}
	}
}

// together runs the trial with all ranks in this process, and returns the root's file and the links by rank.
func together(t testing.TB, url, policy string, ranks int, set ...string) ([]byte, []*link) {
	t.Helper()
	dir, all, errs := attempt(t, url, policy, ranks, set...)
	must.OK(t, errors.Join(errs...))
	return trialFile(t, dir, planOf(t, policy, set...).Cells[0]), all
}

// attempt runs the trial with all ranks in this process. It returns the output folder, and the links and errors by rank.
func attempt(t testing.TB, url, policy string, ranks int, set ...string) (dir string, all []*link, errs []error) {
	t.Helper()
	dir, all, errs = t.TempDir(), make([]*link, ranks), make([]error, ranks)
	var group sync.WaitGroup
	for rank := range ranks {
		plan, o := planOf(t, policy, set...), options{url: url,
			settings: settings{rank: rank, ranks: ranks, limit: 20 * time.Second, patience: time.Minute, progress: time.Minute}}
		conn := must.Get(o.connect(func(text string) { t.Error(text) }))(t)
		warn := func(text string) { t.Logf("rank %d: %s", rank, text) }
		all[rank] = must.Get(newLink(t.Context(), conn, plan.Cells[0].ID(), o.settings, secret, warn))(t)
		group.Go(func() {
			defer conn.Close()
			if err := play(plan, all[rank], dir); err != nil {
				errs[rank] = fmt.Errorf("rank %d: %w", rank, err)
			}
		})
	}
	group.Wait()
	return dir, all, errs
}

// TestDiverged checks that a diverging chain ends the trial at all ranks, and that the recorded failure is that of one process.
func TestDiverged(t *testing.T) {
	t.Parallel()
	url := serve(t)
	for _, c := range []struct {
		policy string
		ranks  int
		set    []string
		want   string
	}{
		{"pICSGLD", 3, []string{"pICSGLD.learning_rate=1e10"}, "chain 0: the energy"},
		{"pICSGLD", 4, []string{"pICSGLD.learning_rate=3e-3", "pICSGLD.steps=16", "pICSGLD.preconditioner.kind=off"}, "chain 3: the energy"},
		// Chains of all ranks diverge in the same round, chain 2 after the fewest steps.
		{"ConstSGD", 3, []string{"ConstSGD.learning_rate=0.1", "ConstSGD.steps=16", "ConstSGD.chains=7"}, "chain 2: the energy"},
		{"ConstSGD", 2, []string{"ConstSGD.learning_rate=1e15", "ConstSGD.steps=1"}, "predict: the value of arm 1 is -Inf"},
	} {
		t.Run(fmt.Sprint(c.policy, c.ranks), func(t *testing.T) {
			set := slices.Concat(small, c.set)
			start := time.Now()
			dir, _, errs := attempt(t, url, c.policy, c.ranks, set...)
			for rank, err := range errs {
				must.That(t, errors.Is(err, errFailed) && strings.Contains(err.Error(), c.want),
					"rank %d: %v, want %q", rank, err, c.want)
			}
			took := time.Since(start)
			must.That(t, took <= 15*time.Second, "it took %v: a rank waited for the time limit", took)
			plan := planOf(t, c.policy, set...)
			compare(t, trialFile(t, dir, plan.Cells[0]), alone(t, plan))
		})
	}
}

// TestPolicies checks further policies and options, and numbers of ranks that do not divide the number of chains.
func TestPolicies(t *testing.T) {
	t.Parallel()
	url := serve(t)
	for _, c := range []struct {
		policy string
		ranks  int
		set    []string
	}{
		{"pICSGLD", 3, []string{"pICSGLD.act=sample", "pICSGLD.contour.omega_exponent=0.6", "pICSGLD.contour.omega_offset=10"}},
		{"pICSGLD", 2, []string{"pICSGLD.contour.weights=psi", "pICSGLD.act=sample"}},
		{"pICSGLD", 4, []string{"pICSGLD.contour.weights=psi", "pICSGLD.contour.energy=reduced", "pICSGLD.contour.energy_refresh=3"}},
		{"pICSGLD", 2, []string{"pICSGLD.contour.energy=reduced"}},
		{"pICSGLD", 2, []string{"pICSGLD.contour.kind=authors"}},
		{"pICSGLD", 4, []string{"pICSGLD.contour.kind=authors", "pICSGLD.contour.energy=reduced"}},
		{"pICSGLD", 2, []string{"pICSGLD.chains=5", "pICSGLD.contour.overflow=lastbin", "pICSGLD.contour.field=theta^zeta", "protocol.burn_in=0", "all.train_after=20"}},
		{"pSGLD", 4, nil},
		{"pSGLD", 3, []string{"pSGLD.coverage=2"}},
		{"Dropout", 3, nil},
		{"Dropout", 2, []string{"Dropout.act=sample", "protocol.delay.kind=fixed", "protocol.delay.pulls=3"}},
		{"ConstSGD", 2, []string{"protocol.sequential=true"}},
	} {
		set := slices.Concat(small, c.set)
		t.Run(fmt.Sprint(c.policy, c.ranks), func(t *testing.T) {
			got, _ := together(t, url, c.policy, c.ranks, set...)
			compare(t, got, alone(t, planOf(t, c.policy, set...)))
		})
	}
}

// TestRefused checks the errors for policies without several chains and for more ranks than chains.
func TestRefused(t *testing.T) {
	conn := must.Get(nats.Connect(serve(t)))(t)
	defer conn.Close()
	for _, c := range []struct {
		policy, set, want string
		ranks             int
	}{
		{"pCSGLD", "pCSGLD.steps=3", "2 ranks share 1 chains", 2},
		{"pSGLD", "pSGLD.steps=3", "5 ranks share 4 chains", 5},
		{"EpsGreedy", "EpsGreedy.steps=3", "only pICSGLD", 2},
	} {
		plan := planOf(t, c.policy, append(slices.Clone(small), c.set)...)
		l := must.Get(newLink(t.Context(), conn, plan.Cells[0].ID(), settings{ranks: c.ranks, limit: time.Second}, secret, func(text string) { t.Error(text) }))(t)
		must.Fail(t, play(plan, l, t.TempDir()), c.want)
	}
}

// TestKilled checks that, within 10 s after a worker or the root is killed, the other ranks end with an error that names the killed rank,
// and that no trial file is left.
func TestKilled(t *testing.T) {
	t.Parallel()
	url := serve(t)
	long := slices.Concat(small, []string{"protocol.rounds=200000", "pICSGLD.steps=16"})
	for _, killed := range []int{2, 0} {
		dir := t.TempDir()
		training := after(t, url, planOf(t, "pICSGLD", long...).Cells[0], binsKind, 50, func() {})
		all := startAll(t, url, dir, "pICSGLD", 3, nil, long...)
		awaitTraining(t, training, all)
		all[killed].Process.Kill()
		begin := time.Now()
		for rank, p := range all {
			err := p.Wait()
			if rank == killed {
				continue
			}
			want := fmt.Sprintf("rank %d of 3 is lost", killed)
			if took := time.Since(begin); err == nil || took > 10*time.Second || !strings.Contains(p.err.String(), want) {
				t.Errorf("rank %d after %v: %v: %s, want %q within 10 s", rank, took, err, p.err.String(), want)
			} else {
				t.Logf("after %.1fs: %s", took.Seconds(), p.err.String())
			}
		}
		left, _ := filepath.Glob(filepath.Join(dir, results.TrialsDir, "*.jsonl"))
		must.That(t, len(left) == 0, "%v is there", left)
	}
}

// TestRestarted kills or interrupts ranks several times and restarts the trial with other numbers of ranks. It checks that one process
// that resumes the last checkpoint writes the same file as an undisturbed process.
func TestRestarted(t *testing.T) {
	t.Parallel()
	url := serve(t)
	for _, c := range []struct {
		policy string
		set    []string
	}{
		{"pICSGLD", []string{"pICSGLD.contour.weights=psi", "pICSGLD.contour.energy=reduced", "pICSGLD.act=sample"}},
		{"pICSGLD", []string{"pICSGLD.contour.kind=authors", "protocol.delay.kind=fixed", "protocol.delay.pulls=3"}},
		{"Dropout", nil},
	} {
		t.Run(c.policy, func(t *testing.T) {
			t.Parallel()
			set := slices.Concat(small, []string{"protocol.rounds=400", "all.steps=16"}, c.set)
			plan, dir := planOf(t, c.policy, set...), t.TempDir()
			cell := plan.Cells[0]
			for _, k := range []struct {
				ranks, victim int
				signal        os.Signal
				values        int // number of messages with predictions before the signal
			}{
				{3, 0, syscall.SIGTERM, 1},
				{2, 1, syscall.SIGTERM, 3},
				{2, 0, os.Kill, 20},
				{4, 2, os.Kill, 9},
				{3, 2, syscall.SIGTERM, 12},
			} {
				var all []*process
				hit := after(t, url, cell, valuesKind, k.values, func() { all[k.victim].Process.Signal(k.signal) })
				all = startAll(t, url, dir, c.policy, k.ranks, []string{"--limit", "2s", "--checkpoint", "4"}, set...)
				awaitTraining(t, hit, all)
				for rank, p := range all {
					p.Wait()
					want := 75
					if k.signal == os.Kill {
						want = 1
					}
					if got := p.ProcessState.ExitCode(); got != want && (k.signal != os.Kill || rank != k.victim) {
						t.Fatalf("%v: rank %d: exit code %d, want %d: %s", k, rank, got, want, p.err.String())
					}
					t.Logf("%d ranks, rank %d is %v: %s", k.ranks, k.victim, k.signal, p.err.String())
				}
				sameState(t, dir, cell)
			}
			compare(t, resumed(t, dir, plan), alone(t, plan))
		})
	}
}

func awaitTraining(t testing.TB, training <-chan struct{}, all []*process) {
	t.Helper()
	select {
	case <-training:
	case <-time.After(60 * time.Second):
		t.Fatalf("no training after a minute: %s", all[0].err.String())
	}
}

// after calls do when the workers have sent the given number of messages of a kind, and then closes the returned channel.
func after(t testing.TB, url string, cell experiment.Cell, k kind, messages int, do func()) <-chan struct{} {
	t.Helper()
	conn := must.Get(nats.Connect(url))(t)
	t.Cleanup(conn.Close)
	hit := make(chan struct{})
	conn.Subscribe("banditsim."+cell.ID()[:32]+".up", func(m *nats.Msg) {
		if m, err := decode(secret, m.Data); err == nil && m.Kind == k {
			if messages--; messages == 0 {
				do()
				close(hit)
			}
		}
	})
	conn.Flush()
	return hit
}

// sameState fails the test unless the checkpoint's state equals that of one process after the same number of rounds.
func sameState(t testing.TB, dir string, cell experiment.Cell) {
	t.Helper()
	w, c, err := results.Resume(filepath.Join(dir, results.TrialsDir), cell.Identity)
	must.OK(t, err)
	w.Abort()
	trial, _, err := cell.NewTrial(nil, nil)
	must.OK(t, err)
	for range c.Rounds {
		must.OK(t, trial.Round(t.Context()))
	}
	if want, err := trial.MarshalBinary(); err != nil || !bytes.Equal(c.State, want) {
		t.Errorf("the state after %d rounds is not that of one process: %v", c.Rounds, err)
	}
}

// resumed runs the rest of a trial in this process, from its checkpoint, and returns the trial's file.
func resumed(t testing.TB, dir string, plan *experiment.Plan) []byte {
	t.Helper()
	runner := harness.Runner{Dir: dir, Workers: 1, Now: time.Now, Checkpoint: 4, Warn: func(message string) { t.Error(message) }}
	s, err := runner.Run(t.Context(), plan)
	must.Hold(t, err == nil && s.Resumed == 1, "%+v, %v, want one trial from a checkpoint", s, err)
	return trialFile(t, dir, plan.Cells[0])
}

// TestJoin checks that the root's error names the ranks that have not joined, and a worker's error names the root.
func TestJoin(t *testing.T) {
	url, plan := serve(t), planOf(t, "pSGLD", small...)
	for rank, want := range []string{"ranks [1 2] of 3 have not joined", "rank 0 has not started"} {
		conn := must.Get(nats.Connect(url))(t)
		defer conn.Close()
		l := must.Get(newLink(t.Context(), conn, plan.Cells[0].ID(), settings{rank: rank, ranks: 3, limit: time.Second, patience: 300 * time.Millisecond}, secret, func(text string) { t.Error(text) }))(t)
		must.Fail(t, play(plan, l, t.TempDir()), want)
		conn.Close()
	}
}
