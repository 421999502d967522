package packfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"banditsim/internal/sumzip"
)

// A Trial is a trial as Write writes it.
type Trial struct {
	Setting, Policy, End json.RawMessage // see Line and File
	Seed                 uint64
	SHA256               sumzip.Digest // sum of the trial file
	File                 Member
	Sidecar, Pulls       Member // without bytes if there is none
}

// A Member is a file of a trial.
type Member struct {
	Name  string
	Bytes sumzip.Compressed
}

// Size returns the number of bytes that the trial takes in a pack.
func (t *Trial) Size() int { return t.File.Bytes.Len() + t.Sidecar.Bytes.Len() + t.Pulls.Bytes.Len() }

// Write writes a pack.
func Write(w io.Writer, trials []Trial) error {
	h := header{Schema: schema, Trials: len(trials)}
	settings, policies := make(map[string]int), make(map[string]int)
	z := sumzip.NewWriter(w)
	var lines []Line
	for i := range trials {
		t := &trials[i]
		l := Line{File: t.File.Name, Setting: index(settings, &h.Settings, t.Setting), Policy: index(policies, &h.Policies, t.Policy), Seed: t.Seed, End: t.End, SHA256: t.SHA256}
		for _, m := range []struct {
			of *Member
			at *sumzip.Entry
		}{{&t.File, &l.Trial}, {&t.Sidecar, &l.Sidecar}, {&t.Pulls, &l.Pulls}} {
			if m.of.Bytes.Len() == 0 {
				continue
			}
			var err error
			if *m.at, err = z.Add(m.of.Name, m.of.Bytes); err != nil {
				return err
			}
		}
		if t.Pulls.Bytes.Len() > 0 {
			h.Schema = withPulls
		}
		lines = append(lines, l)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	if err := encoder.Encode(h); err != nil {
		return err
	}
	for _, l := range lines {
		if err := encoder.Encode(l); err != nil {
			return err
		}
	}
	if text.Len() > maxIndex {
		return fmt.Errorf("an index of %d bytes for %d trials, want at most %d", text.Len(), len(trials), maxIndex)
	}
	return z.Finish(indexName, text.Bytes())
}

// index returns the position of value in list, to which it is appended if it is new.
func index(known map[string]int, list *[]json.RawMessage, value json.RawMessage) int {
	i, ok := known[string(value)]
	if !ok {
		i = len(*list)
		known[string(value)] = i
		*list = append(*list, value)
	}
	return i
}
