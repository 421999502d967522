package plugin

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior"
)

// numbers is the environment of the tests: contexts count the pulls, arm 1 has reward 1, others 0.
type numbers struct{ pulls int }

func (e *numbers) Spec() bandit.Spec {
	return bandit.Spec{Dim: 2, Arms: []string{"a", "b", "c"}, IgnoresActions: true, UniformRegret: math.NaN()}
}

func (e *numbers) Next(r *bandit.Round, o *bandit.Outcome) error {
	e.pulls++
	r.Row, r.Context[0], r.Context[1] = -1, float32(e.pulls), 0.1
	o.Mean[0], o.Mean[1], o.Mean[2] = 0, 1, 0
	copy(o.Reward, o.Mean)
	return nil
}

func (e *numbers) MarshalBinary() ([]byte, error) {
	return strconv.AppendInt(nil, int64(e.pulls), 10), nil
}

func (e *numbers) UnmarshalBinary(b []byte) (err error) {
	e.pulls, err = strconv.Atoi(string(b))
	return err
}

type discard struct{}

func (discard) Record(*bandit.RoundRecord) error { return nil }

// timeout is the time limit of most children.
const timeout = 3 * time.Second

// trialOf returns a trial of 4 rounds of 3 pulls with a child in the given role.
func trialOf(role string, program Program) (*bandit.Trial, error) {
	return shortTrial(role, program, bandit.Protocol{Rounds: 4, Pulls: 3, BurnIn: 3})
}

func shortTrial(role string, program Program, protocol bandit.Protocol) (*bandit.Trial, error) {
	var env bandit.Environment = &numbers{}
	var p bandit.Policy
	root := stream.Root(1)
	var err error
	switch role {
	case RoleEnvironment:
		var ready greeting
		if ready, err = probe(program, hello{Role: RoleEnvironment}); err == nil {
			env = newEnvironment(program, ready, root.Child("environment"))
			p, err = policy.UniformKind().New(policy.UniformKind().Defaults(), policy.Setup{Spec: env.Spec(), Protocol: protocol, Stream: root.Child("policy")})
		}
	case RolePosterior:
		var q posterior.Posterior
		if q, err = newPosterior(program, &probes{}, posterior.Setup{Dim: 2, Arms: 3, Rounds: protocol.Rounds, Stream: root.Child("policy")}); err == nil {
			p = policy.NewThompson(q, posterior.Draw, 3)
		}
	default:
		p, err = newPolicy(program, &probes{}, policy.Setup{Spec: env.Spec(), Protocol: protocol, Stream: root.Child("policy")})
	}
	if err != nil {
		return nil, err
	}
	return bandit.NewTrial(env, p, protocol, root.Child("burn-in"), discard{})
}

// run plays a trial, saves it and closes it, and returns how long this took. If the trial cannot be made, it returns
// how long the attempt took.
func run(t *testing.T, role string, program Program) (time.Duration, error) {
	t.Helper()
	begin := time.Now()
	trial, err := trialOf(role, program)
	if err != nil {
		return time.Since(begin), err
	}
	begin = time.Now()
	err = trial.Run(t.Context())
	if err == nil {
		_, err = trial.MarshalBinary()
	}
	trial.Close()
	return time.Since(begin), err
}

