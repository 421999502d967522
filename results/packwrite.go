package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"banditsim/internal/sumzip"
	"banditsim/internal/wholefile"
	"banditsim/results/internal/sumline"
)

// A Compressed is a trial as WritePack writes it.
type Compressed struct {
	rec                   Record
	trial, sidecar, pulls sumzip.Compressed // without a sidecar or pulls the zero value
}

// Size returns the bytes that the trial takes in a pack.
func (c *Compressed) Size() int { return c.trial.Len() + c.sidecar.Len() + c.pulls.Len() }

// Compress compresses a trial that Parse verified, and inflates it to compare.
func Compress(rec Record, f Files) (c Compressed, err error) {
	c.rec = rec
	if c.trial, err = f.Trial.Compressed(); err == nil && f.Sidecar != nil {
		c.sidecar, err = sumzip.Compress(f.Sidecar)
	}
	if err == nil && f.Pulls.Len() > 0 {
		c.pulls, err = f.Pulls.Compressed()
	}
	if err != nil {
		return c, fmt.Errorf("results: compress %s: %w", rec.FileName(), err)
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
	for i := range trials {
		sum.Write(sumline.Text(trials[i].rec.sum[:]))
	}
	path := filepath.Join(dir, TrialsDir, fmt.Sprintf("%s%.6x%s", packPrefix, sum.Sum(nil), packSuffix))
	return path, wholefile.WriteFunc(path, func(w io.Writer) error { return writePack(w, trials) })
}

func writePack(w io.Writer, trials []Compressed) error {
	h := packHeader{Schema: packSchema, Trials: len(trials)}
	policies, settings := make(map[string]int), make(map[string]int)
	z := sumzip.NewWriter(w)
	var lines []packLine
	for i := range trials {
		c := &trials[i]
		name, policy := c.rec.FileName(), mustJSON(c.rec.Policy)
		setting := mustJSON(c.rec.Conditions)
		s, ok := settings[setting]
		if !ok {
			s = len(settings)
			settings[setting] = s
			h.Settings = append(h.Settings, *c.rec.Conditions)
		}
		k, ok := policies[policy]
		if !ok {
			k = len(policies)
			policies[policy] = k
			h.Policies = append(h.Policies, *c.rec.Policy)
		}
		l := packLine{File: name, Setting: s, Policy: k, Seed: c.rec.Seed, End: &c.rec.Totals, SHA256: c.rec.sum}
		var err error
		if l.Trial, err = z.Add(name, c.trial); err == nil && c.sidecar.Len() > 0 {
			l.Sidecar, err = z.Add(SidecarPath(name), c.sidecar)
		}
		if err == nil && c.pulls.Len() > 0 {
			l.Pulls, err = z.Add(PullsPath(name), c.pulls)
			h.Schema = packPulls
		}
		if err != nil {
			return err
		}
		lines = append(lines, l)
	}
	var index bytes.Buffer
	if err := appendLine(&index, h); err != nil {
		return err
	}
	for _, l := range lines {
		if err := appendLine(&index, l); err != nil {
			return err
		}
	}
	if index.Len() > maxIndex {
		return fmt.Errorf("results: write pack: an index of %d bytes for %d trials, want at most %d", index.Len(), len(trials), maxIndex)
	}
	return z.Finish(packIndex, index.Bytes())
}

func appendLine(b *bytes.Buffer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("results: write pack: %w", err)
	}
	b.Write(append(line, '\n'))
	return nil
}
