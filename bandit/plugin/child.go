package plugin

import (
	"bufio"
	"encoding/binary"
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
	// drainTime is how long to wait, after a process or its stdout has ended, for the rest of its output.
	drainTime = 300 * time.Millisecond
	// endTime is how long a child may run after the message bye. If its timeout is shorter, the timeout holds instead.
	endTime = 5 * time.Second
)

// A child is a running process with its pipes. Only one goroutine may make requests; any goroutine may call end.
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
	exited  chan struct{} // closed when the process has ended and its group was killed

	requests int    // number of messages written, which is the ID of the latest
	lesson   string // type of the messages that have no answer: learn or observe
	lessons  int    // number of messages of that type since the last answer
	pending  []byte // messages that the method write has added and that are not sent yet
	frames   bool   // contexts and values are exchanged in binary frames
	failure  *Error // nil until the child has failed

	cause atomic.Value // argument cause, a string, of the first call of end; nil before that call
}

// An Error reports that a child failed, and how.
type Error struct {
	Program Program
	Request int    // number of the message at which it failed
	Kind    string // what that message asked for
	Cause   string
	Exit    string // exit status or signal of the process; "" if this program killed it
	Raised  string // the Python exception that ended it, as in "mine.py:12, in act: ValueError: text"; or ""
	Printed string // the last lines of its stderr, or ""
}

// Signaled reports whether a signal killed the process, or the command of a shell that exits with 128 plus the signal.
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
	go func() {
		io.Copy(c.printed, stderr) // an error means that the pipe has ended
		close(c.printed.ended)
	}()
	go func() {
		c.state, _ = c.cmd.Process.Wait() // not cmd.Wait, which would close the pipes before they are read
		close(c.dead)
		g.kill() // processes that the child has left behind
		close(c.exited)
		// A process that has left the group may hold the pipes open, so that reading them would never end.
		time.AfterFunc(drainTime, func() {
			c.stdout.Close()
			stderr.Close()
		})
	}()
	return c, nil
}

// environment returns a child's environment variables: this process's, and settings that limit linear algebra libraries
// to one thread, unless already set. Trials are parallel anyway, and sums over threads may differ between runs.
func environment() []string {
	list := os.Environ()
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"} {
		if os.Getenv(name) == "" {
			list = append(list, name+"=1")
		}
	}
	return list
}

// end kills the process and its group and waits until they have ended. The first call records its cause.
func (c *child) end(cause string) {
	c.cause.CompareAndSwap(nil, cause)
	c.kill()
	<-c.exited
}

// kill kills the group and then the process itself, which may have left the group.
func (c *child) kill() {
	c.group.kill()
	c.cmd.Process.Kill() // the error, if any, means that it has ended already
}

// endedBy returns the cause that end recorded, or "" if end was not called.
func (c *child) endedBy() string {
	cause, _ := c.cause.Load().(string)
	return cause
}

// close ends the child. If it has not failed, close first sends the pending messages and bye, and waits up to endTime.
func (c *child) close() {
	if c.failure == nil {
		c.write(message{Type: "bye"}, nil)
		timer := time.AfterFunc(min(endTime, c.program.Timeout), c.kill)
		c.stdin.Write(c.pending) // does not block forever: the timer kills a child that no longer reads
		c.stdin.Close()
		<-c.exited
		timer.Stop()
	}
	c.end("closed")
	c.stdin.Close()
	c.awaitStderr()
}

// awaitStderr waits for the end of stderr, but not forever.
func (c *child) awaitStderr() {
	select {
	case <-c.printed.ended:
	case <-time.After(2 * drainTime): // a process that has left the group holds stderr open
	}
}

// fail ends the child and returns the error, which every later request returns too.
func (c *child) fail(kind, cause string) error { return c.failing(kind, cause, "") }

// hungUp is fail after a child closed stdout. The cause ends with the arguments when and, if it still runs, ifRunning.
func (c *child) hungUp(kind, when, ifRunning string) error {
	if by := c.endedBy(); by != "" {
		return c.fail(kind, by)
	}
	select {
	case <-c.dead:
		return c.failing(kind, "it ended "+when, c.state.String())
	case <-time.After(2 * drainTime):
		return c.fail(kind, "it closed its stdout "+when+ifRunning)
	}
}

