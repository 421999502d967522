package results

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"banditsim/internal/flatjson"
	"banditsim/internal/wholefile"
	"banditsim/results/internal/jsonl"
	"banditsim/results/internal/stamp"
	"banditsim/results/internal/sumline"
)

// A Record is a finished trial on disk: what the first line and the last two of its file say.
type Record struct {
	Path        string  // path of the file; for a trial in a pack, that of the pack joined with the name of its file
	*Conditions         // shared by the trials of a Set
	Policy      *Policy // shared by the trials of PolicyRecords
	Seed        uint64
	Totals      Totals

	sum     [sha256.Size]byte // checksum of the file, as its last line says
	sidecar *sidecarFile
	member  *member // its place in a pack; nil for a file of its own
	text    []byte  // the file, if it is on no disk
	// pullsDamaged is set of a trial whose recorded pulls were found to be damaged.
	pullsDamaged bool
	verified     *stamp.Entry // entry of the file, without Sum, if Load verified it and it had not just been written; else nil
}

func newRecord(i Identity, t Totals, sum [sha256.Size]byte) Record {
	return Record{Conditions: &Conditions{i.Epoch, i.Environment, i.Protocol}, Policy: &i.Policy, Seed: i.Seed, Totals: t, sum: sum}
}

// Identity returns the identity of the trial, the zero value for that of a Record.
func (rec Record) Identity() Identity {
	if rec.Conditions == nil || rec.Policy == nil {
		return Identity{Seed: rec.Seed}
	}
	return Identity{rec.Epoch, *rec.Policy, rec.Environment, rec.Protocol, rec.Seed}
}

// ID returns the ID of the trial's identity.
func (rec Record) ID() string { return rec.Identity().ID() }

// FileName returns the name of the trial's file.
func (rec Record) FileName() string { return rec.Identity().FileName() }

// ReadRecord reads the first line and the last two of a trial file, a few kilobytes whatever its
// length. Nothing is verified: Check and Load do that.
func ReadRecord(path string) (Record, error) {
	f, info, err := wholefile.Open(path)
	if err != nil {
		return Record{}, fmt.Errorf("results: read trial: %w", err)
	}
	defer f.Close()
	rec, err := readEnds(f, info.Size())
	if err != nil {
		return Record{}, fmt.Errorf("results: read %s: %w", path, err)
	}
	rec.Path = path
	return rec, nil
}

// Check reads a whole trial file. It returns a Damaged unless the file is complete, as it was
// written, consistent, and of the trial want. The error of a file that does not exist is fs.ErrNotExist.
func Check(path string, want Identity) (Record, error) {
	f, _, err := wholefile.Open(path)
	if err != nil {
		return Record{}, damaged(path, fmt.Errorf("results: check trial: %w", err))
	}
	defer f.Close()
	rec, err := scan(f, visitor{})
	if err != nil {
		return Record{}, damaged(path, fmt.Errorf("results: check %s: %w", path, err))
	}
	rec.Path = path
	if rec.ID() != want.ID() {
		field, is, wanted := flatjson.FirstDifference(rec.Identity(), want)
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
// stand at the end of the file, so the last element may be an error: a Damaged of a damaged file, or of one
// that changed since the record was read. The checksum is not computed again for a file that Load verified and that has not
// changed since by its size, time and inode. A *Round is valid until the next.
func (rec Record) Rounds() iter.Seq2[*Round, error] { return rec.rounds(true) }

// Regrets is Rounds at two to three times the speed: of each round it reads the fields up to Wrong alone.
func (rec Record) Regrets() iter.Seq2[*Round, error] { return rec.rounds(false) }

func (rec Record) rounds(whole bool) iter.Seq2[*Round, error] {
	return func(yield func(*Round, error) bool) {
		f, entry, err := rec.open()
		if err != nil {
			yield(nil, fmt.Errorf("results: read rounds: %w", err))
			return
		}
		defer f.Close()
		err = rec.readRounds(f, whole, rec.verified != nil && *rec.verified == entry, func(r *Round) bool { return yield(r, nil) })
		if err != nil && !errors.Is(err, errStop) {
			yield(nil, damaged(rec.Path, fmt.Errorf("results: read %s: %w", rec.Path, err)))
		}
	}
}

var (
	errStop    = errors.New("stopped") // the caller of an iterator left its loop
	errChanged = errors.New("the file has changed while it was read: try again")
)

func (rec Record) readRounds(f io.Reader, whole, verified bool, yield func(*Round) bool) error {
	var known *Identity
	if verified && rec.member == nil { // the header of a trial in a pack is not, as that is hashed alone
		i := rec.Identity()
		known = &i
	}
	again, err := scan(f, visitor{
		known: known,
		begin: func(i Identity) error {
			if i.ID() != rec.ID() {
				return errChanged
			}
			return nil
		},
		round: func(r *Round) error {
			if !yield(r) {
				return errStop
			}
			return nil
		},
		whole:    whole,
		verified: verified,
	})
	switch {
	case err == nil && again.sum != rec.sum:
		err = errChanged
	case err == nil && !again.Totals.equal(rec.Totals): // the same bytes have other totals in the index of a pack
		err = fmt.Errorf("the pack says that its totals are %v, they are %v", rec.Totals, again.Totals)
	}
	return err
}

// Sizes in bytes: what is read first of a head and of an end, and the longest
// end there is (a failure's cause may need six bytes per byte in JSON).
const (
	firstRead = 4 << 10
	maxEnd    = 4<<10 + 6*maxCause
)

// readEnds reads the first line and the last two.
func readEnds(r io.ReaderAt, size int64) (Record, error) {
	head, err := readHead(r, size)
	if err != nil {
		return Record{}, fmt.Errorf("line 1: %w", err)
	}
	identity, err := parseHeader(head)
	if err != nil {
		return Record{}, fmt.Errorf("line 1: %w", err)
	}
	end, sum, err := readEnd(r, size)
	if err != nil {
		return Record{}, fmt.Errorf("last lines: %w", err)
	}
	totals, err := parseTotals(end, &identity)
	if err != nil {
		return Record{}, fmt.Errorf("last lines: %w", err)
	}
	return newRecord(identity, totals, sum), nil
}

// readHead returns the first line with its newline.
func readHead(r io.ReaderAt, size int64) ([]byte, error) {
	line, err := jsonl.NewLines(io.NewSectionReader(r, 0, size), make([]byte, firstRead)).Next()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty")
	}
	return line, err
}

// readEnd returns the line of the totals, and the checksum of the last.
func readEnd(r io.ReaderAt, size int64) (totals []byte, sum [sha256.Size]byte, err error) {
	sumLength := len(sumline.Text(sum[:]))
	for n := int64(firstRead); ; n = maxEnd {
		b := make([]byte, min(n, size))
		if _, err := r.ReadAt(b, size-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
			return nil, sum, err
		}
		// The last line is a checksum, which is not verified here.
		cut := len(b) - sumLength
		if cut < 1 || b[cut-1] != '\n' {
			return nil, sum, jsonl.ErrCut
		}
		sum, ok := sumline.Parse(b[cut:])
		if !ok {
			return nil, sum, jsonl.ErrCut
		}
		begin := bytes.LastIndexByte(b[:cut-1], '\n') + 1
		if begin > 0 {
			if !bytes.HasPrefix(b[begin:], endPrefix) {
				return nil, sum, jsonl.ErrCut
			}
			return b[begin:cut], sum, nil
		}
		if n == maxEnd || int64(len(b)) == size {
			return nil, sum, jsonl.ErrCut
		}
	}
}
