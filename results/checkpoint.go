package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"banditsim/internal/wholefile"
)

// How a trial survives the death of its process
//
// While a trial X.jsonl runs, there are up to two files beside where it will be:
//
//	.X.jsonl.partial     its lines so far; they are only ever appended
//	.X.jsonl.checkpoint  the state after one of its rounds, and how long the
//	                     partial file was then, with the SHA-256 of so many bytes
//
// What holds at every moment, wherever a process is killed or the power fails:
//
//  1. A checkpoint appears whole (temporary file, sync, rename), and only after the
//     bytes that it counts on are on the disk. So they can be relied on: whatever
//     follows them in the partial file, half a line maybe, is cut off on resuming,
//     and the rounds are played again, to the same bytes.
//  2. Those bytes change no more while the checkpoint exists. Create removes it
//     before it empties the partial file.
//  3. X.jsonl appears whole: the partial file is renamed when it is complete and on
//     the disk. Only then the checkpoint is removed. In between there is a checkpoint
//     without its partial file beside a finished trial, which Tidy removes.
//  4. A partial file without a checkpoint is of no use to anybody: Tidy removes it,
//     and the trial begins anew.
//
// Nothing of this is believed, though: the checkpoint ends in a checksum, and Resume
// reads again what it says of the partial file. A file that is found damaged is
// renamed by SetAside and never written over.

// checkpointSchema is the version of the format, and of the state in it: raise it when
// any object's saved state changes.
const checkpointSchema = 1

// A Checkpoint is what a trial goes on from.
type Checkpoint struct {
	Rounds   int       // that were finished
	State    []byte    // of the trial after them: bandit.Trial.MarshalBinary
	Sidecars []Sidecar // of the runs that led to it, oldest first
}

// checkpointHeader is the first line of a checkpoint. The state follows it, then
// the line of the checksum over all before it, as in a trial file.
type checkpointHeader struct {
	Schema   int       `json:"checkpoint"`
	ID       string    `json:"id"`     // of the trial
	Totals   Totals    `json:"totals"` // so far
	Length   int64     `json:"length"` // of the partial file, in bytes
	SHA256   string    `json:"sha256"` // of those
	Sidecars []Sidecar `json:"sidecars"`
	State    int64     `json:"state"` // length in bytes
}

// hidden is the path of a file that belongs to a trial and is not to be seen.
func hidden(trial, suffix string) string {
	return filepath.Join(filepath.Dir(trial), "."+filepath.Base(trial)+suffix)
}

const (
	partialSuffix    = ".partial"
	checkpointSuffix = ".checkpoint"
)

func partialPath(trial string) string    { return hidden(trial, partialSuffix) }
func CheckpointPath(trial string) string { return hidden(trial, checkpointSuffix) }

// Checkpoint makes the trial resumable from the round that was recorded last. state
// is the trial's, sidecars are those of the runs so far.
func (w *Writer) Checkpoint(state []byte, sidecars []Sidecar) error {
	if err := w.buffer.Flush(); err != nil {
		return w.failed(err)
	}
	if err := w.file.Sync(); err != nil {
		return w.failed(err)
	}
	length, err := w.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return w.failed(err)
	}
	b, err := json.Marshal(checkpointHeader{
		Schema: checkpointSchema, ID: w.identity.ID(), Totals: w.totals,
		Length: length, SHA256: hex.EncodeToString(w.sum.Sum(nil)),
		Sidecars: sidecars, State: int64(len(state)),
	})
	if err != nil {
		return fmt.Errorf("results: encode checkpoint: %w", err)
	}
	if len(b) >= maxLine { // no reader would take it
		return w.failed(fmt.Errorf("a checkpoint's header of %d bytes, at most %d are allowed", len(b), maxLine))
	}
	b = append(append(b, '\n'), state...)
	sum := sha256.Sum256(b)
	if err := wholefile.Write(CheckpointPath(w.path), append(b, sumText(sum[:])...)); err != nil {
		return err
	}
	w.saved = true
	return nil
}

