package results

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"banditsim/internal/freelist"
	"banditsim/internal/pool"
	"banditsim/internal/wholefile"
)

// Packs: many trials in one file
//
// A pack is a zip file in the folder of trials, named pack-<first 12 digits of the SHA-256 of its trials' last lines>.zip.
// It has the trial files and sidecars of trials with their bytes and names, compressed, so that unzip makes
// the plain files again, and in the end index.jsonl: a line with the settings and the policies of all, a line for
// each trial with what a Record says and where its bytes are, and a checksum as in a trial file.
//
// A pack appears whole and is not changed afterwards. The plain files are removed once it is there; a trial that is
// in a pack and beside it with equal bytes, as when that was interrupted, counts once.

const (
	packPrefix = "pack-"
	packSuffix = ".zip"
	packIndex  = "index.jsonl"
	packSchema = 1
	// maxIndex and maxTrial bound what is read into memory, in bytes.
	maxIndex = 1 << 30
	maxTrial = 1 << 30
)

// packHeader is the first line of an index.
type packHeader struct {
	Schema   int          `json:"pack"`
	Trials   int          `json:"trials"`
	Settings []Conditions `json:"settings"`
	Policies []Policy     `json:"policies"`
}

// packLine is the line of a trial: positions and sizes are of compressed bytes in the zip file.
type packLine struct {
	File        string  `json:"file"`
	Setting     int     `json:"setting"` // in the header's list
	Policy      int     `json:"policy"`  // in the header's list
	Seed        uint64  `json:"seed"`
	At          int64   `json:"at"`
	Size        int64   `json:"size"`
	SidecarAt   int64   `json:"sidecar_at,omitempty"`
	SidecarSize int64   `json:"sidecar_size,omitempty"` // 0 without one
	End         *Totals `json:"end"`
	SHA256      string  `json:"sha256"`
}

// A member is the place of a trial in a pack.
type member struct {
	pack                            string // its path
	at, size, sidecarAt, sidecarLen int64
}

// readPack reads the index of a pack. Trials are not verified.
func readPack(path string) (records []Record, entry stampEntry, err error) {
	f, info, err := wholefile.Open(path)
	if err != nil {
		return nil, entry, fmt.Errorf("results: read pack: %w", err)
	}
	defer f.Close()
	index, err := packIndexOf(f, info.Size())
	if err == nil {
		records, entry.Sum, err = parseIndex(path, index)
	}
	if err != nil {
		return nil, entry, damaged(path, fmt.Errorf("results: read pack %s: %w", path, err))
	}
	entry = entryOf(info, entry.Sum)
	return records, entry, nil
}

func packIndexOf(r io.ReaderAt, size int64) ([]byte, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	if n := len(z.File); n == 0 || z.File[n-1].Name != packIndex {
		return nil, fmt.Errorf("its last file is not %s", packIndex)
	}
	f, err := z.File[len(z.File)-1].Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, maxIndex)
}

// readAtMost reads all of r, at most limit bytes.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	return b, err
}

