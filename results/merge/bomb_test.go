package merge

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"banditsim/internal/sumzip"
	"banditsim/results"
)

// zeros are bytes that compress to a thousandth of their size.
func zeros(n int64) io.Reader { return io.LimitReader(zeroReader{}, n) }

type zeroReader struct{}

func (zeroReader) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// allocated returns the bytes that f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// TestArchiveBombs: files of an archive that are a thousand times as large as the archive take no memory beside what is
// right in them. They are named, and what is sound is merged.
func TestArchiveBombs(t *testing.T) {
	const large = 48 << 20 // lines have up to 16
	source := recorded(t, true, true, 1, 2, 3)
	paths, err := results.TrialFiles(source)
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "bombs.tar.gz")
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	out := tar.NewWriter(z)
	add := func(name string, parts ...io.Reader) {
		size := int64(0)
		for i, p := range parts {
			if b, ok := p.(*bytes.Reader); ok {
				size += b.Size()
			} else {
				size += large
				parts[i] = zeros(large)
			}
		}
		if err := out.WriteHeader(&tar.Header{Name: "trials/" + filepath.Base(name), Mode: 0o644, Size: size}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(out, io.MultiReader(parts...)); err != nil {
			t.Fatal(err)
		}
	}
	file := func(name string) *bytes.Reader {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.NewReader(b)
	}
	bomb := zeros(0)
	add(paths[0], file(paths[0]))
	add(results.SidecarPath(paths[0]), bomb)
	add(results.PullsPath(paths[0]), file(results.PullsPath(paths[0])), bomb)
	add(paths[1], file(paths[1]), bomb)
	add(paths[2], bomb)
	add(results.PullsPath(paths[2]), bomb)
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, pack := range []bool{false, true} {
		m := Merger{Dir: t.TempDir(), Pack: pack}
		var s Summary
		n := allocated(func() { s, err = m.Merge([]string{archive}) })
		if err != nil || s.Added != 1 {
			t.Errorf("pack %v: %+v, error %v", pack, s, err)
		}
		named := fmt.Sprint(s.Damaged)
		for _, name := range []string{results.SidecarPath(paths[0]), results.PullsPath(paths[0]), paths[1], paths[2]} {
			if !strings.Contains(named, filepath.Base(name)) {
				t.Errorf("pack %v: %s is not named: %s", pack, filepath.Base(name), named)
			}
		}
		if n > 300<<20 { // for the five in a row; at one time it is less
			t.Errorf("pack %v: %d MB of allocations", pack, n>>20)
		}
	}
}

