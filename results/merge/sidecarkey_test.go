package merge

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/sumzip"
	"banditsim/results"
)

// TestFlippedKeyOfChecksum flips each bit of the six letters of a sidecar's key "sha256", without which a sidecar looks like one of a
// version that wrote no checksum: every one is found in folders, archives and packs, by report and merge.
func TestFlippedKeyOfChecksum(t *testing.T) {
	const letters = "sha256"
	var seeds []uint64
	for k := range 8*len(letters) + 1 {
		seeds = append(seeds, uint64(k+1))
	}
	dir := shard(t, nil, "A", seeds...)
	paths, err := results.TrialFiles(dir)
	if err != nil || len(paths) != len(seeds) {
		t.Fatal(paths, err)
	}
	archive := filepath.Join(t.TempDir(), "flipped.tar.gz")
	var compressed bytes.Buffer
	z, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression) // as package export
	if err != nil {
		t.Fatal(err)
	}
	tape := tar.NewWriter(z)
	var pack []results.Compressed
	flipped := map[string]bool{} // names of sidecars
	for _, path := range paths {
		trial, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sidecar, err := os.ReadFile(results.SidecarPath(path))
		if err != nil {
			t.Fatal(err)
		}
		rec, err := results.Parse(bytes.NewReader(trial))
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.LastIndex(sidecar, []byte(`"`+letters+`"`)) + 1
		if bit := int(rec.Seed) - 1; at < 1 {
			t.Fatalf("no checksum in %s", sidecar)
		} else if bit < 8*len(letters) { // the last sidecar is sound
			sidecar[at+bit/8] ^= 1 << (bit % 8)
			flipped[filepath.Base(results.SidecarPath(path))] = true
		}
		if err := os.WriteFile(results.SidecarPath(path), sidecar, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, f := range []struct {
			name string
			b    []byte
		}{{path, trial}, {results.SidecarPath(path), sidecar}} {
			if err := tape.WriteHeader(&tar.Header{Name: results.TrialsDir + "/" + filepath.Base(f.name), Mode: 0o644, Size: int64(len(f.b))}); err != nil {
				t.Fatal(err)
			}
			if _, err := tape.Write(f.b); err != nil {
				t.Fatal(err)
			}
		}
		c, err := results.Compress(rec, results.Files{Trial: sumzip.Plain(trial), Sidecar: sidecar})
		if err != nil {
			t.Fatal(err)
		}
		pack = append(pack, c)
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, compressed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	packed := t.TempDir()
	if err := os.Mkdir(filepath.Join(packed, results.TrialsDir), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := results.WritePack(packed, pack); err != nil {
		t.Fatal(err)
	}
	check := func(what string, damaged []results.Damaged) {
		t.Helper()
		named := map[string]bool{}
		for _, d := range damaged {
			named[filepath.Base(d.Path)] = true
			if !strings.Contains(d.Err.Error(), "sidecar") && !strings.Contains(d.Err.Error(), ".meta.json") {
				t.Errorf("%s: %v", what, d.Err)
			}
		}
		for name := range flipped {
			if !named[name] {
				t.Errorf("%s: %s is not named", what, name)
			}
		}
		if len(named) != len(flipped) {
			t.Errorf("%s: %d files are named, want %d", what, len(named), len(flipped))
		}
	}
	for what, from := range map[string]string{"folder": dir, "pack": packed} {
		set, err := results.Load(from)
		if err != nil {
			t.Fatal(what, err)
		}
		check(what, set.Damaged)
	}
	for what, from := range map[string]string{"merge of a folder": dir, "merge of an archive": archive, "merge of a pack": packed} {
		m := Merger{Dir: t.TempDir(), Pack: true}
		s, err := m.Merge([]string{from})
		if err != nil || s.Added != len(seeds) {
			t.Errorf("%s: %+v, %v", what, s, err)
		}
		check(what, s.Damaged)
	}
}
