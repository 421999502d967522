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
	ready   greeting // answer of an earlier child to hello, which the trial's child must repeat

	// answers is the journal of a child that cannot save its state: the arms that a policy chose, checksums of the pulls
	// that an environment drew, or checksums of a posterior's predictions.
	answers []uint32
	// first has the answers from before an interruption, which those in the replayed trial must equal; else it is nil.
	first []uint32

	mu     sync.Mutex // guards the fields below
	child  *child     // nil before the first request
	closed bool
	broken error // why there is no child: its program could not be probed, or later could not be started
}

// connect returns the child of the trial. It starts the child and sends hello the first time.
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
	l.mu.Unlock() // before hello, so that Stop and Close can end the child during hello
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

// Close ends the child after a last message, bye. It may be called again.
func (l *link) Close() error {
	if c := l.closing(); c != nil {
		c.close()
	}
	return nil
}

// Stop kills the child. A request that waits for an answer then returns an error. Any goroutine may call Stop.
func (l *link) Stop() {
	if c := l.closing(); c != nil {
		c.end("it was stopped")
	}
}

// closing makes all later requests fail. The first call returns the child, if one was started; later calls return nil.
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

// MarshalBinary returns the state of the child.
func (l *link) MarshalBinary() ([]byte, error) {
	if !l.ready.Save {
		return nil, errNoState(l.program)
	}
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

// UnmarshalBinary restores the state of the child.
func (l *link) UnmarshalBinary(saved []byte) error {
	if !l.ready.Save {
		return errNoState(l.program)
	}
	c, err := l.connect()
	if err != nil {
		return err
	}
	_, _, err = c.request("restore", message{Type: "restore", State: saved}, 0)
	return err
}

// probes caches the answers of one program to hello. Trials that differ only in their seeds then need one probe.
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
	if err != nil {
		return greeting{}, err
	}
	if p.known == nil {
		p.known = map[string]greeting{}
	}
	p.known[key] = r
	return r, nil
}

// note adds v, an answer or its checksum, to the journal of a child that cannot save its state. If the trial is played
// again and v differs from the answer before the interruption, note fails the child.
func (l *link) note(c *child, kind string, v uint32, format string, args ...any) error {
	if l.ready.Save {
		return nil
	}
	i := len(l.answers)
	l.answers = append(l.answers, v)
	if i >= len(l.first) || l.first[i] == v {
		return nil
	}
	const cause = " than before the interruption: it is not deterministic. Draw from the seed of hello alone, or implement save and restore"
	return c.fail(kind, fmt.Sprintf(format+cause, args...))
}

// Journal returns the answers so far of a child that cannot save its state. For a child that can, it returns nil.
func (l *link) Journal() []byte {
	if l.ready.Save {
		return nil
	}
	b, _ := state.Save(func(c *state.Codec) { saveAnswers(c, &l.answers, 0) }) // saving numbers cannot fail
	return b
}

// Replay makes the link compare the next answers of the child with those of a journal.
func (l *link) Replay(journal []byte) error {
	return state.Restore(journal, func(c *state.Codec) { saveAnswers(c, &l.first, len(journal)/8) })
}

// saveAnswers saves or restores answers. It is an error to restore more than limit of them.
func saveAnswers(c *state.Codec, answers *[]uint32, limit int) {
	state.Slice(c, "answers", answers, limit, func(answer *uint32) {
		v := uint64(*answer)
		if c.Uint64(&v); v > math.MaxUint32 {
			c.Fail(fmt.Errorf("an answer is %d, want at most %d", v, uint32(math.MaxUint32)))
		}
		*answer = uint32(v)
	})
}
