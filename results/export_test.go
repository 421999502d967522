package results

import (
	"errors"
	"io"
)

// What the tests in package results_test use of this package's inside.
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

// Reread reads the file of a record from r, every round in both ways.
func (rec Record) Reread(r io.ReadSeeker) error {
	whole := rec.scanAgain(r, true, nil)
	_, err := r.Seek(0, io.SeekStart)
	return errors.Join(whole, err, rec.scanAgain(r, false, nil))
}

// Kill leaves the writer's files as a process does that is killed.
func (w *Writer) Kill() error { return errors.Join(w.buffer.Flush(), w.file.Close()) }

// Tampered returns the totals that the next checkpoint has.
func (w *Writer) Tampered() *Totals { return &w.totals }

// Write writes a line of any content.
func (w *Writer) Write(line string) error { return w.write([]byte(line)) }
