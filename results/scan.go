package results

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"banditsim/internal/lists"
)

// The first bytes of the lines after the header. The order of the fields is part of the format.
var (
	roundPrefix = []byte(`{"round":`)
	endPrefix   = []byte(`{"end":`)
)

func parseHeader(line []byte) (Identity, error) {
	var h header
	if err := decodeHeader(line, "trial file", "schema", Schema, &h); err != nil {
		return Identity{}, err
	}
	if err := h.Protocol.Validate(); err != nil {
		return Identity{}, fmt.Errorf("header: %w", err)
	}
	if h.Environment.Data.Replica {
		return Identity{}, errors.New("header: a trial on the replica of the mushrooms, which this program does not play: read it with the program that wrote it")
	}
	if id := h.Identity.ID(); h.ID != id {
		return Identity{}, fmt.Errorf("header: id %.12q does not belong to the rest of the header (%q): it was changed", h.ID, id[:12])
	}
	return h.Identity, nil
}

func parseTotals(line []byte, of *Identity) (Totals, error) {
	var e endLine
	if err := decodeStrict(line, &e); err != nil {
		return Totals{}, fmt.Errorf("totals: %w", err)
	}
	switch t, rounds := e.End, of.Protocol.Rounds; {
	case t == nil:
		return Totals{}, errors.New("totals: none")
	case t.Rounds < 0 || t.Rounds > rounds:
		return Totals{}, fmt.Errorf("totals: %d rounds, want at most %d", t.Rounds, rounds)
	case t.Rounds < rounds && t.Failure == nil:
		return Totals{}, fmt.Errorf("totals: %d of %d rounds and no failure: the trial is not complete", t.Rounds, rounds)
	}
	return *e.End, nil
}

// A scanner reads the header and the rounds of a trial file, and sums the rounds.
type scanner struct {
	in       *lineReader
	sum      hash.Hash // SHA-256 of the lines that were read
	identity Identity
	totals   Totals // sums over the rounds that were read
	hash     uint64 // Round.hash of the rounds that were read
	last     Round  // last round that was read
	wrong    error  // error of the first invalid round
}

// A visitor holds the options of a scan.
type visitor struct {
	id string // expected ID of the trial; "" accepts any
	// round, if not nil, is called with each round before the first invalid one. Its argument is valid during the call.
	round func(*Round) error
	whole bool // reports whether all fields of a Round are read, or only those up to Round.Wrong
}

func (s *scanner) header(v visitor) error {
	line, err := s.in.next()
	if err != nil {
		return err
	}
	s.sum.Write(line)
	if s.identity, err = parseHeader(line); err == nil && v.id != "" && v.id != s.identity.ID() {
		err = errChanged
	}
	return err
}

// rounds reads the lines of all rounds. It returns the line that follows, after adding it to s.sum.
func (s *scanner) rounds(v visitor) ([]byte, error) {
	arms, p := len(s.identity.Environment.Arms), s.identity.Protocol
	for n := 1; ; n++ {
		line, err := s.in.next()
		if err != nil {
			return nil, err
		}
		s.sum.Write(line)
		if !bytes.HasPrefix(line, roundPrefix) {
			return line, nil
		}
		if s.wrong == nil {
			if s.wrong = s.last.parse(line, n, arms, p.PullsUntil(n)-p.PullsUntil(n-1), v.whole); s.wrong != nil {
				s.wrong = fmt.Errorf("line %d: %w", s.in.n, s.wrong)
			}
		}
		s.totals.add(n, s.last.Realised, s.last.Expected, len(s.last.Wrong), p)
		s.hash = s.last.hash(s.hash)
		if s.wrong == nil && v.round != nil {
			if err := v.round(&s.last); err != nil {
				return nil, err
			}
		}
	}
}

// lineBuffers holds buffers for scan to reuse.
var lineBuffers = lists.Free[[]byte]{Make: func() []byte { return make([]byte, 1<<16) }}

// scan reads a whole trial file and returns a record without Path. It checks the order of the lines, the checksum, and
// that the totals are the sums of the rounds. Errors name the line.
func scan(r io.Reader, v visitor) (Record, error) {
	buffer := lineBuffers.Take()
	defer lineBuffers.Give(buffer)
	in := newLines(r, buffer)
	s := scanner{in: in, sum: sha256.New()}
	fail := func(err error) (Record, error) {
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		return Record{}, fmt.Errorf("line %d: %w", in.n, err)
	}
	if err := s.header(v); err != nil {
		return fail(err)
	}
	line, err := s.rounds(v)
	if err != nil {
		return fail(err)
	}
	if !bytes.HasPrefix(line, endPrefix) {
		return fail(errors.New("neither a round nor the totals: the line is damaged"))
	}
	totals, err := parseTotals(line, &s.identity)
	if err != nil {
		return fail(err)
	}
	if totals.Rounds != s.totals.Rounds {
		return fail(fmt.Errorf("the totals are of %d rounds, the file has %d", totals.Rounds, s.totals.Rounds))
	}
	if line, err = in.next(); err != nil {
		return fail(err)
	}
	sum, ok := parseSumLine(line)
	if !ok || !bytes.Equal(sum[:], s.sum.Sum(nil)) {
		return fail(errChecksum)
	}
	rec := newRecord(s.identity, totals, sum)
	rec.hash = s.hash
	if _, err = in.next(); !errors.Is(err, io.EOF) {
		return fail(errors.New("something follows the checksum"))
	}
	if s.wrong != nil {
		return Record{}, s.wrong
	}
	s.totals.Failure = totals.Failure
	if s.totals != totals {
		return Record{}, fmt.Errorf("line %d: the totals are not the sums of the rounds: %v, want %v", rec.Totals.Rounds+2, totals, s.totals)
	}
	return rec, nil
}