func parseIndex(path string, index []byte) (records []Record, sum string, err error) {
	last := bytes.LastIndexByte(bytes.TrimSuffix(index, []byte("\n")), '\n') + 1
	if is := sha256.Sum256(index[:last]); !bytes.Equal(index[last:], sumText(is[:])) {
		return nil, "", errors.New("index: the checksum differs: bytes of the file were changed")
	}
	sum = string(index[last:])
	first := bytes.IndexByte(index, '\n') + 1
	var h packHeader
	if err := decodeStrict(index[:first], &h); err != nil {
		return nil, "", fmt.Errorf("index: header: %w", err)
	}
	if h.Schema != packSchema {
		return nil, "", fmt.Errorf("a pack of version %d, this program reads version %d", h.Schema, packSchema)
	}
	members := make([]member, 0, bytes.Count(index, []byte("\n"))) // never grows: records point into it
	for line := range bytes.Lines(index[first:last]) {
		var l packLine
		if err := decodeStrict(line, &l); err != nil {
			return nil, "", fmt.Errorf("index: trial %d: %w", len(records)+1, err)
		}
		if l.Setting < 0 || l.Setting >= len(h.Settings) || l.Policy < 0 || l.Policy >= len(h.Policies) || l.End == nil || l.File != filepath.Base(l.File) {
			return nil, "", fmt.Errorf("index: trial %d: not as a pack has it", len(records)+1)
		}
		sum, ok := parseSum([]byte(`{"sha256":"` + l.SHA256 + "\"}\n"))
		if !ok {
			return nil, "", fmt.Errorf("index: trial %d: %q is not a SHA-256", len(records)+1, l.SHA256)
		}
		members = append(members, member{path, l.At, l.Size, l.SidecarAt, l.SidecarSize})
		records = append(records, Record{
			Path:       filepath.Join(path, l.File),
			Conditions: &h.Settings[l.Setting], Policy: &h.Policies[l.Policy], Seed: l.Seed,
			Totals: *l.End,
			sum:    sum,
			member: &members[len(members)-1],
		})
	}
	if len(records) != h.Trials {
		return nil, "", fmt.Errorf("index: %d trials, want %d", len(records), h.Trials)
	}
	return records, sum, nil
}

// verifyPack verifies the trials of a pack on all processors, unless it has not changed since that was done last, and
// reads their sidecars. The error is of the index.
func verifyPack(path string, old stampEntry) ([]verified, stampEntry, error) {
	records, entry, err := readPack(path)
	if err != nil {
		return nil, entry, err
	}
	trials := make([]verified, len(records))
	workers := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	workers.Run(context.Background(), len(records), func(i int) error {
		v := verified{rec: records[i]}
		if entry != old {
			v.err = v.rec.checkMember()
		}
		if v.err == nil {
			v.rec.sidecar = v.rec.readSidecar()
		}
		trials[i] = v
		return nil
	})
	return trials, entry, nil
}

// checkMember reads the whole file of a packed trial and compares it with the index.
func (rec Record) checkMember() error {
	f, _, err := rec.open()
	var again Record
	if err == nil {
		defer f.Close()
		again, err = scan(f, visitor{})
	}
	if err == nil && (again.sum != rec.sum || mustJSON(again.Totals) != mustJSON(rec.Totals) || again.ID() != rec.ID() || again.FileName() != filepath.Base(rec.Path)) {
		err = errors.New("the index of the pack says otherwise")
	}
	if err != nil {
		return fmt.Errorf("results: read %s: %w", rec.Path, err)
	}
	return nil
}

// packed is a reader of compressed bytes in a pack.
type packed struct {
	io.ReadCloser // a flate.Resetter
	file          *os.File
}

// inflaters are the readers of packed that are not in use: each has a window of 32 KB.
var inflaters = freelist.List[io.ReadCloser]{Make: func() io.ReadCloser { return flate.NewReader(nil) }}

// Close must be called once.
func (p packed) Close() error {
	inflaters.Give(p.ReadCloser)
	return p.file.Close()
}

func openMember(path string, at, size int64) (packed, fs.FileInfo, error) {
	f, info, err := wholefile.Open(path)
	if err != nil {
		return packed{}, nil, err
	}
	r := inflaters.Take()
	r.(flate.Resetter).Reset(io.NewSectionReader(f, at, size), nil)
	return packed{r, f}, info, nil
}

// open opens the file of the trial, in a pack or not. The entry says what is read.
func (rec Record) open() (io.ReadCloser, stampEntry, error) {
	if m := rec.member; m != nil {
		f, info, err := openMember(m.pack, m.at, m.size)
		if err != nil {
			return nil, stampEntry{}, err
		}
		return f, entryOf(info, ""), nil
	}
	f, info, err := wholefile.Open(rec.Path)
	if err != nil {
		return nil, stampEntry{}, err
	}
	return f, entryOf(info, ""), nil
}

