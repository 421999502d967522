package main

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func TestMessage(t *testing.T) {
	want := message{tag: tag{run: 1<<63 + 5, trial: [16]byte{1, 15: 9}}, kind: binsKind, rank: 65535, step: 1<<40 + 3, payload: []byte("abc")}
	b := want.encode()
	got, err := decode(b)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for i := range 8 * len(b) {
		changed := slices.Clone(b)
		changed[i/8] ^= 1 << (i % 8)
		if _, err := decode(changed); err == nil {
			t.Errorf("bit %d changed: no error", i)
		}
	}
	for n := range b {
		if _, err := decode(b[:n]); err == nil {
			t.Errorf("the first %d bytes: no error", n)
		}
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(message{kind: valuesKind, rank: 1, step: 2, payload: make([]byte, 12)}.encode())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := decode(b); err == nil && string(m.encode()) != string(b) {
			t.Errorf("%x is read as %v", b, m)
		}
	})
}

// A part that comes before it is asked for waits, in any order of ranks; a message of a step that is over, a second one of a rank, one of
// another run, trial or direction, and one too far ahead are refused.
func TestTake(t *testing.T) {
	l := &link{tag: tag{run: 7, trial: [16]byte{1}}, ranks: 3, limit: time.Minute, signals: t.Context(), context: t.Context(),
		parts: map[int]message{}, seen: map[int]time.Time{}, joined: map[int]string{}, arrived: make(chan struct{}, 1), warn: func(string) {}}
	say := func(rank int, step uint64, text string) message {
		return message{tag: l.tag, kind: binsKind, rank: rank, step: step, payload: []byte(text)}
	}
	for _, m := range []message{say(2, 1, "b"), say(1, 1, "a")} {
		l.receive(m.encode())
	}
	parts, err := l.gather(binsKind, 1)
	if err != nil || string(parts[1].payload)+string(parts[2].payload) != "ab" {
		t.Fatalf("%v, %v", parts, err)
	}
	other, elsewhere := say(1, 2, ""), say(1, 2, "")
	other.run, elsewhere.trial = 8, [16]byte{2}
	l.receive(say(1, 2, "c").encode())
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
		{message{tag: l.tag, kind: joinKind, rank: 1, payload: make([]byte, 8)}, "joined already"},
	}
	for _, c := range refused {
		if err := l.take(c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.m, err, c.want)
		}
	}
	garbled := say(2, 2, "e").encode()
	garbled[headLength] ^= 1
	l.receive(garbled)
	if l.refused != 1 || len(l.parts) != 1 {
		t.Errorf("%d refused, parts %v", l.refused, l.parts)
	}
	// A rank at another place of the trial, and one that is silent, are named.
	l.receive(say(2, 2, "f").encode())
	if _, err := l.gather(valuesKind, 2); err == nil || !strings.Contains(err.Error(), "sent bins in step 2, want values") {
		t.Error(err)
	}
	clear(l.parts)
	l.stopped = nil
	l.seen[1], l.seen[2] = time.Now(), time.Now().Add(-2*time.Minute)
	l.parts[1] = say(1, 2, "")
	if _, err := l.gather(binsKind, 2); err == nil || !strings.Contains(err.Error(), "rank 2 of 3 is lost") {
		t.Error(err)
	}
}

// A trial in the middle of which every message is repeated, and forged with a changed byte, has the same bytes.
func TestDisturbed(t *testing.T) {
	t.Parallel()
	url := serve(t)
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var mine atomic.Int64
	conn.Subscribe("banditsim.>", func(m *nats.Msg) {
		if m.Header.Get("again") != "" || mine.Load() > 2000 {
			return
		}
		mine.Add(1)
		garbled := slices.Clone(m.Data)
		garbled[len(garbled)/2] ^= 16
		for _, b := range [][]byte{garbled, m.Data} {
			conn.PublishMsg(&nats.Msg{Subject: m.Subject, Data: b, Header: nats.Header{"again": {"1"}}})
		}
	})
	conn.Flush()
	got, reports := together(t, url, "pICSGLD", 2, small...)
	compare(t, got, alone(t, planOf(t, "pICSGLD", small...)))
	t.Logf("%d messages repeated and forged; refused: %d by the root, %d by the worker", mine.Load(), reports[0].refused, reports[1].refused)
	if reports[0].refused < 100 || reports[1].refused < 100 {
		t.Errorf("refused: %d by the root, %d by the worker", reports[0].refused, reports[1].refused)
	}
}

func TestExposed(t *testing.T) {
	for _, c := range []struct {
		url                    string
		encrypted, credentials bool
		want                   string
	}{
		{"nats://127.0.0.1:4222", false, false, ""},
		{"localhost:4222", false, false, ""},
		{"nats://[::1]:4222", false, false, ""},
		{"nats://10.0.0.1:4222", false, true, "not encrypted"},
		{"10.0.0.1:4222", false, true, "not encrypted"},
		{"nats://localhost:4222, nats://example.org", false, true, "not encrypted"},
		{"tls://example.org", true, false, "takes anyone"},
		{"tls://example.org", true, true, ""},
	} {
		if got := exposed(c.url, c.encrypted, c.credentials); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, TLS %v, credentials %v: %q, want %q", c.url, c.encrypted, c.credentials, got, c.want)
		}
	}
	if got := hosts("nats://user:secret@example.org:4222"); strings.Contains(got, "secret") {
		t.Error(got)
	}
}
