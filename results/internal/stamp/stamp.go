// Package stamp keeps which trial files of a folder were verified.
package stamp

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"path/filepath"

	"banditsim/internal/wholefile"
	"banditsim/results/internal/sumline"
)

// A Stamp has the trial files of a folder that were verified, by name. A file that has not changed since by its
// size, time and inode is not read whole again. The file .verified of a folder of trials has it as JSON, followed by the
// checksum of that. It is ignored if it is damaged or cannot be written: nothing depends on it but time.
type Stamp map[string]Entry

// An Entry is a file as it was when it was verified.
type Entry struct {
	Size  int64  `json:"size"`
	Time  int64  `json:"time"` // time of the last change, in nanoseconds
	Inode uint64 `json:"inode"`
	Sum   string `json:"sum"` // the last line
}

// FileName is the name of the file in a folder of trials.
const FileName = ".verified"

// EntryOf returns the entry of a file with its last line.
func EntryOf(info fs.FileInfo, sum string) Entry {
	return Entry{Size: info.Size(), Time: info.ModTime().UnixNano(), Inode: inode(info), Sum: sum}
}

// WithoutSum returns the entry with an empty Sum.
func (e Entry) WithoutSum() *Entry {
	e.Sum = ""
	return &e
}

// Read returns the stamp of a folder, nil without a sound one.
func Read(folder string) Stamp {
	b, err := wholefile.ReadFile(filepath.Join(folder, FileName))
	if err != nil {
		return nil
	}
	i := bytes.LastIndexByte(bytes.TrimSuffix(b, []byte("\n")), '\n') + 1
	sum := sha256.Sum256(b[:i])
	var s Stamp
	if !bytes.Equal(b[i:], sumline.Text(sum[:])) || json.Unmarshal(b[:i], &s) != nil {
		return nil
	}
	return s
}

// Write writes the stamp of a folder.
func (s Stamp) Write(folder string) {
	b, err := json.Marshal(s)
	if err != nil {
		return
	}
	wholefile.Tidy(folder)
	b = append(b, '\n')
	sum := sha256.Sum256(b)
	wholefile.Write(filepath.Join(folder, FileName), append(b, sumline.Text(sum[:])...)) // an error costs time alone
}
