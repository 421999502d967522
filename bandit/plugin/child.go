package plugin

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"banditsim/internal/words"
)

const (
	// drainTime is the time in which a child that has closed its stdout ends, and its last words arrive.
	drainTime = 300 * time.Millisecond
	// endTime is the time that a child has to end after bye, at most its timeout.
	endTime = 5 * time.Second
)

// A child is a running process with its pipes. One goroutine makes requests; end may be called by any.
type child struct {
	program Program
	cmd     *exec.Cmd
	group   *group
	stdin   io.WriteCloser
	stdout  io.ReadCloser
	reader  *bufio.Reader
	printed *printed
	dead    chan struct{} // closed when the process has ended
	state   *os.ProcessState
	exited  chan struct{} // closed when its group has ended with it

	requests int    // number of the last message
	lesson   string // the message without an answer: learn or observe
	lessons  int    // number of them since the last answer
	pending  []byte // messages that are not sent yet
	frames   bool   // contexts and values go in binary frames
	failure  *Error // nil while it works

	cause atomic.Value // why it was ended by this side: a string, or nil if it was not
}

// An Error is the end of a child that failed.
type Error struct {
	Program Program
	Request int    // number of the message
	Kind    string // what was asked
	Cause   string
	Exit    string // how the process ended, "" if it was ended
	Raised  string // "mine.py:12, in act: ValueError: text" if an exception of Python ended it
	Printed string // the last lines of its stderr, "" if there are none
}

// Signaled reports whether the process died by a signal, or its shell says so.
func (e *Error) Signaled() bool {
	return strings.HasPrefix(e.Exit, "signal: ") || slices.Contains([]string{"exit status 129", "exit status 130", "exit status 137", "exit status 143"}, e.Exit)
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Raised != "" {
		b.WriteString(e.Raised + ": ")
	}
	fmt.Fprintf(&b, "plugin %s: request %d, %s: %s", e.Program, e.Request, e.Kind, e.Cause)
	if e.Exit != "" {
		b.WriteString(": " + e.Exit)
	}
	if e.Printed != "" && e.Raised == "" {
		b.WriteString("; its last lines on stderr: " + e.Printed)
	}
	return b.String()
}

func start(program Program) (*child, error) {
	fail := func(err error) (*child, error) { return nil, fmt.Errorf("plugin %s: %w", program, err) }
	if len(program.Command) == 0 {
		return fail(errors.New("the command is empty: want a program and its arguments"))
	}
	if program.Timeout <= 0 {
		program.Timeout = DefaultTimeout
	}
	g, err := newGroup()
	if err != nil {
		return fail(err)
	}
	c := &child{program: program, group: g, printed: &printed{ended: make(chan struct{})}, dead: make(chan struct{}), exited: make(chan struct{})}
	c.cmd = exec.Command(program.Command[0], program.Command[1:]...)
	g.join(c.cmd)
	c.cmd.Dir, c.cmd.Env = program.Dir, environment()
	stderr, err := c.cmd.StderrPipe()
	if err == nil {
		c.stdin, err = c.cmd.StdinPipe()
	}
	if err == nil {
		c.stdout, err = c.cmd.StdoutPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		g.kill()
		return fail(err)
	}
	c.reader = bufio.NewReaderSize(c.stdout, 1<<16)
	go c.printed.collect(stderr)
	go func() {
		c.state, _ = c.cmd.Process.Wait() // and not of the command, which would close the pipes before they are read
		close(c.dead)
		g.kill() // what it leaves behind
		close(c.exited)
		// A process that left the group may hold the pipes open.
		time.AfterFunc(drainTime, func() {
			c.stdout.Close()
			stderr.Close()
		})
	}()
	return c, nil
}

// environment returns the variables of this process, and those that keep libraries of linear algebra to one thread unless
// they are set: trials run side by side already, and sums by several threads may differ from one run to the next.
func environment() []string {
	list := os.Environ()
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"} {
		if os.Getenv(name) == "" {
			list = append(list, name+"=1")
		}
	}
	return list
}

// end kills the process and its group. The cause is that of the first call.
func (c *child) end(cause string) {
	c.cause.CompareAndSwap(nil, cause)
	c.kill()
	<-c.exited
}

// kill kills the group, and the process if it has left its group; an error says that it has ended.
func (c *child) kill() {
	c.group.kill()
	c.cmd.Process.Kill()
}

func (c *child) endedBy() string {
	cause, _ := c.cause.Load().(string)
	return cause
}

// close ends a process that works with bye and what is pending, another one at once.
func (c *child) close() {
	if c.failure == nil {
		c.write(message{Type: "bye"}, nil)
		timer := time.AfterFunc(min(endTime, c.program.Timeout), c.kill)
		c.stdin.Write(c.pending) // if it does not read any more it is killed
		c.stdin.Close()
		<-c.exited
		timer.Stop()
	}
	c.end("closed")
	c.stdin.Close()
	c.lastWords()
}

