package results

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/flatjson"
	"banditsim/internal/wholefile"
)

// A Record is a finished trial: the content of the first line and the last two lines of its file.
type Record struct {
	Path        string  // path of the file
	*Conditions         // shared by the trials of a Set
	Policy      *Policy // shared by the trials of one PolicyRecords
	Seed        uint64
	Totals      Totals
	// Sum is the checksum in the last line of the trial's file: the SHA-256 of all bytes before it.
	Sum [sha256.Size]byte
	// PullsDamaged is set if the trial's recorded pulls were found to be damaged. They are then left out.
	PullsDamaged bool

	hash       uint64   // Round.hash of all rounds; 0 if they were not read
	sidecar    *Sidecar // nil if Load has not read it
	sidecarErr error    // error of reading it
	text       []byte   // content of the file of a trial in memory, else nil
}

func newRecord(i Identity, t Totals, sum [sha256.Size]byte) Record {
	return Record{Conditions: &Conditions{i.Epoch, i.Environment, i.Protocol}, Policy: &i.Policy, Seed: i.Seed, Totals: t, Sum: sum}
}

// Identity returns the trial's identity. It has only a seed if Conditions or Policy is nil, as in the zero Record.
func (rec Record) Identity() Identity {
	if rec.Conditions == nil || rec.Policy == nil {
		return Identity{Seed: rec.Seed}
	}
	return Identity{rec.Epoch, *rec.Policy, rec.Environment, rec.Protocol, rec.Seed}
}

// ID returns the ID of the trial's identity.
func (rec Record) ID() string { return rec.Identity().ID() }

// FileName returns the name of the trial's file. If Conditions or Policy is nil, that is the name in Path.
func (rec Record) FileName() string {
	if rec.Conditions == nil || rec.Policy == nil {
		return filepath.Base(rec.Path)
	}
	return rec.Identity().FileName()
}

// ReadRecord reads the first line and the last two of a trial file, a few kilobytes whatever its length. Unlike Check
// and Load it verifies neither the rounds nor the checksum.
func ReadRecord(path string) (Record, error) { return readFile(path, readEnds) }

func verify(path string) (Record, error) {
	return readFile(path, func(r io.ReaderAt, size int64) (Record, error) {
		return scan(io.NewSectionReader(r, 0, size), visitor{})
	})
}

// readFile calls read with a trial file and its size.
func readFile(path string, read func(io.ReaderAt, int64) (Record, error)) (rec Record, err error) {
	f, info, err := wholefile.Open(path)
	if err == nil {
		defer f.Close()
		rec, err = read(f, info.Size())
	}
	if err != nil {
		return Record{}, fmt.Errorf("results: read %s: %w", path, err)
	}
	rec.Path = path
	return rec, nil
}

// Check reads and verifies a whole trial file. The error is a Damaged if the file is cut off, changed or inconsistent,
// or if its identity is not want. It is fs.ErrNotExist if there is no file.
func Check(path string, want Identity) (Record, error) {
	rec, err := verify(path)
	if err == nil && rec.ID() != want.ID() {
		field, is, wanted := flatjson.FirstDifference(rec.Identity(), want)
		err = fmt.Errorf("results: check %s: line 1: another trial: %s is %s, want %s", path, field, is, wanted)
	}
	if err != nil {
		return Record{}, damaged(path, err)
	}
	return rec, nil
}

// damaged returns err as a Damaged, or unchanged if it is from the operating system: the file may be sound then.
func damaged(path string, err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return err
	}
	return Damaged{path, err}
}

// Rounds returns an iterator over the rounds of the trial's file, which it verifies. As the checksum and the totals are
// at the end of the file, the last element may be an error: a Damaged if the file is damaged or has changed since the
// record was read. Each *Round is valid until the next one.
func (rec Record) Rounds() iter.Seq2[*Round, error] { return rec.rounds(true) }

// Regrets is Rounds at two to three times the speed: it reads only the fields of each round up to Wrong.
func (rec Record) Regrets() iter.Seq2[*Round, error] { return rec.rounds(false) }

// FirstDifference returns the first round in which two trials differ in the fields that Regrets reads; 0 if there is
// none. The trials must have the same number of rounds.
func (rec Record) FirstDifference(other Record) (round int, err error) {
	if rec.hash != 0 && rec.hash == other.hash {
		return 0, nil
	}
	next, stop := iter.Pull2(other.Regrets())
	defer stop()
	for a, err := range rec.Regrets() {
		if err != nil {
			return 0, err
		}
		b, err, _ := next()
		if err != nil {
			return 0, err
		}
		if a.Expected != b.Expected || a.Realised != b.Realised || !slices.Equal(a.Arms, b.Arms) || !slices.Equal(a.Wrong, b.Wrong) {
			return a.Round, nil
		}
	}
	return 0, nil
}

