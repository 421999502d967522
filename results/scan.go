package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// How the lines of a trial file begin, after the header. The writer's field
// order is part of the format.
var (
	roundPrefix = []byte(`{"round":`)
	endPrefix   = []byte(`{"end":`)
)

// parseHeader reads the first line.
func parseHeader(line []byte) (Identity, error) {
	// The version first: of another one, nothing else is known.
	var version struct {
		Schema *int `json:"schema"`
	}
	if err := json.Unmarshal(line, &version); err != nil || version.Schema == nil {
		return Identity{}, errors.New("no header: this is no trial file, or its beginning is damaged")
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

// sumText is the last line of a file whose other bytes have the sum.
func sumText(sum []byte) []byte {
	b := append([]byte(nil), `{"sha256":"`...)
	b = hex.AppendEncode(b, sum)
	return append(b, "\"}\n"...)
}

// scan reads a whole trial file: it checks the order of its lines, the number
// of rounds and the checksum, and calls round with every round's line, valid
// during the call. Errors name the line.
func scan(r io.Reader, begin func(Identity), round func(line []byte, n int) error) (Trial, error) {
	var t Trial
	in := newLines(r)
	fail := func(err error) (Trial, error) {
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		return Trial{}, fmt.Errorf("line %d: %w", in.n, err)
	}
	line, err := in.next()
	if err != nil {
		return fail(err)
	}
	if t.Identity, err = parseHeader(line); err != nil {
		return fail(err)
	}
	if begin != nil {
		begin(t.Identity)
	}
	sum := sha256.New()
	sum.Write(line)
	rounds := 0
	for {
		if line, err = in.next(); err != nil {
			return fail(err)
		}
		sum.Write(line)
		if !bytes.HasPrefix(line, roundPrefix) {
			break
		}
		rounds++
		if round != nil {
			if err := round(line, rounds); err != nil {
				return fail(err)
			}
		}
	}
	if !bytes.HasPrefix(line, endPrefix) {
		return fail(errors.New("neither a round nor the totals: the line is damaged"))
	}
	if t.Totals, err = parseTotals(line, &t.Identity); err != nil {
		return fail(err)
	}
	if t.Totals.Rounds != rounds {
		return fail(fmt.Errorf("the totals are of %d rounds, the file has %d", t.Totals.Rounds, rounds))
	}
	if line, err = in.next(); err != nil {
		return fail(err)
	}
	if !bytes.Equal(line, sumText(sum.Sum(nil))) {
		return fail(errors.New("the checksum differs: bytes of the file were changed"))
	}
	if _, err = in.next(); !errors.Is(err, io.EOF) {
		return fail(errors.New("something follows the checksum"))
	}
	return t, nil
}

// parseRound reads a round's line, number n of a trial with so many arms.
func parseRound(line []byte, n, arms int) (*Round, error) {
	r := new(Round)
	if err := decodeStrict(line, r); err != nil {
		return nil, fmt.Errorf("round: %w", err)
	}
	return r, r.check(n, arms)
}

// regrets adds up rounds as the Writer does, so that equal sums are equal bits.
type regrets struct {
	realised, expected, realisedAfter, expectedAfter float64
}

func (s *regrets) add(round, afterBurnIn int, realised, expected float64) {
	s.realised += realised
	s.expected += expected
	if round >= afterBurnIn {
		s.realisedAfter += realised
		s.expectedAfter += expected
	}
}

// check returns an error unless t has the same sums.
func (s *regrets) check(t *Totals) error {
	if s.realised != t.Realised || s.expected != t.Expected || s.realisedAfter != t.RealisedAfter || s.expectedAfter != t.ExpectedAfter {
		return fmt.Errorf("the totals (%g realised, %g expected) are not the sums of the rounds (%g, %g)", t.Realised, t.Expected, s.realised, s.expected)
	}
	return nil
}
