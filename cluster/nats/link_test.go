package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"banditsim/internal/must"
)

func TestMessage(t *testing.T) {
	want := message{head{magic, binsKind, 65535, 1<<40 + 3, 1<<63 + 5, [16]byte{1, 15: 9}}, []byte("abc")}
	b := want.encode(secret)
	got, err := decode(secret, b)
	must.That(t, err == nil && fmt.Sprint(got) == fmt.Sprint(want), "%v, %v, want %v", got, err, want)
	for i := range 8 * len(b) {
		changed := slices.Clone(b)
		changed[i/8] ^= 1 << (i % 8)
		_, err := decode(secret, changed)
		must.That(t, err != nil, "bit %d changed: no error", i)
	}
	must.Refuse(decode([]byte("another key of the tests"), b))(t, "another key")
	for n := range b {
		_, err := decode(secret, b[:n])
		must.That(t, err != nil, "the first %d bytes: no error", n)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(message{head{Magic: magic, Kind: valuesKind, Rank: 1, Step: 2}, make([]byte, 12)}.encode(secret))
	f.Add(magic[:])
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decode(secret, b)
		must.That(t, err != nil || string(m.encode(secret)) == string(b), "%x is read as %v", b, m)
	})
}

// rootOfThree returns the root of a run of three ranks without a connection.
func rootOfThree(t *testing.T) *link {
	return &link{
		run: 7, trial: [16]byte{1}, settings: settings{ranks: 3, limit: time.Minute, progress: time.Hour}, key: secret,
		context: t.Context(), parts: map[int]message{}, seen: map[int]time.Time{1: time.Now(), 2: time.Now()},
		joined: map[int]string{}, inbox: make(chan *nats.Msg, 1), warn: func(string) {},
	}
}

// TestTake checks that early parts wait for their step, in any order of ranks, and which messages are refused: those of a step that is
// over or too far ahead, of another run, trial or direction, and a rank's second part of a step.
func TestTake(t *testing.T) {
	l := rootOfThree(t)
	say := func(rank uint16, step uint64, text string) message {
		return message{head{magic, binsKind, rank, step, l.run, l.trial}, []byte(text)}
	}
	for _, m := range []message{say(2, 1, "b"), say(1, 1, "a")} {
		l.receive(m.encode(secret))
	}
	parts, err := l.awaitParts(binsKind, 1)
	must.Hold(t, err == nil && string(parts[1].payload)+string(parts[2].payload) == "ab", "%v, %v", parts, err)
	other, elsewhere, join := say(1, 2, ""), say(1, 2, ""), say(1, 0, "a nonce")
	other.Run, elsewhere.Trial, join.Kind = 8, [16]byte{2}, joinKind
	l.receive(say(1, 2, "c").encode(secret))
	refused := []struct {
		m    message
		want string
	}{
		{say(1, 1, "a"), "step 1 is over"},
		{say(1, 2, "d"), "step 2 has it"},
		{say(2, 3, ""), "want 2"},
		{say(0, 2, ""), "nothing to say"},
		{say(3, 2, ""), "nothing to say"},
		{other, "another run"},
		{elsewhere, "another trial"},
		{join, "joined already"},
	}
	for _, c := range refused {
		must.Fail(t, l.take(c.m), c.want)
	}
	garbled := say(2, 2, "e").encode(secret)
	garbled[headLength] ^= 1
	l.receive(garbled)
	must.That(t, l.refused == 1 && len(l.parts) == 1, "%d refused, parts %v", l.refused, l.parts)
	// The error names a rank that sent another kind of message, and a rank that is silent.
	l.receive(say(2, 2, "f").encode(secret))
	must.Refuse(l.awaitParts(valuesKind, 2))(t, "sent bins in step 2, want values")
	clear(l.parts)
	l.stopped = nil
	l.seen[1], l.seen[2] = time.Now(), time.Now().Add(-2*time.Minute)
	l.parts[1] = say(1, 2, "g")
	must.Refuse(l.awaitParts(binsKind, 2))(t, "rank 2 of 3 is lost")
}

// TestLost checks that a lost part ends the run when its rank reports the part as sent, and that an early part is not lost.
func TestLost(t *testing.T) {
	l := rootOfThree(t)
	alive := func(rank uint16, step uint64) {
		l.receive(message{head{magic, aliveKind, rank, step, l.run, l.trial}, nil}.encode(secret))
	}
	bins := message{head{magic, binsKind, 1, 1, l.run, l.trial}, []byte("a")}
	l.receive(bins.encode(secret))
	alive(1, 1)
	alive(2, 0)
	must.OK(t, l.stopped)
	alive(2, 1)
	must.Refuse(l.awaitParts(binsKind, 1))(t, "a message was lost: rank 2 has sent its part of step 1")
}

