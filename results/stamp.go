package results

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"time"

	"banditsim/internal/freelist"
	"banditsim/internal/pool"
	"banditsim/internal/wholefile"
)

// A stamp has the trial files of a folder that were verified, by name. A file that has not changed since by its
// size, time and inode is not read whole again. The file .verified of a folder of trials has it as JSON, followed by the
// checksum of that. It is written after more than stampFrom bytes were verified, as that takes less than
// a tenth of a second, and ignored if it is damaged or cannot be written: nothing depends on it but time.
type stamp map[string]stampEntry

type stampEntry struct {
	Size  int64  `json:"size"`
	Time  int64  `json:"time"` // of modification, in nanoseconds
	Inode uint64 `json:"inode"`
	Sum   string `json:"sum"` // the last line
}

const (
	stampFile = ".verified"
	stampFrom = 64 << 20
	// stampAge is how long before the check a file must have been written to enter the stamp: a
	// change soon after could leave its time as it is, where clocks of file systems are coarse.
	stampAge = 2 * time.Second
)

func entryOf(info fs.FileInfo, sum string) stampEntry {
	return stampEntry{Size: info.Size(), Time: info.ModTime().UnixNano(), Inode: inode(info), Sum: sum}
}

func readStamp(folder string) stamp {
	b, err := wholefile.ReadFile(filepath.Join(folder, stampFile))
	if err != nil {
		return nil
	}
	i := bytes.LastIndexByte(bytes.TrimSuffix(b, []byte("\n")), '\n') + 1
	sum := sha256.Sum256(b[:i])
	var s stamp
	if !bytes.Equal(b[i:], sumText(sum[:])) || json.Unmarshal(b[:i], &s) != nil {
		return nil
	}
	return s
}

func (s stamp) write(folder string) {
	b, err := json.Marshal(s)
	if err != nil {
		return
	}
	wholefile.Tidy(folder)
	b = append(b, '\n')
	sum := sha256.Sum256(b)
	wholefile.Write(filepath.Join(folder, stampFile), append(b, sumText(sum[:])...)) // an error costs time alone
}

// A verified is the result of verifying a trial file.
type verified struct {
	rec   Record // its path and sidecar are set in any case
	err   error
	entry stampEntry
	read  bool // the whole file was read
}

// verifyAll verifies the trial files and packs at paths, all in folder, on all processors.
func verifyAll(folder string, paths, packs []string) []verified {
	start, old := time.Now(), readStamp(folder)
	all := make([]verified, len(paths))
	buffers := freelist.List[[]byte]{Make: func() []byte { return make([]byte, 1<<16) }}
	p := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	p.Run(context.Background(), len(paths), func(i int) error {
		buffer := buffers.Take()
		defer buffers.Give(buffer)
		all[i] = verify(paths[i], old[filepath.Base(paths[i])], buffer)
		return nil
	})
	var read int64 // bytes
	now := make(stamp)
	if paths == nil { // the files were not asked for
		maps.Copy(now, old)
	}
	settled := start.Add(-stampAge).UnixNano()
	for _, path := range packs {
		p := verifyPack(path, old[filepath.Base(path)])
		if p.err != nil {
			all = append(all, verified{rec: Record{Path: path}, err: p.err})
			continue
		}
		whole := p.entry.Time <= settled
		for _, v := range p.trials {
			if v.err == nil && p.entry.Time <= settled {
				v.rec.verified = v.entry
			}
			whole = whole && v.err == nil
			all = append(all, v)
		}
		read += p.size
		if whole {
			now[filepath.Base(path)] = p.entry
		}
	}
	for i := range paths {
		v := &all[i]
		if v.err != nil || v.entry.Time > settled {
			continue
		}
		v.rec.verified = v.entry
		now[filepath.Base(paths[i])] = v.entry
		if v.read {
			read += v.entry.Size
		}
	}
	if read > stampFrom {
		now.write(folder)
	}
	return all
}

// verify verifies a trial file and reads its sidecar.
func verify(path string, old stampEntry, buffer []byte) verified {
	v := verified{rec: Record{Path: path}}
	f, info, err := wholefile.Open(path)
	if err != nil {
		v.err = fmt.Errorf("results: read trial: %w", err)
		return v
	}
	defer f.Close()
	v.entry = entryOf(info, "")
	if old.Sum != "" {
		rec, err := readEnds(f, info.Size())
		if v.entry.Sum = rec.sum; err == nil && v.entry == old {
			v.rec = rec
		}
	}
	if v.read = v.rec.sum == ""; v.read {
		v.rec, v.err = scanLines(newLines(f, buffer), visitor{})
		v.entry.Sum = v.rec.sum
	}
	if v.rec.Path = path; v.err != nil {
		v.err = fmt.Errorf("results: read %s: %w", path, v.err)
		return v
	}
	v.rec.sidecar = v.rec.readSidecar()
	return v
}
