package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A link connects one rank to the others in one run of one trial. Rank 0 is the root, the others are workers. In each step every
// worker sends its part to the root, and the root sends an answer to all.
//
// Core NATS stores nothing and delivers a message once or not at all. The link adds the following. A message has the trial, the run,
// the step and the rank, and a code that nobody without the key can compute. The root combines the parts of a step in the order of
// ranks. A part that arrives early waits for its step. Messages that were changed, forged or replayed, or belong to another run,
// are refused.
//
// A run that cannot go on ends in one of three ways. A rank that is silent for longer than limit is lost. A rank that is alive reports
// the last step of which it has sent its part: NATS keeps the order of one connection's messages, so that a part which should have
// arrived before the report is lost. A step that takes longer than progress ends the run.
type link struct {
	tag
	settings
	conn    *nats.Conn
	subject string
	key     []byte // secret key of the messages' codes
	warn    func(string)
	signals context.Context // done when this process is interrupted: the run then ends after the round
	context context.Context // context of the run
	cancel  context.CancelCauseFunc
	nonce   [8]byte // of a worker: tells the root's start message that this process is meant, and no other of the same rank

	mu      sync.Mutex
	done    uint64            // last step of which the parts have been received
	sent    uint64            // last step of which this rank has sent its part
	parts   map[int]message   // received parts of step done + 1, by rank
	joined  map[int]string    // nonces of the workers that want to join, by rank
	seen    map[int]time.Time // when a rank was last heard
	stopped error             // why the run ends; nil while it goes on
	refused int               // number of refused messages
	arrived chan struct{}     // has an element after a change of the fields above
}

// newLink returns the link of rank s.rank in a trial. conn must not reconnect: messages sent in the meantime would be lost.
func newLink(signals context.Context, conn *nats.Conn, trial string, s settings, key []byte, warn func(string)) (*link, error) {
	l := &link{
		settings: s, conn: conn, subject: "banditsim." + trial[:32], key: key, warn: warn, signals: signals,
		parts: make(map[int]message), joined: make(map[int]string), seen: make(map[int]time.Time), arrived: make(chan struct{}, 1),
	}
	l.context, l.cancel = context.WithCancelCause(context.WithoutCancel(signals))
	if _, err := hex.Decode(l.trial[:], []byte(trial[:32])); err != nil {
		return nil, fmt.Errorf("nats: trial %q: %w", trial, err)
	}
	rand.Read(l.nonce[:])
	conn.SetClosedHandler(func(*nats.Conn) { l.stop(errors.New("nats: the connection to the server is lost")) })
	if _, err := conn.Subscribe(l.subject+side(l.rank == 0), func(m *nats.Msg) { l.receive(m.Data) }); err != nil {
		return nil, fmt.Errorf("nats: subscribe: %w", err)
	}
	return l, conn.Flush()
}

// side returns the suffix of the subject of messages to the root (up) or from the root.
func side(up bool) string {
	if up {
		return ".up"
	}
	return ".down"
}