// Resume goes on with the trial's file in dir from its checkpoint. Without one
// the error is fs.ErrNotExist. The error of a checkpoint, or of what it
// counts on, that was changed since is a Damaged.
func Resume(dir string, identity Identity) (*Writer, Checkpoint, error) {
	path := filepath.Join(dir, identity.FileName())
	h, state, err := openCheckpoint(CheckpointPath(path), identity)
	if err != nil {
		return nil, Checkpoint{}, err
	}
	w, err := reopen(path, h, identity)
	if err != nil {
		return nil, Checkpoint{}, err
	}
	return w, Checkpoint{Rounds: h.Totals.Rounds, State: state, Sidecars: h.Sidecars}, nil
}

func openCheckpoint(path string, identity Identity) (checkpointHeader, []byte, error) {
	none := checkpointHeader{}
	f, err := os.Open(path)
	if err != nil {
		return none, nil, fmt.Errorf("results: read checkpoint: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return none, nil, fmt.Errorf("results: read checkpoint: %w", err)
	}
	h, state, err := readCheckpoint(f, info.Size())
	if err == nil && h.ID != identity.ID() {
		err = fmt.Errorf("it is of the trial %.12q, want %.12q", h.ID, identity.ID())
	}
	if err != nil {
		return none, nil, damaged(path, fmt.Errorf("results: read checkpoint %s: %w", path, err))
	}
	return h, state, nil
}

// readCheckpoint reads a checkpoint. It allocates for the state only when the
// checksum is right, so that damage cannot fill the memory.
func readCheckpoint(r io.ReaderAt, size int64) (h checkpointHeader, state []byte, err error) {
	head, err := readHead(r, size)
	if err != nil {
		return h, nil, err
	}
	var version struct {
		Schema *int `json:"checkpoint"`
	}
	if err := json.Unmarshal(head, &version); err != nil || version.Schema == nil {
		return h, nil, errors.New("no header: this is no checkpoint, or its beginning is damaged")
	}
	if *version.Schema != checkpointSchema {
		return h, nil, fmt.Errorf("a checkpoint of version %d, this program reads version %d", *version.Schema, checkpointSchema)
	}
	if err := decodeStrict(head, &h); err != nil {
		return h, nil, fmt.Errorf("header: %w", err)
	}
	end := int64(len(head)) + h.State
	last := make([]byte, len(sumText(make([]byte, sha256.Size))))
	if h.State < 0 || h.Length < 0 || h.Totals.Rounds < 0 || end+int64(len(last)) != size {
		return h, nil, errors.New("the file is cut off or too long")
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(r, 0, end)); err != nil {
		return h, nil, err
	}
	if _, err := r.ReadAt(last, end); err != nil {
		return h, nil, err
	}
	if !bytes.Equal(last, sumText(sum.Sum(nil))) {
		return h, nil, errors.New("the checksum differs: bytes of the file were changed")
	}
	state = make([]byte, h.State)
	_, err = r.ReadAt(state, int64(len(head)))
	return h, state, err
}

// reopen returns a writer that goes on where the partial file was when its
// checkpoint was written.
func reopen(path string, h checkpointHeader, identity Identity) (*Writer, error) {
	partial := partialPath(path)
	file, err := os.OpenFile(partial, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		checkpoint := CheckpointPath(path)
		return nil, Damaged{checkpoint, fmt.Errorf("results: read checkpoint %s: the file that it counts on is gone: %s", checkpoint, partial)}
	}
	if err != nil {
		return nil, fmt.Errorf("results: resume trial file: %w", err)
	}
	w := newWriter(path, file, identity)
	w.totals, w.saved = h.Totals, true
	if err := rewind(file, w.sum, h); err != nil {
		file.Close()
		return nil, damaged(partial, fmt.Errorf("results: resume %s: %w", partial, err))
	}
	return w, nil
}

// rewind checks the bytes that the checkpoint counts on, cuts the file off behind
// them, and leaves their sum in sum.
func rewind(file *os.File, sum hash.Hash, h checkpointHeader) error {
	n, err := io.Copy(sum, io.LimitReader(file, h.Length))
	switch {
	case err != nil:
		return err
	case n < h.Length:
		return fmt.Errorf("the file is cut off: %d bytes, its checkpoint counts on %d", n, h.Length)
	case hex.EncodeToString(sum.Sum(nil)) != h.SHA256:
		return errors.New("the checksum differs: bytes of the file were changed")
	}
	if err := file.Truncate(h.Length); err != nil {
		return err
	}
	_, err = file.Seek(h.Length, io.SeekStart)
	return err
}
