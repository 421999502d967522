package plugin

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"banditsim/internal/state"
)

var errClosed = errors.New("plugin: the child process was ended")

// A link is the connection of one trial to its child, which starts with the first request.
type link struct {
	program Program
	hello   hello
	ready   greeting // what a child answered when it was first asked
	journal journal

	mu     sync.Mutex
	child  *child
	closed bool
	broken error // error of the start
}

func (l *link) connect() (*child, error) {
	l.mu.Lock()
	c, err := l.child, l.broken
	if l.closed {
		err = errClosed
	}
	first := c == nil && err == nil
	if first {
		c, err = start(l.program)
		l.child, l.broken = c, err
	}
	l.mu.Unlock() // Close may end it while it says hello
	switch {
	case err != nil:
		return nil, err
	case !first && c.failure != nil:
		return nil, c.failure
	case !first:
		return c, nil
	}
	now, err := c.greet(l.hello)
	if err == nil {
		if what := l.ready.changed(now); what != "" {
			err = c.fail("hello", what)
		}
	}
	return c, err
}

// Close ends the child with bye. It may be called again.
func (l *link) Close() error {
	if c := l.closing(); c != nil {
		c.close()
	}
	return nil
}

// Stop ends the child at once. Any goroutine may call it at any time: a request that waits ends with an error.
func (l *link) Stop() {
	if c := l.closing(); c != nil {
		c.end("it was stopped")
	}
}

// closing makes all later requests fail, and returns the child the first time, nil if there is none.
func (l *link) closing() *child {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	return l.child
}

// Printed returns the end of what the child wrote to stderr.
func (l *link) Printed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.child == nil {
		return ""
	}
	return l.child.printed.String()
}

func (l *link) save() ([]byte, error) {
	c, err := l.connect()
	if err != nil {
		return nil, err
	}
	a, _, err := c.request("save", message{Type: "save"}, stateLimit)
	if err == nil && len(a.State) == 0 {
		err = c.fail("save", "its answer has no state, the bytes in base64")
	}
	if err != nil {
		return nil, err
	}
	return a.State, nil
}

func (l *link) restore(saved []byte) error {
	c, err := l.connect()
	if err != nil {
		return err
	}
	_, _, err = c.request("restore", message{Type: "restore", State: saved}, 0)
	return err
}

// A probes remembers what the children of one program answered to hello, so that it is started but once to learn it.
type probes struct {
	mu    sync.Mutex
	known map[string]greeting
}

func (p *probes) ready(program Program, h hello) (greeting, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := fmt.Sprint(h.Role, h.Names, h.Outputs, h.Dim, h.ArmDim, h.Groups, h.Shape, h.Rounds, h.Pulls)
	if r, ok := p.known[key]; ok {
		return r, nil
	}
	r, err := probe(program, h)
	if err == nil {
		if p.known == nil {
			p.known = map[string]greeting{}
		}
		p.known[key] = r
	}
	return r, err
}

// note adds an answer to the journal of a child that cannot be saved. It fails if on replay it is another one.
func (l *link) note(c *child, kind string, v uint32, format string, args ...any) error {
	if l.ready.Save {
		return nil
	}
	if cause := l.journal.note(v, format, args...); cause != "" {
		return c.fail(kind, cause)
	}
	return nil
}

// Journal returns the answers so far of a child that cannot be saved, nil of one that can.
func (l *link) Journal() []byte {
	if l.ready.Save {
		return nil
	}
	return l.journal.bytes()
}

// Replay compares the answers from now on with those of a journal.
func (l *link) Replay(journal []byte) error { return l.journal.read(journal) }

// A journal is what a child without save answered, a number for each pull or prediction, with which its answers are
// compared when the trial is played again.
type journal struct {
	answers []uint32
	want    []uint32 // answers of the first play; nil during it
}

// note adds an answer and returns what is wrong if it is another than in the first play.
func (j *journal) note(v uint32, format string, args ...any) string {
	i := len(j.answers)
	j.answers = append(j.answers, v)
	if i >= len(j.want) || j.want[i] == v {
		return ""
	}
	const cause = " than before the interruption: it is not deterministic. Draw from the seed of hello alone, or implement save and restore"
	return fmt.Sprintf(format+cause, args...)
}

// bytes returns the answers, which read takes as those of the first play.
func (j *journal) bytes() []byte {
	b, _ := state.Save(func(c *state.Codec) { saveAnswers(c, &j.answers, 0) }) // numbers cannot fail
	return b
}

func (j *journal) read(b []byte) error {
	return state.Restore(b, func(c *state.Codec) { saveAnswers(c, &j.want, len(b)/8) })
}

// saveAnswers saves answers or restores them, at most most.
func saveAnswers(c *state.Codec, answers *[]uint32, most int) {
	state.Slice(c, "answers", answers, most, func(answer *uint32) {
		v := uint64(*answer)
		if c.Uint64(&v); v > math.MaxUint32 {
			c.Fail(fmt.Errorf("an answer is %d, want at most %d", v, uint32(math.MaxUint32)))
		}
		*answer = uint32(v)
	})
}
