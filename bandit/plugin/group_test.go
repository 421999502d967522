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
		if time.Now().After(deadline) {
			t.Fatalf("it ignores the signals %#x, want %#x", ignored, want)
		}
	}
}
