package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/cputime"
	"banditsim/internal/must"
	"banditsim/internal/pool"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
)

// A clock moves only when it is set.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(c.seconds.Load(), 0) }

type slowOptions struct {
	Seconds int64 `json:"seconds"` // time of a round
}

// addSlow adds a policy whose rounds take time on a clock, and one that never ends a round.
func addSlow(t *testing.T, c *experiment.Catalog, clock *clock) {
	t.Helper()
	must.OK(t, errors.Join(
		toytest.AddPolicy(c, "Slow", slowOptions{Seconds: 2},
			func(o slowOptions, _ policy.Setup) (bandit.Policy, error) {
				return toytest.Sulker{Hook: func(int) { clock.seconds.Add(o.Seconds) }}, nil
			}),
		toytest.AddPolicy(c, "Stuck", struct{}{},
			func(struct{}, policy.Setup) (bandit.Policy, error) { return stuck{}, nil })))
}

type stuck struct{ toytest.Sulker }

func (stuck) EndRound(ctx context.Context, _ int) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestExpect estimates the time of the toy: 8 rounds, of which 3 are played until one with training is timed.
func TestExpect(t *testing.T) {
	c := toytest.Catalog(t)
	var clock clock
	addSlow(t, c, &clock)
	plan := func(policies, seeds string) *experiment.Plan {
		t.Helper()
		e := must.Get(parse(t, c, "name: x\nextends: toy\nseeds: "+seeds+"\npolicies: "+policies))(t)
		return toytest.Resolve(t, e, c)
	}
	dir := t.TempDir()
	ran := plan("[Slow]", "[1]")
	r := Runner{Dir: dir, Workers: 1, Now: clock.now, Sidecar: results.Sidecar{Processor: "abacus"}}
	must.Get(r.Run(t.Context(), ran))(t)
	resumed := t.TempDir() // its trial was stopped and resumed
	r.Dir = resumed
	must.Get(r.Run(t.Context(), ran))(t)
	path := filepath.Join(resumed, results.TrialsDir, ran.Cells[0].FileName())
	must.OK(t, results.WriteSidecar(path, results.Sidecar{Processor: "abacus", Seconds: 1, Earlier: []results.Sidecar{{}}}))
	for _, test := range []struct {
		name            string
		plan            *experiment.Plan
		dir, processor  string
		workers         int
		done, left      int
		seconds, policy float64 // of all trials, and of one trial of the first policy
		from            string
	}{
		{"timed", plan("[Slow]", "1..3"), t.TempDir(), "abacus", 1, 0, 3, 48, 16, "1 training round timed now"},
		{"on two workers", plan("[Slow]", "1..3"), t.TempDir(), "abacus", 2, 0, 3, 24, 16, "timed now"},
		{"no folder yet", plan("[Slow]", "1..3"), "nowhere", "abacus", 1, 0, 3, 48, 16, "timed now"},
		{"known from the folder", plan("[Slow]", "1..3"), dir, "abacus", 1, 1, 2, 32, 16, "as 1 trial there took on this processor"},
		{"a trial there of which only the end is known", plan("[Slow]", "1..3"), resumed, "abacus", 1, 1, 2, 32, 16, "timed now"},
		{"another processor", plan("[Slow]", "1..3"), dir, "slide rule", 1, 1, 2, 32, 16, "timed now"},
		{"all there", plan("[Slow]", "[1]"), dir, "abacus", 1, 1, 0, 0, 0, ""},
		{"a variant that nobody knows", plan("[Slow, {policy: Slow, name: slower, set: {seconds: 3}}]", "[2]"), dir, "abacus", 1, 0, 2, 40, 16, "as 1 trial"},
		{"no time for the second", plan("[Slow, {policy: Slow, name: slower, set: {seconds: 3}}]", "[2]"), t.TempDir(), "abacus", 1, 0, 2, 32, 16, "timed now"},
		{"one that takes no time", plan("[Uniform]", "1..3"), t.TempDir(), "abacus", 1, 0, 3, 0, 0, "a whole trial timed now"},
		{"one that fails", plan("[Sulker]", "1..3"), t.TempDir(), "abacus", 1, 0, 3, 0, 0, "it fails in round 3: not again: EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := must.Get(Expect(t.Context(), test.plan, test.dir, test.workers, test.processor, clock.now))(t)
			must.That(t, e.Done == test.done && e.Left == test.left && e.Time.Seconds() == test.seconds && !e.AtLeast,
				"%+v, want %d done, %d left, %g s", e, test.done, test.left, test.seconds)
			must.That(t, test.left <= 0 || e.Policies[0].Seconds == test.policy &&
				strings.Contains(e.Policies[0].From, test.from), "%+v, want %g s, %s", e.Policies, test.policy, test.from)
		})
	}
	if e, err := Expect(t.Context(), plan("[Slow, {policy: Slow, name: slower, set: {seconds: 3}}]", "[2]"), t.TempDir(), 1, "", clock.now); err != nil || !strings.Contains(e.Policies[1].From, "the mean of the others") {
		t.Errorf("%+v, %v, want that the second was not timed", e, err)
	}
}

