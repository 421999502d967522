package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"banditsim/internal/words"
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

// scan reads a whole trial file, and checks the order of its lines, the number of rounds and the
// checksum. It calls begin, if not nil, with the identity, and round, if not nil, with every
// round's line, which is valid during the call. Errors name the line.
func scan(r io.Reader, begin func(Identity) error, round func(line []byte, n int) error) (identity Identity, totals Totals, err error) {
	in := newLines(r, 1<<16)
	fail := func(err error) (Identity, Totals, error) {
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		return Identity{}, Totals{}, fmt.Errorf("line %d: %w", in.n, err)
	}
	line, err := in.next()
	if err != nil {
		return fail(err)
	}
	if identity, err = parseHeader(line); err != nil {
		return fail(err)
	}
	if begin != nil {
		if err := begin(identity); err != nil {
			return fail(err)
		}
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
	if totals, err = parseTotals(line, &identity); err != nil {
		return fail(err)
	}
	if totals.Rounds != rounds {
		return fail(fmt.Errorf("the totals are of %d rounds, the file has %d", totals.Rounds, rounds))
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
	return identity, totals, nil
}

// parseRound reads the line of round n of a trial with the given number of arms.
func parseRound(line []byte, n, arms int) (*Round, error) {
	r := new(Round)
	if err := decodeStrict(line, r); err != nil {
		return nil, fmt.Errorf("round: %w", err)
	}
	return r, r.check(n, arms)
}

var (
	realisedKey = []byte(`,"realised":`)
	expectedKey = []byte(`,"expected":`)
)

// parseRegrets reads the first three fields of the line of round n into r.
func parseRegrets(r *Round, line []byte, n int) error {
	rest := line[len(roundPrefix):]
	field := func(key []byte) (value []byte) {
		rest = bytes.TrimPrefix(rest, key)
		i := bytes.IndexByte(rest, ',')
		if i < 0 {
			return nil
		}
		value, rest = rest[:i], rest[i:]
		return value
	}
	var errs [3]error
	r.Round, errs[0] = strconv.Atoi(string(field(nil)))
	if !bytes.HasPrefix(rest, realisedKey) {
		return errors.New("round: no realised regret: the line is damaged")
	}
	r.Realised, errs[1] = strconv.ParseFloat(string(field(realisedKey)), 64)
	if !bytes.HasPrefix(rest, expectedKey) {
		return errors.New("round: no expected regret: the line is damaged")
	}
	r.Expected, errs[2] = strconv.ParseFloat(string(field(expectedKey)), 64)
	if err := errors.Join(errs[:]...); err != nil || !words.Finite(r.Realised) || !words.Finite(r.Expected) {
		return errors.New("round: a number is damaged")
	}
	if r.Round != n {
		return fmt.Errorf("round %d, want round %d", r.Round, n)
	}
	return nil
}
