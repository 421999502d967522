package results

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"
	"unicode/utf8"

	"banditsim/bandit"
)

// thetaEvery is the number of rounds between two records of θ.
const thetaEvery = 50

// maxLine bounds the lines of a trial file, so that a damaged one cannot fill
// the memory of who reads it. maxCause bounds the cause of a failure.
const (
	maxLine  = 16 << 20
	maxCause = 1000
)

// A Writer writes one trial's file. It is the trial's Recorder. The file
// appears under its name, whole, when Finish succeeds, and not before.
type Writer struct {
	path     string
	file     *os.File
	buffer   *bufio.Writer
	sum      hash.Hash
	line     []byte
	identity Identity
	totals   Totals
}

var _ bandit.Recorder = (*Writer)(nil)

// Create opens a temporary file in dir for the trial. Call Finish or Abort in
// the end.
func Create(dir string, identity Identity) (*Writer, error) {
	name := identity.FileName()
	file, err := os.CreateTemp(dir, "."+name+".tmp*")
	if err != nil {
		return nil, fmt.Errorf("results: create trial file: %w", err)
	}
	w := &Writer{path: filepath.Join(dir, name), file: file, sum: sha256.New(), identity: identity}
	w.buffer = bufio.NewWriterSize(io.MultiWriter(file, w.sum), 1<<16)
	if err := w.marshal(header{Schema: Schema, ID: identity.ID(), Identity: identity}); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// Record writes one round.
func (w *Writer) Record(r *bandit.RoundRecord) error {
	// Totals are JSON numbers. This is caught here, where it can still be told
	// as the failure of a round.
	if v := r.Realised + r.Expected; math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("results: record round %d: regret %g realised and %g expected: the environment's rewards must be finite", r.Round, r.Realised, r.Expected)
	}
	t := &w.totals
	t.Rounds = r.Round
	t.Realised += r.Realised
	t.Expected += r.Expected
	t.Mistakes += len(r.Mistakes)
	if r.Round >= w.identity.Protocol.AfterBurnIn() {
		t.RealisedAfter += r.Realised
		t.ExpectedAfter += r.Expected
	}
	withTheta := r.Round%thetaEvery == 0 || r.Round == w.identity.Protocol.Rounds
	w.line = appendRound(w.line[:0], r, withTheta)
	return w.write(w.line)
}

// Finish writes the totals and the checksum, brings the file to the disk and gives
// it its name. failure is nil if the trial did all its rounds.
func (w *Writer) Finish(failure *Failure) (Totals, error) {
	if failure != nil {
		w.totals.Failure = &Failure{Round: failure.Round, Cause: shorten(failure.Cause, maxCause)}
	}
	if err := w.finish(); err != nil {
		w.Abort()
		return Totals{}, err
	}
	return w.totals, nil
}

func (w *Writer) finish() error {
	if err := w.marshal(endLine{End: &w.totals}); err != nil {
		return err
	}
	// The checksum sees what has left the buffer.
	if err := w.buffer.Flush(); err != nil {
		return w.failed(err)
	}
	if err := w.marshal(sumLine{SHA256: hex.EncodeToString(w.sum.Sum(nil))}); err != nil {
		return err
	}
	if err := w.buffer.Flush(); err != nil {
		return w.failed(err)
	}
	return publish(w.file, w.path)
}

// publish brings a temporary file to the disk and renames it.
func publish(file *os.File, path string) error {
	if err := file.Chmod(0o644); err != nil {
		return fmt.Errorf("results: write %s: %w", path, err)
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("results: write %s: %w", path, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("results: write %s: %w", path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fmt.Errorf("results: write: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// Abort removes the temporary file. It does nothing after Finish.
func (w *Writer) Abort() {
	w.file.Close()
	os.Remove(w.file.Name()) // gone already after a rename
}

func (w *Writer) marshal(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("results: encode: %w", err)
	}
	return w.write(append(b, '\n'))
}

func (w *Writer) write(line []byte) error {
	if len(line) > maxLine { // no reader would take it
		return w.failed(fmt.Errorf("a line of %d bytes, at most %d are allowed: take fewer pulls a round", len(line), maxLine))
	}
	if _, err := w.buffer.Write(line); err != nil {
		return w.failed(err)
	}
	return nil
}

func (w *Writer) failed(err error) error {
	return fmt.Errorf("results: write %s: %w", w.path, err)
}

// shorten cuts s to at most n bytes, between runes.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n-len("…"), 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
