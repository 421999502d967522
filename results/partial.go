package results

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
)

// A partial is a file of an unfinished trial, to which lines are appended.
type partial struct {
	file   *os.File // nil for a trial in memory
	buffer *bufio.Writer
	sum    hash.Hash // SHA-256 of the bytes that were flushed from the buffer
}

// A fileState is the state of a partial file at a checkpoint.
type fileState struct {
	Length int64  `json:"length"` // length in bytes
	SHA256 string `json:"sha256"` // SHA-256 of these bytes
}

func newPartial(file *os.File, out io.Writer) partial {
	p := partial{file: file, sum: sha256.New()}
	p.buffer = bufio.NewWriterSize(io.MultiWriter(out, p.sum), 1<<16)
	return p
}

func createPartial(path string) (partial, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return partial{}, err
	}
	return newPartial(file, file), nil
}

// state flushes the buffer, syncs the file if durable is set, and returns the state of the file.
func (p *partial) state(durable bool) (fileState, error) {
	err := p.buffer.Flush()
	if err == nil && durable {
		err = p.file.Sync()
	}
	if err != nil {
		return fileState{}, err
	}
	length, err := p.file.Seek(0, io.SeekCurrent)
	return fileState{length, hex.EncodeToString(p.sum.Sum(nil))}, err
}

// reopen opens a partial file of a trial, verifies its first s.Length bytes and cuts off the others.
func reopen(trial, path string, s fileState) (partial, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return partial{}, Damaged{path, fmt.Errorf("results: resume trial file: %s is not a regular file", path)}
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		checkpoint := CheckpointPath(trial)
		return partial{}, Damaged{checkpoint, fmt.Errorf("results: read checkpoint %s: its partial file is gone: %s", checkpoint, path)}
	}
	if err != nil {
		return partial{}, fmt.Errorf("results: resume trial file: %w", err)
	}
	p := newPartial(file, file)
	n, err := io.Copy(p.sum, io.LimitReader(file, s.Length))
	switch {
	case err != nil:
	case n < s.Length:
		err = fmt.Errorf("the file is cut off: %d bytes, its checkpoint needs %d", n, s.Length)
	case hex.EncodeToString(p.sum.Sum(nil)) != s.SHA256:
		err = errChecksum
	default:
		if err = file.Truncate(s.Length); err == nil {
			_, err = file.Seek(s.Length, io.SeekStart)
		}
	}
	if err != nil {
		file.Close()
		return partial{}, damaged(path, fmt.Errorf("results: resume %s: %w", path, err))
	}
	return p, nil
}

// close closes the file, and removes it unless keep is set. Errors do no harm: Resume verifies the file, or Tidy removes it.
func (p *partial) close(keep bool) {
	p.file.Close()
	if !keep {
		os.Remove(p.file.Name())
	}
}