// TestProgress checks that a rank that sends only alive messages ends the run after settings.progress.
func TestProgress(t *testing.T) {
	l := rootOfThree(t)
	l.limit, l.progress = 200*time.Millisecond, time.Second
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for i := range uint16(1000) {
			alive := message{head{magic, aliveKind, 1 + i%2, 0, l.run, l.trial}, nil}
			select {
			case <-stop:
				return
			case l.inbox <- &nats.Msg{Data: alive.encode(secret)}:
				time.Sleep(5 * time.Millisecond)
			}
		}
	}()
	must.Refuse(l.awaitParts(binsKind, 1))(t, "step 1 has not ended in 1")
}

// TestKey checks that the key comes from the file or else from the environment, and that a missing or short key is a usage error.
func TestKey(t *testing.T) {
	file := must.File(t, "key", "  the key in the file\n")
	for _, c := range []struct{ file, variable, want, wrong string }{
		{"", "the key of the run", "the key of the run", ""},
		{file, "the key of the run", "the key in the file", ""},
		{"", " \n", "", "no key"},
		{"", "too short", "", "a key of 9 bytes, want at least 16"},
		{file + "x", "the key of the run", "", "no such file"},
	} {
		key, err := (&options{secret: c.file}).messageKey(c.variable)
		must.That(t, string(key) == c.want && (err == nil) == (c.wrong == "") &&
			(err == nil || strings.Contains(err.Error(), c.wrong)), "%+v: %q, %v", c, key, err)
	}
	t.Setenv(keyVariable, "")
	var stderr bytes.Buffer
	if code := run([]string{"--rank", "0", "--ranks", "2", "quick"}, io.Discard, &stderr); code != 2 || !strings.Contains(stderr.String(), keyVariable) {
		t.Errorf("without a key: exit code %d: %s", code, stderr.String())
	}
}

// TestDisturbed checks that the trial's file does not change if every message is also repeated and sent with a flipped bit, and if
// messages of several kinds are forged without the key. The forged bins are 1, so that accepting them would change θ from the first
// step on: the chains' own bins are 0 (energies above the last bin) at the beginning of this trial.
func TestDisturbed(t *testing.T) {
	t.Parallel()
	url := serve(t)
	conn := must.Get(nats.Connect(url))(t)
	defer conn.Close()
	var mine atomic.Int64
	conn.Subscribe("banditsim.>", func(m *nats.Msg) {
		if m.Header.Get("again") != "" || mine.Load() > 2000 {
			return
		}
		mine.Add(1)
		garbled := slices.Clone(m.Data)
		garbled[len(garbled)/2] ^= 16
		list := [][]byte{garbled, m.Data}
		if seen, err := decode(secret, m.Data); err == nil {
			seen.Step++
			for _, k := range []kind{binsKind, valuesKind, roundKind, failedKind, stopKind, aliveKind} {
				seen.Kind, seen.payload = k, []byte{1, 0, 0, 0, 1, 0, 0, 0, 0}
				list = append(list, seen.encode([]byte("the key of someone else")))
			}
		}
		for _, b := range list {
			conn.PublishMsg(&nats.Msg{Subject: m.Subject, Data: b, Header: nats.Header{"again": {"1"}}})
		}
	})
	conn.Flush()
	got, links := together(t, url, "pICSGLD", 2, small...)
	compare(t, got, alone(t, planOf(t, "pICSGLD", small...)))
	t.Logf("%d messages repeated and forged; refused: %d by the root, %d by the worker",
		mine.Load(), links[0].refused, links[1].refused)
	must.That(t, links[0].refused >= 100 && links[1].refused >= 100,
		"refused: %d by the root, %d by the worker", links[0].refused, links[1].refused)
}

func TestExposed(t *testing.T) {
	for _, c := range []struct {
		host                   string
		encrypted, credentials bool
		want                   string
	}{
		{"127.0.0.1", false, false, ""},
		{"localhost", false, false, ""},
		{"::1", false, false, ""},
		{"10.0.0.1", false, true, "not encrypted"},
		{"example.org", false, true, "not encrypted"},
		{"example.org", true, false, "takes anyone"},
		{"example.org", true, true, ""},
	} {
		got := exposed(c.host, c.encrypted, c.credentials)
		must.That(t, (got == "") == (c.want == "") && strings.Contains(got, c.want),
			"%s, TLS %v, credentials %v: %q, want %q", c.host, c.encrypted, c.credentials, got, c.want)
	}
	urls, want := "nats://user:a:secret@h.org:4222,nats://u:b@[::1]", "nats://user:xxxxx@h.org:4222,nats://u:xxxxx@[::1]"
	got := password.ReplaceAllString(urls, "${1}xxxxx@")
	must.That(t, got == want, "%v", got)
}
