package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
)

// The first bytes of the lines after the header. The order of the fields is part of the format.
var (
	roundPrefix = []byte(`{"round":`)
	endPrefix   = []byte(`{"end":`)
)

// parseHeader reads the first line.
func parseHeader(line []byte) (Identity, error) {
	// The version first, as other versions may have other fields.
	var version struct {
		Schema *int `json:"schema"`
	}
	if err := json.Unmarshal(line, &version); err != nil || version.Schema == nil {
		return Identity{}, errors.New("no header: this is not a trial file, or its beginning is damaged")
	}
	if *version.Schema != Schema {
		return Identity{}, fmt.Errorf("schema version %d, this program reads version %d: read it with the program that wrote it", *version.Schema, Schema)
	}
	var h header
	if err := decodeStrict(line, &h); err != nil {
		return Identity{}, fmt.Errorf("header: %w", err)
	}
	if err := h.Protocol.Validate(); err != nil {
		return Identity{}, fmt.Errorf("header: %w", err)
	}
	if id := h.Identity.ID(); h.ID != id {
		return Identity{}, fmt.Errorf("header: id %.12q does not belong to the rest of the header (%q): it was changed", h.ID, id[:12])
	}
	return h.Identity, nil
}

// parseTotals reads the end line of a trial.
func parseTotals(line []byte, of *Identity) (Totals, error) {
	var e endLine
	if err := decodeStrict(line, &e); err != nil {
		return Totals{}, fmt.Errorf("totals: %w", err)
	}
	if e.End == nil {
		return Totals{}, errors.New("totals: none")
	}
	t := *e.End
	rounds := of.Protocol.Rounds
	switch {
	case t.Rounds < 0 || t.Rounds > rounds:
		return Totals{}, fmt.Errorf("totals: %d rounds, want at most %d", t.Rounds, rounds)
	case t.Rounds < rounds && t.Failure == nil:
		return Totals{}, fmt.Errorf("totals: %d of %d rounds and no failure: the trial is not complete", t.Rounds, rounds)
	}
	return t, nil
}

// sumText returns the last line of a file whose other bytes have the sum.
func sumText(sum []byte) []byte {
	b := append([]byte(nil), `{"sha256":"`...)
	b = hex.AppendEncode(b, sum)
	return append(b, "\"}\n"...)
}

// A scanner reads the header and the rounds of a trial file, and adds up what they say.
type scanner struct {
	in       *lines
	sum      hash.Hash // of the lines that were read
	identity Identity
	totals   Totals // of the rounds that were read
	head     Round  // of the last of them
	wrong    error  // of the first round that cannot be of the trial
}

// header reads the first line.
func (s *scanner) header() error {
	line, err := s.in.next()
	if err != nil {
		return err
	}
	s.sum.Write(line)
	s.identity, err = parseHeader(line)
	return err
}

// rounds reads all lines of rounds and returns the first line that is not one, which the sum includes. It calls
// round, if not nil, for each until one is wrong; line and head are valid during the call.
func (s *scanner) rounds(round func(line []byte, head *Round) error) ([]byte, error) {
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
			if s.wrong = s.head.parseHead(line, n, arms, p.Pulls); s.wrong != nil {
				s.wrong = fmt.Errorf("line %d: %w", s.in.n, s.wrong)
			}
		}
		s.totals.add(n, s.head.Realised, s.head.Expected, p)
		s.totals.Mistakes += len(s.head.Wrong)
		if s.wrong == nil && round != nil {
			if err := round(line, &s.head); err != nil {
				return nil, err
			}
		}
	}
}

// scan reads a whole trial file into a record without a path. It checks the order of the lines, the checksum
// and that the totals are the sums of the rounds. It calls begin, if not nil, with the identity, and
// round as scanner.rounds does. Errors name the line.
func scan(r io.Reader, begin func(Identity) error, round func(line []byte, head *Round) error) (Record, error) {
	return scanLines(newLines(r, make([]byte, 1<<16)), begin, round)
}

