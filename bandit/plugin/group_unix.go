//go:build unix

package plugin

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// A group is a process group whose leader, a shell, is its guard: it reads a pipe that only this process holds open,
// and kills the group when the pipe closes because this process died. The guard is waited for only after the group was
// killed: until then the number of the group is never that of another, even if somebody has killed the guard.
type group struct {
	guard *exec.Cmd
	pipe  *os.File // closes when this process ends
	once  sync.Once
}

// guardScript waits for the end of the pipe, then kills its own group. A signal that a scheduler sends to every process of a job
// does not end it.
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

// join makes a command that has not started a member of the group.
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
