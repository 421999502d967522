package results_test

import (
	"cmp"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	. "banditsim/results"
)

// resealed returns the trial file b with old replaced by new before its last line, and with a right checksum.
func resealed(t testing.TB, b []byte, old, new string) []byte {
	t.Helper()
	lines := strings.SplitAfter(string(b), "\n")
	text := strings.Join(lines[:len(lines)-2], "")
	must.Hold(t, strings.Contains(text, old), "no %s in the file", old)
	text = strings.Replace(text, old, new, 1)
	sum := sha256.Sum256([]byte(text))
	return append([]byte(text), SumLine(sum[:])...)
}

// TestLoadFindsEveryChangedByte checks that Load finds and names a trial file or sidecar with one changed byte. It replaces
// each digit by every other digit, and flips one bit of each byte, or every bit if BANDITSIM_LONG is set.
func TestLoadFindsEveryChangedByte(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, identity("q", 1, 2), 6, 0)
	w := must.Get(Create(filepath.Join(dir, TrialsDir), identity("p", 1, 2)))(t)
	for round := range 2 {
		r := &bandit.RoundRecord{Round: round + 1, Realised: -0.5, Expected: 2.25, Arms: []int{12, 8}, Mistakes: []bandit.Mistake{{Row: 17, Arm: 1}}}
		r.Diagnostics.Chains = []diagnostics.Chain{{Energy: 91.5}}
		must.OK(t, w.Record(r))
	}
	must.Get(w.Finish(nil))(t)
	path := filepath.Join(dir, TrialsDir, resultstest.Identity("p", 1, 2).FileName())
	must.OK(t, WriteSidecar(path, Sidecar{Label: "P", Version: "1", Command: []string{"banditsim"}, Seconds: 2}))
	if set, err := Load(dir); err != nil || len(set.Damaged) > 0 {
		t.Fatal(err, set.Damaged)
	}
	for _, file := range []string{path, SidecarPath(path)} {
		whole := readFile(t, file)
		for n, c := range whole {
			var changed []byte
			for bit := range 8 {
				if os.Getenv("BANDITSIM_LONG") != "" || bit == n%8 {
					changed = append(changed, c^1<<bit)
				}
			}
			for digit := byte('0'); '0' <= c && c <= '9' && digit <= '9'; digit++ {
				if digit != c {
					changed = append(changed, digit)
				}
			}
			for _, other := range changed {
				whole[n] = other
				writeText(t, file, whole)
				set, err := Load(dir)
				if err != nil || len(set.Damaged) != 1 || set.Damaged[0].Path != file || !strings.Contains(set.Damaged[0].Error(), file) {
					t.Fatalf("%s: byte %d from %q to %q: %v, damaged files %v", file, n, c, other, err, set.Damaged)
				}
			}
			whole[n] = c
		}
		writeText(t, file, whole)
	}
}

// TestInconsistentContent checks that a trial file that contradicts itself is damaged even if its checksum is right.
func TestInconsistentContent(t *testing.T) {
	path, i := small(t)
	whole := readFile(t, path)
	for _, c := range []struct{ old, new, want string }{
		{`{"round":2,`, `{"round":3,`, "line 3: round 3, want round 2"},
		{`"arms":[12,8]`, `"arms":[12,7]`, "line 2: round: the arms have 19 pulls in all, want 20"},
		{`"arms":[12,8]`, `"arms":[21,-1]`, "line 2: round: -1 pulls of an arm"},
		{`"arms":[12,8]`, `"arms": [12,7]`, "the arms have 19 pulls in all"}, // Writer writes no space
		{`"wrong":[[17,1],`, `"wrong":[`, "line 5: the totals are not the sums of the rounds"},
		{`"wrong":[[17,1]`, `"wrong":[[17,2]`, "line 2: wrong pull of arm 2"},
		{`"mistakes":6`, `"mistakes":7`, "line 5: the totals are not"},
		{`"end":{"rounds":3,"realised":`, `"end":{"rounds":3,"realised":1`, "line 5: the totals are not"},
		{`"expected_after":`, `"expected_after":1`, "line 5: the totals are not"},
	} {
		writeText(t, path, resealed(t, whole, c.old, c.new))
		_, err := Check(path, i)
		must.As[Damaged](t, err, c.want)
	}
}

