package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	random "math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// A link connects one rank to the others in one run of one trial. Rank 0 is the root, the others are workers. In each
// step every worker sends its part to the root, and the root sends an answer to all workers.
//
// Core NATS stores nothing and delivers a message at most once. The link therefore gives each message a header with
// trial, run, step and rank, and an authentication code that cannot be computed without the key. The root combines the
// parts of a step in the order of ranks. A part that arrives early waits for its step. Messages that were changed,
// forged or replayed, or belong to another run, are refused.
//
// A run ends if a rank is silent for longer than settings.limit, if a step takes longer than settings.progress, or if a
// part is lost. To detect lost parts, every rank regularly reports the last step whose part it has sent: NATS keeps the
// order of one connection's messages, so that a part that has not arrived before the report is lost.
type link struct {
	settings
	run     uint64 // a random number from the root; 0 before the start
	trial   [16]byte
	conn    *nats.Conn
	inbox   chan *nats.Msg
	lost    chan struct{} // closed when the connection is lost
	to      string        // subject of the messages that this rank sends: to the root or, as the root, to all workers
	key     []byte        // secret key of the messages' authentication codes
	warn    func(string)
	signals context.Context // done when this process is interrupted: the run then ends after the round
	context context.Context // context of the run
	cancel  context.CancelCauseFunc
	nonce   string        // random name of this process; the root's start message has those of all workers
	sent    atomic.Uint64 // last step whose part this rank has sent

	done    uint64            // last step whose parts have all been received
	parts   map[int]message   // received parts of step done + 1, by rank
	joined  map[int]string    // nonces of the workers that want to join, by rank
	seen    map[int]time.Time // time of the last accepted message, by rank
	stopped error             // why the run ends; nil while it goes on
	refused int               // number of refused messages

	steps int64         // gradient steps of all chains in this run
	took  time.Duration // duration of the run
}

// inboxSize is the number of messages that can wait for this rank while it computes: one alive message per second from
// each of ten ranks for an hour. Further messages are lost.
const inboxSize = 36_000

// newLink returns the link of rank s.rank in a trial. conn must not reconnect: messages during an outage would be lost.
func newLink(signals context.Context, conn *nats.Conn, trial string, s settings, key []byte, warn func(string)) (*link, error) {
	l := &link{
		settings: s, conn: conn, inbox: make(chan *nats.Msg, inboxSize), lost: make(chan struct{}),
		to: "banditsim." + trial[:32] + ".up", key: key, warn: warn, signals: signals, nonce: rand.Text(),
		parts: make(map[int]message), joined: make(map[int]string), seen: make(map[int]time.Time),
	}
	l.context, l.cancel = context.WithCancelCause(context.WithoutCancel(signals))
	if _, err := hex.Decode(l.trial[:], []byte(trial[:32])); err != nil {
		return nil, fmt.Errorf("nats: trial %q: %w", trial, err)
	}
	from := "banditsim." + trial[:32] + ".down"
	if l.rank == 0 {
		from, l.to = l.to, from
	}
	conn.SetClosedHandler(func(*nats.Conn) { close(l.lost) })
	if _, err := conn.ChanSubscribe(from, l.inbox); err != nil {
		return nil, fmt.Errorf("nats: subscribe: %w", err)
	}
	return l, conn.Flush()
}

// others returns the ranks that send messages to this rank.
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

// message returns a message of this rank.
func (l *link) message(k kind, step uint64, payload []byte) message {
	return message{head{magic, k, uint16(l.rank), step, l.run, l.trial}, payload}
}

// send sends a message to the root or, at the root, to all workers.
func (l *link) send(m message) error {
	if err := l.conn.Publish(l.to, m.encode(l.key)); err != nil {
		return fmt.Errorf("nats: send %v of step %d: %w", m.Kind, m.Step, err)
	}
	return nil
}

// sendPart sends this rank's part of a step, and then sets l.sent: an alive message must not report an unsent part.
func (l *link) sendPart(m message) error {
	err := l.send(m)
	l.sent.Store(m.Step)
	return err
}

// receive decodes a message and passes it to take. It counts refused messages, and warns of the first maxWarnings.
func (l *link) receive(b []byte) {
	m, err := decode(l.key, b)
	if err == nil {
		err = l.take(m)
	}
	if err == nil {
		return
	}
	if l.refused++; l.refused <= maxWarnings {
		l.warn(fmt.Sprintf("a message is refused: %v", err))
	}
}

// maxWarnings is the largest number of warnings about refused messages; further messages are only counted.
const maxWarnings = 5

