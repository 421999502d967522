// Package plugin runs a child process as a policy, a posterior or an environment. Parent and child exchange messages
// over the child's stdin and stdout: docs/protocol.md specifies them.
//
// A child starts with the first request of its trial and ends when the trial is closed. It runs in its own process
// group, which is killed when the child ends, fails or does not answer in time; a guard process kills it when the
// parent dies. If a child cannot save its state, the parent keeps a journal of its answers instead. After an
// interruption the trial is played again from the start, and new answers must equal the journal's (bandit.Replayer).
//
// Unlike the rest of the simulation, this package starts goroutines and reads the clock. Both decide only whether a
// child has failed. They never affect the messages that a child receives.
package plugin

import (
	"time"

	"banditsim/bandit/plugin/declare"
)

// version is the version of the protocol.
const version = 1

// DefaultTimeout is the time limit for each answer of a child if Program.Timeout is 0.
const DefaultTimeout = 30 * time.Second

// The roles of a child.
const (
	RolePolicy      = declare.RolePolicy
	RolePosterior   = declare.RolePosterior
	RoleEnvironment = declare.RoleEnvironment
)

// A Program is the command that starts a child, and the options that are passed to it.
type Program = declare.Program