// TestInconsistentCheckpoint checks that a checkpoint whose totals differ from the sums of the rounds is damaged even if
// its checksums are right.
func TestInconsistentCheckpoint(t *testing.T) {
	for _, change := range []func(*Writer){
		func(w *Writer) { w.Tampered().Expected++ },
		func(w *Writer) { w.Tampered().Mistakes-- },
		func(w *Writer) { w.Tampered().Rounds++ },
		func(w *Writer) { w.Write("{}\n") },
		func(w *Writer) { w.Write(`{"round":2}` + "\n") },
	} {
		dir, i := t.TempDir(), identity("p", 1, 9)
		w := must.Get(Create(dir, i))(t)
		must.OK(t, w.Record(&bandit.RoundRecord{Round: 1, Realised: 1, Expected: 2, Arms: []int{12, 8}}))
		change(w)
		must.OK(t, w.Checkpoint([]byte("state"), nil, true))
		w.Abort()
		_, _, err := Resume(dir, i)
		must.As[Damaged](t, err)
	}
}

// TestLoadTenThousand loads 10,000 trials of 2,000 rounds. It runs if BANDITSIM_LONG is set and needs 1.8 GB in TMPDIR.
// BANDITSIM_FILES changes the number of trials; BANDITSIM_DIR is a folder in which to keep them.
func TestLoadTenThousand(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("long: set BANDITSIM_LONG=1")
	}
	dir := cmp.Or(os.Getenv("BANDITSIM_DIR"), t.TempDir())
	files := 10000
	if n, err := strconv.Atoi(os.Getenv("BANDITSIM_FILES")); err == nil {
		files = n
	}
	resultstest.WriteMany(t, dir, resultstest.Folder{Policies: resultstest.Six(), Seeds: files / 6, Rounds: 2000, Sidecar: resultstest.Provenance()})
	start := time.Now()
	set, err := Load(dir)
	if err != nil || len(set.Damaged) > 0 {
		t.Fatal(err, set)
	}
	t.Logf("%d files: %v", files/6*6, time.Since(start))
}

// TestRoundsOfChangedFile checks that Regrets finds a file that has changed since Load, even in a field that it does not read.
func TestRoundsOfChangedFile(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, identity("p", 1, 5), 12, 0)
	set := must.Get(Load(dir))(t)
	rec := set.Policies[0].Records[0]
	last := func() (err error) {
		for _, err = range rec.Regrets() {
		}
		return err
	}
	must.OK(t, last())
	whole := readFile(t, path)
	writeText(t, path, flipped(whole, strings.LastIndex(string(whole), `,"energy":`)+12, 1))
	must.As[Damaged](t, last(), "checksum")
}

// TestPackOfOlderVersion checks that the error for a pack of an older version says how to unpack it.
func TestPackOfOlderVersion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, identity("p", 1, 5), 12, 0)
	writeText(t, filepath.Join(dir, TrialsDir, "pack-0123.zip"), []byte("PK"))
	_, err := Load(dir)
	_, headsErr := Heads(dir)
	for _, err := range []error{err, headsErr} {
		must.Fail(t, err, "pack-0123.zip is a pack of an older version: unpack its trials with unzip -n FILE -d "+filepath.Join(dir, TrialsDir))
	}
}

// TestHostileText checks that control and bidirectional characters in sidecars and names are replaced on reading.
func TestHostileText(t *testing.T) {
	const evil = "\x1b]0;x\a\u202eevil\u0085\xff"
	dir := t.TempDir()
	path := write(t, dir, identity("p", 1, 2), 12, 0)
	other := identity(evil, 1, 2)
	other.Policy.Options = []byte(`{"a":"` + "\u202e" + `"}`)
	write(t, dir, other, 12, 0)
	other.Policy.Options = []byte(`{"a":1}`)
	write(t, dir, other, 12, 0)
	all := Sidecar{Label: evil, Version: evil, Revision: evil, Go: evil, Kernel: evil, Processor: evil, System: evil, Command: []string{evil}}
	all.Earlier = []Sidecar{all}
	must.OK(t, WriteSidecar(path, all))
	set, err := Load(dir)
	must.OK(t, err)
	texts := Labels([]*Set{set})
	s := must.Get(Record{Path: path}.Sidecar())(t)
	for _, run := range []Sidecar{s, s.Earlier[0]} {
		texts = append(texts, run.Version, run.Revision, run.Go, run.Kernel, run.Processor, run.System, run.Command[0])
	}
	set.Conditions.Environment.Name = evil
	texts = append(texts, set.Conditions.DataName())
	strange := identity("q", 2, 2)
	strange.Environment.Name = "env\u202e\u009b"
	write(t, dir, strange, 12, 0)
	_, err = Load(dir)
	must.As[*MixedError](t, err)
	texts = append(texts, strings.ReplaceAll(err.Error(), "\n", " "))
	must.Hold(t, len(texts) >= 10, "%q", texts)
	for _, text := range texts {
		i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
		must.That(t, i < 0, "%q: character %d", text, i)
	}
	must.That(t, slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "?evil") }),
		"the names are gone: %q", texts)
}
