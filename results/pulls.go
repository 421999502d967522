package results

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/wholefile"
)

// Recorded pulls
//
// The pulls of a trial X.jsonl are in X.pulls.csv.gz: CSV with one line per pull of the rounds in the trial file. The
// comment in the header of the gzip file has the trial's ID and the SHA-256 of the CSV. While the trial runs, the lines
// are in .X.jsonl.pulls.partial, whose length and checksum are in each checkpoint too. The file of pulls appears before
// the trial file, so that there is never a trial without its pulls.

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
// element may be an error: fs.ErrNotExist if the pulls were not recorded, and a Damaged if their file is cut off, is of
// another trial, or does not add up to the regret of every round.
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
	// A line has fewer than 256 bytes even before compression, so that only padding with empty gzip blocks exceeds this limit.
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

// checkRegret returns an error if the regret of the next round differs from realised and expected, the sums over its pulls.
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
