package results

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// thetaEvery is the number of rounds between two lines with θ.
const thetaEvery = 50

// maxCause bounds the cause of a failure, in bytes.
const maxCause = 1000

// A Writer writes the file of one trial, as the trial's Recorder. The file appears under its name when
// Finish succeeds. Until then its lines go to a partial file beside it (see checkpoint.go).
type Writer struct {
	path     string // path of the finished file
	file     *os.File
	buffer   *bufio.Writer
	sum      hash.Hash
	line     []byte
	identity Identity
	totals   Totals
	saved    bool         // there is a checkpoint of the partial file
	pulls    *pullsWriter // nil unless pulls are recorded
}

var _ bandit.Recorder = (*Writer)(nil)

// Create starts the trial's file in dir, and removes a checkpoint of the trial. The caller must end with
// Finish or Abort, and must have locked the folder: a trial has one writer at a time.
func Create(dir string, identity Identity) (*Writer, error) {
	path := filepath.Join(dir, identity.FileName())
	// First, as the partial file that it depends on is emptied next.
	if err := removeIfThere(CheckpointPath(path)); err != nil {
		return nil, fmt.Errorf("results: create trial file: %w", err)
	}
	// Removed, not emptied: it may be a named pipe, or a link to a file that is not ours.
	for _, partial := range []string{partialPath(path), hidden(path, pullsPartialSuffix)} {
		if err := removeIfThere(partial); err != nil {
			return nil, fmt.Errorf("results: create trial file: %w", err)
		}
	}
	file, err := os.OpenFile(partialPath(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("results: create trial file: %w", err)
	}
	w := newWriter(path, file, identity)
	w.file = file
	if err := w.header(); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// newWriter returns a writer to out, which the caller makes its file if it is one.
func newWriter(path string, out io.Writer, identity Identity) *Writer {
	w := &Writer{path: path, sum: sha256.New(), identity: identity}
	w.buffer = bufio.NewWriterSize(io.MultiWriter(out, w.sum), 1<<16)
	return w
}

// Encode writes the file of a trial to out.
func Encode(out io.Writer, identity Identity, rounds iter.Seq2[*bandit.RoundRecord, error], failure *Failure) error {
	w := newWriter(identity.FileName(), out, identity)
	if err := w.header(); err != nil {
		return err
	}
	for r, err := range rounds {
		if err == nil {
			err = w.Record(r)
		}
		if err != nil {
			return err
		}
	}
	return w.end(failure)
}

func (w *Writer) header() error {
	return w.marshal(header{Schema: Schema, ID: w.identity.ID(), Identity: w.identity})
}

// Record writes the next round.
func (w *Writer) Record(r *bandit.RoundRecord) error {
	if r.Round != w.totals.Rounds+1 {
		return fmt.Errorf("results: record round %d after round %d", r.Round, w.totals.Rounds)
	}
	// Totals are JSON numbers. Here the error still becomes the failure of a round.
	if !words.Finite(r.Realised + r.Expected) {
		return fmt.Errorf("results: record round %d: regret %g realised and %g expected: the environment's rewards must be finite", r.Round, r.Realised, r.Expected)
	}
	w.totals.add(r.Round, r.Realised, r.Expected, w.identity.Protocol)
	w.totals.Mistakes += len(r.Mistakes)
	withTheta := r.Round%thetaEvery == 0 || r.Round == w.identity.Protocol.Rounds
	w.line = appendRound(w.line[:0], r, withTheta)
	if err := w.write(w.line); err != nil || w.pulls == nil {
		return err
	}
	if err := w.pulls.endRound(); err != nil {
		return w.failed(err)
	}
	return nil
}

// Totals returns the sums over the rounds that are recorded so far.
func (w *Writer) Totals() Totals { return w.totals }

// Finish writes the totals and the checksum, syncs and renames the file, and removes the checkpoint.
// failure is nil if the trial did all its rounds.
func (w *Writer) Finish(failure *Failure) (Totals, error) {
	err := w.end(failure)
	if err == nil && w.pulls != nil { // first, so that there is never a trial without its pulls
		if err = w.pulls.publish(PullsPath(w.path), w.identity.ID()); err != nil {
			err = w.failed(err)
		}
	}
	if err == nil {
		err = w.publish()
	}
	if err != nil {
		w.Abort()
		return Totals{}, err
	}
	return w.totals, nil
}

// end writes the totals and the checksum.
func (w *Writer) end(failure *Failure) error {
	if failure != nil {
		w.totals.Failure = &Failure{Round: failure.Round, Cause: words.Shorten(failure.Cause, maxCause)}
	}
	if err := w.marshal(endLine{End: &w.totals}); err != nil {
		return err
	}
	// The checksum covers what has left the buffer.
	if err := w.buffer.Flush(); err != nil {
		return w.failed(err)
	}
	if err := w.write(sumLine(w.sum.Sum(nil))); err != nil {
		return err
	}
	if err := w.buffer.Flush(); err != nil {
		return w.failed(err)
	}
	return nil
}

func (w *Writer) publish() error {
	if err := wholefile.Publish(w.file, w.path); err != nil {
		return err
	}
	// Last, as it no longer has a partial file.
	if err := removeIfThere(CheckpointPath(w.path)); err != nil {
		return w.failed(err)
	}
	if w.pulls != nil {
		w.pulls.close(false)
	}
	return nil
}

// Abort closes the partial file, and removes it unless there is a checkpoint. It does nothing after
// Finish.
func (w *Writer) Abort() {
	w.file.Close()
	if w.pulls != nil {
		w.pulls.close(w.saved)
	}
	if !w.saved {
		os.Remove(w.file.Name()) // an error after a rename is no matter
	}
}

func (w *Writer) marshal(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("results: encode: %w", err)
	}
	return w.write(append(b, '\n'))
}

func (w *Writer) write(line []byte) error {
	if len(line) > maxLine { // readers reject it
		return w.failed(fmt.Errorf("a line of %d bytes, at most %d are allowed: take fewer pulls per round", len(line), maxLine))
	}
	if _, err := w.buffer.Write(line); err != nil {
		return w.failed(err)
	}
	return nil
}

func (w *Writer) failed(err error) error {
	return fmt.Errorf("results: write %s: %w", w.path, err)
}
