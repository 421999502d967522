package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"banditsim/internal/lists"
	"banditsim/internal/origin"
	"banditsim/internal/words"
	"banditsim/results"
)

// newProvenance returns the provenance of a set. If there are more than limit trials, it lists up to limit failed ones
// and up to limit others: the first seeds of each policy. previous maps the label of a policy to its options in the
// last environment that had the policy. If the options are the same here, the provenance does not repeat them.
// newProvenance updates previous.
func newProvenance(set *results.Set, limit int, previous map[string]string) provenance {
	from := origin.Read(set)
	p := provenance{Environment: WithoutFolders(indented(set.Conditions.Environment.Options)), Total: from.Trials}
	for _, u := range from.Unknown[:min(len(from.Unknown), limit)] {
		p.Unknown = append(p.Unknown, origin.Unknown{Path: words.Plain(filepath.Base(u.Path)), Cause: WithoutFolders(words.Plain(u.Cause))})
	}
	p.Facts = from.Facts(math.MaxInt)
	for _, f := range p.Facts {
		for i, v := range f.Values {
			f.Values[i] = WithoutFolders(v)
		}
	}
	failures := limit
	for _, policy := range set.Policies {
		others := limit / len(set.Policies)
		if p.Total <= limit {
			others = limit
		}
		label := words.Plain(policy.Label)
		options := WithoutFolders(indented(policy.Policy.Options))
		if earlier, ok := previous[label]; ok && earlier == options {
			p.Same = append(p.Same, label)
		} else {
			p.Options = append(p.Options, policyOptions{label, options})
		}
		previous[label] = options
		for _, t := range policy.Records {
			left := &others
			if t.Totals.Failure != nil {
				left = &failures
			}
			if *left--; *left >= 0 {
				p.Trials = append(p.Trials, newTrial(label, t))
			}
		}
	}
	return p
}

// titled returns the title and the notes of the trial that began last.
func titled(sets []*results.Set) (title, notes string) {
	var last time.Time
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				if s, err := rec.Sidecar(); err == nil && s.Started.After(last) {
					title, notes, last = s.Title, s.Notes, s.Started
				}
			}
		}
	}
	return title, notes
}

func newTrial(policy string, t results.Record) trial {
	one := trial{Policy: policy, Seed: t.Seed, File: words.Plain(filepath.Base(t.Path)), Outcome: "whole"}
	if f := t.Totals.Failure; f != nil {
		one.Outcome = fmt.Sprintf("failed in round %d", f.Round)
	}
	s, err := t.Sidecar()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		one.Time = "not recorded"
	case err != nil:
		one.Time = "unreadable" // provenance.Unknown has the cause
	default:
		one.Time, one.Started = words.Duration(s.WallTime()), s.Started.UTC().Format(time.DateTime)
	}
	return one
}

func indented(options json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, options, "", "  "); err != nil {
		return string(options) // not JSON
	}
	return b.String()
}

var (
	root       = `(?:~?/|[A-Za-z]:[/\\])`
	quotedPath = regexp.MustCompile(`'(--?[\w-]+=)?` + root + `[^'\n]*[/\\]([^'/\\\n]+)'`)
	plainPath  = regexp.MustCompile(`(^|[\s='"(])` + root + `[/\\]*(?:[^\s'"/\\]+[/\\]+)*([^\s'"/\\]+)`)
)

// WithoutFolders shortens absolute paths in text to file names, so that a page does not name folders of a machine.
func WithoutFolders(text string) string {
	return plainPath.ReplaceAllString(quotedPath.ReplaceAllString(text, "'$1$2'"), "$1$2")
}

// shortPaths shortens the paths of damaged files in notes to file names, even paths with spaces.
func shortPaths(notes []string, damaged []results.Damaged) []string {
	return lists.Each(notes, func(note string) string {
		for _, d := range damaged {
			note = strings.ReplaceAll(note, d.Path, filepath.Base(d.Path))
		}
		return note
	})
}