// lastWords waits for the end of stderr.
func (c *child) lastWords() {
	select {
	case <-c.printed.ended:
	case <-time.After(2 * drainTime): // a process that left the group holds it open
	}
}

// fail ends the child and returns the error, which is that of every later request.
func (c *child) fail(kind, cause string) error { return c.failing(kind, cause, "") }

// hungUp is fail after the end of stdout. If the process still runs alive is the cause.
func (c *child) hungUp(kind, cause, alive string) error {
	if c.endedBy() == "" {
		select {
		case <-c.dead:
			return c.failing(kind, cause, c.state.String())
		case <-time.After(2 * drainTime):
			cause = alive
		}
	}
	return c.failing(kind, cause, "")
}

func (c *child) failing(kind, cause, exit string) error {
	c.end("failed")
	c.lastWords()
	c.stdin.Close()
	c.failure = &Error{c.program, c.requests, kind, cause, exit, "", c.printed.quote()}
	// An exception that the child caught earlier is no cause. Its answer may name the class without its module.
	message, answered := strings.CutPrefix(cause, answeredError)
	message, _, _ = strings.Cut(message, "\n")
	switch text, raised := c.printed.exception(); {
	case raised == "":
	case answered && strings.HasSuffix(text, strings.TrimRight(message, ": ")):
		c.failure.Raised, c.failure.Cause = raised, "it answered with this error"
	case exit == "exit status 1": // as Python ends after an exception
		c.failure.Raised = raised
	}
	return c.failure
}

// during returns the kind of a request that failed without an answer. A child may have failed at a lesson before it.
func (c *child) during(kind string) string {
	if c.lessons > 0 && kind != c.lesson {
		return c.lesson + " or " + kind
	}
	return kind
}

// transfer sends what is pending and, if limit is not 0, reads an answer of at most that many bytes. It fails if that
// takes longer than the timeout.
func (c *child) transfer(kind string, limit int) ([]byte, error) {
	kind = c.during(kind)
	late := fmt.Sprintf("no answer within %v: set timeout if it needs longer", c.program.Timeout)
	if limit == 0 {
		late = fmt.Sprintf("it did not read what it was sent within %v", c.program.Timeout)
	}
	defer c.limit(late).Stop()
	_, err := c.stdin.Write(c.pending)
	c.pending = c.pending[:0]
	var line []byte
	if limit > 0 { // a child that cannot be written to may have said why
		var failed error
		if line, failed = c.readLine(limit); err == nil || failed == nil {
			err = failed
		}
	}
	if err == nil {
		return line, nil
	}
	var long lineError
	switch by := c.endedBy(); {
	case by != "":
		return nil, c.fail(kind, by)
	case errors.As(err, &long):
		return nil, c.fail(kind, err.Error())
	case len(line) > 0:
		half := "in the middle of an answer, after " + clip(line)
		return nil, c.hungUp(kind, "it ended "+half, "it closed its stdout "+half)
	}
	return nil, c.hungUp(kind, "it ended without an answer", "it closed its stdout without an answer and goes on")
}

// limit ends the child after the timeout, unless the timer is stopped.
func (c *child) limit(late string) *time.Timer {
	return time.AfterFunc(c.program.Timeout, func() {
		c.end(late)
		c.stdin.Close()
		c.stdout.Close()
	})
}

type lineError string

func (e lineError) Error() string { return string(e) }

// readLine reads a line of at most so many bytes, without its end. With an error it returns what there was of it.
func (c *child) readLine(limit int) ([]byte, error) {
	part, err := c.reader.ReadSlice('\n')
	line := slices.Clone(part)
	for errors.Is(err, bufio.ErrBufferFull) && len(line) <= limit {
		part, err = c.reader.ReadSlice('\n')
		line = append(line, part...)
	}
	if len(line) > limit {
		return line, lineError(fmt.Sprintf("it wrote a line of more than %d bytes to stdout, beginning with %s: an answer here is shorter, and only answers belong there", limit, clip(line)))
	}
	if err != nil {
		return line, err
	}
	return line[:len(line)-1], nil
}

func (c *child) readFrame(kind string, n int) ([]byte, error) {
	b := make([]byte, n)
	defer c.limit(fmt.Sprintf("no whole frame of %d bytes within %v", n, c.program.Timeout)).Stop()
	if got, err := io.ReadFull(c.reader, b); err != nil {
		if by := c.endedBy(); by != "" {
			return nil, c.fail(kind, by)
		}
		part := fmt.Sprintf("after %d bytes of a frame of %d", got, n)
		return nil, c.hungUp(kind, "it ended "+part, "it closed its stdout "+part)
	}
	return b, nil
}

func clip(b []byte) string {
	const most = 60
	dots := ""
	if len(b) > most {
		b, dots = b[:most], "…"
	}
	return fmt.Sprintf("%q%s", words.Plain(strings.ToValidUTF8(string(b), "\uFFFD")), dots)
}
