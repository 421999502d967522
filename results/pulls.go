package results

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"strconv"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
)

// Recorded pulls
//
// The pulls of a trial X.jsonl are in X.pulls.csv.gz: CSV with one line per pull of the rounds in the trial file. The
// comment in the header of the gzip file has the trial's ID and the SHA-256 of the CSV. While the trial runs, the lines
// are in .X.jsonl.pulls.partial, whose length and checksum each checkpoint has. X.pulls.csv.gz appears before X.jsonl,
// so that no finished trial lacks its pulls.

const pullsPartialSuffix = ".pulls" + partialSuffix

// PullsPath returns the path of the pulls of a trial file.
func PullsPath(trial string) string { return strings.TrimSuffix(trial, ".jsonl") + ".pulls.csv.gz" }

// RecordPulls makes the writer record pulls too. Call it before the first round, and then RecordPull for every pull.
func (w *Writer) RecordPulls() error {
	if w.totals.Rounds > 0 || w.pulls != nil {
		return fmt.Errorf("results: record pulls from round %d on: want all", w.totals.Rounds+1)
	}
	p, err := createPartial(hidden(w.path, pullsPartialSuffix))
	if err != nil {
		return fmt.Errorf("results: record pulls: %w", err)
	}
	w.pulls = &pullsWriter{partial: p}
	_, err = p.buffer.WriteString(pullsHeader)
	return w.failed(err)
}

// RecordPull adds a pull to the round that Record writes next. The error is always nil.
func (w *Writer) RecordPull(p *bandit.PullRecord) error {
	w.pulls.round = appendPull(w.pulls.round, p)
	return nil
}

// HasPulls reports whether the trial's pulls are recorded and were not found to be damaged.
func (rec Record) HasPulls() bool {
	if rec.PullsDamaged || rec.text != nil {
		return false
	}
	_, err := os.Lstat(PullsPath(rec.Path)) // succeeds for a folder too: Pulls then returns an error
	return err == nil
}

// Pulls returns an iterator over the pulls of a trial; each *bandit.PullRecord is valid until the next one. The last
// element may be an error: fs.ErrNotExist if the pulls were not recorded; a Damaged if their file is cut off or of
// another trial, or if the pulls of a round do not add up to the regret of that round.
func (rec Record) Pulls() iter.Seq2[*bandit.PullRecord, error] {
	return func(yield func(*bandit.PullRecord, error) bool) {
		path := PullsPath(rec.Path)
		f, _, err := wholefile.Open(path)
		if err == nil {
			defer f.Close()
			err = rec.readPulls(f, rec.Regrets(), func(p *bandit.PullRecord) bool { return yield(p, nil) })
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(nil, damaged(path, fmt.Errorf("results: read pulls %s: %w", path, err)))
		}
	}
}

// readPulls reads pulls from f, checks them against rounds and yields each. It returns errStop if yield returns false.
func (rec Record) readPulls(f io.Reader, rounds iter.Seq2[*Round, error], yield func(*bandit.PullRecord) bool) error {
	// The limit stops files padded with empty gzip blocks. Others are smaller: even uncompressed, a line has < 256 bytes.
	in := bufio.NewReader(io.LimitReader(f, 1<<16+256*int64(rec.Protocol.PullsUntil(rec.Totals.Rounds))))
	if head, _ := in.Peek(len(pullsHead)); string(head) != pullsHead {
		return errors.New("its first bytes are not those that were written")
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	sum := sha256.New()
	lines := bufio.NewScanner(io.TeeReader(z, sum))
	if !lines.Scan() || lines.Text()+"\n" != pullsHeader {
		return fmt.Errorf("line 1: want %s", strings.TrimSpace(pullsHeader))
	}
	next, stop := iter.Pull2(rounds)
	defer stop()
	var p bandit.PullRecord
	var realised, expected float64
	pulls, n := rec.Protocol.Pulls, 0
	last := rec.Protocol.AllPulls()
	for lines.Scan() {
		if err := parsePull(lines.Bytes(), &p); err != nil {
			return fmt.Errorf("line %d: %w", n+2, err)
		}
		if p.T != n+1 || p.Round != n/pulls+1 || p.Arm < 0 || p.Arm >= len(rec.Environment.Arms) {
			return fmt.Errorf("line %d: pull %d of round %d with arm %d, want pull %d of round %d", n+2, p.T, p.Round, p.Arm, n+1, n/pulls+1)
		}
		n++
		realised, expected = realised+(p.Best-p.Reward), expected+(p.Best-p.Expected)
		if n%pulls == 0 || n == last {
			if err := checkRegret(next, realised, expected); err != nil {
				return fmt.Errorf("line %d: round %d: %w", n+1, p.Round, err)
			}
			realised, expected = 0, 0
		}
		if !yield(&p) {
			return errStop
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if want := rec.Protocol.PullsUntil(rec.Totals.Rounds); n != want {
		return fmt.Errorf("%d pulls, the trial has %d", n, want)
	}
	if want := pullsComment(rec.ID(), hex.EncodeToString(sum.Sum(nil))); z.Comment != want {
		return errors.New("its head is of another trial, or of other bytes")
	}
	return nil
}

// checkRegret returns an error if the next round's regret differs from realised and expected, the sums over its pulls.
func checkRegret(next func() (*Round, error, bool), realised, expected float64) error {
	r, err, ok := next()
	switch {
	case err != nil:
		return err
	case !ok:
		return errors.New("the trial ends before it")
	case r.Realised != realised || r.Expected != expected:
		return fmt.Errorf("its pulls add up to a regret of %g realised and %g expected, the trial has %g and %g", realised, expected, r.Realised, r.Expected)
	}
	return nil
}

// pullsHeader is the first line of recorded pulls, which are CSV with one line per pull.
const pullsHeader = "round,pull,row,arm,reward,expected_reward,best_reward,propensity\n"

// pullsHead starts the gzip header: magic number, deflate, comment flag, no time, best compression, unknown system.
const pullsHead = "\x1f\x8b\x08\x10\x00\x00\x00\x00\x02\xff"

// pullsComment returns the comment in the gzip header. id is the trial's ID, sum the SHA-256 of the CSV.
func pullsComment(id, sum string) string {
	return fmt.Sprintf("banditsim pulls 1 trial %s sha256 %s", id, sum)
}

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

// parsePull reads the line of a pull, without its newline, into p.
func parsePull(line []byte, p *bandit.PullRecord) error {
	fields := bytes.Split(line, []byte{','})
	if len(fields) != 8 {
		return fmt.Errorf("%d fields, want 8", len(fields))
	}
	var err error
	for i, to := range []*int{&p.Round, &p.T, &p.Row, &p.Arm} {
		if *to, err = strconv.Atoi(string(fields[i])); err != nil {
			return err
		}
	}
	if len(fields[7]) == 0 {
		fields[7] = []byte("NaN")
	}
	for i, to := range []*float64{&p.Reward, &p.Expected, &p.Best, &p.Propensity} {
		if *to, err = strconv.ParseFloat(string(fields[4+i]), 64); err != nil {
			return err
		}
	}
	return nil
}

// A pullsWriter writes pulls to a partial file, and compresses it when the trial ends.
type pullsWriter struct {
	partial
	round []byte // lines of the round that Record writes next
}

// publish compresses the partial file into a new file at path. id is the trial's ID. The new file may be lost in a
// power failure until the trial file is published.
func (p *pullsWriter) publish(path, id string) error {
	s, err := p.state(false)
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
