package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"regexp"
)

// A Record is a finished trial on disk: what the first line and the last two of its file say.
type Record struct {
	Path string
	Identity
	Totals Totals
}

// ReadRecord reads the first line and the last two of a trial file, a few kilobytes whatever its
// length. The rounds between are not read: Check does that.
func ReadRecord(path string) (Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return Record{}, fmt.Errorf("results: read trial: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Record{}, fmt.Errorf("results: read trial: %w", err)
	}
	rec := Record{Path: path}
	if rec.Identity, rec.Totals, err = readEnds(f, info.Size()); err != nil {
		return Record{}, fmt.Errorf("results: read %s: %w", path, err)
	}
	return rec, nil
}

// Check reads a whole trial file. It returns a Damaged unless the file is complete, as it was
// written, and of the trial want. The error of a file that does not exist is fs.ErrNotExist.
func Check(path string, want Identity) (Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return Record{}, fmt.Errorf("results: check trial: %w", err)
	}
	defer f.Close()
	rec := Record{Path: path}
	if rec.Identity, rec.Totals, err = scan(f, nil, nil); err != nil {
		return Record{}, damaged(path, fmt.Errorf("results: check %s: %w", path, err))
	}
	if rec.ID() != want.ID() {
		field, is, wanted := FirstDifference(rec.Identity, want)
		err := fmt.Errorf("results: check %s: line 1: another trial: %s is %s, want %s", path, field, is, wanted)
		return Record{}, damaged(path, err)
	}
	return rec, nil
}

// damaged returns err as a Damaged, unless the system did not let the file be read: then its
// content is unknown.
func damaged(path string, err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return err
	}
	return Damaged{path, err}
}

// Rounds returns an iterator over the rounds of the trial's file. The checksum and the totals
// stand at the end of the file, so the last element may be an error: of a damaged file, or of one
// that changed since the record was read.
func (rec Record) Rounds() iter.Seq2[*Round, error] {
	return rec.rounds(func(line []byte, n int) (*Round, error) {
		return parseRound(line, n, len(rec.Environment.Arms))
	})
}

// Regrets is Rounds at twenty times the speed: of each round it reads Round, Realised and Expected
// alone. A *Round is valid until the next.
func (rec Record) Regrets() iter.Seq2[*Round, error] {
	var r Round
	return rec.rounds(func(line []byte, n int) (*Round, error) {
		return &r, parseRegrets(&r, line, n)
	})
}

func (rec Record) rounds(parse func(line []byte, n int) (*Round, error)) iter.Seq2[*Round, error] {
	return func(yield func(*Round, error) bool) {
		f, err := os.Open(rec.Path)
		if err != nil {
			yield(nil, fmt.Errorf("results: read rounds: %w", err))
			return
		}
		defer f.Close()
		err = rec.readRounds(f, parse, func(r *Round) bool { return yield(r, nil) })
		if err != nil && !errors.Is(err, errStop) {
			yield(nil, fmt.Errorf("results: read %s: %w", rec.Path, err))
		}
	}
}

var (
	errStop    = errors.New("stopped") // the caller of an iterator left its loop
	errChanged = errors.New("the file has changed while it was read: try again")
)

func (rec Record) readRounds(f io.Reader, parse func(line []byte, n int) (*Round, error), yield func(*Round) bool) error {
	var sums Totals
	_, totals, err := scan(f, func(i Identity) error {
		if i.ID() != rec.ID() {
			return errChanged
		}
		return nil
	}, func(line []byte, n int) error {
		round, err := parse(line, n)
		if err != nil {
			return err
		}
		sums.add(n, round.Realised, round.Expected, rec.Protocol)
		if !yield(round) {
			return errStop
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case !sums.sameRegret(totals):
		return fmt.Errorf("the totals (%g realised, %g expected) are not the sums of the rounds (%g, %g)", totals.Realised, totals.Expected, sums.Realised, sums.Expected)
	case !totals.sameRegret(rec.Totals) || totals.Rounds != rec.Totals.Rounds:
		return errChanged
	}
	return nil
}

// Sizes in bytes: what is read first of a head and of an end, and the longest
// end there is (a failure's cause may need six bytes a byte in JSON).
const (
	firstRead = 4 << 10
	maxEnd    = 4<<10 + 6*maxCause
)

// readEnds reads the first line and the last two.
func readEnds(r io.ReaderAt, size int64) (Identity, Totals, error) {
	head, err := readHead(r, size)
	if err != nil {
		return Identity{}, Totals{}, fmt.Errorf("line 1: %w", err)
	}
	identity, err := parseHeader(head)
	if err != nil {
		return Identity{}, Totals{}, fmt.Errorf("line 1: %w", err)
	}
	end, err := readEnd(r, size)
	if err != nil {
		return Identity{}, Totals{}, fmt.Errorf("last lines: %w", err)
	}
	totals, err := parseTotals(end, &identity)
	if err != nil {
		return Identity{}, Totals{}, fmt.Errorf("last lines: %w", err)
	}
	return identity, totals, nil
}

// readHead returns the first line with its newline.
func readHead(r io.ReaderAt, size int64) ([]byte, error) {
	line, err := newLines(io.NewSectionReader(r, 0, size), firstRead).next()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty")
	}
	return line, err
}

var sumLinePattern = regexp.MustCompile(`^\{"sha256":"[0-9a-f]{64}"\}\n$`)

// readEnd returns the totals' line, the last but one.
func readEnd(r io.ReaderAt, size int64) ([]byte, error) {
	sumLength := len(sumText(make([]byte, 32)))
	for n := int64(firstRead); ; n = maxEnd {
		b := make([]byte, min(n, size))
		if _, err := r.ReadAt(b, size-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		// The last line is a checksum, which is not verified here.
		cut := len(b) - sumLength
		if cut < 1 || b[cut-1] != '\n' || !sumLinePattern.Match(b[cut:]) {
			return nil, errCut
		}
		begin := bytes.LastIndexByte(b[:cut-1], '\n') + 1
		if begin > 0 {
			if !bytes.HasPrefix(b[begin:], endPrefix) {
				return nil, errCut
			}
			return b[begin:cut], nil
		}
		if n == maxEnd || int64(len(b)) == size {
			return nil, errCut
		}
	}
}
