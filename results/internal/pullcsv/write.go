package pullcsv

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
)

// A Writer writes the lines of pulls to a file, and then the compressed file.
type Writer struct {
	file   *os.File
	buffer *bufio.Writer
	Sum    hash.Hash // hash of the lines
	round  []byte    // lines of the round that is not recorded yet
}

// A State is the part of a checkpoint on pulls.
type State struct {
	Length int64  `json:"length"` // length of the file, in bytes
	SHA256 string `json:"sha256"` // SHA-256 of those bytes
}

// New returns a writer to an empty file, or to one whose bytes the caller adds to Sum.
func New(file *os.File) *Writer {
	p := &Writer{file: file, Sum: sha256.New()}
	p.buffer = bufio.NewWriterSize(io.MultiWriter(file, p.Sum), 1<<16)
	return p
}

// Begin writes the first line.
func (p *Writer) Begin() error {
	_, err := p.buffer.WriteString(Header)
	return err
}

// Add adds a pull of the next round.
func (p *Writer) Add(pull *bandit.PullRecord) { p.round = Append(p.round, pull) }

// EndRound writes the lines of a round whose record is written.
func (p *Writer) EndRound() error {
	_, err := p.buffer.Write(p.round)
	p.round = p.round[:0]
	return err
}

// Checkpoint writes what is in the buffer, syncs the file if it is to be durable, and returns its state.
func (p *Writer) Checkpoint(durable bool) (*State, error) {
	if err := p.buffer.Flush(); err != nil {
		return nil, err
	}
	if durable {
		if err := p.file.Sync(); err != nil {
			return nil, err
		}
	}
	length, err := p.file.Seek(0, io.SeekCurrent)
	return &State{length, hex.EncodeToString(p.Sum.Sum(nil))}, err
}

// Publish compresses the file into the one at path, of the pulls of a trial. Its name is on the disk when the trial file's is.
func (p *Writer) Publish(path, id string) error {
	s, err := p.Checkpoint(false)
	if err == nil {
		_, err = p.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	return wholefile.WriteFuncAs(wholefile.Complete, path, func(to io.Writer) error {
		z, err := gzip.NewWriterLevel(to, gzip.BestCompression)
		if err != nil {
			return err
		}
		z.Comment = Comment(id, s.SHA256)
		if _, err := io.Copy(z, p.file); err != nil {
			return err
		}
		return z.Close()
	})
}

// Close closes the file, and removes it unless it is kept.
func (p *Writer) Close(keep bool) {
	p.file.Close()
	if !keep {
		os.Remove(p.file.Name()) // Tidy removes what is left
	}
}
