package results_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/lists"
	"banditsim/internal/must"
	. "banditsim/results"
)

// begun returns an unfinished trial of three rounds with a checkpoint after the second. Its writer was killed after the
// third, without Finish or Abort.
func begun(t testing.TB) (dir string, i Identity) {
	t.Helper()
	dir, i = t.TempDir(), identity("pICSGLD", 7, 3)
	w := must.Get(Create(dir, i))(t)
	play(t, w, 1, 2)
	must.OK(t, w.Checkpoint([]byte("the state"), []Sidecar{{Version: "v1", Seconds: 2.5}}, true))
	play(t, w, 3, 3)
	must.OK(t, w.Kill())
	return dir, i
}

// play records the rounds first to last. What it records in a round depends only on the round's number.
func play(t testing.TB, w *Writer, first, last int) {
	t.Helper()
	for round := first; round <= last; round++ {
		r := bandit.RoundRecord{Round: round, Realised: float64(round) - 3, Expected: float64(round) / 7, Arms: []int{12, 8}}
		r.Mistakes = []bandit.Mistake{{Row: 17, Arm: 1}, {Row: 8123, Arm: 0}}
		r.Diagnostics = diagnostics.Round{WeightESS: 3.9, Theta: []float64{0.25, 0.75}, Chains: []diagnostics.Chain{{Energy: 1.0 / float64(round), Bin: 1}}}
		must.OK(t, w.Record(&r))
	}
}

// undisturbed returns the trial file that begun would have written if it had finished without interruption.
func undisturbed(t testing.TB) []byte {
	t.Helper()
	dir, i := t.TempDir(), identity("pICSGLD", 7, 3)
	w := must.Get(Create(dir, i))(t)
	play(t, w, 1, 3)
	must.Get(w.Finish(nil))(t)
	return readFile(t, filepath.Join(dir, i.FileName()))
}

func fileNames(t testing.TB, dir string) []string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	return lists.Each(entries, func(e os.DirEntry) string { return e.Name() })
}

func TestResume(t *testing.T) {
	dir, i := begun(t)
	w, c, err := Resume(dir, i)
	must.OK(t, err)
	must.Equal(t, "checkpoint", c, Checkpoint{Rounds: 2, State: []byte("the state"), Sidecars: []Sidecar{{Version: "v1", Seconds: 2.5}}})
	play(t, w, 3, 3) // stop, and resume from the same checkpoint
	w.Abort()
	w, _, err = Resume(dir, i)
	must.OK(t, err)
	play(t, w, 3, 3)
	totals, err := w.Finish(nil)
	must.That(t, err == nil && totals.Rounds == 3 && totals.Mistakes == 6, "totals %+v, error %v", totals, err)
	must.Equal(t, "the file after a stop", string(readFile(t, filepath.Join(dir, i.FileName()))), string(undisturbed(t)))
	must.Equal(t, "left", fileNames(t, dir), []string{i.FileName()})
	if _, _, err := Resume(dir, i); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no checkpoint: error %v, want fs.ErrNotExist", err)
	}
}

func TestCreateBeginsAnew(t *testing.T) {
	dir, i := begun(t)
	w := must.Get(Create(dir, i))(t)
	_, _, err := Resume(dir, i)
	must.That(t, errors.Is(err, fs.ErrNotExist), "after Create there is a checkpoint of what it has emptied: %v", err)
	play(t, w, 1, 1)
	w.Abort()
	must.Equal(t, "files left by a trial without a checkpoint", len(fileNames(t, dir)), 0)
}

// TestResumeDamaged checks that Resume detects truncated or changed data, both in the checkpoint and in the part of
// the partial file that the checkpoint covers, and that Resume cuts off what follows that part.
func TestResumeDamaged(t *testing.T) {
	dir, i := begun(t)
	trial := filepath.Join(dir, i.FileName())
	checkpoint, partial := readFile(t, CheckpointPath(trial)), readFile(t, PartialPath(trial))
	counted := bytes.LastIndexByte(partial[:len(partial)-1], '\n') + 1 // where round 3 begins
	resume := func() error {
		w, _, err := Resume(dir, i)
		if err == nil {
			w.Abort()
		}
		return err
	}
	for _, c := range []struct {
		path  string
		whole []byte
		bytes int
	}{{CheckpointPath(trial), checkpoint, len(checkpoint)}, {PartialPath(trial), partial, counted}} {
		for n := 0; n < c.bytes; n += 13 {
			for _, b := range [][]byte{c.whole[:n], flipped(c.whole, n, 1), flipped(c.whole, n, 0x20)} {
				writeText(t, c.path, b)
				var damaged Damaged
				if err := resume(); !errors.As(err, &damaged) || damaged.Path != c.path || !strings.Contains(err.Error(), c.path) {
					t.Fatalf("%s: byte %d, now of %d bytes: error %v", c.path, n, len(b), err)
				}
				if c.path == PartialPath(trial) && !bytes.Equal(readFile(t, c.path), b) {
					t.Fatalf("byte %d: what is damaged was changed", n)
				}
			}
		}
		writeText(t, c.path, c.whole)
	}
	for n := counted; n < len(partial); n += 13 {
		for _, b := range [][]byte{partial[:n], flipped(partial, n, 1)} {
			writeText(t, PartialPath(trial), b)
			if err := resume(); err != nil {
				t.Fatalf("damage after what the checkpoint depends on, at %d: %v", n, err)
			}
			if !bytes.Equal(readFile(t, PartialPath(trial)), partial[:counted]) {
				t.Fatalf("damage at %d is not cut off", n)
			}
		}
	}
	must.OK(t, os.Remove(PartialPath(trial)))
	must.Equal(t, "damaged", must.As[Damaged](t, resume(), "is gone").Path, CheckpointPath(trial))
}

