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
	"banditsim/results/internal/jsonl"
	"banditsim/results/internal/packfile"
	"banditsim/results/internal/stamp"
	"banditsim/results/internal/sumline"
)

// sidecarBytes are those of the sidecars of a pack that are read, and 16 for each byte of the pack: sidecars are kept in memory, and
// those that are written are a few times as large as in a pack.
const sidecarBytes = 64 << 20

// A member is the place of a trial in a pack.
type member struct {
	pack                  string       // its path
	trial, sidecar, pulls sumzip.Entry // without a sidecar or pulls the zero value
}

// A pack is an open file with its index read and verified. The trials are not verified.
type pack struct {
	file    *packfile.File
	stamp   stamp.Entry
	records []Record
}

// openPack opens a pack, whose file must be closed.
func openPack(path string) (*pack, error) {
	f, err := packfile.Open(path)
	if err != nil {
		return nil, damaged(path, fmt.Errorf("results: read pack %s: %w", path, err))
	}
	records, err := recordsOf(path, f)
	if err != nil {
		f.Close()
		return nil, damaged(path, fmt.Errorf("results: read pack %s: index: %w", path, err))
	}
	return &pack{f, stamp.EntryOf(f.Info, f.Sum), records}, nil
}

// recordsOf returns the trials of a pack, as its index has them.
func recordsOf(path string, f *packfile.File) ([]Record, error) {
	settings, policies := make([]Conditions, len(f.Settings)), make([]Policy, len(f.Policies))
	for i, b := range f.Settings {
		err := jsonl.DecodeStrict(b, &settings[i])
		if err == nil {
			err = settings[i].Protocol.Validate()
		}
		if err != nil {
			return nil, fmt.Errorf("header: %w", err)
		}
	}
	for i, b := range f.Policies {
		if err := jsonl.DecodeStrict(b, &policies[i]); err != nil {
			return nil, fmt.Errorf("header: %w", err)
		}
	}
	members, records := make([]member, len(f.Lines)), make([]Record, len(f.Lines))
	for i, l := range f.Lines {
		c, p := &settings[l.Setting], &policies[l.Policy]
		totals, err := parseEnd(l.End, c.Protocol.Rounds)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w", i+1, err)
		}
		members[i] = member{path, l.Trial, l.Sidecar, l.Pulls}
		records[i] = Record{Path: filepath.Join(path, l.File), Conditions: c, Policy: p, Seed: l.Seed, Totals: totals, sum: l.SHA256, member: &members[i]}
	}
	return records, nil
}

// parseEnd reads the totals of a trial of so many rounds.
func parseEnd(b []byte, rounds int) (t Totals, err error) {
	if len(b) == 0 || string(b) == "null" {
		return t, errors.New("totals: none")
	}
	if err := jsonl.DecodeStrict(b, &t); err != nil {
		return t, fmt.Errorf("totals: %w", err)
	}
	return t, t.check(rounds)
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
	if rec.text != nil {
		return io.NopCloser(bytes.NewReader(rec.text)), stamp.Entry{}, nil
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

// A Compressed is a trial as WritePack writes it.
type Compressed struct{ packed packfile.Trial }

// Size returns the number of bytes that the trial takes in a pack.
func (c *Compressed) Size() int { return c.packed.Size() }

// Compress compresses a trial that Parse verified, and inflates it to compare.
func Compress(rec Record, f Files) (c Compressed, err error) {
	name := rec.FileName()
	p := &c.packed
	p.Setting, p.Policy, p.End = []byte(mustJSON(rec.Conditions)), []byte(mustJSON(rec.Policy)), []byte(mustJSON(rec.Totals))
	p.Seed, p.SHA256 = rec.Seed, rec.sum
	p.File.Name, p.Sidecar.Name, p.Pulls.Name = name, SidecarPath(name), PullsPath(name)
	if p.File.Bytes, err = f.Trial.Compressed(); err == nil && f.Sidecar != nil {
		p.Sidecar.Bytes, err = sumzip.Compress(f.Sidecar)
	}
	if err == nil && f.Pulls.Len() > 0 {
		p.Pulls.Bytes, err = f.Pulls.Compressed()
	}
	if err != nil {
		return c, fmt.Errorf("results: compress %s: %w", name, err)
	}
	return c, nil
}

// WritePack writes trials, at least one, as a pack in dir/trials, which exists, in whole or
// not at all, and returns its path.
func WritePack(dir string, trials []Compressed) (string, error) {
	if len(trials) == 0 {
		return "", errors.New("results: write pack: no trials")
	}
	sum := sha256.New()
	packed := make([]packfile.Trial, len(trials))
	for i := range trials {
		packed[i] = trials[i].packed
		sum.Write(sumline.Text(packed[i].SHA256[:]))
	}
	path := filepath.Join(dir, TrialsDir, packfile.Name(sum.Sum(nil)))
	err := wholefile.WriteFunc(path, func(w io.Writer) error { return packfile.Write(w, packed) })
	if err != nil {
		return path, fmt.Errorf("results: write pack: %w", err)
	}
	return path, nil
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