// take updates the link's state with a message. It returns an error with the reason if the message is refused.
func (l *link) take(m message) error {
	rank := int(m.Rank)
	_, early := l.parts[rank]
	switch {
	case m.Trial != l.trial:
		return errors.New("it is of another trial")
	case (rank == 0) == (l.rank == 0) || rank >= l.ranks:
		return fmt.Errorf("rank %d has nothing to say to rank %d of %d", rank, l.rank, l.ranks)
	case m.Kind == joinKind:
		if nonce := string(m.payload); l.run == 0 {
			l.joined[rank] = nonce // a restarted worker replaces its predecessor
		} else if l.joined[rank] != nonce {
			return fmt.Errorf("rank %d has joined already", rank)
		}
		return nil
	case m.Kind == startKind && l.run == 0:
		if all := strings.Fields(string(m.payload)); len(all) != l.ranks-1 || all[l.rank-1] != l.nonce {
			return errors.New("it starts other workers")
		}
		l.run = m.Run
	case m.Run != l.run || l.run == 0:
		return fmt.Errorf("%v of rank %d is of another run", m.Kind, rank)
	case m.Kind == stopKind:
		l.stop(errors.New(string(m.payload)))
		return nil
	case m.Kind == aliveKind:
		if !early && m.Step > l.done {
			l.stop(fmt.Errorf("nats: a message was lost: rank %d has sent its part of step %d, which has not arrived",
				rank, m.Step))
		}
	case m.Step <= l.done:
		return fmt.Errorf("%v of rank %d is replayed: step %d is over", m.Kind, rank, m.Step)
	case m.Step > l.done+1:
		return fmt.Errorf("%v of rank %d is of step %d, want %d", m.Kind, rank, m.Step, l.done+1)
	case early:
		return fmt.Errorf("%v of rank %d is replayed: step %d has it", m.Kind, rank, m.Step)
	default:
		l.parts[rank] = m
	}
	l.seen[rank] = time.Now()
	return nil
}

// stop sets the error that ends the run, unless one is set already.
func (l *link) stop(err error) { l.stopped = cmp.Or(l.stopped, err) }

// errInterrupted is an interrupted run's error. The same commands resume the trial, without checkpoints from its start.
var errInterrupted = errors.New("interrupted: the same commands go on with the trial")

// abort ends this rank's run and returns err. It is for errors of the link: errors of the trial have the type failure.
func (l *link) abort(err error) error {
	l.cancel(err)
	return err
}

// over reports whether no further exchange is possible after err: the trial failed at some rank or the run was aborted.
func (l *link) over(err error) bool {
	var f *failure
	return err != nil && (errors.As(err, &f) || l.context.Err() != nil)
}

// fail sends err to the other ranks as the reason why the run ends, and returns err. If l.stopped is set, fail sends
// and returns l.stopped instead. Before the run has started, fail only returns err.
func (l *link) fail(err error) error {
	if l.run == 0 {
		return err
	}
	text := fmt.Sprintf("nats: rank %d: %v", l.rank, err)
	if l.stopped != nil {
		err, text = l.stopped, l.stopped.Error()
	}
	if l.send(l.message(stopKind, 0, []byte(text))) == nil {
		l.conn.Flush()
	}
	return err
}