// TestHostileChildren runs children that misbehave at each of their messages, in parallel with ones that work. Each must end its trial
// with an error that names the cause and the request, within about a second more than the timeout.
func TestHostileChildren(t *testing.T) {
	anywhere := map[string]string{ // fault: what the error says
		"exit":                      "exit status 3; its last lines on stderr: out of luck",
		"killed":                    "signal: killed",
		"half a line":               "in the middle of an answer, after",
		"long line":                 "a line of more than",
		"sleep":                     "no answer within 3s",
		"half and sleep":            "no answer within 3s",
		"leaves a child":            "exit status 4",
		"leaves a child and sleeps": "no answer within 3s",
		"leaves a session":          "exit status 4",
		"closes stdout":             "closed its stdout without an answer and goes on",
		"banner":                    `"Welcome to the best policy ever" to stdout, where only answers belong`,
		"banner without an end":     "Welcome to the best policy ever: ",
		"floods stderr":             "exit status 5; its last lines on stderr: noise noise",
		"other id":                  "it answered request",
		"array":                     "to stdout, where only answers belong",
		"empty line":                `wrote "" to stdout`,
		"bytes":                     "to stdout, where only answers belong",
		"not closed":                "cannot be read: unexpected ",
		"error":                     "it answered with an error: I give up",
	}
	more := map[string]map[string]string{
		"hello": {"version": "version 7 of the protocol, this program version 1", "role": `its role is "clown"`, "unknown field": `unknown field "sava"`,
			"no id": "unknown field"},
		"act": {"NaN": "it holds NaN", "null": `"null" where a whole number is due`, "text": "where a whole number is due", "far": "it chose arm 99, want 0 to 2",
			"negative": "it chose arm -1, want 0 to 2", "huge": "where a whole number is due", "fewer": "its answer has 2 arms, want 3", "more": "its answer has 4 arms, want 3",
			"no answer": "its answer has 0 arms, want 3", "no id": "has no id", "frame": "a frame of 8000000000 bytes", "odd frame": "a frame of 12 bytes",
			"twice": "it answered request", "floods": "it answered request"},
		"predict": {"NaN": "it holds NaN", "null": `"null" where a number is due`, "text": "where a number is due", "huge": "where a number is due",
			"fewer": "has 2 numbers, want 3", "more": "has 4 numbers, want 3", "no answer": "has 0 lists of values, want 3", "no id": "has no id", "frame": "a frame of"},
		"next": {"NaN": "it holds NaN", "null": `"null" where a number is due`, "fewer": "has 1 numbers, want 2", "more": "has 3 numbers, want 2",
			"no id": "has no id", "odd frame": "a frame of 12 bytes", "twice": "it answered request"},
		"save":    {"no answer": "its answer has no state", "no id": "has no id"},
		"update":  {"no id": "has no id", "twice": "it answered request"},
		"end":     {"no id": "has no id", "twice": "it answered request"},
		"learn":   {"exit": "exit status 3; its last lines on stderr: out of luck", "sleep": "no answer within", "banner": "Welcome to", "closes stdout": "closed its stdout"},
		"observe": {"exit": "exit status 3", "sleep": "no answer within", "banner": "Welcome to", "closes stdout": "closed its stdout"},
	}
	type child struct{ role, fault, at, want string }
	var children []child
	for _, c := range []struct {
		role string
		at   []string
	}{
		{RolePolicy, []string{"hello", "act", "act 3", "end 2", "save"}},
		{RolePosterior, []string{"hello", "predict", "update 2", "save"}},
		{RoleEnvironment, []string{"hello", "next", "save"}},
	} {
		for _, at := range c.at {
			for fault, want := range anywhere {
				children = append(children, child{c.role, fault, at, want})
			}
		}
	}
	for at, faults := range more {
		role := map[string]string{"predict": RolePosterior, "update": RolePosterior, "observe": RolePosterior, "next": RoleEnvironment}[at]
		for fault, want := range faults {
			children = append(children, child{cmp.Or(role, RolePolicy), fault, at, want})
		}
	}
	ordinary := func(t *testing.T) time.Duration { // how long a trial takes on this machine, which may be busy
		return must.Get(run(t, RolePolicy, Program{Name: "A child", Command: command(RolePolicy, "", ""), Timeout: 10 * timeout}))(t)
	}
	limit := func(t *testing.T) time.Duration { return timeout + 2*time.Second + 10*ordinary(t) }
	idle := limit(t)
	slices.SortFunc(children, func(a, b child) int {
		return cmp.Or(cmp.Compare(a.fault, b.fault), cmp.Compare(a.at, b.at), cmp.Compare(a.role, b.role))
	})
	t.Logf("%d children, %v for each", len(children), idle)
	must.That(t, len(children) >= 200, "%d hostile children, want at least 200", len(children))
	for i, c := range children {
		if !every(i) {
			continue
		}
		t.Run(fmt.Sprintf("%s/%s/%s", c.role, c.at, c.fault), func(t *testing.T) {
			t.Parallel()
			took, err := run(t, c.role, Program{Name: "Hostile", Command: command(c.role, c.fault, c.at), Timeout: timeout})
			if took > idle {
				if limit := limit(t); took > limit { // the machine may be busier now
					t.Errorf("it took %v, want at most %v", took, limit)
				}
			}
			var failure *Error
			switch {
			case err == nil:
				t.Fatal("no error")
			case !errors.As(err, &failure):
				t.Fatalf("%v: want an *Error", err)
			case c.fault == "long line" && c.at == "save" && strings.Contains(err.Error(), "no answer within"): // the limit of a state is so high that time may run out first
			case !strings.Contains(err.Error(), c.want):
				t.Errorf("%v: want %q", err, c.want)
			case failure.Request < 1 || !strings.Contains(err.Error(), "plugin Hostile ("):
				t.Errorf("%v: want the name and the request", err)
			}
		})
		if i%20 == 0 { // a child that works
			t.Run(fmt.Sprintf("works/%d", i), func(t *testing.T) {
				t.Parallel()
				must.Get(run(t, c.role, Program{Name: "Innocent", Command: command(c.role, "", ""), Timeout: 10 * timeout}))(t)
			})
		}
	}
	t.Cleanup(func() { checkNothingLeft(t) })
}

