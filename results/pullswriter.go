package results

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"strconv"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
)

// pullsHeader is the first line of recorded pulls: CSV with a line for each pull.
const pullsHeader = "round,pull,row,arm,reward,expected_reward,best_reward,propensity\n"

// pullsHead is the beginning of the gzip file: deflate, a comment, no time, the best compression, no system.
const pullsHead = "\x1f\x8b\x08\x10\x00\x00\x00\x00\x02\xff"

// pullsComment returns the comment in the head of the gzip file of the pulls of a trial, which have the SHA-256 sum.
func pullsComment(id, sum string) string {
	return fmt.Sprintf("banditsim pulls 1 trial %s sha256 %s", id, sum)
}

// appendPull appends the line of a pull to b.
func appendPull(b []byte, p *bandit.PullRecord) []byte {
	for _, n := range []int{p.Round, p.T, p.Row, p.Arm} {
		b = append(strconv.AppendInt(b, int64(n), 10), ',')
	}
	for _, v := range []float64{p.Reward, p.Expected, p.Best} {
		b = append(strconv.AppendFloat(b, v, 'g', -1, 64), ',')
	}
	if !math.IsNaN(p.Propensity) {
		b = strconv.AppendFloat(b, p.Propensity, 'g', -1, 64)
	}
	return append(b, '\n')
}

// parsePull reads a line, without its end, of the lines after the first.
func parsePull(line []byte, p *bandit.PullRecord) error {
	fields := bytes.Split(line, []byte{','})
	if len(fields) != 8 {
		return fmt.Errorf("%d fields, want 8", len(fields))
	}
	for i, to := range []*int{&p.Round, &p.T, &p.Row, &p.Arm} {
		var err error
		if *to, err = strconv.Atoi(string(fields[i])); err != nil {
			return err
		}
	}
	p.Propensity = math.NaN()
	for i, to := range []*float64{&p.Reward, &p.Expected, &p.Best, &p.Propensity} {
		text := string(fields[4+i])
		if i == 3 && text == "" {
			break
		}
		var err error
		if *to, err = strconv.ParseFloat(text, 64); err != nil {
			return err
		}
	}
	return nil
}

// A pullsWriter writes the lines of pulls to a file, and then the compressed file.
type pullsWriter struct {
	file   *os.File
	buffer *bufio.Writer
	sum    hash.Hash // hash of the lines
	round  []byte    // lines of the round that is not recorded yet
}

// A pullsState is the part of a checkpoint on pulls.
type pullsState struct {
	Length int64  `json:"length"` // length of the file, in bytes
	SHA256 string `json:"sha256"` // SHA-256 of those bytes
}

// newPullsWriter returns a writer to an empty file, or to one whose bytes the caller adds to sum.
func newPullsWriter(file *os.File) *pullsWriter {
	p := &pullsWriter{file: file, sum: sha256.New()}
	p.buffer = bufio.NewWriterSize(io.MultiWriter(file, p.sum), 1<<16)
	return p
}

// begin writes the first line.
func (p *pullsWriter) begin() error {
	_, err := p.buffer.WriteString(pullsHeader)
	return err
}

// add adds a pull of the next round.
func (p *pullsWriter) add(pull *bandit.PullRecord) { p.round = appendPull(p.round, pull) }

// endRound writes the lines of a round whose record is written.
func (p *pullsWriter) endRound() error {
	_, err := p.buffer.Write(p.round)
	p.round = p.round[:0]
	return err
}

// checkpoint writes what is in the buffer, syncs the file if it is to be durable, and returns its state.
func (p *pullsWriter) checkpoint(durable bool) (*pullsState, error) {
	if err := p.buffer.Flush(); err != nil {
		return nil, err
	}
	if durable {
		if err := p.file.Sync(); err != nil {
			return nil, err
		}
	}
	length, err := p.file.Seek(0, io.SeekCurrent)
	return &pullsState{length, hex.EncodeToString(p.sum.Sum(nil))}, err
}

// publish compresses the file into the one at path, of the pulls of a trial. Its name is on the disk when the trial file's is.
func (p *pullsWriter) publish(path, id string) error {
	s, err := p.checkpoint(false)
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
		z.Comment = pullsComment(id, s.SHA256)
		if _, err := io.Copy(z, p.file); err != nil {
			return err
		}
		return z.Close()
	})
}

// close closes the file, and removes it unless it is kept.
func (p *pullsWriter) close(keep bool) {
	p.file.Close()
	if !keep {
		os.Remove(p.file.Name()) // Tidy removes what is left
	}
}
