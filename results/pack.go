package results

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"banditsim/internal/pool"
	"banditsim/internal/sumzip"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results/internal/jsonl"
	"banditsim/results/internal/stamp"
)

// Packs: many trials in one file
//
// A pack is a zip file in the folder of trials, named pack-<first 12 digits of the SHA-256 of its trials' last lines>.zip.
// It has the trial files, sidecars and recorded pulls of trials with their bytes and names, compressed, so that unzip makes
// the plain files again, and in the end index.jsonl: a line with the settings and the policies of all, and a line for
// each trial with what a Record says, and the entries of its files with their checksums.
//
// Trials are verified whole, and inflated to be compared, before they are packed (Compress). So a trial whose compressed bytes have
// their checksum is as it was, and a pack is verified by hashing it: package sumzip has every byte under a checksum.
//
// A pack appears whole and is not changed afterwards. The plain files are removed once it is there; a trial that is
// in a pack and beside it with equal bytes, as when that was interrupted or when pulls or scores were recorded later,
// counts once: the copy that has more beside it, see Record.extent.

const (
	packPrefix = "pack-"
	packSuffix = ".zip"
	packIndex  = "index.jsonl"
	packSchema = 2 // 1 had no checksums of compressed bytes
	packPulls  = 3 // schema of a pack with pulls, which older programs do not read
	// maxIndex bounds what is read into memory, in bytes. The line of a trial has about 600.
	maxIndex = 32 << 20
	// sidecarBytes are those of the sidecars of a pack that are read, and 16 for each byte of the pack: sidecars are kept in memory, and
	// those that are written are a few times as large as in a pack.
	sidecarBytes = 64 << 20
)

// packHeader is the first line of an index.
type packHeader struct {
	Schema   int          `json:"pack"`
	Trials   int          `json:"trials"`
	Settings []Conditions `json:"settings"`
	Policies []Policy     `json:"policies"`
}

// packLine is the line of a trial.
type packLine struct {
	File    string        `json:"file"`
	Setting int           `json:"setting"` // index into the header's list
	Policy  int           `json:"policy"`  // index into the header's list
	Seed    uint64        `json:"seed"`
	Trial   sumzip.Entry  `json:"trial"`
	Sidecar sumzip.Entry  `json:"sidecar,omitzero"`
	Pulls   sumzip.Entry  `json:"pulls,omitzero"`
	End     *Totals       `json:"end"`
	SHA256  sumzip.Digest `json:"sha256"` // sum of the trial file, as its last line says
}

// A member is the place of a trial in a pack.
type member struct {
	pack                  string       // its path
	trial, sidecar, pulls sumzip.Entry // without a sidecar or pulls the zero value
}

// A pack is an open file with its index read and verified. The trials are not verified.
type pack struct {
	file    *sumzip.File
	stamp   stamp.Entry
	records []Record
}

// openPack opens a pack, whose file must be closed.
func openPack(path string) (*pack, error) {
	f, err := sumzip.Open(path, packIndex)
	if err != nil {
		return nil, damaged(path, fmt.Errorf("results: read pack %s: %w", path, err))
	}
	p := &pack{file: f, stamp: stamp.EntryOf(f.Info, f.Sum)}
	index, err := f.Index(maxIndex)
	if err == nil {
		err = p.parse(path, index)
	}
	if err != nil {
		f.Close()
		return nil, damaged(path, fmt.Errorf("results: read pack %s: index: %w", path, err))
	}
	return p, nil
}

func (p *pack) parse(path string, index []byte) error {
	first := bytes.IndexByte(index, '\n') + 1
	var h packHeader
	if err := jsonl.DecodeStrict(index[:first], &h); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if h.Schema != packSchema && h.Schema != packPulls {
		return fmt.Errorf("a pack of version %d, this program reads versions %d and %d: unzip it where it is, remove it and index.jsonl, and pack the folder again with 'merge --pack'", h.Schema, packSchema, packPulls)
	}
	for i := range h.Settings {
		if err := h.Settings[i].Protocol.Validate(); err != nil {
			return fmt.Errorf("header: %w", err)
		}
	}
	members := make([]member, 0, bytes.Count(index, []byte("\n"))) // never grows: records point into it
	var entries []sumzip.Entry
	for line := range bytes.Lines(index[first:]) {
		var l packLine
		err := jsonl.DecodeStrict(line, &l)
		if err == nil && (l.Setting < 0 || l.Setting >= len(h.Settings) || l.Policy < 0 || l.Policy >= len(h.Policies) || l.End == nil || l.File != filepath.Base(l.File) || l.File != words.Plain(l.File)) {
			err = errors.New("not as a pack has it")
		}
		if err == nil {
			err = l.End.check(h.Settings[l.Setting].Protocol.Rounds)
		}
		if err != nil {
			return fmt.Errorf("trial %d: %w", len(p.records)+1, err)
		}
		if entries = append(entries, l.Trial); l.Sidecar.Size != 0 {
			entries = append(entries, l.Sidecar)
		}
		if l.Pulls.Size != 0 {
			entries = append(entries, l.Pulls)
		}
		members = append(members, member{path, l.Trial, l.Sidecar, l.Pulls})
		p.records = append(p.records, Record{
			Path:       filepath.Join(path, l.File),
			Conditions: &h.Settings[l.Setting], Policy: &h.Policies[l.Policy], Seed: l.Seed,
			Totals: *l.End,
			sum:    l.SHA256,
			member: &members[len(members)-1],
		})
	}
	if len(p.records) != h.Trials {
		return fmt.Errorf("%d trials, want %d", len(p.records), h.Trials)
	}
	return p.file.Check(entries)
}

