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
	"time"

	"banditsim/bandit/plugin/declare"
)

// version is the version of the protocol.
const version = 1

// DefaultTimeout is the time that a child has for an answer.
const DefaultTimeout = 30 * time.Second

// The roles of a child.
const (
	RolePolicy      = declare.RolePolicy
	RolePosterior   = declare.RolePosterior
	RoleEnvironment = declare.RoleEnvironment
)

// A Program says how a child is started and what it is told of itself.
type Program = declare.Program
