//go:build unix

package plugin

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// A group is a process group. Its leader is a guard, a shell that reads a pipe which only this process holds open.
// When this process dies, the pipe closes and the guard kills the group. The ID of the group is that of the guard.
// This process waits for the guard only after it has killed the group, because the system does not reuse the guard's ID
// before that wait, even if someone else killed the guard.
type group struct {
	guard *exec.Cmd
	pipe  *os.File // write end of the pipe, which closes when this process ends
	once  sync.Once
}

// guardScript kills its own group at the end of the pipe. It ignores the signals that a scheduler sends to a whole job.
const guardScript = "trap '' HUP INT QUIT TERM; read line; kill -9 0"

func newGroup() (*group, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	guard := exec.Command("/bin/sh", "-c", guardScript)
	guard.Stdin = read
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := guard.Start(); err != nil {
		write.Close()
		return nil, fmt.Errorf("start the guard of its process group: %w", err)
	}
	return &group{guard: guard, pipe: write}, nil
}

// join makes cmd start as a member of the group.
func (g *group) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
}

// kill kills all members, and the guard. It may be called again.
func (g *group) kill() {
	g.once.Do(func() {
		syscall.Kill(-g.guard.Process.Pid, syscall.SIGKILL)
		g.guard.Wait()
		g.pipe.Close()
	})
}