// kept returns the content of the readers, compressed, so that the test takes no memory for it.
func kept(t *testing.T, parts ...io.Reader) sumzip.Content {
	t.Helper()
	k := sumzip.Keep(io.MultiReader(parts...), true)
	if _, err := io.Copy(io.Discard, k); err != nil {
		t.Fatal(err)
	}
	c, err := k.Content()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPackBombs: files of a pack, each with its checksum, that are a thousand times as large as the pack take no memory beside what is
// right in them, which is kept compressed. They are named, and what is sound is merged, however large it is.
func TestPackBombs(t *testing.T) {
	const large = 64 << 20
	source := recorded(t, true, true, 1, 2, 3, 4)
	paths, err := results.TrialFiles(source)
	if err != nil {
		t.Fatal(err)
	}
	var files []results.Files
	var records []results.Record
	for _, path := range paths {
		rec, f, _, err := results.Record{Path: path}.Files(false)
		if err != nil {
			t.Fatal(err)
		}
		files, records = append(files, f), append(records, rec)
	}
	files[0].Trial = kept(t, zeros(large))
	files[1].Trial = kept(t, files[1].Trial.Open(), zeros(large))
	files[2].Pulls = kept(t, files[2].Pulls.Open(), zeros(large))
	// Blocks without content, of which a decompressor makes nothing.
	empty := bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 1<<20)
	parts := []io.Reader{io.LimitReader(files[3].Pulls.Open(), 10)}
	for range large / len(empty) {
		parts = append(parts, bytes.NewReader(empty))
	}
	files[3].Pulls = kept(t, parts...)
	// A sound trial of many rounds.
	i := records[0].Identity()
	i.Protocol.Rounds = 200_000
	i.Seed = 5
	in, out := io.Pipe()
	go func() { out.CloseWithError(results.Encode(out, i, rounds(i.Protocol.Rounds, 1), nil)) }()
	long := kept(t, in)
	if long.Len() < 12<<20 {
		t.Fatalf("the long trial has %d bytes", long.Len())
	}
	rec, err := results.Parse(long.Open())
	if err != nil {
		t.Fatal(err)
	}
	dirs := []string{t.TempDir(), t.TempDir()}
	pack := func(dir string, records []results.Record, files []results.Files) {
		var all []results.Compressed
		for k, rec := range records {
			c, err := results.Compress(rec, files[k])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		if err := os.Mkdir(filepath.Join(dir, results.TrialsDir), 0o777); err != nil {
			t.Fatal(err)
		}
		if _, err := results.WritePack(dir, all); err != nil {
			t.Fatal(err)
		}
	}
	pack(dirs[0], records, files)
	pack(dirs[1], []results.Record{rec}, []results.Files{{Trial: long}})
	for k, want := range []Summary{{Added: 2}, {Added: 1}} {
		for _, pack := range []bool{false, true} {
			m := Merger{Dir: t.TempDir(), Pack: pack}
			var s Summary
			n := allocated(func() { s, err = m.Merge(dirs[k : k+1]) })
			if err != nil || s.Added != want.Added {
				t.Errorf("pack %v: %+v, error %v", pack, s, err)
			}
			named := fmt.Sprint(s.Damaged)
			for _, name := range []string{paths[0], paths[1], results.PullsPath(paths[2]), results.PullsPath(paths[3])} {
				if strings.Contains(named, filepath.Base(name)) != (k == 0) {
					t.Errorf("pack %v, %d: damaged %s", pack, k, named)
				}
			}
			if n > 100<<20 || k == 1 && n > long.Len()/2 {
				t.Errorf("pack %v, %d: %d MB of allocations", pack, k, n>>20)
			}
		}
	}
}

// TestSidecarBombs: of sidecars that are a thousand times as large as their pack, as many are read as have 64 MiB. The others are named.
func TestSidecarBombs(t *testing.T) {
	var seeds []uint64
	for k := range uint64(100) {
		seeds = append(seeds, k+1000)
	}
	dir := shard(t, nil, "A", seeds...)
	paths, err := results.TrialFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := results.WriteSidecar(paths[0], results.Sidecar{Notes: strings.Repeat("x", results.MaxSidecar-1000)}); err != nil {
		t.Fatal(err)
	}
	sidecar, err := os.ReadFile(results.SidecarPath(paths[0]))
	if err != nil {
		t.Fatal(err)
	}
	var all []results.Compressed
	for _, path := range paths {
		rec, f, _, err := results.Record{Path: path}.Files(false)
		if err != nil {
			t.Fatal(err)
		}
		f.Sidecar = sidecar
		c, err := results.Compress(rec, f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	packed := t.TempDir()
	if err := os.Mkdir(filepath.Join(packed, results.TrialsDir), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := results.WritePack(packed, all); err != nil {
		t.Fatal(err)
	}
	set, err := results.Load(packed)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.Policies[0].Records); n != len(paths) {
		t.Errorf("%d trials, want %d: they are complete without a sidecar", n, len(paths))
	}
	// The pack has under 600 KB, which allow 9 MB more, and one more may be read by each processor.
	if n := len(set.Damaged); n > 36 || n < 26-runtime.GOMAXPROCS(0) || !strings.Contains(set.Damaged[0].Err.Error(), "far more than the pack") {
		t.Errorf("%d sidecars are named, such as %v", n, set.Damaged[:1])
	}
}

// TestIndexBomb: the index of a pack is not read if it is larger than any that is written, whatever it says of its size.
func TestIndexBomb(t *testing.T) {
	dir := shard(t, nil, "A", 1)
	path := filepath.Join(dir, results.TrialsDir, "pack-000000000000.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	w, err := z.Create("index.jsonl")
	if err == nil {
		_, err = io.Copy(w, zeros(300<<20))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	honest, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lying := bytes.ReplaceAll(honest, []byte{0, 0, 0xc0, 0x12}, []byte{0, 1, 0, 0}) // 300 MiB; 256 bytes
	for name, c := range map[string]struct {
		pack []byte
		most int
		want string
	}{
		"honest": {honest, 1 << 20, "314572800 bytes, want at most 33554432"},
		"lying":  {lying, 1 << 20, "index: zip: not a valid zip file"},
	} {
		if err := os.WriteFile(path, c.pack, 0o666); err != nil {
			t.Fatal(err)
		}
		var set *results.Set
		n := allocated(func() { set, err = results.Load(dir) })
		if err != nil || len(set.Damaged) != 1 || !strings.Contains(set.Damaged[0].Err.Error(), c.want) {
			t.Errorf("%s: error %v, damaged %v, want %q", name, err, set.Damaged, c.want)
		}
		if n > c.most {
			t.Errorf("%s: %d MB of allocations", name, n>>20)
		}
	}
}
