package results

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/results/internal/stamp"
	"banditsim/results/internal/sumline"
)

// resealed replaces text in the rounds and totals of a trial file and gives it a right checksum.
func resealed(t testing.TB, b []byte, old, new string) []byte {
	t.Helper()
	lines := strings.SplitAfter(string(b), "\n")
	text := strings.Join(lines[:len(lines)-2], "")
	if !strings.Contains(text, old) {
		t.Fatalf("no %s in the file", old)
	}
	text = strings.Replace(text, old, new, 1)
	sum := sha256.Sum256([]byte(text))
	return append([]byte(text), sumline.Text(sum[:])...)
}

// Every flipped bit of every file is found by Load, and the file that it is in is named. The everyday grade flips one
// bit of each byte.
func TestLoadFindsEveryFlippedBit(t *testing.T) {
	dir := t.TempDir()
	i := identity("p", 1, 2)
	good := write(t, dir, identity("q", 1, 2), 6, 0)
	path := write(t, dir, i, 6, 0)
	for _, trial := range []string{good, path} {
		if err := WriteSidecar(trial, Sidecar{Label: "label of " + filepath.Base(trial), Version: "1", Command: []string{"banditsim"}, Seconds: 2}); err != nil {
			t.Fatal(err)
		}
	}
	set, err := Load(dir)
	if err != nil || len(set.Damaged) > 0 {
		t.Fatal(err, set.Damaged)
	}
	sound := sidecarsOf(set) + mustJSON(set.Policies[0].Label+" "+set.Policies[1].Label)
	for _, file := range []string{path, SidecarPath(path)} {
		whole := readFile(t, file)
		for n := range whole {
			for bit := range 8 {
				if os.Getenv("BANDITSIM_LONG") == "" && bit != n%8 {
					continue
				}
				writeText(t, file, flipped(whole, n, 1<<bit))
				set, err := Load(dir)
				if err != nil {
					t.Fatalf("%s: bit %d of byte %d: %v", file, bit, n, err)
				}
				if len(set.Damaged) == 1 && set.Damaged[0].Path == file && strings.Contains(set.Damaged[0].Error(), file) {
					continue
				}
				// The name of the checksum's field: it is a sidecar without one then, and says so.
				_, verified, err := set.Find("label of " + filepath.Base(path)).Records[0].VerifiedSidecar()
				if err == nil && !verified && file != path && len(set.Damaged) == 0 && sidecarsOf(set)+mustJSON(set.Policies[0].Label+" "+set.Policies[1].Label) == sound {
					continue
				}
				t.Fatalf("%s: bit %d of byte %d (%q): damaged files %v", file, bit, n, whole[n], set.Damaged)
			}
		}
		writeText(t, file, whole)
	}
}

// sidecarsOf returns the sidecars of a set as JSON, null for those that cannot be read.
func sidecarsOf(set *Set) string {
	var all []any
	for _, p := range set.Policies {
		for _, rec := range p.Records {
			if s, err := rec.Sidecar(); err == nil {
				all = append(all, s)
			} else {
				all = append(all, nil)
			}
		}
	}
	return mustJSON(all)
}

// What contradicts itself under a right checksum is damaged.
func TestInconsistentContent(t *testing.T) {
	path, i := small(t)
	whole := readFile(t, path)
	for _, c := range []struct{ old, new, want string }{
		{`{"round":2,`, `{"round":3,`, "line 3: round 3, want round 2"},
		{`"arms":[12,8]`, `"arms":[12,7]`, "line 2: round: the arms have 19 pulls in all, want 20"},
		{`"arms":[12,8]`, `"arms":[21,-1]`, "line 2: round: -1 pulls of an arm"},
		{`"arms":[12,8]`, `"arms": [12,7]`, "the arms have 19 pulls in all"}, // not as the writer writes it
		{`"wrong":[[17,1],`, `"wrong":[`, "line 5: the totals are not the sums of the rounds"},
		{`"wrong":[[17,1]`, `"wrong":[[17,2]`, "line 2: wrong pull of arm 2"},
		{`"mistakes":6`, `"mistakes":7`, "line 5: the totals are not"},
		{`"end":{"rounds":3,"realised":`, `"end":{"rounds":3,"realised":1`, "line 5: the totals are not"},
		{`"expected_after":`, `"expected_after":1`, "line 5: the totals are not"},
	} {
		writeText(t, path, resealed(t, whole, c.old, c.new))
		_, err := Check(path, i)
		var damaged Damaged
		if !errors.As(err, &damaged) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: error %v, want one with %q", c.new, c.old, err, c.want)
		}
	}
}

