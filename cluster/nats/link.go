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

// A link joins the ranks of one run of one trial. Rank 0 is the root: every exchange goes from all ranks to it and back.
//
// Core NATS keeps nothing and delivers a message once or not at all. What the link adds: a message is tagged with the trial, the
// run, the step and the rank, and has a code that only those with the key can make; the root takes the parts of a step in the order of
// ranks, whatever the order of their arrival; a part that arrives early waits until the root asks for it; messages that were changed or
// forged, are of another run or come a second time are refused.
//
// Three things end a run that cannot go on. A rank that is silent for longer than limit is lost. A live rank reports the last step
// whose parts it has sent: NATS keeps the order of one connection's messages, so a part of that step or an earlier one that has not
// arrived is lost. A step that takes longer than progress ends the run.
type link struct {
	tag
	conn     *nats.Conn
	subject  string
	rank     int
	ranks    int
	key      []byte        // key of the messages' codes
	limit    time.Duration // longest silence
	progress time.Duration // longest time that a step may take
	warn     func(string)
	signals  context.Context // done when this rank is to end the run after a round
	context  context.Context // context of the run
	cancel   context.CancelCauseFunc
	nonce    [8]byte // nonce of a worker: the root starts this process and no other of the rank

	checkpoint int // rounds between two checkpoints of the root, 0 for none

	mu      sync.Mutex
	done    uint64            // the last exchange whose parts were taken
	sent    uint64            // the last exchange of which this rank has sent its part
	parts   map[int]message   // parts of the next one, by rank
	joined  map[int]string    // nonces by rank, before the start
	seen    map[int]time.Time // when a rank was last heard
	stopped error             // why the run ends
	refused int
	arrived chan struct{} // has an element after each change of the above
}

// newLink subscribes rank to the messages of a trial. The connection must not reconnect: what is sent meanwhile is lost.
// The options have the rank, the number of ranks and the limits.
func newLink(signals context.Context, conn *nats.Conn, trial string, o *options, key []byte, warn func(string)) (*link, error) {
	l := &link{
		conn: conn, subject: "banditsim." + trial[:32], rank: o.rank, ranks: o.ranks, key: key, limit: o.limit, progress: o.progress,
		checkpoint: o.checkpoint, warn: warn, signals: signals,
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

// side returns the end of the subject of messages to the root, or from it.
func side(up bool) string {
	if up {
		return ".up"
	}
	return ".down"
}

// others returns the ranks that this one hears.
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

func (l *link) send(k kind, step uint64, payload []byte) error {
	l.mu.Lock()
	m := message{tag: l.tag, kind: k, rank: l.rank, step: step, payload: payload}
	l.mu.Unlock()
	if err := l.conn.Publish(l.subject+side(l.rank > 0), m.encode(l.key)); err != nil {
		return fmt.Errorf("nats: send %v of step %d: %w", k, step, err)
	}
	return nil
}

// sendPart sends this rank's part of a step. Messages of life tell of it only after it has gone out.
func (l *link) sendPart(k kind, step uint64, payload []byte) error {
	err := l.send(k, step, payload)
	l.mu.Lock()
	l.sent = step
	l.mu.Unlock()
	return err
}

// receive takes a message or refuses it.
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

// maxWarnings is the number of refused messages that are warned of one by one.
const maxWarnings = 5

func (l *link) wake() {
	select {
	case l.arrived <- struct{}{}:
	default:
	}
}

// take adds a message to what has arrived. An error says why it is refused.
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

// joinedBy notes that a worker was started.
func (l *link) joinedBy(m message) error {
	switch {
	case len(m.payload) != len(l.nonce):
		return fmt.Errorf("join of rank %d: %d bytes, want %d", m.rank, len(m.payload), len(l.nonce))
	case l.run == 0:
		l.joined[m.rank] = string(m.payload) // nonce of the worker that was started last
	case l.joined[m.rank] != string(m.payload):
		return fmt.Errorf("rank %d has joined already", m.rank)
	}
	return nil
}

// stop ends the run with err, unless it has ended.
func (l *link) stop(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped == nil {
		l.stopped = err
	}
	l.wake()
}

// errInterrupted is the cause of the end of a run that is to go on later.
var errInterrupted = errors.New("interrupted: the same commands go on with the trial")

// broken ends the run of this rank with an error that is not the trial's, and returns it.
func (l *link) broken(err error) error {
	l.cancel(err)
	return err
}

// over reports whether an exchange has returned err: no other exchange follows then.
func (l *link) over(err error) bool {
	var f *failure
	return err != nil && (errors.As(err, &f) || l.context.Err() != nil)
}

// fail tells the other ranks that the run ends with err, or with what had stopped it, and returns that.
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

// wait returns when ready, which is called with l.mu held, reports true. Errors are those of the run's end, of ready and of ctx.
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

// start returns when all ranks have joined, within patience, and begins to say that this rank is alive.
func (l *link) start(patience time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(l.signals, patience, errPatience)
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
				l.send(aliveKind, sent, nil) // the time limit tells the others of an error
			case <-l.context.Done():
				tick.Stop()
				return
			}
		}
	}()
	return nil
}

var errPatience = errors.New("nats: the time to join is over")

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

// exchange sends part to the root and returns the root's answer: what its reduce makes of the parts of all ranks, in their order.
// All ranks must call exchange with the same kinds in the same order. If the trial has failed at one rank or in reduce, all return the
// failure: that after the fewest steps, of the lowest rank. Any other error ends the run of this rank.
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
		return nil, l.broken(err)
	}
	return answer.payload, nil
}

func (l *link) exchangeWith(k kind, own message, reduce func(parts [][]byte) ([]byte, error)) (answer message, err error) {
	l.mu.Lock()
	step := l.done + 1
	l.mu.Unlock()
	if l.rank > 0 {
		if err := l.sendPart(own.kind, step, own.payload); err != nil {
			return message{}, err
		}
	}
	all, err := l.gather(k, step)
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

// firstFailure returns the failure after the fewest steps, of the lowest rank; nil if there is none.
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

// collect returns at the root what each rank has given, of any length.
func (l *link) collect(own []byte) ([][]byte, error) {
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
			return []byte{last}, nil
		})
		if err != nil {
			return nil, err
		}
		more = len(answer) > 0 && answer[0] != 0
	}
	return whole, nil
}

// spread returns at each rank what the root has given, of any length.
func (l *link) spread(own []byte) (whole []byte, err error) {
	for more := true; more; {
		b, err := l.exchange(stateKind, nil, nil, func([][]byte) (frame []byte, err error) {
			frame, own = l.frame(own)
			return frame, nil
		})
		if err != nil {
			return nil, err
		}
		if len(b) == 0 {
			return nil, l.broken(errors.New("nats: the state of rank 0: an empty frame"))
		}
		more = b[0] != 0
		whole = append(whole, b[1:]...)
	}
	return whole, nil
}

// frame returns the next message of state, whose first byte says whether there are more, and the rest.
func (l *link) frame(b []byte) (frame, rest []byte) {
	n := min(len(b), int(l.conn.MaxPayload())-headLength-codeLength-1)
	more := byte(0)
	if n < len(b) {
		more = 1
	}
	return append([]byte{more}, b[:n]...), b[n:]
}

// gather returns the messages of a step by rank, without this rank's.
func (l *link) gather(k kind, step uint64) (all []message, err error) {
	limit, progress := l.limit, l.progress
	if l.rank > 0 { // the root, which hears all, should be the one to say who is lost
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
