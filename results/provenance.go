package results

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"banditsim/internal/words"
)

// A Provenance has the different values in the sidecars of a set, and the number of trials of each.
// Versions, machines and commands do not change the numbers of one results epoch.
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
	Started   []time.Time `json:"started"` // the first and the last; empty if all are unknown
	Seconds   float64     `json:"seconds"` // wall time, summed over the trials
	Resumed   int         `json:"resumed"` // trials that were resumed from a checkpoint
	// Unknown are the trials without a readable sidecar.
	Unknown []UnknownOrigin `json:"unknown"`
}

// A Tally is a value and the number of trials that have it; "" if it was not recorded.
type Tally struct {
	Value  string `json:"value"`
	Trials int    `json:"trials"`
}

// An UnknownOrigin is a trial without a readable sidecar.
type UnknownOrigin struct {
	Path  string `json:"path"`  // of the trial
	Cause string `json:"cause"` // such as "no sidecar"
}

// ReadProvenance reads the sidecars of all trials of a set, with failed trials.
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

// tallies returns the fields that count values.
func (p *Provenance) tallies() []*[]Tally {
	return []*[]Tally{&p.Version, &p.Revision, &p.Go, &p.Kernel, &p.Processor, &p.System, &p.Command}
}

// values returns what tallies counts, in the same order.
func (s Sidecar) values() []string {
	return []string{s.Version, s.Revision, s.Go, s.Kernel, s.Processor, s.System, words.CommandLine(s.Command)}
}

// Tallies returns an iterator over the fields that count values and their names.
func (p *Provenance) Tallies() iter.Seq2[string, []Tally] {
	return func(yield func(string, []Tally) bool) {
		for i, name := range []string{"version", "revision", "Go", "kernel", "processor", "system", "command"} {
			if !yield(name, *p.tallies()[i]) {
				return
			}
		}
	}
}

// add counts a trial once for each different value of its runs.
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

// tally counts a value.
func tally(tallies *[]Tally, value string) {
	i := slices.IndexFunc(*tallies, func(t Tally) bool { return t.Value == value })
	if i < 0 {
		i = len(*tallies)
		*tallies = append(*tallies, Tally{Value: value})
	}
	(*tallies)[i].Trials++
}

// started extends Started to include t.
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