// failing is fail with the argument exit: the exit status of the process, or "" if it did not end by itself.
func (c *child) failing(kind, cause, exit string) error {
	c.end("failed")
	c.awaitStderr()
	c.stdin.Close()
	c.failure = &Error{c.program, c.requests, kind, cause, exit, "", c.printed.quote()}
	// The child may have caught the exception that is on stderr. The exception is the cause only if the child answered
	// with its text, possibly without the module of its class, or exited with status 1, as Python does after an exception.
	message, answered := strings.CutPrefix(cause, answeredError)
	message, _, _ = strings.Cut(message, "\n")
	switch text, raised := c.printed.exception(); {
	case raised == "":
	case answered && strings.HasSuffix(text, strings.TrimRight(message, ": ")):
		c.failure.Raised, c.failure.Cause = raised, "it answered with this error"
	case exit == "exit status 1":
		c.failure.Raised = raised
	}
	return c.failure
}

// during returns the argument kind for a request that failed without an answer. If lessons precede the request, the
// child may have failed at one of them, and the result says so.
func (c *child) during(kind string) string {
	if c.lessons > 0 && kind != c.lesson {
		return c.lesson + " or " + kind
	}
	return kind
}

// transfer sends the pending messages and, if limit is not 0, reads an answer of at most limit bytes. If that takes
// longer than the timeout, the child fails.
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
	if limit > 0 { // even after a failed write: the child may have answered with an error before that
		var failed error
		if line, failed = c.readLine(limit); err == nil || failed == nil {
			err = failed
		}
	}
	if err == nil {
		return line, nil
	}
	switch {
	case errors.Is(err, bufio.ErrTooLong) && c.endedBy() == "":
		return nil, c.fail(kind, fmt.Sprintf("it wrote a line of more than %d bytes to stdout, beginning with %s: "+
			"an answer here is shorter, and only answers belong there", limit, clip(line)))
	case len(line) > 0:
		return nil, c.hungUp(kind, "in the middle of an answer, after "+clip(line), "")
	}
	return nil, c.hungUp(kind, "without an answer", " and goes on")
}

// limit starts a timer that ends the child after the timeout with the given cause. The caller stops the timer.
func (c *child) limit(cause string) *time.Timer {
	return time.AfterFunc(c.program.Timeout, func() {
		c.end(cause)
		c.stdin.Close()
		c.stdout.Close()
	})
}

// readLine reads a line of at most limit bytes and returns it without the newline. If the line is longer, the error is
// bufio.ErrTooLong. With an error, it returns the part of the line that was read.
func (c *child) readLine(limit int) ([]byte, error) {
	part, err := c.reader.ReadSlice('\n')
	line := slices.Clone(part)
	for errors.Is(err, bufio.ErrBufferFull) && len(line) <= limit {
		part, err = c.reader.ReadSlice('\n')
		line = append(line, part...)
	}
	if len(line) > limit {
		return line, bufio.ErrTooLong
	}
	if err != nil {
		return line, err
	}
	return line[:len(line)-1], nil
}

// readFrame reads the numbers in a frame of n bytes.
func (c *child) readFrame(kind string, n int) ([]float64, error) {
	b, list := make([]byte, n), make([]float64, n/8)
	defer c.limit(fmt.Sprintf("no whole frame of %d bytes within %v", n, c.program.Timeout)).Stop()
	if got, err := io.ReadFull(c.reader, b); err != nil {
		return nil, c.hungUp(kind, fmt.Sprintf("after %d bytes of a frame of %d", got, n), "")
	}
	_, err := binary.Decode(b, binary.LittleEndian, list)
	return list, err
}

// clip quotes the beginning of b for an error.
func clip(b []byte) string {
	const most = 60
	dots := ""
	if len(b) > most {
		b, dots = b[:most], "…"
	}
	return fmt.Sprintf("%q%s", words.Plain(strings.ToValidUTF8(string(b), "\uFFFD")), dots)
}
