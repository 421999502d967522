package results

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"banditsim/internal/sumzip"
	"banditsim/internal/words"
	"banditsim/results/internal/packfile"
	"banditsim/results/internal/stamp"
)

// packFolder makes a folder of trials as files and one with the same trials in a pack.
func packFolder(t *testing.T) (plain, packed, pack string) {
	t.Helper()
	plain, packed = t.TempDir(), t.TempDir()
	var trials []Compressed
	for _, policy := range []string{"pSGLD", "Uniform"} {
		for seed := range uint64(3) {
			path := write(t, plain, identity(policy, seed+1, 60), 20, int(seed/2)*55)
			if seed < 2 { // a trial is complete without a sidecar
				if err := WriteSidecar(path, Sidecar{Label: "the " + policy, Command: []string{"banditsim", "run"}}); err != nil {
					t.Fatal(err)
				}
			}
			rec, files, _, err := Record{Path: path}.Files(false)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Compress(rec, files)
			if err != nil {
				t.Fatal(err)
			}
			trials = append(trials, c)
		}
	}
	if err := os.Mkdir(filepath.Join(packed, TrialsDir), 0o777); err != nil {
		t.Fatal(err)
	}
	pack, err := WritePack(packed, trials)
	if err != nil {
		t.Fatal(err)
	}
	return plain, packed, pack
}

func text(t *testing.T, c sumzip.Content) string {
	t.Helper()
	var b strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A pack is read as the files that it has: records, rounds, sidecars and bytes.
func TestPackIsRead(t *testing.T) {
	plain, packed, pack := packFolder(t)
	// Verified in whole, then by the stamp that Load would write of a large folder, then with the stamp.
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(pack, old, old); err != nil {
		t.Fatal(err)
	}
	want, err := Load(plain)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := Load(packed)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(labels(got), labels(want)) || len(got.Damaged) > 0 {
			t.Fatalf("policies %v and damaged %v, want %v", labels(got), got.Damaged, labels(want))
		}
		for k, p := range want.Policies {
			for i, w := range p.Records {
				g := got.Policies[k].Records[i]
				_, a, _, err := w.Files(false)
				if err != nil {
					t.Fatal(err)
				}
				_, b, _, err := g.Files(false)
				if err != nil || text(t, a.Trial) != text(t, b.Trial) || string(a.Sidecar) != string(b.Sidecar) || g.ID() != w.ID() || g.sum != w.sum || mustJSON(g.Totals) != mustJSON(w.Totals) {
					t.Errorf("%s differs from %s: %v", g.Path, w.Path, err)
				}
				sum, n := 0.0, 0
				for r, err := range g.Rounds() {
					if err != nil {
						t.Fatal(err)
					}
					sum += r.Expected
					n++
				}
				if n != w.Totals.Rounds || sum != w.Totals.Expected {
					t.Errorf("%s: %d rounds of regret %g, want %d of %g", g.Path, n, sum, w.Totals.Rounds, w.Totals.Expected)
				}
			}
		}
		if g, w := sidecarsOf(got), sidecarsOf(want); g != w {
			t.Errorf("sidecars %s, want %s", g, w)
		}
		sound, entry, err := verifyPack(pack, stamp.Entry{})
		if err != nil {
			t.Fatal(err)
		}
		inTrial := sound[3].rec.member.trial.At + 20
		stamp.Stamp{filepath.Base(pack): entry}.Write(filepath.Join(packed, TrialsDir))
		damage := func() {
			b, written := readFile(t, pack), time.Unix(0, entry.Time)
			b[inTrial] ^= 4
			writeText(t, pack, b)
			if err := os.Chtimes(pack, written, written); err != nil {
				t.Fatal(err)
			}
		}
		damage()
		for _, known := range []stamp.Entry{entry, {}} {
			trials, _, err := verifyPack(pack, known)
			wrong := slices.ContainsFunc(trials, func(v verified) bool { return v.err != nil })
			if err != nil || wrong != (known != entry) {
				t.Errorf("known %v: an error of a trial: %v; of the index: %v", known == entry, wrong, err)
			}
		}
		damage() // undone
	}
}

