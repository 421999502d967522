package results

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
			b, sidecar, err := Record{Path: path}.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			rec, err := Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			trials = append(trials, Compress(rec, b, sidecar))
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
				a, sidecarA, err := w.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				b, sidecarB, err := g.Bytes()
				if err != nil || string(a) != string(b) || string(sidecarA) != string(sidecarB) || g.ID() != w.ID() || g.sum != w.sum || mustJSON(g.Totals) != mustJSON(w.Totals) {
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
		if p, q := ReadProvenance(got), ReadProvenance(want); len(p.Unknown) != len(q.Unknown) || mustJSON(p.Command) != mustJSON(q.Command) {
			t.Errorf("provenance %+v, want %+v", p, q)
		}
		_, entry, err := verifyPack(pack, stampEntry{})
		if err != nil {
			t.Fatal(err)
		}
		stamp{filepath.Base(pack): entry}.write(filepath.Join(packed, TrialsDir))
		damage := func() {
			b, written := readFile(t, pack), time.Unix(0, entry.Time)
			b[len(b)/3] ^= 4
			writeText(t, pack, b)
			if err := os.Chtimes(pack, written, written); err != nil {
				t.Fatal(err)
			}
		}
		damage()
		for _, known := range []stampEntry{entry, {}} {
			trials, _, err := verifyPack(pack, known)
			wrong := slices.ContainsFunc(trials, func(v verified) bool { return v.err != nil })
			if err != nil || wrong != (known != entry) {
				t.Errorf("known %v: an error of a trial: %v; of the index: %v", known == entry, wrong, err)
			}
		}
		damage() // undone
	}
}

// Whatever byte of a pack changes, the trials that it is of are named, or the pack is; no other number is read.
func TestPackDamage(t *testing.T) {
	plain, packed, pack := packFolder(t)
	want, err := Load(plain)
	if err != nil {
		t.Fatal(err)
	}
	whole := readFile(t, pack)
	named := 0
	for at := 0; at < len(whole); at += len(whole)/150 + 1 {
		b := slices.Clone(whole)
		b[at] ^= 4
		writeText(t, pack, b)
		got, err := Load(packed)
		if err != nil {
			if !strings.Contains(err.Error(), pack) {
				t.Errorf("byte %d: %v does not name the pack", at, err)
			}
			named++
			continue
		}
		named += len(got.Damaged)
		n := len(got.Damaged)
		for _, p := range got.Policies {
			for _, rec := range p.Records {
				w := want.FindPolicy(p.Policy).Records[rec.Seed-1]
				if mustJSON(rec.Totals) != mustJSON(w.Totals) {
					t.Errorf("byte %d: %s has other totals", at, rec.Path)
				}
				n++
			}
		}
		if n < 6 {
			t.Errorf("byte %d: %d trials and damaged files, want 6", at, n)
		}
	}
	if named < 30 {
		t.Errorf("%d damages of 150 were named", named)
	}
	writeText(t, pack, whole[:len(whole)-1])
	if _, err := Load(packed); err == nil {
		t.Error("no error of a pack that is cut off")
	}

	// A damaged trial that was run again is not missed.
	member := slices.Clone(whole)
	member[len(whole)/3] ^= 4
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
