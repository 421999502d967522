// Package origin summarizes the provenance of a set of trials: the versions, machines and commands in their sidecars.
package origin

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
)

// A Provenance has the different values in the sidecars of a set, with the number of trials for each. They explain no
// difference of regret: versions with the same results.Epoch give the same results, by any command on any machine.
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
	Started   []time.Time `json:"started"` // first and last start of a run; empty if no start is known
	Seconds   float64     `json:"seconds"` // wall time, summed over the trials
	Resumed   int         `json:"resumed"` // trials that were resumed from a checkpoint
	// Unverified is the number of trials whose sidecar has no checksum because an older version wrote it.
	Unverified int `json:"unverified,omitempty"`
	// Unknown lists the trials without a readable sidecar.
	Unknown []Unknown `json:"unknown"`
}

// A Tally is a value and the number of trials that have it.
type Tally struct {
	Value  string `json:"value"` // "" if it was not recorded
	Trials int    `json:"trials"`
}

// An Unknown is a trial without a readable sidecar.
type Unknown struct {
	Path  string `json:"path"`  // path of the trial
	Cause string `json:"cause"` // why it is unknown, such as "no sidecar"
}

// Read returns the provenance of a set from the sidecars of all its trials, including failed ones.
func Read(set *results.Set) *Provenance {
	p := &Provenance{Epoch: set.Conditions.Epoch, Started: []time.Time{}, Unknown: []Unknown{}}
	for _, policy := range set.Policies {
		for _, t := range policy.Records {
			p.Trials++
			s, err := t.Sidecar()
			if err != nil {
				cause := strings.TrimPrefix(err.Error(), "results: ")
				if errors.Is(err, fs.ErrNotExist) {
					cause = "no sidecar"
				}
				p.Unknown = append(p.Unknown, Unknown{t.Path, cause})
				continue
			}
			if !s.Sealed {
				p.Unverified++
			}
			p.add(s)
		}
	}
	for _, f := range tallied {
		slices.SortFunc(*f.tally(p), func(a, b Tally) int {
			return cmp.Or(cmp.Compare(b.Trials, a.Trials), cmp.Compare(a.Value, b.Value))
		})
	}
	return p
}

// tallied lists the fields of sidecars that a Provenance counts, in the order of tables.
var tallied = []struct {
	name  string
	value func(results.Sidecar) string
	tally func(*Provenance) *[]Tally
}{
	{"version", func(s results.Sidecar) string { return s.Version }, func(p *Provenance) *[]Tally { return &p.Version }},
	{"revision", func(s results.Sidecar) string { return s.Revision }, func(p *Provenance) *[]Tally { return &p.Revision }},
	{"Go", func(s results.Sidecar) string { return s.Go }, func(p *Provenance) *[]Tally { return &p.Go }},
	{"kernel", func(s results.Sidecar) string { return s.Kernel }, func(p *Provenance) *[]Tally { return &p.Kernel }},
	{"processor", func(s results.Sidecar) string { return s.Processor }, func(p *Provenance) *[]Tally { return &p.Processor }},
	{"system", func(s results.Sidecar) string { return s.System }, func(p *Provenance) *[]Tally { return &p.System }},
	{"command", func(s results.Sidecar) string { return words.CommandLine(s.Command) }, func(p *Provenance) *[]Tally { return &p.Command }},
}

// add adds the sidecar of a trial. A resumed trial had several runs: it counts once for each value that a run had.
func (p *Provenance) add(s results.Sidecar) {
	runs := append(slices.Clone(s.Earlier), s)
	for _, f := range tallied {
		values := lists.Each(runs, f.value)
		slices.Sort(values)
		for _, v := range slices.Compact(values) {
			tallies := f.tally(p)
			i := slices.IndexFunc(*tallies, func(t Tally) bool { return t.Value == v })
			if i < 0 {
				i = len(*tallies)
				*tallies = append(*tallies, Tally{Value: v})
			}
			(*tallies)[i].Trials++
		}
	}
	if len(runs) > 1 {
		p.Resumed++
	}
	for _, run := range runs {
		p.Seconds += run.Seconds
		if !run.Started.IsZero() {
			known := append(p.Started, run.Started)
			p.Started = []time.Time{slices.MinFunc(known, time.Time.Compare), slices.MaxFunc(known, time.Time.Compare)}
		}
	}
}

// A Fact is a field of a Provenance as text.
type Fact struct {
	Name   string
	Values []string // a value that only some trials have is followed by the number of these trials
}

// Facts returns a Fact for each field in tallied, and one for the time of the trials; nil if no sidecar can be read. It
// shortens each value to the number of bytes in the argument longest.
func (p *Provenance) Facts(longest int) (all []Fact) {
	if p.Trials == len(p.Unknown) {
		return nil
	}
	for _, f := range tallied {
		one := Fact{Name: f.name}
		for _, t := range *f.tally(p) {
			value := cmp.Or(words.Plain(words.Shorten(t.Value, longest)), "not recorded")
			if t.Trials < p.Trials {
				value += " (" + words.Count(t.Trials, "trial") + ")"
			}
			one.Values = append(one.Values, value)
		}
		all = append(all, one)
	}
	took := Fact{"time", []string{words.Duration(p.Seconds) + " of trials, summed" + p.when()}}
	if p.Resumed > 0 {
		took.Values = append(took.Values, words.Count(p.Resumed, "trial")+" stopped and resumed")
	}
	if p.Unverified > 0 {
		took.Values = append(took.Values, "not verified for "+words.Count(p.Unverified, "trial")+": an older version wrote their sidecars, without a checksum")
	}
	return append(all, took)
}

// when returns the times of the first and the last start, as ", started 2026-01-02 15:04 to 15:31 UTC"; "" if unknown.
func (p *Provenance) when() string {
	if len(p.Started) == 0 {
		return ""
	}
	const day, minute = "2006-01-02", "15:04" // layouts for Format
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
