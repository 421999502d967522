// Package packfile writes and reads packs: many trials in one file.
//
// A pack is a zip file in the folder of trials, named pack-<first 12 digits of the SHA-256 of its trials' last lines>.zip.
// It has the trial files, sidecars and recorded pulls of trials with their bytes and names, compressed, so that unzip makes
// the plain files again, and in the end index.jsonl: a line with the settings and the policies of all, and a line for
// each trial with its totals, and the entries of its files with their checksums.
//
// Trials are verified whole, and inflated to be compared, before they are packed. So a trial whose compressed bytes have
// their checksum is as it was, and a pack is verified by hashing it: package sumzip has every byte under a checksum.
//
// A pack appears whole and is not changed afterwards. The plain files are removed once it is there; a trial that is
// in a pack and beside it with equal bytes, as when that was interrupted or when pulls or scores were recorded later,
// counts once: package results takes the copy that has more beside it.
package packfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"banditsim/internal/sumzip"
	"banditsim/internal/words"
	"banditsim/results/internal/jsonl"
)

const (
	prefix    = "pack-"
	suffix    = ".zip"
	indexName = "index.jsonl"
	schema    = 2 // 1 had no checksums of compressed bytes
	withPulls = 3 // schema of a pack with pulls, which older programs do not read
	// maxIndex bounds what is read into memory, in bytes. The line of a trial has about 600.
	maxIndex = 32 << 20
)

// Is reports whether a file of that name is a pack.
func Is(name string) bool { return strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) }

// Name returns the name of the pack of trials whose last lines have the given SHA-256.
func Name(sum []byte) string { return fmt.Sprintf("%s%.6x%s", prefix, sum, suffix) }

// header is the first line of an index.
type header struct {
	Schema   int               `json:"pack"`
	Trials   int               `json:"trials"`
	Settings []json.RawMessage `json:"settings"` // results.Conditions
	Policies []json.RawMessage `json:"policies"` // results.Policy
}

// A Line is what the index says of a trial.
type Line struct {
	File    string          `json:"file"`
	Setting int             `json:"setting"` // index into the settings
	Policy  int             `json:"policy"`  // index into the policies
	Seed    uint64          `json:"seed"`
	Trial   sumzip.Entry    `json:"trial"`
	Sidecar sumzip.Entry    `json:"sidecar,omitzero"` // the zero value without one
	Pulls   sumzip.Entry    `json:"pulls,omitzero"`   // the zero value if they are not recorded
	End     json.RawMessage `json:"end"`              // results.Totals
	SHA256  sumzip.Digest   `json:"sha256"`           // sum of the trial file, as its last line says
}

// A File is an open pack with its index read and verified. The trials are not verified.
type File struct {
	*sumzip.File
	Settings, Policies []json.RawMessage
	Lines              []Line
}

// Open opens a pack.
func Open(path string) (*File, error) {
	zip, err := sumzip.Open(path, indexName)
	if err != nil {
		return nil, err
	}
	f := &File{File: zip}
	index, err := f.Index(maxIndex)
	if err == nil {
		err = f.parse(index)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("index: %w", err)
	}
	return f, nil
}

func (f *File) parse(index []byte) error {
	first := bytes.IndexByte(index, '\n') + 1
	var h header
	if err := jsonl.DecodeStrict(index[:first], &h); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if h.Schema != schema && h.Schema != withPulls {
		return fmt.Errorf("a pack of version %d, this program reads versions %d and %d: unzip it where it is, remove it and index.jsonl, and pack the folder again with 'merge --pack'", h.Schema, schema, withPulls)
	}
	f.Settings, f.Policies = h.Settings, h.Policies
	var entries []sumzip.Entry
	for line := range bytes.Lines(index[first:]) {
		var l Line
		err := jsonl.DecodeStrict(line, &l)
		if err == nil && (l.Setting < 0 || l.Setting >= len(h.Settings) || l.Policy < 0 || l.Policy >= len(h.Policies) || l.File != filepath.Base(l.File) || l.File != words.Plain(l.File)) {
			err = errors.New("not as a pack has it")
		}
		if err != nil {
			return fmt.Errorf("trial %d: %w", len(f.Lines)+1, err)
		}
		f.Lines = append(f.Lines, l)
		entries = append(entries, l.Trial)
		for _, e := range []sumzip.Entry{l.Sidecar, l.Pulls} {
			if e.Size != 0 {
				entries = append(entries, e)
			}
		}
	}
	if len(f.Lines) != h.Trials {
		return fmt.Errorf("%d trials, want %d", len(f.Lines), h.Trials)
	}
	return f.Check(entries)
}
