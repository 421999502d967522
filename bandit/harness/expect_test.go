package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/must"
	"banditsim/policy"
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