// A checkpoint of other totals than its rounds have, with right checksums, is damaged.
func TestInconsistentCheckpoint(t *testing.T) {
	for _, change := range []func(*Writer){
		func(w *Writer) { w.totals.Expected++ },
		func(w *Writer) { w.totals.Mistakes-- },
		func(w *Writer) { w.totals.Rounds++ },
		func(w *Writer) { w.write([]byte("{}\n")) },
		func(w *Writer) { w.write([]byte(`{"round":2}` + "\n")) },
	} {
		dir, i := t.TempDir(), identity("p", 1, 9)
		w, err := Create(dir, i)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Record(&bandit.RoundRecord{Round: 1, Realised: 1, Expected: 2, Arms: []int{12, 8}}); err != nil {
			t.Fatal(err)
		}
		change(w)
		if err := w.Checkpoint([]byte("state"), nil, true); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		var damaged Damaged
		if _, _, err := Resume(dir, i); !errors.As(err, &damaged) {
			t.Errorf("error %v, want a Damaged", err)
		}
	}
}

// stamped returns a folder of trials that were written some time ago, and their paths.
func stamped(t testing.TB, trials, rounds int) (dir string, paths []string) {
	dir = t.TempDir()
	for k := range trials {
		path := write(t, dir, identity("p", uint64(k+1), rounds), 12, 0)
		age(t, path, time.Hour)
		paths = append(paths, path)
	}
	return dir, paths
}

func age(t testing.TB, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func verifyFiles(folder string, paths []string) (all []verified) {
	verifyAll(folder, paths, nil, func(v verified) { all = append(all, v) })
	return all
}

// A stamp saves the reading of what has not changed, and hides no change; one that is damaged, foreign or cannot
// be written is ignored.
func TestStamp(t *testing.T) {
	dir, paths := stamped(t, 3, 5)
	folder := filepath.Join(dir, TrialsDir)
	age(t, paths[2], time.Second/2) // too young
	read := func() (n int) {
		for _, v := range verifyFiles(folder, paths) {
			if v.err != nil {
				t.Fatal(v.err)
			}
			if v.read {
				n++
			}
		}
		return n
	}
	if n := read(); n != 3 {
		t.Errorf("read %d files, want 3", n)
	}
	if _, err := os.Stat(filepath.Join(folder, stamp.FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a stamp of a small folder: %v", err)
	}
	now := make(stamp.Stamp)
	for i, v := range verifyFiles(folder, paths) {
		now[filepath.Base(paths[i])] = v.entry
	}
	delete(now, filepath.Base(paths[2]))
	now.Write(folder)
	if n := read(); n != 1 {
		t.Errorf("read %d files with a stamp, want the young one", n)
	}
	stampBytes := readFile(t, filepath.Join(folder, stamp.FileName))
	for n := 0; n < len(stampBytes); n += 7 {
		for _, b := range [][]byte{stampBytes[:n], flipped(stampBytes, n, 1)} {
			writeText(t, filepath.Join(folder, stamp.FileName), b)
			if n := read(); n != 3 {
				t.Fatalf("read %d files with a damaged stamp, want 3", n)
			}
		}
	}
	writeText(t, filepath.Join(folder, stamp.FileName), stampBytes)
	whole := readFile(t, paths[0])
	for _, n := range []int{0, len(whole) / 2, len(whole) - 200, len(whole) - 20} {
		writeText(t, paths[0], flipped(whole, n, 1)) // it has a new time
		set, err := Load(dir)
		if err != nil || len(set.Damaged) != 1 || set.Damaged[0].Path != paths[0] {
			t.Errorf("byte %d: %v, %v", n, set, err)
		}
	}
	writeText(t, paths[0], whole)
	// The stamp of another folder, with files of the same names and times.
	other, otherPaths := stamped(t, 3, 5)
	writeText(t, filepath.Join(other, TrialsDir, stamp.FileName), stampBytes)
	for i, path := range otherPaths {
		info, err := os.Stat(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		os.Chtimes(path, info.ModTime(), info.ModTime())
	}
	for _, v := range verifyFiles(filepath.Join(other, TrialsDir), otherPaths) {
		if !v.read {
			t.Errorf("%s: a foreign stamp is trusted", v.rec.Path)
		}
	}
}

// plain writes a trial whose rounds have neither θ nor multipliers.
func plain(t testing.TB, dir string, i Identity) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, TrialsDir), 0o755); err != nil {
		t.Fatal(err)
	}
	w, err := Create(filepath.Join(dir, TrialsDir), i)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(i.Seed, 0))
	for round := range i.Protocol.Rounds {
		r := record(rng, i, round+1, 12)
		r.Diagnostics.Theta, r.Diagnostics.Chains = nil, r.Diagnostics.Chains[:2]
		if err := w.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Finish(nil); err != nil {
		t.Fatal(err)
	}
	return w.path
}