// verifyPack verifies the trials of a pack on all processors, unless it has not changed since that was done last, and
// reads their sidecars. The error is of the index.
func verifyPack(path string, old stamp.Entry) ([]verified, stamp.Entry, error) {
	p, err := openPack(path)
	if err != nil {
		return nil, stamp.Entry{}, err
	}
	defer p.file.Close()
	trials := make([]verified, len(p.records))
	workers := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	var sidecars atomic.Int64 // bytes of those that were read
	most := sidecarBytes + 16*p.file.Info.Size()
	workers.Run(context.Background(), len(trials), func(i int) error {
		v, sidecar, pulls := &trials[i], error(nil), error(nil)
		v.rec = p.records[i]
		if m := v.rec.member; p.stamp != old {
			v.err = p.file.Verify(m.trial)
			if m.sidecar.Size != 0 {
				sidecar = p.file.Verify(m.sidecar)
			}
			if m.pulls.Size != 0 {
				pulls = p.file.Verify(m.pulls)
			}
		}
		if pulls != nil {
			v.pulls = fmt.Errorf("results: read pulls %s: %w", PullsPath(v.rec.Path), pulls)
			v.rec.pullsDamaged = true
		}
		if sidecar == nil && v.rec.member.sidecar.Size != 0 && sidecars.Load() > most {
			sidecar = fmt.Errorf("the pack's sidecars have more than %d bytes, far more than the pack", most)
		}
		switch path := v.rec.Path; {
		case v.err != nil:
			v.err = fmt.Errorf("results: read %s: %w", path, v.err)
		case sidecar != nil:
			path = SidecarPath(path)
			v.rec.sidecar = &sidecarFile{shared: &Sidecar{}, err: damaged(path, fmt.Errorf("results: read sidecar %s: %w: the trial is complete without", path, sidecar))}
		default:
			v.rec.sidecar = v.rec.readSidecar()
			sidecars.Add(int64(v.rec.sidecar.size))
		}
		return nil
	})
	return trials, p.stamp, nil
}

// open opens the file of the trial, in a pack or not. The entry says what is read.
func (rec Record) open() (io.ReadCloser, stamp.Entry, error) {
	if m := rec.member; m != nil {
		f, info, err := sumzip.OpenEntry(m.pack, m.trial)
		if err != nil {
			return nil, stamp.Entry{}, err
		}
		return f, stamp.EntryOf(info, ""), nil
	}
	f, info, err := wholefile.Open(rec.Path)
	if err != nil {
		return nil, stamp.Entry{}, err
	}
	return f, stamp.EntryOf(info, ""), nil
}

// Packed reports whether the trial is in a pack, and returns the path of the pack.
func (rec Record) Packed() (path string, ok bool) {
	if rec.member == nil {
		return "", false
	}
	return rec.member.pack, true
}

// Files are the contents of the files of a trial. Without a sidecar or pulls, theirs are nil and the zero value.
type Files struct {
	Trial, Pulls sumzip.Content
	Sidecar      []byte
}

// Files returns the trial as it is in its file, and its files as they are on disk. The trial and its pulls are verified, and read no
// further than to what is wrong; they are kept compressed if compress, and if they are in a pack. The error is of the trial; what is
// wrong with its sidecar or its pulls, which are left out then, is in bad.
func (rec Record) Files(compress bool) (parsed Record, f Files, bad []Damaged, err error) {
	keep := func(path string, e *sumzip.Entry, check func(io.Reader) error) (c sumzip.Content, err error) {
		in, err := rec.openFile(path, e)
		if err != nil {
			return c, err
		}
		defer in.Close()
		if e != nil {
			err = sumzip.VerifyEntry(rec.member.pack, *e)
		}
		k := sumzip.Keep(in, compress || e != nil)
		if err == nil {
			err = check(k)
		}
		c, wrong := k.Content()
		return c, cmp.Or(err, wrong)
	}
	f.Trial, err = keep(rec.Path, rec.trialEntry(), func(in io.Reader) (err error) {
		parsed, err = Parse(in)
		return err
	})
	if err != nil {
		return parsed, Files{}, nil, damaged(rec.Path, fmt.Errorf("results: read %s: %w", rec.Path, err))
	}
	other := func(path string, err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			bad = append(bad, Damaged{path, fmt.Errorf("results: read %s: %w", path, err)})
		}
	}
	path := SidecarPath(rec.Path)
	_, err = keep(path, rec.sidecarEntry(), func(in io.Reader) (err error) {
		f.Sidecar, err = sumzip.ReadAtMost(in, MaxSidecar)
		return err
	})
	if other(path, err); err != nil {
		f.Sidecar = nil
	}
	path = PullsPath(rec.Path)
	f.Pulls, err = keep(path, rec.pullsEntry(), func(in io.Reader) error {
		trial := f.Trial.Open()
		defer trial.Close()
		return parsed.CheckPulls(trial, in)
	})
	if other(path, err); err != nil {
		f.Pulls = sumzip.Content{}
	}
	return parsed, f, bad, nil
}

