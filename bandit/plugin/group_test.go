//go:build unix

package plugin

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
)

// TestDeadGuard checks that without the guard of its group, a child that does not answer is still ended by its timeout and by Stop, with
// the processes that it has left behind.
func TestDeadGuard(t *testing.T) {
	for _, test := range []struct {
		name, want string
		timeout    time.Duration
		stop       bool
	}{
		{"timeout", "no answer within 3s", timeout, false},
		{"stop", "it was stopped", time.Minute, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			program := Program{Name: "Guarded", Command: command(RolePolicy, "leaves a child and sleeps", "act"), Timeout: test.timeout}
			made := must.Get(newPolicy(program, &probes{}, policy.Setup{
				Spec: (&numbers{}).Spec(), Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Stream: stream.Root(1)}))(t)
			p := made.(*childPolicy)
			defer p.Close()
			c := must.Get(p.connect())(t)
			guard := c.group.guard.Process.Pid
			must.OK(t, syscall.Kill(guard, syscall.SIGKILL))
			if test.stop {
				time.AfterFunc(500*time.Millisecond, p.Stop)
			}
			begin := time.Now()
			must.Refuse(p.Act(bandit.Round{T: 1, Context: make([]float32, 2)}))(t, test.want)
			took := time.Since(begin)
			must.That(t, took <= 20*time.Second, "it took %v", took)
			for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) { // a killed process ends a little later
				err := syscall.Kill(-guard, 0)
				if errors.Is(err, syscall.ESRCH) {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("the group is still there: %v", err)
				}
			}
		})
	}
	checkNothingLeft(t)
}

// TestGuardIgnoresSignals checks that the guard ignores the signals that a scheduler or a terminal sends to every process of a job.
func TestGuardIgnoresSignals(t *testing.T) {
	g := must.Get(newGroup())(t)
	defer g.kill()
	const want = 1<<(syscall.SIGHUP-1) | 1<<(syscall.SIGINT-1) | 1<<(syscall.SIGQUIT-1) | 1<<(syscall.SIGTERM-1)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) { // the shell begins a little later
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.guard.Process.Pid))
		if err != nil {
			t.Skip("the system does not tell which signals a process ignores")
		}
		_, mask, _ := strings.Cut(string(status), "SigIgn:")
		ignored := must.Get(strconv.ParseUint(strings.Fields(mask)[0], 16, 64))(t)
		if ignored&want == want {
			return
		}
		must.Hold(t, !time.Now().After(deadline), "it ignores the signals %#x, want %#x", ignored, want)
	}
}

// TestFailedHello checks that a child that fails at hello fails its trials in their first round, and that New returns an error for a
// program that cannot be started.
func TestFailedHello(t *testing.T) {
	protocol := bandit.Protocol{Rounds: 2, Pulls: 3}
	kinds := map[string]func(declare.Declaration, declare.Identity, policy.Setup) (bandit.Policy, error){
		RolePolicy: func(d declare.Declaration, id declare.Identity, s policy.Setup) (bandit.Policy, error) {
			return Processes{}.PolicyKind(d, id).New(id, s)
		},
		RolePosterior: func(d declare.Declaration, id declare.Identity, s policy.Setup) (bandit.Policy, error) {
			u := policy.UCBKind(Processes{}.PosteriorKind(d, id), 1)
			return u.New(u.Defaults(), s)
		},
	}
	for role, made := range kinds {
		play := func(command []string) (bandit.Policy, error) {
			d := declare.Declaration{Program: Program{Name: "Late", Command: command, Timeout: 10 * timeout}, Role: role}
			root := stream.Root(1)
			id := declare.Identity{Command: command, Options: []byte("{}")}
			return made(d, id, policy.Setup{Spec: (&numbers{}).Spec(), Protocol: protocol, Stream: root.Child("policy")})
		}
		p := must.Get(play(command(role, "error", "hello")))(t)
		trial := must.Get(bandit.NewTrial(&numbers{}, p, protocol, stream.Root(1).Child("burn-in"), discard{}))(t)
		var failure *Error
		err := trial.Round(t.Context())
		must.That(t, errors.As(err, &failure) &&
			strings.Contains(err.Error(), "request 1, hello: it answered with an error: I give up"), "%s: %v", role, err)
		trial.Close()
		if _, err := play([]string{"./no such program"}); err == nil || errors.As(err, &failure) {
			t.Errorf("%s that cannot be started: %v, want an error of New", role, err)
		}
	}
	checkNothingLeft(t)
}