// Packed reports whether the trial is in a pack, and returns the path of the pack.
func (rec Record) Packed() (path string, ok bool) {
	if rec.member == nil {
		return "", false
	}
	return rec.member.pack, true
}

// Bytes returns the bytes of the trial's file, and of its sidecar or nil if it has none, as they are on disk.
func (rec Record) Bytes() (trial, sidecar []byte, err error) {
	f, _, err := rec.open()
	if err == nil {
		trial, err = readAtMost(f, maxTrial)
		f.Close()
	}
	if err != nil {
		return nil, nil, damaged(rec.Path, fmt.Errorf("results: read %s: %w", rec.Path, err))
	}
	sidecar, err = rec.SidecarBytes()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return trial, sidecar, err
}

// SidecarBytes returns the sidecar as it is on disk; without one the error is fs.ErrNotExist.
func (rec Record) SidecarBytes() (b []byte, err error) {
	var f io.ReadCloser
	switch m := rec.member; {
	case m == nil:
		f, _, err = wholefile.Open(SidecarPath(rec.Path))
	case m.sidecarLen == 0:
		err = &fs.PathError{Op: "open", Path: SidecarPath(rec.Path), Err: fs.ErrNotExist}
	default:
		f, _, err = openMember(m.pack, m.sidecarAt, m.sidecarLen)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, maxSidecar)
}

// Packed verifies the packs of a folder as Load does, and returns their trials by the names of their files, and
// what is damaged.
func Packed(dir string) (map[string]Record, []Damaged, error) {
	packs, err := PackFiles(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("results: read packs: %w", err)
	}
	trials, bad := make(map[string]Record), []Damaged(nil)
	verifyAll(filepath.Join(dir, TrialsDir), nil, packs, func(v verified) {
		if v.err != nil {
			bad = append(bad, Damaged{v.rec.Path, v.err})
		} else {
			trials[filepath.Base(v.rec.Path)] = v.rec
		}
	})
	return trials, bad, nil
}

// Heads returns the finished trials of a folder, in files and packs, as ReadRecord reads them: nothing is verified.
// Files that cannot be read are listed as damaged.
func Heads(dir string) (all []Record, bad []Damaged, err error) {
	paths, err := TrialFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	packs, err := PackFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		if rec, err := ReadRecord(path); err == nil {
			all = append(all, rec)
		} else {
			bad = append(bad, Damaged{path, err})
		}
	}
	for _, path := range packs {
		if records, _, err := readPack(path); err == nil {
			all = append(all, records...)
		} else {
			bad = append(bad, Damaged{path, err})
		}
	}
	return all, bad, nil
}

// Sum returns the checksum in the last line of the trial's file: the SHA-256 of all bytes before it.
func (rec Record) Sum() [sha256.Size]byte { return rec.sum }

// Parse verifies the bytes of a trial file as Check does.
func Parse(b []byte) (Record, error) { return scan(bytes.NewReader(b), visitor{}) }

// A Compressed is a trial as WritePack writes it.
type Compressed struct {
	rec            Record
	trial, sidecar deflated
}

// Size returns the bytes that the trial takes in a pack.
func (c *Compressed) Size() int { return len(c.trial.bytes) + len(c.sidecar.bytes) }

type deflated struct {
	bytes  []byte
	crc    uint32
	length int
}

func deflate(b []byte) deflated {
	var to bytes.Buffer
	w, err := flate.NewWriter(&to, flate.BestSpeed)
	if err == nil {
		_, err = w.Write(b)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("results: %v", err)) // the level is right and a buffer takes everything
	}
	return deflated{to.Bytes(), crc32.ChecksumIEEE(b), len(b)}
}

// Compress compresses a trial that Parse verified. sidecar is nil if there is none.
func Compress(rec Record, trial, sidecar []byte) Compressed {
	c := Compressed{rec: rec, trial: deflate(trial)}
	if sidecar != nil {
		c.sidecar = deflate(sidecar)
	}
	return c
}
