package results

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"banditsim/internal/wholefile"
)

// WritePack writes trials, at least one, as a pack in dir/trials, which exists, in whole or
// not at all, and returns its path.
func WritePack(dir string, trials []Compressed) (string, error) {
	if len(trials) == 0 {
		return "", errors.New("results: write pack: no trials")
	}
	sum := sha256.New()
	for i := range trials {
		sum.Write(sumText(trials[i].rec.sum[:]))
	}
	path := filepath.Join(dir, TrialsDir, fmt.Sprintf("%s%.6x%s", packPrefix, sum.Sum(nil), packSuffix))
	return path, wholefile.WriteFunc(path, func(w io.Writer) error { return writePack(w, trials) })
}

func writePack(w io.Writer, trials []Compressed) error {
	h := packHeader{Schema: packSchema, Trials: len(trials)}
	policies, settings := make(map[string]int), make(map[string]int)
	var index bytes.Buffer
	counted := &counter{w: w}
	z := zip.NewWriter(counted)
	add := func(name string, d deflated) (at int64, err error) {
		to, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: d.crc,
			CompressedSize64: uint64(len(d.bytes)), UncompressedSize64: uint64(d.length)})
		if err == nil {
			err = z.Flush()
		}
		at = counted.n
		if err == nil {
			_, err = to.Write(d.bytes)
		}
		return at, err
	}
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
		l := packLine{File: name, Setting: s, Policy: k, Seed: c.rec.Seed, Size: int64(len(c.trial.bytes)), End: &c.rec.Totals, SHA256: hex.EncodeToString(c.rec.sum[:])}
		var err error
		if l.At, err = add(name, c.trial); err == nil && c.sidecar.bytes != nil {
			l.SidecarSize = int64(len(c.sidecar.bytes))
			l.SidecarAt, err = add(SidecarPath(name), c.sidecar)
		}
		if err != nil {
			return err
		}
		lines = append(lines, l)
	}
	if err := appendLine(&index, h); err != nil {
		return err
	}
	for _, l := range lines {
		if err := appendLine(&index, l); err != nil {
			return err
		}
	}
	sum := sha256.Sum256(index.Bytes())
	index.Write(sumText(sum[:]))
	if _, err := add(packIndex, deflate(index.Bytes())); err != nil {
		return err
	}
	return z.Close()
}

func appendLine(b *bytes.Buffer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("results: write pack: %w", err)
	}
	b.Write(append(line, '\n'))
	return nil
}

// A counter counts the bytes that are written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