// wait receives messages until ready returns true. It returns an error if ready does, the run stops, or ctx ends first.
func (l *link) wait(ctx context.Context, ready func() (bool, error)) error {
	tick := time.NewTicker(l.limit / 20)
	defer tick.Stop()
	for {
		if len(l.inbox) > 0 { // receive all pending messages before ready decides that a rank is silent
			l.receive((<-l.inbox).Data)
			continue
		}
		ok, err := ready()
		if err != nil {
			l.stop(err)
		}
		if ok {
			return nil
		}
		if l.stopped != nil {
			return l.stopped
		}
		select {
		case m := <-l.inbox:
			l.receive(m.Data)
		case <-tick.C:
		case <-l.lost:
			l.stop(errors.New("nats: the connection to the server is lost"))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// start waits until all ranks have joined, for l.patience at most, then starts a goroutine that sends alive messages.
func (l *link) start() error {
	ctx, cancel := context.WithTimeoutCause(l.signals, l.patience, errPatience)
	defer cancel()
	begin := l.join
	if l.rank == 0 {
		begin = l.gatherWorkers
	}
	if err := begin(ctx); l.signals.Err() != nil {
		return errInterrupted
	} else if err != nil {
		return err
	}
	go func() {
		for tick := time.NewTicker(l.limit / 5); ; {
			select {
			case <-tick.C:
				l.send(l.message(aliveKind, l.sent.Load(), nil)) // on an error the other ranks will consider this one lost
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
	var asked time.Time
	err := l.wait(ctx, func() (bool, error) {
		if l.run != 0 || time.Since(asked) < 200*time.Millisecond {
			return l.run != 0, nil
		}
		asked = time.Now()
		return false, l.send(l.message(joinKind, 0, []byte(l.nonce)))
	})
	if errors.Is(err, errPatience) {
		return errors.New("nats: rank 0 has not started the trial: " +
			"is it running, with the same key, experiment, trial and number of ranks?")
	}
	return err
}

// gatherWorkers waits for all workers and starts the run.
func (l *link) gatherWorkers(ctx context.Context) error {
	var missing []int
	err := l.wait(ctx, func() (bool, error) {
		missing = slices.DeleteFunc(l.others(), func(r int) bool { return l.joined[r] != "" })
		return len(missing) == 0, nil
	})
	if errors.Is(err, errPatience) {
		return fmt.Errorf("nats: ranks %v of %d have not joined: are they running, with the same key, experiment, trial and number of ranks?", missing, l.ranks)
	}
	if err != nil {
		return err
	}
	l.run = random.Uint64() | 1
	var nonces []string
	for _, r := range l.others() {
		nonces = append(nonces, l.joined[r])
		l.seen[r] = time.Now()
	}
	return l.send(l.message(startKind, 0, []byte(strings.Join(nonces, " "))))
}

// A reducer returns the root's answer to the parts of all ranks.
type reducer func(parts [][]byte) ([]byte, error)

// exchange performs one step. It sends part to the root, where reduce computes the answer from the parts of all ranks,
// and returns that answer at every rank. Parts and answers must not be empty. All ranks must call exchange with the
// same kinds in the same order. failed, if not nil, is sent in place of part. If the trial has failed at any rank or in
// reduce, exchange returns the same failure at all ranks: the one with the fewest gradient steps and, among those, of
// the lowest rank. Any other error ends the run of this rank.
func (l *link) exchange(k kind, part []byte, failed *failure, reduce reducer) (answer []byte, err error) {
	own := l.message(k, l.done+1, part)
	if failed != nil {
		own.Kind, own.payload = failedKind, failed.encode()
	}
	if l.rank > 0 {
		err = l.sendPart(own)
	}
	var all map[int]message
	if err == nil {
		all, err = l.awaitParts(k, own.Step)
	}
	reply := all[0]
	if err == nil && l.rank == 0 {
		all[0], reply = own, own
		if reply.Kind, reply.payload, err = answerTo(k, all, reduce); err == nil {
			err = l.sendPart(reply)
		}
	}
	if err == nil && reply.Kind == failedKind {
		if failed, err = decodeFailure(reply.payload); err == nil {
			return nil, failed
		}
	}
	if err != nil {
		return nil, l.abort(err)
	}
	return reply.payload, nil
}

// answerTo returns the kind and payload of the root's answer to the messages of all ranks: the result of reduce, or the
// first failure as defined by exchange.
func answerTo(k kind, all map[int]message, reduce reducer) (kind, []byte, error) {
	var first *failure
	parts := make([][]byte, len(all))
	for rank := range parts {
		m := all[rank]
		parts[rank] = m.payload
		if m.Kind != failedKind {
			continue
		}
		f, err := decodeFailure(m.payload)
		if err != nil {
			return k, nil, fmt.Errorf("nats: rank %d: %w", rank, err)
		}
		if first == nil || f.Steps < first.Steps {
			first = f
		}
	}
	if first == nil {
		answer, err := reduce(parts)
		if !errors.As(err, &first) {
			return k, answer, err
		}
	}
	return failedKind, first.encode(), nil
}

// transfer sends the bytes own, of any length, from each worker to the root and from the root to all workers. It
// returns the received bytes by rank: at the root from all ranks, at a worker from the root alone. The bytes are sent
// in frames. Each frame starts with a byte that is 1 if more frames follow.
func (l *link) transfer(own []byte) ([][]byte, error) {
	whole := make([][]byte, l.ranks)
	most := int(l.conn.MaxPayload()) - headLength - codeLength - 1
	for more := byte(1); more != 0; {
		frame := append([]byte{0}, own[:min(len(own), most)]...)
		if own = own[len(frame)-1:]; len(own) > 0 {
			frame[0] = 1
		}
		answer, err := l.exchange(stateKind, frame, nil, func(parts [][]byte) ([]byte, error) {
			last := byte(0)
			for rank, b := range parts {
				last |= b[0]
				whole[rank] = append(whole[rank], b[1:]...)
			}
			return append([]byte{last}, parts[0][1:]...), nil
		})
		if err != nil {
			return nil, err
		}
		more = answer[0]
		if l.rank > 0 {
			whole[0] = append(whole[0], answer[1:]...)
		}
	}
	return whole, nil
}

// awaitParts waits for the messages of a step from the other ranks and returns them by rank.
func (l *link) awaitParts(k kind, step uint64) (all map[int]message, err error) {
	limit, progress := l.limit, l.progress
	if l.rank > 0 { // let the root give up first, because it knows which rank is lost
		limit += l.limit / 2
		progress += l.limit / 2
	}
	begun := time.Now()
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
			if m.Kind != k && m.Kind != failedKind || len(m.payload) == 0 {
				return false, fmt.Errorf("nats: rank %d sent %v in step %d, want %v: do all ranks run the same program?",
					r, m.Kind, step, k)
			}
		}
		all, l.parts, l.done = l.parts, make(map[int]message), step
		return true, nil
	})
	return all, err
}