// TestCheckpointDamagedAnywhere checks that truncating or changing a checkpoint at any byte is an error.
func TestCheckpointDamagedAnywhere(t *testing.T) {
	dir, i := begun(t)
	whole := readFile(t, CheckpointPath(filepath.Join(dir, i.FileName())))
	for n := range whole {
		for _, b := range [][]byte{whole[:n], flipped(whole, n, 1), flipped(whole, n, 0x20), flipped(whole, n, 0x80)} {
			_, _, err := ReadCheckpoint(b)
			must.That(t, err != nil, "byte %d of %d, now of %d: no error", n, len(whole), len(b))
		}
	}
}

// flipped returns a copy of b with the bits of mask flipped in byte n.
func flipped(b []byte, n int, mask byte) []byte {
	b = slices.Clone(b)
	b[n] ^= mask
	return b
}

func TestResumeOfAnother(t *testing.T) {
	dir, i := begun(t)
	trial := filepath.Join(dir, i.FileName())
	other := i
	other.Seed = 8
	writeText(t, CheckpointPath(filepath.Join(dir, other.FileName())), readFile(t, CheckpointPath(trial)))
	_, _, err := Resume(dir, other)
	must.Fail(t, err, "it is of the trial")
	older := bytes.Replace(readFile(t, CheckpointPath(trial)), []byte(`"checkpoint":2`), []byte(`"checkpoint":1`), 1)
	writeText(t, CheckpointPath(trial), older)
	_, _, err = Resume(dir, i)
	must.As[Damaged](t, err, "version 1, this program reads version 2")
}

func TestTidy(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		// Removed: a partial file without a checkpoint, the checkpoint and pulls of a finished trial, temporary files.
		".a.jsonl.partial", ".b.jsonl.checkpoint", ".b.jsonl.pulls.partial", ".c.meta.json.tmp12", "..c.jsonl.checkpoint.tmp345",
		// Kept: useful files, damaged files, and names that are not temporary.
		"b.jsonl", "b.meta.json", ".c.jsonl.partial", ".c.jsonl.checkpoint", ".d.jsonl.checkpoint",
		"e.jsonl.damaged-1", "e.jsonl.partial.damaged-1", ".tmp12", "f.tmp12", ".f.tmp", "..partial.txt",
	} {
		writeText(t, filepath.Join(dir, name), nil)
	}
	must.OK(t, Tidy(dir))
	want := []string{"..partial.txt", ".c.jsonl.checkpoint", ".c.jsonl.partial", ".d.jsonl.checkpoint", ".f.tmp", ".tmp12",
		"b.jsonl", "b.meta.json", "e.jsonl.damaged-1", "e.jsonl.partial.damaged-1", "f.tmp12"}
	must.Equal(t, "left", fileNames(t, dir), want)
	must.Is(t, Tidy(filepath.Join(dir, "none")), fs.ErrNotExist)
}

func TestSetAside(t *testing.T) {
	dir := t.TempDir()
	for n, want := range []string{"x.jsonl.partial.damaged-1", "x.jsonl.partial.damaged-2"} {
		path := filepath.Join(dir, ".x.jsonl.partial")
		writeText(t, path, []byte{byte(n)})
		to, err := SetAside(path)
		must.That(t, err == nil && filepath.Base(to) == want && readFile(t, to)[0] == byte(n),
			"set aside as %s, error %v, want %s", to, err, want)
	}
	_, err := SetAside(filepath.Join(dir, "none"))
	must.Is(t, err, fs.ErrNotExist)
	// Load ignores a file that was set aside.
	whole := filepath.Dir(filepath.Dir(write(t, dir, identity("p", 1, 3), 12, 0)))
	writeText(t, filepath.Join(whole, TrialsDir, "y.jsonl.damaged-1"), []byte("{"))
	must.Equal(t, "damaged files", len(must.Get(Load(whole))(t).Damaged), 0)
}

// FuzzCheckpoint checks that ReadCheckpoint never panics, even if the checksum is right, and that the state of an
// accepted checkpoint has the length in its header.
func FuzzCheckpoint(f *testing.F) {
	dir, i := begun(f)
	whole := readFile(f, CheckpointPath(filepath.Join(dir, i.FileName())))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(whole[:len(whole)-len(SumLine(make([]byte, 32)))])
	f.Add([]byte(`{"checkpoint":2,"state":9223372036854775807}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		sum := sha256.Sum256(b)
		for _, b := range [][]byte{b, append(slices.Clip(b), SumLine(sum[:])...)} {
			h, state, err := ReadCheckpoint(b)
			must.That(t, err != nil || int64(len(state)) == h.State && len(state) <= len(b),
				"a state of %d bytes, the header says %d, the file has %d", len(state), h.State, len(b))
		}
	})
}
