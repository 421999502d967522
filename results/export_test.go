package results

import (
	"errors"
	"io"
)

// Unexported identifiers that package results_test uses.
const (
	MaxCause  = maxCause
	FirstRead = firstRead
	MaxLine   = maxLine
)

var (
	PartialPath    = partialPath
	ReadCheckpoint = readCheckpoint
	ReadEnds       = readEnds
	ParseRound     = parseRound
	SumLine        = sumLine
	RoundPrefix    = roundPrefix
)

// Scan reads a whole trial file.
func Scan(r io.Reader) (Record, error) { return scan(r, visitor{}) }

// Reread verifies the file of a record, read from r, with all fields of the rounds and with those up to Wrong.
func (rec Record) Reread(r io.ReadSeeker) error {
	whole := rec.scanAgain(r, true, nil)
	_, err := r.Seek(0, io.SeekStart)
	return errors.Join(whole, err, rec.scanAgain(r, false, nil))
}

// Kill leaves the writer's files as a killed process does.
func (w *Writer) Kill() error { return errors.Join(w.buffer.Flush(), w.file.Close()) }

// Tampered returns a pointer to the totals of the next checkpoint, for tests to change them.
func (w *Writer) Tampered() *Totals { return &w.totals }

// Write writes line unchecked.
func (w *Writer) Write(line string) error { return w.write([]byte(line)) }
