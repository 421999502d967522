package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
)

// thetaEvery is the interval, in rounds, at which θ is recorded.
const thetaEvery = 50

// maxCause bounds the cause of a failure, in bytes.
const maxCause = 1000

// A Writer writes the file of one trial: it is the bandit.Recorder of that trial. The file appears under its name when
// Finish succeeds. Until then its lines are in a partial file (see checkpoint.go).
type Writer struct {
	partial
	path     string // path of the finished file
	round    Round
	identity Identity
	totals   Totals
	saved    bool         // reports whether there is a checkpoint of the partial file
	pulls    *pullsWriter // nil unless pulls are recorded

	text    *bytes.Buffer // content of the file of a trial in memory, else nil
	sidecar Sidecar       // sidecar of a trial in memory
}

var _ bandit.Recorder = (*Writer)(nil)

// Create starts the trial's file in dir, and removes any checkpoint of the trial. The caller must end with
// Finish or Abort, and must have locked the folder, so that a trial has one writer at a time.
func Create(dir string, identity Identity) (*Writer, error) {
	path := filepath.Join(dir, identity.FileName())
	// The checkpoint is removed first, as it describes the partial files. Partial files are removed rather than emptied,
	// as they may be named pipes, or links to other files.
	for _, old := range []string{CheckpointPath(path), partialPath(path), hidden(path, pullsPartialSuffix)} {
		if err := wholefile.Remove(old); err != nil {
			return nil, fmt.Errorf("results: create trial file: %w", err)
		}
	}
	p, err := createPartial(partialPath(path))
	if err != nil {
		return nil, fmt.Errorf("results: create trial file: %w", err)
	}
	w := &Writer{partial: p, path: path, identity: identity}
	if err := w.header(); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// InMemory starts a trial whose file is kept in memory, for MemorySet, which takes labels and tuned seeds from the
// argument sidecar. The writer has no checkpoints and no recorded pulls, and needs no Abort.
func InMemory(identity Identity, sidecar Sidecar) (*Writer, error) {
	text := new(bytes.Buffer)
	w := &Writer{partial: newPartial(nil, text), path: identity.FileName(), identity: identity, text: text, sidecar: sidecar}
	return w, w.header()
}

func (w *Writer) header() error {
	return w.marshal(header{Schema: Schema, ID: w.identity.ID(), Identity: w.identity})
}

// Record writes the next round.
func (w *Writer) Record(r *bandit.RoundRecord) error {
	if r.Round != w.totals.Rounds+1 {
		return fmt.Errorf("results: record round %d after round %d", r.Round, w.totals.Rounds)
	}
	// Totals are JSON numbers, which must be finite. The trial then fails in this round, with this error as the cause.
	if !words.Finite(r.Realised + r.Expected) {
		return fmt.Errorf("results: record round %d: regret %g realised and %g expected: the environment's rewards must be finite", r.Round, r.Realised, r.Expected)
	}
	w.totals.add(r.Round, r.Realised, r.Expected, len(r.Mistakes), w.identity.Protocol)
	withTheta := r.Round%thetaEvery == 0 || r.Round == w.identity.Protocol.Rounds
	w.round.set(r, withTheta)
	if err := w.marshal(&w.round); err != nil || w.pulls == nil {
		return err
	}
	_, err := w.pulls.buffer.Write(w.pulls.round)
	w.pulls.round = w.pulls.round[:0]
	return w.failed(err)
}

// Totals returns the sums over the rounds that are recorded so far.
func (w *Writer) Totals() Totals { return w.totals }

// Finish writes the totals and the checksum, syncs and renames the file, and removes the checkpoint. After an error it
// calls Abort. failure is nil if the trial did all its rounds.
func (w *Writer) Finish(failure *Failure) (Totals, error) {
	err := w.end(failure)
	if w.text != nil {
		return w.totals, err
	}
	if err == nil && w.pulls != nil { // before the trial file appears, so that no trial lacks its pulls
		err = w.failed(w.pulls.publish(PullsPath(w.path), w.identity.ID()))
	}
	if err == nil {
		err = wholefile.Publish(wholefile.Durable, w.file, w.path)
	}
	if err == nil { // removed last, as it is needed as long as there is a partial file
		err = w.failed(wholefile.Remove(CheckpointPath(w.path)))
	}
	if err != nil {
		w.Abort()
		return Totals{}, err
	}
	if w.pulls != nil {
		w.pulls.close(false)
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
	// w.sum covers the bytes that were flushed.
	if err := w.buffer.Flush(); err != nil {
		return w.failed(err)
	}
	if err := w.write(sumLine(w.sum.Sum(nil))); err != nil {
		return err
	}
	return w.failed(w.buffer.Flush())
}

// Abort closes the partial files, and removes them unless there is a checkpoint. It does nothing after Finish.
func (w *Writer) Abort() {
	w.close(w.saved)
	if w.pulls != nil {
		w.pulls.close(w.saved)
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
	if len(line) > maxLine { // readers would reject the line
		return w.failed(fmt.Errorf("a line of %d bytes, at most %d are allowed: take fewer pulls per round", len(line), maxLine))
	}
	_, err := w.buffer.Write(line)
	return w.failed(err)
}

// failed returns err with the path of the trial, or nil if err is nil.
func (w *Writer) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("results: write %s: %w", w.path, err)
}
