//go:build !unix

package plugin

import "os/exec"

// A group does nothing on this system. Processes that the child has started are not ended when the child ends. If this
// process dies, the child has to end by itself when its stdin closes.
type group struct{}

func newGroup() (*group, error) { return &group{}, nil }

func (g *group) join(*exec.Cmd) {}

func (g *group) kill() {} // child.kill ends the process