func scanLines(in *lines, begin func(Identity) error, round func(line []byte, head *Round) error) (Record, error) {
	s := scanner{in: in, sum: sha256.New()}
	fail := func(err error) (Record, error) {
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		return Record{}, fmt.Errorf("line %d: %w", in.n, err)
	}
	if err := s.header(); err != nil {
		return fail(err)
	}
	if begin != nil {
		if err := begin(s.identity); err != nil {
			return fail(err)
		}
	}
	line, err := s.rounds(round)
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
	if !bytes.Equal(line, sumText(s.sum.Sum(nil))) {
		return fail(errors.New("the checksum differs: bytes of the file were changed"))
	}
	rec := Record{Identity: s.identity, Totals: totals, sum: string(line)}
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

// parseRound reads the line of round n of a trial with the given number of arms.
func parseRound(line []byte, n, arms int) (*Round, error) {
	r := new(Round)
	if err := decodeStrict(line, r); err != nil {
		return nil, fmt.Errorf("round: %w", err)
	}
	return r, r.check(n, arms)
}

// parseHead reads the fields of the line of round n up to wrong, and checks them. It keeps r's slices to
// allocate nothing, and is twenty times as fast as parseRound, which it calls for lines that Writer does not write.
func (r *Round) parseHead(line []byte, n, arms, pulls int) error {
	f := fieldReader{rest: line}
	f.skip(`{"round":`)
	r.Round = f.int()
	f.skip(`,"realised":`)
	r.Realised = f.float()
	f.skip(`,"expected":`)
	r.Expected = f.float()
	f.skip(`,"arms":[`)
	r.Arms, r.Wrong = r.Arms[:0], r.Wrong[:0]
	for first := true; !f.bad && !f.take("]"); first = false {
		if !first {
			f.skip(",")
		}
		r.Arms = append(r.Arms, f.int())
	}
	if f.take(`,"wrong":[`) {
		for first := true; !f.bad && !f.take("]"); first = false {
			if !first {
				f.skip(",")
			}
			f.skip("[")
			row := f.int()
			f.skip(",")
			r.Wrong = append(r.Wrong, [2]int{row, f.int()})
			f.skip("]")
		}
	}
	if f.bad || !(bytes.HasPrefix(f.rest, []byte(`,"energy":`)) || string(f.rest) == "}\n") {
		whole, err := parseRound(line, n, arms)
		if err != nil {
			return err
		}
		*r = *whole
	}
	sum := 0
	for _, k := range r.Arms {
		if k < 0 {
			return fmt.Errorf("round: %d pulls of an arm", k)
		}
		sum += k
	}
	if sum != pulls {
		return fmt.Errorf("round: the arms have %d pulls in all, want %d", sum, pulls)
	}
	return r.check(n, arms)
}

// A fieldReader reads JSON of a known form. After the first mismatch it is bad.
type fieldReader struct {
	rest []byte
	bad  bool
}

// take skips text and reports whether it was there.
func (f *fieldReader) take(text string) bool {
	there := len(f.rest) >= len(text) && string(f.rest[:len(text)]) == text
	if there {
		f.rest = f.rest[len(text):]
	}
	return there
}

func (f *fieldReader) skip(text string) { f.bad = !f.take(text) || f.bad }

// number returns the next characters of a number.
func (f *fieldReader) number() []byte {
	i := 0
	for i < len(f.rest) && (f.rest[i] == '-' || f.rest[i] == '+' || f.rest[i] == '.' || f.rest[i] == 'e' || '0' <= f.rest[i] && f.rest[i] <= '9') {
		i++
	}
	b := f.rest[:i]
	f.rest = f.rest[i:]
	return b
}

func (f *fieldReader) int() int {
	negative, v, i := f.take("-"), 0, 0
	for ; i < len(f.rest) && i < 18 && '0' <= f.rest[i] && f.rest[i] <= '9'; i++ {
		v = 10*v + int(f.rest[i]-'0')
	}
	f.bad = f.bad || i == 0 || i == 18
	f.rest = f.rest[i:]
	if negative {
		return -v
	}
	return v
}

func (f *fieldReader) float() float64 {
	v, err := strconv.ParseFloat(string(f.number()), 64)
	f.bad = f.bad || err != nil
	return v
}
