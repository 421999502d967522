package cli_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/exit"
)

// longEnv selects the long grade of tests.
const longEnv = "BANDITSIM_LONG"

// A flipped bit in any file of a folder is said by every verb in the same way: the file is named and left out, with
// exit code 3. The everyday grade flips one bit in every file for each verb.
func TestFlippedBitInEveryVerb(t *testing.T) {
	t.Parallel()
	f := newFlipper(t, "--policies", "Uniform,Never", "--seeds", "1..2", "--set", "protocol.rounds=3")
	for verb := range f.verbs {
		for _, file := range f.files {
			f.flip(t, file, f.rng.IntN(1<<20), verb)
		}
	}
}

// TestFlips flips every byte of a small folder, and 10,000 random ones of a large one. Report is asked
// each time, and every eighth time another verb too, in turn.
func TestFlips(t *testing.T) {
	t.Parallel()
	if os.Getenv(longEnv) == "" {
		t.Skip(longEnv + " is not set")
	}
	flip := func(f *flipper, file string, n, k int) {
		f.flip(t, file, n, 0)
		if k%8 == 0 {
			f.flip(t, file, n, 1+k/8%(len(f.verbs)-1))
		}
		if k%1000 == 999 {
			t.Logf("%d bytes", k+1)
		}
	}
	small := newFlipper(t, "--policies", "Uniform,pSGLD", "--seeds", "1..2", "--set", "protocol.rounds=3")
	k := 0
	for _, file := range small.files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		for n := range int(info.Size()) {
			flip(small, file, n, k)
			k++
		}
	}
	t.Logf("a small folder: every one of its %d bytes", k)
	large := newFlipper(t, "--policies", "Uniform,Always", "--seeds", "1..10", "--set", "protocol.rounds=600")
	for k := range 10000 {
		flip(large, large.files[large.rng.IntN(len(large.files))], large.rng.IntN(1<<30), k)
	}
	t.Logf("a large folder of %d files: 10,000 bytes", len(large.files))
}

// A flipper damages files of a folder that holds a run.
type flipper struct {
	out   string     // the folder
	files []string   // what is damaged
	verbs [][]string // the first is report
	sound []string   // stdout of each without damage
	rng   *rand.Rand
}

func newFlipper(t *testing.T, run ...string) *flipper {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	if code, _, stderr := invoke(append([]string{"run", "quick", "--quiet", "--out", out}, run...)...); code != 0 {
		t.Fatal(stderr)
	}
	files, err := filepath.Glob(filepath.Join(out, "trials", "*"))
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	f := &flipper{out: out, files: files, rng: rand.New(rand.NewPCG(1, 2)), verbs: [][]string{{"report", out}, {"compare", out}, {"plot", out, "--out", filepath.Join(dir, "p.svg")}, {"plot", out, "--term"},
		{"report", out, "--html", filepath.Join(dir, "p.html")}, {"export", out, "--out", filepath.Join(dir, "r.csv")}}}
	f.listen()
	return f
}

// listen sets sound.
func (f *flipper) listen() {
	f.sound = nil
	for _, verb := range f.verbs {
		_, stdout, _ := invoke(verb...)
		f.sound = append(f.sound, stdout)
	}
}

// flip flips a random bit of the n-th byte of a file, modulo its size, and restores it after a verb.
func (f *flipper) flip(t *testing.T, file string, n, verb int) {
	t.Helper()
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n %= len(whole)
	damaged := bytes.Clone(whole)
	damaged[n] ^= 1 << f.rng.IntN(8)
	if err := os.WriteFile(file, damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := invoke(f.verbs[verb]...)
	if said := code == exit.CodeIncomplete && strings.Contains(stderr, "left out: ") && strings.Contains(stderr, file); !said &&
		// In the name of the checksum's field: the sidecar has none then, and all else is the same.
		(bytes.Contains(damaged, []byte(",\n  \"sha256\": \"")) || !strings.HasSuffix(file, ".meta.json") || stdout != f.sound[verb] && !strings.Contains(stdout, "not verified for 1 trial")) {
		t.Errorf("%q, byte %d of %d of %s: exit code %d\n%s", f.verbs[verb], n, len(whole), file, code, stderr)
	}
	if err := os.WriteFile(file, whole, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A damaged sidecar is set aside by the next run, after which the folder is sound.
func TestRunSetsDamagedSidecarAside(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "o")
	run := []string{"run", "quick", "--quiet", "--policies", "Uniform", "--set", "protocol.rounds=2", "--out", out}
	if code, _, stderr := invoke(run...); code != 0 {
		t.Fatal(stderr)
	}
	sidecars, err := filepath.Glob(filepath.Join(out, "trials", "*.meta.json"))
	if err != nil || len(sidecars) != 1 {
		t.Fatal(sidecars, err)
	}
	b, err := os.ReadFile(sidecars[0])
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(b, []byte(`"seconds": `), []byte(`"seconds": 1`), 1)
	if err := os.WriteFile(sidecars[0], b, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := invoke("report", out); code != exit.CodeIncomplete {
		t.Errorf("report: exit code %d", code)
	}
	if code, _, stderr := invoke(run...); code != 0 || !strings.Contains(stderr, "set aside as "+filepath.Base(sidecars[0])+".damaged-1") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, _ := invoke("report", out); code != 0 {
		t.Errorf("report: exit code %d", code)
	}
}
