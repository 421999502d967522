//go:build !unix

package plugin

import (
	"os"
	"os/exec"
	"sync"
)

// A group is a child alone: on this system its own children are not ended with it, and it has to end by itself when
// its stdin closes because this process died.
type group struct {
	mu  sync.Mutex
	cmd *exec.Cmd
}

func newGroup() (*group, error) { return &group{}, nil }

func (g *group) join(cmd *exec.Cmd) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cmd = cmd
}

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	var process *os.Process
	if g.cmd != nil {
		process = g.cmd.Process
	}
	if process != nil {
		process.Kill()
	}
}
