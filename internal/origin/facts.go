package origin

import (
	"cmp"

	"banditsim/internal/words"
)

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
