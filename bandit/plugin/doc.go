// Package plugin runs a child process as a policy, a posterior or an environment. Parent and child exchange messages
// over the child's stdin and stdout: docs/protocol.md specifies them.
//
// A child starts with the first request of its trial and ends with the trial (Close). It is the leader's member of a
// process group of its own, which is killed as a whole when the child ends, fails or does not answer in time, and by a
// guard process when the parent dies. A child that cannot save its state keeps a journal of its answers instead, with
// which a trial that is played again is compared (bandit.Replayer).
//
// Unlike the rest of the simulation this package starts goroutines and reads the clock: both decide only whether a
// child has failed, never what it is told.
package plugin

import (
	"encoding/json"
	"fmt"
	"time"

	"banditsim/internal/words"
)

// Version is the version of the protocol.
const Version = 1

// DefaultTimeout is the time that a child has for an answer.
const DefaultTimeout = 30 * time.Second

// The roles of a child.
const (
	RolePolicy      = "policy"
	RolePosterior   = "posterior"
	RoleEnvironment = "environment"
)

// A Program says how a child is started and what it is told of itself.
type Program struct {
	Name    string          // for errors
	Command []string        // a program and its arguments: no shell reads them
	Options json.RawMessage // a JSON object that hello passes on; nil: {}
	Timeout time.Duration   // for each answer; 0: DefaultTimeout
}

func (p Program) timeout() time.Duration {
	if p.Timeout > 0 {
		return p.Timeout
	}
	return DefaultTimeout
}

// String returns the name and the command.
func (p Program) String() string {
	return fmt.Sprintf("%s (%s)", p.Name, words.CommandLine(p.Command))
}
