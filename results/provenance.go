package results

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"banditsim/internal/words"
)

// A Provenance says how the trials of a set came about: the different values of their
// sidecars, and of how many trials each is. Versions, machines and commands may differ
// in one set: as long as the results epoch is one, they do not change the numbers.
type Provenance struct {
	Trials    int         `json:"trials"`
	Epoch     int         `json:"results_epoch"`
	Version   []Tally     `json:"version"`
	Revision  []Tally     `json:"revision"`
	Go        []Tally     `json:"go"`
	Kernel    []Tally     `json:"kernel"`
	Processor []Tally     `json:"processor"`
	System    []Tally     `json:"system"`
	Command   []Tally     `json:"command"`
	Started   []time.Time `json:"started"` // the first and the last; empty if it is not known of any
	Seconds   float64     `json:"seconds"` // wall time, summed over the trials of which it is known
	Resumed   int         `json:"resumed"` // trials that were stopped and went on from a checkpoint
	// Unknown are the trials without a sidecar that can be read. They are whole all the same.
	Unknown []UnknownOrigin `json:"unknown"`
}

// A Tally is a value and the number of trials that have it; "" stands for one that was
// not recorded.
type Tally struct {
	Value  string `json:"value"`
	Trials int    `json:"trials"`
}

// An UnknownOrigin is a trial of which only the numbers are known, and why.
type UnknownOrigin struct {
	Path  string `json:"path"`  // of the trial
	Cause string `json:"cause"` // such as "no sidecar"
}

// ReadProvenance reads the sidecars of all trials of a set, failed ones too.
func ReadProvenance(set *Set) *Provenance {
	p := &Provenance{Epoch: set.Conditions.Epoch, Started: []time.Time{}, Unknown: []UnknownOrigin{}}
	for _, policy := range set.Policies {
		for _, t := range policy.Records {
			p.Trials++
			s, err := ReadSidecar(t.Path)
			if err != nil {
				p.Unknown = append(p.Unknown, UnknownOrigin{t.Path, whyUnknown(err)})
				continue
			}
			p.add(s)
		}
	}
	for _, tallies := range p.tallies() {
		slices.SortFunc(*tallies, func(a, b Tally) int {
			return cmp.Or(cmp.Compare(b.Trials, a.Trials), cmp.Compare(a.Value, b.Value))
		})
	}
	return p
}

func whyUnknown(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no sidecar"
	}
	return strings.TrimPrefix(err.Error(), "results: ")
}

// tallies are the fields that count values, in the order in which they are shown.
func (p *Provenance) tallies() []*[]Tally {
	return []*[]Tally{&p.Version, &p.Revision, &p.Go, &p.Kernel, &p.Processor, &p.System, &p.Command}
}

var tallyNames = []string{"version", "revision", "Go", "kernel", "processor", "system", "command"}

// add counts a trial, once for each different value of all the runs that worked on it.
func (p *Provenance) add(s Sidecar) {
	runs := append(slices.Clone(s.Earlier), s)
	for i, tallies := range p.tallies() {
		var values []string
		for _, run := range runs {
			if v := run.values()[i]; !slices.Contains(values, v) {
				values = append(values, v)
				tally(tallies, v)
			}
		}
	}
	if len(runs) > 1 {
		p.Resumed++
	}
	for _, run := range runs {
		p.Seconds += run.Seconds
		p.started(run.Started)
	}
}

// values are what tallies count, in their order.
func (s Sidecar) values() []string {
	return []string{s.Version, s.Revision, s.Go, s.Kernel, s.Processor, s.System, words.CommandLine(s.Command)}
}

// tally counts a value.
func tally(tallies *[]Tally, value string) {
	i := slices.IndexFunc(*tallies, func(t Tally) bool { return t.Value == value })
	if i < 0 {
		i = len(*tallies)
		*tallies = append(*tallies, Tally{Value: value})
	}
	(*tallies)[i].Trials++
}

// started widens the time between the first start and the last.
func (p *Provenance) started(t time.Time) {
	switch {
	case t.IsZero():
	case len(p.Started) == 0:
		p.Started = []time.Time{t, t}
	case t.Before(p.Started[0]):
		p.Started[0] = t
	case t.After(p.Started[1]):
		p.Started[1] = t
	}
}

// maxTallies bounds the values of one kind that are shown to people.
const maxTallies = 6

// lines are the provenance for people, a line a value.
func (p *Provenance) lines() []string {
	lines := []string{fmt.Sprintf("Provenance of %s, results epoch %d", words.Count(p.Trials, "trial"), p.Epoch)}
	if p.Trials > len(p.Unknown) {
		for i, tallies := range p.tallies() {
			lines = append(lines, p.tallyLines(tallyNames[i], *tallies)...)
		}
		lines = append(lines, provenanceLine("time", words.Duration(p.Seconds)+" of trials, summed"+p.when()))
		if p.Resumed > 0 {
			lines = append(lines, provenanceLine("", words.Count(p.Resumed, "trial")+" stopped and resumed"))
		}
	}
	if n := len(p.Unknown); n > 0 {
		lines = append(lines, provenanceLine("unknown", "for "+words.Count(n, "trial")+":"))
		for i, u := range p.Unknown {
			if i == maxNotes {
				lines = append(lines, fmt.Sprintf("    and %d more", n-i))
				break
			}
			lines = append(lines, "    "+words.Plain(filepath.Base(u.Path)+": "+u.Cause))
		}
	}
	return lines
}

// tallyLines names the values; of how many trials each is, where that is not all.
func (p *Provenance) tallyLines(name string, tallies []Tally) []string {
	var lines []string
	for i, t := range tallies {
		if i == maxTallies && len(tallies) > maxTallies+1 {
			return append(lines, provenanceLine("", fmt.Sprintf("and %d more", len(tallies)-i)))
		}
		value := words.Plain(words.Shorten(t.Value, 300))
		if value == "" {
			value = "not recorded"
		}
		if t.Trials < p.Trials {
			value += " (" + words.Count(t.Trials, "trial") + ")"
		}
		lines = append(lines, provenanceLine(name, value))
		name = ""
	}
	return lines
}

func provenanceLine(name, value string) string { return fmt.Sprintf("  %-9s  %s", name, value) }

// when is ", started 2026-01-02 15:04 to 15:31 UTC".
func (p *Provenance) when() string {
	if len(p.Started) == 0 {
		return ""
	}
	const day, minute = "2006-01-02", "15:04"
	first, last := p.Started[0].UTC(), p.Started[1].UTC()
	from, to := first.Format(day+" "+minute), last.Format(day+" "+minute)
	switch {
	case from == to:
		return ", started " + from + " UTC"
	case first.Format(day) == last.Format(day):
		to = last.Format(minute)
	}
	return ", started " + from + " to " + to + " UTC"
}