// every reports whether child i runs in the everyday test: one in nine, all with BANDITSIM_LONG.
func every(i int) bool { return os.Getenv("BANDITSIM_LONG") != "" || i%9 == 0 }

// checkNothingLeft checks that no child of this process is left, not even a zombie.
func checkNothingLeft(t *testing.T) {
	deadline := time.Now().Add(5 * time.Second)
	for {
		left := descendants()
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("processes are left: %s", strings.Join(left, ", "))
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// descendants returns the children of this process on Linux, and nil elsewhere.
func descendants() []string {
	var list []string
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(b), ") ") // the fields state, parent, …
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			list = append(list, string(b[:min(len(b), 60)]))
		}
	}
	return list
}

// TestByeIsNotAnswered checks that a child that does not end after bye is killed.
func TestByeIsNotAnswered(t *testing.T) {
	for _, fault := range []string{"sleep", "exit", "leaves a child", "banner"} {
		took, err := run(t, RolePolicy, Program{Name: "Rude", Command: command(RolePolicy, fault, "bye"), Timeout: 2 * time.Second})
		must.That(t, err == nil && took <= 6*time.Second, "%s: it took %v: %v", fault, took, err)
	}
	checkNothingLeft(t)
}

// TestStop checks that Stop ends a call that waits for an answer.
func TestStop(t *testing.T) {
	trial := must.Get(trialOf(RolePolicy, Program{Name: "Slow", Command: command(RolePolicy, "sleep", "act 2"), Timeout: time.Minute}))(t)
	time.AfterFunc(time.Second, trial.Stop)
	begin := time.Now()
	must.Fail(t, trial.Run(t.Context()), "stopped")
	took := time.Since(begin)
	must.That(t, took <= 20*time.Second, "it took %v", took)
	must.OK(t, trial.Close())
	checkNothingLeft(t)
}

// TestStateGoesOn checks in every role that a trial restored in its middle ends as one that was not interrupted.
func TestStateGoesOn(t *testing.T) {
	for _, role := range []string{RolePolicy, RolePosterior, RoleEnvironment} {
		program := Program{Name: "A child", Command: command(role, "", ""), Timeout: 10 * timeout}
		first := must.Get(trialOf(role, program))(t)
		second := must.Get(trialOf(role, program))(t)
		for range 2 {
			must.OK(t, first.Round(t.Context()))
		}
		must.OK(t, second.UnmarshalBinary(must.Get(first.MarshalBinary())(t)))
		var states [2][]byte
		for i, trial := range []*bandit.Trial{first, second} {
			must.OK(t, trial.Run(t.Context()))
			states[i] = must.Get(trial.MarshalBinary())(t)
			trial.Close()
		}
		must.Equal(t, role+": state after the restored half", string(states[0]), string(states[1]))
	}
}
