package results

import (
	"bufio"
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
// While a trial X.jsonl runs, its folder has up to two hidden files, and a third if pulls are recorded (see pulls.go):
//
//	.X.jsonl.partial     the lines so far; lines are only appended
//	.X.jsonl.checkpoint  the state after one of its rounds, and the length and SHA-256 of the partial file at that time
//
// The following holds at every moment, wherever a process is killed or the power fails:
//
//  1. A checkpoint appears whole (temporary file, rename), after the bytes of the partial file that it describes. Resume
//     cuts off later bytes, perhaps half a line, and the trial plays those rounds again, which gives the same bytes. In the
//     first seconds of a trial nothing is synced: if a power failure damages a file, Resume returns an error and the trial
//     starts anew.
//  2. The described bytes do not change while the checkpoint exists. Create removes the checkpoint before the partial file.
//  3. X.jsonl appears whole: the complete partial file is synced and renamed, then the checkpoint is removed. A process
//     killed in between leaves a checkpoint without a partial file, and perhaps the partial file of pulls, beside the
//     finished trial; Tidy removes them.
//  4. A partial file without a checkpoint is useless: Tidy removes it, and the trial starts anew.
//
// Resume verifies the checkpoint and the described bytes by checksums. Its caller renames a damaged file by SetAside.

// checkpointSchema is the version of the checkpoint format. It is raised when the saved state of any object changes.
const checkpointSchema = 2

// A Checkpoint is the state from which a trial is resumed.
type Checkpoint struct {
	Rounds   int       // number of finished rounds
	State    []byte    // bandit.Trial.MarshalBinary after these rounds
	Sidecars []Sidecar // sidecars of the runs so far, oldest first
	Pulls    bool      // reports whether pulls are recorded
}

// checkpointHeader is the first line of a checkpoint. The trial's state follows, then the checksum line (sumLine).
type checkpointHeader struct {
	Schema    int        `json:"checkpoint"`
	ID        string     `json:"id"`     // ID of the trial
	Totals    Totals     `json:"totals"` // totals of the finished rounds
	fileState            // state of .X.jsonl.partial
	Sidecars  []Sidecar  `json:"sidecars"`
	State     int64      `json:"state"`           // length of the state in bytes
	Pulls     *fileState `json:"pulls,omitempty"` // state of .X.jsonl.pulls.partial; nil if pulls are not recorded
}

// hidden returns the path of the hidden file with the given suffix that belongs to a trial file.
func hidden(trial, suffix string) string {
	return filepath.Join(filepath.Dir(trial), "."+filepath.Base(trial)+suffix)
}

const (
	partialSuffix    = ".partial"
	checkpointSuffix = ".checkpoint"
)

func partialPath(trial string) string { return hidden(trial, partialSuffix) }

// CheckpointPath returns the path of the checkpoint of a trial file.
func CheckpointPath(trial string) string { return hidden(trial, checkpointSuffix) }

// Checkpoint writes a checkpoint after the last recorded round, with the trial's state and the sidecars of the runs so
// far. If durable is set, the checkpoint and partial files are synced to disk; else a power failure may damage them.
func (w *Writer) Checkpoint(state []byte, sidecars []Sidecar, durable bool) error {
	lines, err := w.state(durable)
	if err != nil {
		return w.failed(err)
	}
	var pulls *fileState
	if w.pulls != nil {
		pulls = new(fileState)
		if *pulls, err = w.pulls.state(durable); err != nil {
			return w.failed(err)
		}
	}
	promise := wholefile.Volatile
	if durable {
		promise = wholefile.Durable
	}
	b, err := json.Marshal(checkpointHeader{
		Schema: checkpointSchema, ID: w.identity.ID(), Totals: w.totals, fileState: lines,
		Sidecars: sidecars, State: int64(len(state)), Pulls: pulls,
	})
	if err != nil {
		return fmt.Errorf("results: encode checkpoint: %w", err)
	}
	b = append(append(b, '\n'), state...)
	sum := sha256.Sum256(b)
	if err := wholefile.WriteAs(promise, CheckpointPath(w.path), append(b, sumLine(sum[:])...)); err != nil {
		return err
	}
	w.saved = true
	return nil
}

// Resume returns a writer that continues the trial's file in dir from its checkpoint, and the checkpoint. The error is
// fs.ErrNotExist without a checkpoint, and a Damaged if the checkpoint is damaged or a partial file is damaged or gone.
func Resume(dir string, identity Identity) (*Writer, Checkpoint, error) {
	path := filepath.Join(dir, identity.FileName())
	checkpoint := CheckpointPath(path)
	b, err := wholefile.ReadFile(checkpoint)
	if err != nil {
		return nil, Checkpoint{}, damaged(checkpoint, fmt.Errorf("results: read checkpoint: %w", err))
	}
	h, state, err := readCheckpoint(b)
	if err == nil && h.ID != identity.ID() {
		err = fmt.Errorf("it is of the trial %.12q, want %.12q", h.ID, identity.ID())
	}
	if err != nil {
		return nil, Checkpoint{}, Damaged{checkpoint, fmt.Errorf("results: read checkpoint %s: %w", checkpoint, err)}
	}
	w := &Writer{path: path, identity: identity, totals: h.Totals, saved: true}
	if w.partial, err = reopen(path, partialPath(path), h.fileState); err != nil {
		return nil, Checkpoint{}, err
	}
	if err = sameRounds(w.file, h, identity); err != nil {
		err = damaged(partialPath(path), fmt.Errorf("results: resume %s: %w", partialPath(path), err))
	} else if h.Pulls != nil {
		w.pulls = new(pullsWriter)
		w.pulls.partial, err = reopen(path, hidden(path, pullsPartialSuffix), *h.Pulls)
	}
	if err != nil {
		w.file.Close()
		return nil, Checkpoint{}, err
	}
	return w, Checkpoint{Rounds: h.Totals.Rounds, State: state, Sidecars: h.Sidecars, Pulls: w.pulls != nil}, nil
}

// readCheckpoint parses and verifies the bytes of a checkpoint. The returned state is a subslice of b.
func readCheckpoint(b []byte) (h checkpointHeader, state []byte, err error) {
	head := b[:bytes.IndexByte(b, '\n')+1]
	if err := decodeHeader(head, "checkpoint", "checkpoint", checkpointSchema, &h); err != nil {
		return h, nil, err
	}
	end := len(b) - len(sumLine(make([]byte, sha256.Size)))
	if h.Length < 0 || h.Totals.Rounds < 0 || h.State < 0 || end < len(head) || h.State != int64(end-len(head)) {
		return h, nil, errors.New("the file is cut off or too long")
	}
	if sum := sha256.Sum256(b[:end]); !bytes.Equal(b[end:], sumLine(sum[:])) {
		return h, nil, errChecksum
	}
	return h, b[len(head):end], nil
}

// sameRounds returns an error if the partial file is of another trial, or its rounds do not add up to the totals in h.
func sameRounds(file *os.File, h checkpointHeader, identity Identity) error {
	s := scanner{in: newLines(io.NewSectionReader(file, 0, h.Length), make([]byte, 1<<16)), sum: sha256.New()}
	err := s.header(visitor{})
	if err == nil && s.identity.ID() != identity.ID() {
		err = errors.New("the header is of another trial")
	}
	if err == nil {
		_, err = s.rounds(visitor{})
	}
	switch {
	case err == nil:
		return fmt.Errorf("line %d: not a round", s.in.n)
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("line %d: %w", s.in.n, err)
	case s.wrong != nil:
		return s.wrong
	case s.totals != h.Totals:
		return fmt.Errorf("the totals of its checkpoint are not the sums of its rounds: %v, want %v", h.Totals, s.totals)
	}
	return nil
}

// A partial is a file of an unfinished trial, to which lines are appended.
type partial struct {
	file   *os.File // nil for a trial in memory
	buffer *bufio.Writer
	sum    hash.Hash // SHA-256 of the bytes that were flushed from the buffer
}

// A fileState is the state of a partial file at a checkpoint.
type fileState struct {
	Length int64  `json:"length"` // length in bytes
	SHA256 string `json:"sha256"` // SHA-256 of these bytes
}

func newPartial(file *os.File, out io.Writer) partial {
	p := partial{file: file, sum: sha256.New()}
	p.buffer = bufio.NewWriterSize(io.MultiWriter(out, p.sum), 1<<16)
	return p
}

func createPartial(path string) (partial, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return partial{}, err
	}
	return newPartial(file, file), nil
}

