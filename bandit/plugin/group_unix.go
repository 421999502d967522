//go:build unix

package plugin

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// A group is a process group whose leader, a shell, is its guard: it reads a pipe that only this process holds open,
// and kills the group when the pipe closes because this process died. As the leader lives until the group is killed,
// the number of the group is never that of another.
type group struct {
	guard *exec.Cmd
	pipe  *os.File // closes when this process ends
	ended chan struct{}
}

// guardScript waits for the end of the pipe, then kills its own group. A signal that a scheduler sends to every process of a job
// does not end it.
const guardScript = "trap '' HUP INT QUIT TERM; read line; kill -9 0"

// newGroup starts the guard.
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
	g := &group{guard: guard, pipe: write, ended: make(chan struct{})}
	go func() {
		guard.Wait() // it is killed
		close(g.ended)
	}()
	return g, nil
}

// join makes a command that has not started a member of the group.
func (g *group) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
}

// kill kills all members, and the guard. It may be called again.
func (g *group) kill() {
	select {
	case <-g.ended: // the number may be that of another group
	default:
		syscall.Kill(-g.guard.Process.Pid, syscall.SIGKILL)
		<-g.ended
		g.pipe.Close()
	}
}
