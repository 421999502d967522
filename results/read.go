package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
)

// A Trial is what the head and the end of a trial file say.
type Trial struct {
	Identity Identity
	Totals   Totals
}

// ReadTrial reads the header and the totals of a trial file, a few kilobytes
// whatever its length. The rounds between are not looked at: Check does that.
func ReadTrial(path string) (Trial, error) {
	f, err := os.Open(path)
	if err != nil {
		return Trial{}, fmt.Errorf("results: read trial: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Trial{}, fmt.Errorf("results: read trial: %w", err)
	}
	t, err := readEnds(f, info.Size())
	if err != nil {
		return Trial{}, fmt.Errorf("results: read %s: %w", path, err)
	}
	return t, nil
}

// Check reads a whole trial file and returns what its head and its end say,
// or an error unless it is complete, unchanged since it was written, and the trial
// want: a Damaged then. The error of a file that does not exist is
// fs.ErrNotExist.
func Check(path string, want Identity) (Trial, error) {
	f, err := os.Open(path)
	if err != nil {
		return Trial{}, fmt.Errorf("results: check trial: %w", err)
	}
	defer f.Close()
	t, err := scan(f, nil, nil)
	if err != nil {
		return Trial{}, damaged(path, fmt.Errorf("results: check %s: %w", path, err))
	}
	if t.Identity.ID() != want.ID() {
		field, is, wanted := FirstDifference(t.Identity, want)
		err := fmt.Errorf("results: check %s: line 1: another trial: %s is %s, want %s", path, field, is, wanted)
		return Trial{}, damaged(path, err)
	}
	return t, nil
}

// damaged is err as that of a damaged file, unless the file's content cannot be
// known because the system does not let it be read.
func damaged(path string, err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return err
	}
	return Damaged{path, err}
}

// Rounds reads the rounds of a trial file one by one. The checksum and the
// totals stand at the end of the file, so the last element may be an error, after
// which there are no more.
func Rounds(path string) iter.Seq2[*Round, error] {
	return func(yield func(*Round, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, fmt.Errorf("results: read rounds: %w", err))
			return
		}
		defer f.Close()
		if err := readRounds(f, func(r *Round) bool { return yield(r, nil) }); err != nil && !errors.Is(err, errStop) {
			yield(nil, fmt.Errorf("results: read %s: %w", path, err))
		}
	}
}

// errStop ends a scan that nobody wants to go on with.
var errStop = errors.New("stopped")

func readRounds(r io.Reader, yield func(*Round) bool) error {
	var of Identity
	var sums regrets
	t, err := scan(r, func(i Identity) { of = i }, func(line []byte, n int) error {
		round, err := parseRound(line, n, len(of.Environment.Arms))
		if err != nil {
			return err
		}
		sums.add(n, of.Protocol.AfterBurnIn(), round.Realised, round.Expected)
		if !yield(round) {
			return errStop
		}
		return nil
	})
	if err != nil {
		return err
	}
	return sums.check(&t.Totals)
}

// Sizes in bytes: what is read first of a head and of an end, and the longest
// end there is (a failure's cause may need six bytes a byte in JSON).
const (
	firstRead = 4 << 10
	maxEnd    = 4<<10 + 6*maxCause
)

// readEnds reads the first line and the last two.
func readEnds(r io.ReaderAt, size int64) (Trial, error) {
	head, err := readHead(r, size)
	if err != nil {
		return Trial{}, fmt.Errorf("line 1: %w", err)
	}
	var t Trial
	if t.Identity, err = parseHeader(head); err != nil {
		return Trial{}, fmt.Errorf("line 1: %w", err)
	}
	end, err := readEnd(r, size)
	if err != nil {
		return Trial{}, fmt.Errorf("last lines: %w", err)
	}
	if t.Totals, err = parseTotals(end, &t.Identity); err != nil {
		return Trial{}, fmt.Errorf("last lines: %w", err)
	}
	return t, nil
}

// readHead returns the first line with its newline.
func readHead(r io.ReaderAt, size int64) ([]byte, error) {
	for n := int64(firstRead); ; n *= 8 {
		b := make([]byte, min(n, size, maxLine))
		if _, err := r.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			return b[:i+1], nil
		}
		switch {
		case size == 0:
			return nil, errors.New("the file is empty")
		case int64(len(b)) == size:
			return nil, errCut
		case len(b) == maxLine:
			return nil, errLong
		}
	}
}

// readEnd returns the totals' line, the last but one.
func readEnd(r io.ReaderAt, size int64) ([]byte, error) {
	sumLength := len(sumText(make([]byte, 32)))
	for n := int64(firstRead); ; n = maxEnd {
		b := make([]byte, min(n, size))
		if _, err := r.ReadAt(b, size-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		// The last line is a checksum, whose value only a whole reading can tell.
		cut := len(b) - sumLength
		if cut < 1 || b[cut-1] != '\n' || !isSum(b[cut:]) {
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

// isSum tells whether line has the form of a checksum line.
func isSum(line []byte) bool {
	pattern := sumText(make([]byte, 32))
	for i, c := range line {
		hexadecimal := '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
		if c != pattern[i] && !(pattern[i] == '0' && hexadecimal) {
			return false
		}
	}
	return true
}