// state flushes the buffer, syncs the file if durable is set, and returns the state of the file.
func (p *partial) state(durable bool) (fileState, error) {
	err := p.buffer.Flush()
	if err == nil && durable {
		err = p.file.Sync()
	}
	if err != nil {
		return fileState{}, err
	}
	length, err := p.file.Seek(0, io.SeekCurrent)
	return fileState{length, hex.EncodeToString(p.sum.Sum(nil))}, err
}

// reopen opens a partial file of a trial, verifies its first s.Length bytes and cuts off the others.
func reopen(trial, path string, s fileState) (partial, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return partial{}, Damaged{path, fmt.Errorf("results: resume trial file: %s is not a regular file", path)}
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		checkpoint := CheckpointPath(trial)
		return partial{}, Damaged{checkpoint, fmt.Errorf("results: read checkpoint %s: its partial file is gone: %s", checkpoint, path)}
	}
	if err != nil {
		return partial{}, fmt.Errorf("results: resume trial file: %w", err)
	}
	p := newPartial(file, file)
	n, err := io.Copy(p.sum, io.LimitReader(file, s.Length))
	switch {
	case err != nil:
	case n < s.Length:
		err = fmt.Errorf("the file is cut off: %d bytes, its checkpoint needs %d", n, s.Length)
	case hex.EncodeToString(p.sum.Sum(nil)) != s.SHA256:
		err = errChecksum
	default:
		if err = file.Truncate(s.Length); err == nil {
			_, err = file.Seek(s.Length, io.SeekStart)
		}
	}
	if err != nil {
		file.Close()
		return partial{}, damaged(path, fmt.Errorf("results: resume %s: %w", path, err))
	}
	return p, nil
}

// close closes the file and removes it unless keep is set. Errors do no harm: Resume verifies or Tidy removes the file.
func (p *partial) close(keep bool) {
	p.file.Close()
	if !keep {
		os.Remove(p.file.Name())
	}
}