// Entries of the trial's files in its pack; nil if it is in none, the zero value if it has no such file.
func (rec Record) trialEntry() *sumzip.Entry {
	return entryIn(rec.member, func(m *member) *sumzip.Entry { return &m.trial })
}
func (rec Record) sidecarEntry() *sumzip.Entry {
	return entryIn(rec.member, func(m *member) *sumzip.Entry { return &m.sidecar })
}
func (rec Record) pullsEntry() *sumzip.Entry {
	return entryIn(rec.member, func(m *member) *sumzip.Entry { return &m.pulls })
}

func entryIn(m *member, of func(*member) *sumzip.Entry) *sumzip.Entry {
	if m == nil {
		return nil
	}
	return of(m)
}

// openFile opens a file of the trial, which is not verified: the entry of its pack, or the file at path.
func (rec Record) openFile(path string, e *sumzip.Entry) (f io.ReadCloser, err error) {
	switch {
	case e == nil:
		f, _, err = wholefile.Open(path)
	case e.Size == 0:
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	default:
		f, _, err = sumzip.OpenEntry(rec.member.pack, *e)
	}
	return f, err
}

// SidecarBytes returns the sidecar as it is on disk; without one the error is fs.ErrNotExist.
func (rec Record) SidecarBytes() ([]byte, error) {
	f, err := rec.openFile(SidecarPath(rec.Path), rec.sidecarEntry())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return sumzip.ReadAtMost(f, MaxSidecar)
}

// Unpack writes the sidecar and the pulls of a trial in a pack as files beside it, so that a run that records more of
// the trial, whose file it writes itself, adds to them.
func (rec Record) Unpack() error {
	path := filepath.Join(filepath.Dir(rec.member.pack), filepath.Base(rec.Path))
	for i, to := range []string{SidecarPath(path), PullsPath(path)} {
		e := []*sumzip.Entry{rec.sidecarEntry(), rec.pullsEntry()}[i]
		if e.Size == 0 || sumzip.VerifyEntry(rec.member.pack, *e) != nil { // what is damaged is left out
			continue
		}
		in, err := rec.openFile(to, e)
		if err != nil {
			return err
		}
		err = wholefile.WriteFunc(to, func(w io.Writer) error {
			_, err := io.Copy(w, in)
			return err
		})
		if in.Close(); err != nil {
			return err
		}
	}
	return nil
}

// WriteContent writes a file, in whole or not at all, unless c is the zero value.
func WriteContent(path string, c sumzip.Content) error {
	if c.Len() == 0 {
		return nil
	}
	return wholefile.WriteFunc(path, func(w io.Writer) error {
		_, err := c.WriteTo(w)
		return err
	})
}

// Packed verifies the packs of a folder as Load does, and returns their trials by the names of their files, and
// what is damaged.
func Packed(dir string) (map[string]Record, []Damaged, error) {
	packs, err := PackFiles(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("results: read packs: %w", err)
	}
	trials, bad := make(map[string]Record), oddNames(dir)
	verifyAll(filepath.Join(dir, TrialsDir), nil, packs, func(v verified) {
		if v.pulls != nil {
			bad = append(bad, Damaged{PullsPath(v.rec.Path), v.pulls})
		}
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
	bad = oddNames(dir)
	for _, path := range paths {
		if rec, err := ReadRecord(path); err == nil {
			all = append(all, rec)
		} else {
			bad = append(bad, Damaged{path, err})
		}
	}
	for _, path := range packs {
		if records, err := ReadPack(path); err == nil {
			all = append(all, records...)
		} else {
			bad = append(bad, Damaged{path, err})
		}
	}
	return all, bad, nil
}

// ReadPack returns the trials of a pack, as its index has them. The index is verified.
func ReadPack(path string) ([]Record, error) {
	p, err := openPack(path)
	if err != nil {
		return nil, err
	}
	return p.records, p.file.Close()
}

// Sum returns the checksum in the last line of the trial's file: the SHA-256 of all bytes before it.
func (rec Record) Sum() [sha256.Size]byte { return rec.sum }

// Parse reads and verifies a trial file. It reads no further than to the first line that is wrong.
func Parse(r io.Reader) (Record, error) { return scan(r, visitor{}) }