// Whatever byte of a pack changes, the trial or the sidecar that it is of is named, or the pack is; no other number is read.
func TestPackDamage(t *testing.T) {
	plain, packed, pack := packFolder(t)
	want, err := Load(plain)
	if err != nil {
		t.Fatal(err)
	}
	whole := readFile(t, pack)
	step := len(whole)/1000 + 1
	if os.Getenv("BANDITSIM_LONG") != "" {
		step = 1
	}
	what := make(map[string]int)
	for at := 0; at < len(whole); at += step {
		b := slices.Clone(whole)
		b[at] ^= 1 << (at % 8)
		writeText(t, pack, b)
		got, err := Load(packed)
		if err != nil {
			if !strings.Contains(err.Error(), pack) {
				t.Errorf("byte %d: %v does not name the pack", at, err)
			}
			what["pack"]++
			continue
		}
		n := 0
		for _, p := range got.Policies {
			for _, rec := range p.Records {
				w := want.FindPolicy(p.Policy).Records[rec.Seed-1]
				if mustJSON(rec.Totals) != mustJSON(w.Totals) {
					t.Errorf("byte %d: %s has other totals", at, rec.Path)
				}
				n++
			}
		}
		if len(got.Damaged) != 1 {
			t.Fatalf("byte %d of %d: damaged %v, want one file", at, len(whole), got.Damaged)
		}
		kind, left := "trial", 5
		if strings.HasSuffix(got.Damaged[0].Path, ".meta.json") {
			kind, left = "sidecar", 6
		}
		if what[kind]++; n != left {
			t.Errorf("byte %d: %d trials beside %v, want %d", at, n, got.Damaged, left)
		}
	}
	t.Logf("%d bytes: found in %v", len(whole), what)
	if what["pack"] < 50 || what["trial"] < 50 || what["sidecar"] < 20 {
		t.Errorf("found in %v, want some of each", what)
	}
	for _, b := range [][]byte{whole[:len(whole)-1], append(slices.Clone(whole), 0), append([]byte{0}, whole...)} {
		writeText(t, pack, b)
		if _, err := Load(packed); err == nil {
			t.Errorf("no error of a pack of %d bytes, want %d", len(b), len(whole))
		}
	}

	// A damaged trial that was run again is not missed.
	writeText(t, pack, whole)
	if want, err = Load(packed); err != nil {
		t.Fatal(err)
	}
	member := slices.Clone(whole)
	member[want.Policies[0].Records[0].member.trial.At+20] ^= 4
	writeText(t, pack, member)
	got, err := Load(packed)
	if err != nil || len(got.Damaged) != 1 {
		t.Fatalf("damaged %v, %v", got.Damaged, err)
	}
	name := filepath.Base(got.Damaged[0].Path)
	writeText(t, filepath.Join(packed, TrialsDir, name), readFile(t, filepath.Join(plain, TrialsDir, name)))
	if got, err = Load(packed); err != nil || len(got.Damaged) != 0 {
		t.Errorf("damaged %v, %v", got.Damaged, err)
	}
}

// An index that says other numbers than the trials is found by all that reads rounds, and impossible numbers by all.
func TestPackOfLies(t *testing.T) {
	plain, packed, pack := packFolder(t)
	path := filepath.Join(plain, TrialsDir, identity("Uniform", 1, 60).FileName())
	b := readFile(t, path)
	write := func(change func(*Record)) {
		rec, err := Parse(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		change(&rec)
		c, err := Compress(rec, Files{Trial: sumzip.Plain(b)})
		if err != nil {
			t.Fatal(err)
		}
		if pack, err = WritePack(packed, []Compressed{c}); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(pack)
	for what, change := range map[string]func(*Record){
		"totals": func(rec *Record) { rec.Totals.Expected++ },
		"seed":   func(rec *Record) { rec.Seed++ },
		"sum":    func(rec *Record) { rec.sum[0]++ },
	} {
		write(change)
		set, err := Load(packed)
		if err != nil || len(set.Damaged) > 0 {
			t.Fatal(what, err, set)
		}
		var last error
		for _, last = range set.Policies[0].Records[0].Regrets() {
		}
		if last == nil || !strings.Contains(last.Error(), filepath.Base(set.Policies[0].Records[0].Path)) {
			t.Errorf("%s: error %v, want one that names the trial", what, last)
		}
		os.Remove(pack)
	}
	for what, change := range map[string]func(*Record){
		"rounds":     func(rec *Record) { rec.Totals.Rounds++ },
		"no failure": func(rec *Record) { rec.Totals.Rounds-- },
		"protocol":   func(rec *Record) { rec.Conditions.Protocol.Pulls = -1 },
	} {
		write(change)
		if _, err := Load(packed); err == nil || !strings.Contains(err.Error(), pack) {
			t.Errorf("%s: error %v, want one that names the pack", what, err)
		}
		os.Remove(pack)
	}
}

// A pack of version 1 is refused, and the error says what to do.
func TestPackOfVersion1(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("index.jsonl")
	if err == nil {
		_, err = w.Write([]byte(`{"pack":1,"trials":0,"settings":[],"policies":[]}` + "\n"))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pack-0.zip")
	writeText(t, path, b.Bytes())
	if _, err := openPack(path); err == nil || !strings.Contains(err.Error(), "merge --pack") {
		t.Errorf("%v, want an error that says how to pack again", err)
	}
}

// A trial that is in a pack and beside it counts once.
func TestPackAndFile(t *testing.T) {
	plain, packed, _ := packFolder(t)
	paths, err := TrialFiles(plain)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		writeText(t, filepath.Join(packed, TrialsDir, filepath.Base(path)), readFile(t, path))
	}
	got, err := Load(packed)
	if err != nil || len(got.Damaged) > 0 || len(got.Policies[0].Records) != 3 || len(got.Policies[1].Records) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A name in the index of a pack that would change a terminal makes the pack damaged, and is not in the error.
func TestPackOfHostileNames(t *testing.T) {
	plain, _, _ := packFolder(t)
	b := readFile(t, filepath.Join(plain, TrialsDir, identity("Uniform", 1, 60).FileName()))
	rec, err := Parse(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{rec.FileName(), "a\x1b[31m.jsonl", "a\nforged.jsonl", "a\u202e.jsonl", "../a.jsonl"} {
		c, err := Compress(rec, Files{Trial: sumzip.Plain(b)})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		c.packed.File.Name = name
		if err := packfile.Write(&file, []packfile.Trial{c.packed}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "pack-0.zip")
		writeText(t, path, file.Bytes())
		p, err := openPack(path)
		if sound := name == rec.FileName(); sound != (err == nil) || err != nil && words.Plain(err.Error()) != err.Error() {
			t.Errorf("%q: %q", name, err)
		}
		if err == nil {
			p.file.Close()
		}
	}
}