// Ten thousand trials of 2,000 rounds, some 3 GB, are verified in 5 s on two cores with the files cached, and in
// less than a second when there is a stamp. Run it with BANDITSIM_LONG=1 and room in TMPDIR.
func TestLoadTenThousand(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("long: set BANDITSIM_LONG=1")
	}
	dir := t.TempDir()
	whole := readFile(t, plain(t, dir, identity(six[0], 1, 2000)))
	_, rounds, _ := strings.Cut(string(whole), "\n")
	rounds = rounds[:len(rounds)-len(sumline.Text(make([]byte, 32)))]
	files := 10000
	if n, err := strconv.Atoi(os.Getenv("BANDITSIM_FILES")); err == nil {
		files = n
	}
	for k := range files {
		i := identity(six[k%6], uint64(k/6+1), 2000)
		line, err := json.Marshal(header{Schema: Schema, ID: i.ID(), Identity: i})
		if err != nil {
			t.Fatal(err)
		}
		b := slices.Concat(line, []byte("\n"), []byte(rounds))
		sum := sha256.Sum256(b)
		path := filepath.Join(dir, TrialsDir, i.FileName())
		writeText(t, path, append(b, sumline.Text(sum[:])...))
		if err := WriteSidecar(path, Sidecar{Version: "1", Command: []string{"banditsim", "run"}}); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(stampAge)
	for _, limit := range []time.Duration{5 * time.Second, time.Second} {
		start := time.Now()
		set, err := Load(dir)
		took := time.Since(start) // for an idle machine
		if err != nil || len(set.Damaged) > 0 {
			t.Fatal(err, set.Damaged)
		}
		t.Logf("%d files of %d bytes: %v", files, len(whole), took)
		if took > limit {
			t.Errorf("%v, want at most %v", took, limit)
		}
	}
	path := filepath.Join(dir, TrialsDir, identity(six[0], 2, 2000).FileName())
	b := readFile(t, path)
	writeText(t, path, flipped(b, len(b)/2, 1))
	if set, err := Load(dir); err != nil || len(set.Damaged) != 1 || set.Damaged[0].Path != path {
		t.Errorf("a flipped bit: %v", err)
	}
}

// Rounds and Regrets of a record of Load find a file that has changed since, and one that was written just before.
func TestRoundsOfChangedFile(t *testing.T) {
	for _, young := range []bool{false, true} {
		dir, paths := stamped(t, 2, 5)
		if young {
			age(t, paths[0], 0)
		}
		set, err := Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		rec := set.Policies[0].Records[0]
		if trusted := rec.verified != nil; trusted == young {
			t.Fatalf("trusted %v, want %v", trusted, !young)
		}
		last := func() (err error) {
			for _, err = range rec.Regrets() {
			}
			return err
		}
		if err := last(); err != nil {
			t.Error(err)
		}
		whole := readFile(t, paths[0])
		info, err := os.Stat(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		n := strings.LastIndex(string(whole), `,"energy":`) + 12
		writeText(t, paths[0], flipped(whole, n, 1)) // in a field that Regrets does not read
		if young {
			os.Chtimes(paths[0], info.ModTime(), info.ModTime())
		}
		var damaged Damaged
		if err := last(); !errors.As(err, &damaged) || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("young %v: error %v, want a Damaged", young, err)
		}
	}
}