// others returns the ranks that send messages to this one.
func (l *link) others() []int {
	if l.rank > 0 {
		return []int{0}
	}
	all := make([]int, l.ranks-1)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// send sends a message to the root or, at the root, to all workers.
func (l *link) send(k kind, step uint64, payload []byte) error {
	l.mu.Lock()
	m := message{tag: l.tag, kind: k, rank: l.rank, step: step, payload: payload}
	l.mu.Unlock()
	if err := l.conn.Publish(l.subject+side(l.rank > 0), m.encode(l.key)); err != nil {
		return fmt.Errorf("nats: send %v of step %d: %w", k, step, err)
	}
	return nil
}

// sendPart sends this rank's part of a step. Only then is the step reported as sent by alive messages.
func (l *link) sendPart(k kind, step uint64, payload []byte) error {
	err := l.send(k, step, payload)
	l.mu.Lock()
	l.sent = step
	l.mu.Unlock()
	return err
}

// receive decodes a message and takes it, or counts it as refused.
func (l *link) receive(b []byte) {
	m, err := decode(l.key, b)
	l.mu.Lock()
	if err == nil {
		err = l.take(m)
	}
	if err != nil {
		l.refused++
	}
	few := l.refused <= maxWarnings
	l.mu.Unlock()
	if err != nil && few {
		l.warn(fmt.Sprintf("a message is refused: %v", err))
	}
	l.wake()
}

// maxWarnings is the number of refused messages for which there is a warning each; more are only counted.
const maxWarnings = 5

// wake makes wait look at the link's state again.
func (l *link) wake() {
	select {
	case l.arrived <- struct{}{}:
	default:
	}
}

// take updates the link's state by a message. It returns an error, which says why, if the message is refused. l.mu must be held.
func (l *link) take(m message) error {
	switch {
	case m.trial != l.trial:
		return errors.New("it is of another trial")
	case (m.rank == 0) == (l.rank == 0) || m.rank >= l.ranks:
		return fmt.Errorf("rank %d has nothing to say to rank %d of %d", m.rank, l.rank, l.ranks)
	case m.kind == joinKind:
		return l.joinedBy(m)
	case m.kind == startKind && l.run == 0:
		if mine := 8 * (l.rank - 1); len(m.payload) != 8*(l.ranks-1) || string(m.payload[mine:mine+8]) != string(l.nonce[:]) {
			return errors.New("it starts other workers")
		}
		l.tag = m.tag
		l.seen[0] = time.Now()
		return nil
	case m.run != l.run || l.run == 0:
		return fmt.Errorf("%v of rank %d is of another run", m.kind, m.rank)
	case m.kind == stopKind:
		if l.stopped == nil {
			l.stopped = errors.New(string(m.payload))
		}
		return nil
	case m.kind == aliveKind:
		if _, ok := l.parts[m.rank]; !ok && m.step > l.done && l.stopped == nil {
			l.stopped = fmt.Errorf("nats: a message was lost: rank %d has sent its part of step %d, which has not arrived", m.rank, m.step)
		}
	case m.step <= l.done:
		return fmt.Errorf("%v of rank %d is replayed: step %d is over", m.kind, m.rank, m.step)
	case m.step > l.done+1:
		return fmt.Errorf("%v of rank %d is of step %d, want %d", m.kind, m.rank, m.step, l.done+1)
	default:
		if _, ok := l.parts[m.rank]; ok {
			return fmt.Errorf("%v of rank %d is replayed: step %d has it", m.kind, m.rank, m.step)
		}
		l.parts[m.rank] = m
	}
	l.seen[m.rank] = time.Now()
	return nil
}

// joinedBy records the worker that sent a join message.
func (l *link) joinedBy(m message) error {
	switch {
	case len(m.payload) != len(l.nonce):
		return fmt.Errorf("join of rank %d: %d bytes, want %d", m.rank, len(m.payload), len(l.nonce))
	case l.run == 0:
		l.joined[m.rank] = string(m.payload) // a worker that is started again replaces the one before
	case l.joined[m.rank] != string(m.payload):
		return fmt.Errorf("rank %d has joined already", m.rank)
	}
	return nil
}

// stop ends the run with err, unless it already has.
func (l *link) stop(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped == nil {
		l.stopped = err
	}
	l.wake()
}

// errInterrupted is the cause of the end of a run that was interrupted and can go on later.
var errInterrupted = errors.New("interrupted: the same commands go on with the trial")

// abort ends the run of this rank with an error of the link, not of the trial, and returns it.
func (l *link) abort(err error) error {
	l.cancel(err)
	return err
}

// over reports whether err ends the exchanges of this run: the trial has failed at some rank, or the run was aborted.
func (l *link) over(err error) bool {
	var f *failure
	return err != nil && (errors.As(err, &f) || l.context.Err() != nil)
}

// fail tells the other ranks that the run ends with err. If the run has been stopped before, it tells them that cause, and returns
// it instead of err.
func (l *link) fail(err error) error {
	l.mu.Lock()
	if l.run == 0 {
		l.mu.Unlock()
		return err
	}
	text := fmt.Sprintf("nats: rank %d: %v", l.rank, err)
	if l.stopped != nil {
		err, text = l.stopped, l.stopped.Error()
	}
	l.mu.Unlock()
	if l.send(stopKind, 0, []byte(text)) == nil {
		l.conn.Flush()
	}
	return err
}

// wait waits until ready, which is called with l.mu held, reports true. It returns an error if ready does, if the run is stopped, or if
// ctx ends.
func (l *link) wait(ctx context.Context, ready func() (bool, error)) error {
	tick := time.NewTicker(l.limit / 20)
	defer tick.Stop()
	for {
		l.mu.Lock()
		ok, err := ready()
		if err != nil && l.stopped == nil {
			l.stopped = err
		}
		if !ok {
			err = l.stopped
		}
		l.mu.Unlock()
		if ok || err != nil {
			return err
		}
		select {
		case <-l.arrived:
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// start waits until all ranks have joined, at most for patience, and starts a goroutine that sends alive messages.
func (l *link) start() error {
	ctx, cancel := context.WithTimeoutCause(l.signals, l.patience, errPatience)
	defer cancel()
	var err error
	if l.rank > 0 {
		err = l.join(ctx)
	} else {
		err = l.gatherWorkers(ctx)
	}
	if err != nil {
		return err
	}
	go func() {
		for tick := time.NewTicker(l.limit / 5); ; {
			select {
			case <-tick.C:
				l.mu.Lock()
				sent := l.sent
				l.mu.Unlock()
				l.send(aliveKind, sent, nil) // without the messages, the others take this rank for lost
			case <-l.context.Done():
				tick.Stop()
				return
			}
		}
	}()
	return nil
}

var errPatience = errors.New("nats: the time to join is over")

// join sends join messages to the root until it starts the run.
func (l *link) join(ctx context.Context) error {
	for {
		if err := l.send(joinKind, 0, l.nonce[:]); err != nil {
			return err
		}
		again, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		err := l.wait(again, func() (bool, error) { return l.run != 0, nil })
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil && errors.Is(context.Cause(ctx), errPatience):
			return fmt.Errorf("nats: rank 0 has not started the trial: is it running, with the same key, experiment, trial and number of ranks?")
		case !errors.Is(err, context.DeadlineExceeded):
			return err
		}
	}
}

// gatherWorkers waits for all workers and starts the run, with a random number as its tag.
func (l *link) gatherWorkers(ctx context.Context) error {
	missing := l.others()
	err := l.wait(ctx, func() (bool, error) {
		missing = missing[:0]
		for _, r := range l.others() {
			if _, ok := l.joined[r]; !ok {
				missing = append(missing, r)
			}
		}
		return len(missing) == 0, nil
	})
	if errors.Is(err, errPatience) {
		return fmt.Errorf("nats: ranks %v of %d have not joined: are they running, with the same key, experiment, trial and number of ranks?", missing, l.ranks)
	}
	if err != nil {
		return err
	}
	var run [8]byte
	rand.Read(run[:])
	l.mu.Lock()
	l.run = binary.LittleEndian.Uint64(run[:]) | 1
	var nonces []byte
	for _, r := range l.others() {
		nonces = append(nonces, l.joined[r]...)
		l.seen[r] = time.Now()
	}
	l.mu.Unlock()
	return l.send(startKind, 0, nonces)
}

// exchange does one step: it sends part to the root and returns the root's answer, which is the result of the root's reduce on the parts
// of all ranks, by rank. All ranks must call exchange with the same kinds in the same order. failed, if not nil, is sent in place of
// part. If the trial has failed at a rank or in reduce, exchange returns the same failure at all ranks: the one after the fewest
// gradient steps and, among equals, of the lowest rank. Any other error ends the run of this rank.
func (l *link) exchange(k kind, part []byte, failed *failure, reduce func(parts [][]byte) ([]byte, error)) ([]byte, error) {
	own := message{kind: k, payload: part}
	if failed != nil {
		own = message{kind: failedKind, payload: failed.encode()}
	}
	answer, err := l.exchangeWith(k, own, reduce)
	if err == nil && answer.kind == failedKind {
		if failed, err = decodeFailure(answer.payload); err == nil {
			return nil, failed
		}
	}
	if err != nil {
		return nil, l.abort(err)
	}
	return answer.payload, nil
}

// exchangeWith is exchange with messages: it returns a failure as an answer of failedKind.
func (l *link) exchangeWith(k kind, own message, reduce func(parts [][]byte) ([]byte, error)) (answer message, err error) {
	l.mu.Lock()
	step := l.done + 1
	l.mu.Unlock()
	if l.rank > 0 {
		if err := l.sendPart(own.kind, step, own.payload); err != nil {
			return message{}, err
		}
	}
	all, err := l.awaitParts(k, step)
	if err != nil || l.rank > 0 {
		return all[0], err
	}
	all[0] = own
	first, err := firstFailure(all)
	if err == nil && first == nil {
		parts := make([][]byte, l.ranks)
		for r, m := range all {
			parts[r] = m.payload
		}
		answer = message{kind: k}
		if answer.payload, err = reduce(parts); errors.As(err, &first) {
			err = nil
		}
	}
	if err != nil {
		return message{}, err
	}
	if first != nil {
		answer = message{kind: failedKind, payload: first.encode()}
	}
	return answer, l.sendPart(answer.kind, step, answer.payload)
}

// firstFailure returns the failure after the fewest gradient steps and, among equals, of the lowest rank; nil if there is none.
func firstFailure(all []message) (first *failure, err error) {
	for rank, m := range all {
		if m.kind != failedKind {
			continue
		}
		f, err := decodeFailure(m.payload)
		if err != nil {
			return nil, fmt.Errorf("nats: rank %d: %w", rank, err)
		}
		if first == nil || f.steps < first.steps {
			first = f
		}
	}
	return first, nil
}

// transfer sends own, which may have any length, from each rank to the root, and from the root to all. It returns the bytes by rank: those
// of all ranks at the root, and those of the root elsewhere.
func (l *link) transfer(own []byte) ([][]byte, error) {
	whole := make([][]byte, l.ranks)
	for more := true; more; {
		var frame []byte
		frame, own = l.frame(own)
		answer, err := l.exchange(stateKind, frame, nil, func(parts [][]byte) ([]byte, error) {
			last := byte(0)
			for rank, b := range parts {
				if len(b) == 0 {
					return nil, fmt.Errorf("nats: the state of rank %d: an empty frame", rank)
				}
				last |= b[0]
				whole[rank] = append(whole[rank], b[1:]...)
			}
			return append([]byte{last}, parts[0][1:]...), nil
		})
		if err != nil {
			return nil, err
		}
		if len(answer) == 0 {
			return nil, l.abort(errors.New("nats: the state of rank 0: an empty frame"))
		}
		more = answer[0] != 0
		if l.rank > 0 {
			whole[0] = append(whole[0], answer[1:]...)
		}
	}
	return whole, nil
}

// frame splits b into the content of the next message, after a byte that is 1 if more follow, and the rest.
func (l *link) frame(b []byte) (frame, rest []byte) {
	n := min(len(b), int(l.conn.MaxPayload())-headLength-codeLength-1)
	more := byte(0)
	if n < len(b) {
		more = 1
	}
	return append([]byte{more}, b[:n]...), b[n:]
}

// awaitParts waits for the messages of a step and returns them by rank. The element of this rank is empty.
func (l *link) awaitParts(k kind, step uint64) (all []message, err error) {
	limit, progress := l.limit, l.progress
	if l.rank > 0 { // the root should be the first to give up: it knows which rank is lost
		limit += l.limit / 2
		progress += l.limit / 2
	}
	begun := time.Now()
	all = make([]message, l.ranks)
	err = l.wait(l.context, func() (bool, error) {
		for _, r := range l.others() {
			m, ok := l.parts[r]
			if !ok {
				if silent := time.Since(l.seen[r]); silent > limit {
					return false, fmt.Errorf("nats: rank %d of %d is lost: nothing was heard of it for %v, in step %d", r, l.ranks, silent.Round(100*time.Millisecond), step)
				}
				if took := time.Since(begun); took > progress {
					return false, fmt.Errorf("nats: step %d has not ended in %v: rank %d of %d is alive and has sent nothing: if a step may take longer, raise --progress",
						step, took.Round(100*time.Millisecond), r, l.ranks)
				}
				return false, nil
			}
			if m.kind != k && m.kind != failedKind {
				return false, fmt.Errorf("nats: rank %d sent %v in step %d, want %v: do all ranks run the same program?", r, m.kind, step, k)
			}
		}
		for r, m := range l.parts {
			all[r] = m
		}
		clear(l.parts)
		l.done = step
		return true, nil
	})
	return all, err
}