func (rec Record) rounds(whole bool) iter.Seq2[*Round, error] {
	return func(yield func(*Round, error) bool) {
		f, err := rec.open()
		if err != nil {
			yield(nil, fmt.Errorf("results: read rounds: %w", err))
			return
		}
		defer f.Close()
		err = rec.scanAgain(f, whole, func(r *Round) error {
			if !yield(r, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(nil, damaged(rec.Path, fmt.Errorf("results: read %s: %w", rec.Path, err)))
		}
	}
}

// open opens the trial's file, on disk or in memory.
func (rec Record) open() (io.ReadCloser, error) {
	if rec.text != nil {
		return io.NopCloser(bytes.NewReader(rec.text)), nil
	}
	f, _, err := wholefile.Open(rec.Path)
	return f, err
}

var (
	errStop     = errors.New("stopped") // the caller of an iterator left its loop
	errChecksum = errors.New("the checksum differs: bytes of the file were changed")
	errChanged  = errors.New("the file has changed while it was read: try again")
)

// scanAgain scans the trial's file f. The error is errChanged if f is not the file from which the record was read.
func (rec Record) scanAgain(f io.Reader, whole bool, round func(*Round) error) error {
	again, err := scan(f, visitor{id: rec.ID(), round: round, whole: whole})
	if err == nil && again.Sum != rec.Sum {
		err = errChanged
	}
	return err
}

// Copy copies the files of a trial to a folder of trials. The arguments trial, sidecar and pulls report which of them
// it copies. Each file appears whole or not at all. The trial file appears last, so that it never lacks the others.
// Files are verified while they are copied; the error for a damaged file is a Damaged.
func (rec Record) Copy(folder string, trial, sidecar, pulls bool) error {
	for _, f := range []struct {
		wanted bool
		path   func(trial string) string
		check  func(io.Reader) error
	}{
		{sidecar, SidecarPath, func(in io.Reader) error {
			_, err := readSidecar(in)
			return err
		}},
		{pulls, PullsPath, func(in io.Reader) error {
			return rec.readPulls(in, rec.Regrets(), func(*bandit.PullRecord) bool { return true })
		}},
		{trial, filepath.Clean, func(in io.Reader) error { return rec.scanAgain(in, false, nil) }},
	} {
		if !f.wanted {
			continue
		}
		if err := copyFile(f.path(rec.Path), filepath.Join(folder, f.path(rec.FileName())), f.check); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies the file source to target. check must read and verify the whole file.
func copyFile(source, target string, check func(io.Reader) error) error {
	f, _, err := wholefile.Open(source)
	if err != nil {
		return fmt.Errorf("results: copy: %w", err)
	}
	defer f.Close()
	return wholefile.WriteFunc(target, func(out io.Writer) error {
		if err := check(io.TeeReader(f, out)); err != nil {
			return damaged(source, fmt.Errorf("results: copy %s: %w", source, err))
		}
		return nil
	})
}

const (
	firstRead = 4 << 10            // size in bytes of the first read from a file
	maxEnd    = 4<<10 + 6*maxCause // maximum bytes of the last two lines; JSON may take six for a byte of the cause
)

// readEnds reads the first line and the last two lines of a trial file. It verifies only the ID in the first line.
func readEnds(r io.ReaderAt, size int64) (Record, error) {
	head, err := newLines(io.NewSectionReader(r, 0, size), make([]byte, firstRead)).next()
	if errors.Is(err, io.EOF) {
		err = errors.New("the file is empty")
	}
	var identity Identity
	if err == nil {
		identity, err = parseHeader(head)
	}
	if err != nil {
		return Record{}, fmt.Errorf("line 1: %w", err)
	}
	totals, sum, err := readTotals(r, size, &identity)
	if err != nil {
		return Record{}, fmt.Errorf("last lines: %w", err)
	}
	return newRecord(identity, totals, sum), nil
}

// readTotals returns the totals, and the checksum in the last line, which it does not verify.
func readTotals(r io.ReaderAt, size int64, of *Identity) (totals Totals, sum [sha256.Size]byte, err error) {
	b := make([]byte, min(maxEnd, size))
	if _, err := r.ReadAt(b, size-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
		return totals, sum, err
	}
	cut := len(b) - len(sumLine(sum[:]))
	if cut < 1 || b[cut-1] != '\n' {
		return totals, sum, errCut
	}
	sum, ok := parseSumLine(b[cut:])
	begin := bytes.LastIndexByte(b[:cut-1], '\n') + 1
	if !ok || begin == 0 || !bytes.HasPrefix(b[begin:], endPrefix) {
		return totals, sum, errCut
	}
	totals, err = parseTotals(b[begin:cut], of)
	return totals, sum, err
}