func TestExpectGivesUp(t *testing.T) {
	c := toytest.Catalog(t)
	addSlow(t, c, new(clock))
	plan := toyPlan(t, c, "Stuck", 2)
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	got, err := Expect(soon, plan, t.TempDir(), 1, "", time.Now)
	must.That(t, err == nil && got.AtLeast && strings.Contains(got.Policies[0].From, "round 1 did not end in time"),
		"a policy that never ends: %+v, %v", got, err)
	stopped, stop := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	stop(enough)
	_, err = Expect(stopped, plan, t.TempDir(), 1, "", time.Now)
	must.Is(t, err, enough)
}

// TestExpectRefusal checks that Refusal says what keeps a run from starting, and that damaged files are counted.
func TestExpectRefusal(t *testing.T) {
	c := toytest.Catalog(t)
	dir := t.TempDir()
	same, other := toyPlan(t, c, "", 2), toyPlan(t, c, "", 2, "protocol.rounds=9")
	mustRun(t, dir, 1, same)
	var folder *FolderError
	if got, err := Expect(t.Context(), other, dir, 1, "", time.Now); err != nil || !errors.As(got.Refusal, &folder) || got.Left != len(other.Cells) {
		t.Errorf("another experiment's folder: %+v, %v", got, err)
	}
	file := must.File(t, "file", "")
	if got, err := Expect(t.Context(), other, file, 1, "", time.Now); err != nil || got.Refusal == nil || got.Left != len(other.Cells) {
		t.Errorf("a file: %+v, %v", got, err)
	}
	must.OK(t, os.WriteFile(filepath.Join(dir, results.TrialsDir, same.Cells[0].FileName()), []byte("{"), 0o666))
	if got, err := Expect(t.Context(), same, dir, 1, "", time.Now); err != nil || got.Refusal != nil || got.Damaged != 1 || got.Left != 1 {
		t.Errorf("a damaged trial: %+v, %v", got, err)
	}
	unlock := must.Get(Lock(dir, time.Now(), []string{"banditsim"}))(t)
	defer unlock()
	var locked *LockedError
	if got, err := Expect(t.Context(), same, dir, 1, "", time.Now); err != nil || !errors.As(got.Refusal, &locked) {
		t.Errorf("a locked folder: %+v, %v", got, err)
	}
}

// busy is a policy that uses a known processor time on each of several goroutines in every pull.
type busy struct {
	stateless
	parallel posterior.Parallel
	on       *atomic.Int64 // number of calls by nested loops
}

const (
	chains = 8
	each   = 500 * time.Microsecond
)

func (b busy) Act(bandit.Round) (int, error) {
	b.parallel.Do(chains, func(int) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for from, _ := cputime.Thread(); ; {
			if now, _ := cputime.Thread(); now-from > each {
				break
			}
		}
		b.parallel.Do(2, func(int) { b.on.Add(1) })
	})
	return 1, nil
}

// outside is a policy that uses a child process.
type outside struct{ stateless }

func (outside) Printed() string { return "" }

// TestProcessorTime checks that a trial has the time of its loop with any number of workers, at most wall time × workers, and that it has
// no time if it uses another process.
func TestProcessorTime(t *testing.T) {
	if !pool.HasMeter() {
		t.Skip("no clock of a thread's processor time")
	}
	for _, workers := range []int{1, chains} {
		c, nested := toytest.Catalog(t), &atomic.Int64{}
		must.OK(t, toytest.AddPolicy(c, "Busy", struct{}{}, func(_ struct{}, s policy.Setup) (bandit.Policy, error) {
			return busy{parallel: s.Parallel, on: nested}, nil
		}))
		must.OK(t, toytest.AddPolicy(c, "Outside", struct{}{}, func(struct{}, policy.Setup) (bandit.Policy, error) { return outside{}, nil }))
		f := newFolder(t, toyPlan(t, c, "Busy", 1, "protocol.rounds=10", "protocol.pulls=4", "protocol.burn_in=0"), 0)
		f.runner.Workers = workers
		began := time.Now()
		f.run()
		wall := time.Since(began).Seconds()
		s, acts := f.sidecar(), 10*4.0
		must.Equal(t, "nested calls", nested.Load(), int64(acts*chains*2))
		if got, want := s.ProcessorTime(), acts*chains*each.Seconds(); got < want || got > wall*float64(workers) {
			t.Errorf("%d workers: %.3f s of processor time, want %.3f to %.3f", workers, got, want, wall*float64(workers))
		}
		f = newFolder(t, toyPlan(t, c, "Outside", 1), 0)
		f.run()
		if s := f.sidecar(); s.ProcessorSeconds != nil || s.Seconds <= 0 {
			t.Errorf("a policy outside: %+v", s)
		}
	}
}

// TestProcessorTimeAddsUp checks that the time of a resumed trial is the sum over its runs.
func TestProcessorTimeAddsUp(t *testing.T) {
	if !pool.HasMeter() {
		t.Skip("no clock of a thread's processor time")
	}
	plan, b := oneTrial(t)
	f := newFolder(t, plan, 2)
	f.stop(b, 4)
	must.Equal(t, "resumed", f.run().Resumed, 1)
	s := f.sidecar()
	if first, last := *s.Earlier[0].ProcessorSeconds, *s.ProcessorSeconds; first <= 0 || last <= 0 || s.ProcessorTime() != first+last {
		t.Errorf("%g s and %g s, in all %g s", first, last, s.ProcessorTime())
	}
}
