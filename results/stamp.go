package results

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"banditsim/internal/pool"
	"banditsim/internal/wholefile"
	"banditsim/results/internal/stamp"
	"banditsim/results/internal/sumline"
)

// A stamp is written after more than stampFrom bytes were verified, as that takes less than a tenth of a second.
const (
	stampFrom = 64 << 20
	// stampAge is how long before the check a file must have been written to enter the stamp: a
	// change soon after could leave its time as it is, where clocks of file systems are coarse.
	stampAge = 2 * time.Second
)

// verified is the result of verifying a trial file.
type verified struct {
	rec   Record // its path and sidecar are set in any case
	err   error
	pulls error // what is wrong with its pulls, though not with the trial
	entry stamp.Entry
	read  bool // the whole file was read
}

// verifyChunk is the number of trial files that verifyAll keeps in memory.
const verifyChunk = 4096

// verifyAll verifies the trial files and packs at paths, all in folder, on all processors, and calls add with each trial in
// their order.
func verifyAll(folder string, paths, packs []string, add func(verified)) {
	start, old := time.Now(), stamp.Read(folder)
	var read int64 // bytes
	now := make(stamp.Stamp)
	if paths == nil { // the files were not asked for
		maps.Copy(now, old)
	}
	settled := start.Add(-stampAge).UnixNano()
	workers := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	for chunk := range slices.Chunk(paths, verifyChunk) {
		trials := make([]verified, len(chunk))
		workers.Run(context.Background(), len(chunk), func(i int) error {
			trials[i] = verify(chunk[i], old[filepath.Base(chunk[i])])
			return nil
		})
		for i, v := range trials {
			if v.err == nil && v.entry.Time <= settled {
				now[filepath.Base(chunk[i])] = v.entry
				v.rec.verified = v.entry.WithoutSum()
				if v.read {
					read += v.entry.Size
				}
			}
			add(v)
		}
	}
	for _, path := range packs {
		name := filepath.Base(path)
		trials, entry, err := verifyPack(path, old[name])
		if err != nil {
			add(verified{rec: Record{Path: path}, err: err})
			continue
		}
		whole, file := entry.Time <= settled, entry.WithoutSum()
		for _, v := range trials {
			if v.err == nil && entry.Time <= settled {
				v.rec.verified = file
			}
			whole = whole && v.err == nil
			add(v)
		}
		if entry != old[name] {
			read += entry.Size
		}
		if whole {
			now[name] = entry
		}
	}
	if read > stampFrom || len(now) < len(old)/2 { // or most of it is of files that are gone
		now.Write(folder)
	}
}

// verify verifies a trial file and reads its sidecar.
func verify(path string, old stamp.Entry) verified {
	v := verified{rec: Record{Path: path}}
	f, info, err := wholefile.Open(path)
	if err != nil {
		v.err = fmt.Errorf("results: read trial: %w", err)
		return v
	}
	defer f.Close()
	v.entry = stamp.EntryOf(info, "")
	if v.read = true; old.Sum != "" {
		rec, err := readEnds(f, info.Size())
		if v.entry.Sum = string(sumline.Text(rec.sum[:])); err == nil && v.entry == old {
			v.rec, v.read = rec, false
		}
	}
	if v.read {
		v.rec, v.err = scan(f, visitor{})
		v.entry.Sum = string(sumline.Text(v.rec.sum[:]))
	}
	if v.rec.Path = path; v.err != nil {
		v.err = fmt.Errorf("results: read %s: %w", path, v.err)
		return v
	}
	v.rec.sidecar = v.rec.readSidecar()
	return v
}
