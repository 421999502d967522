//go:build !unix

package plugin

import "os/exec"

// A group is a child alone: on this system its own children are not ended with it, and it has to end by itself when
// its stdin closes because this process died.
type group struct{}

func newGroup() (*group, error) { return &group{}, nil }

func (g *group) join(*exec.Cmd) {}

func (g *group) kill() {} // child.kill ends the process
