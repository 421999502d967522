package report

import (
	"fmt"
	"path/filepath"

	"banditsim/internal/origin"
	"banditsim/internal/words"
)

// maxTallies bounds the number of different values that are shown of a field.
const maxTallies = 6

// provenanceLines returns a heading, and lines with the values of each field of a provenance.
func provenanceLines(p *origin.Provenance) []string {
	lines := []string{fmt.Sprintf("Provenance of %s, results epoch %d", words.Count(p.Trials, "trial"), p.Epoch)}
	if p.Trials > len(p.Unknown) {
		for name, tallies := range p.Tallies() {
			lines = append(lines, tallyLines(p, name, tallies)...)
		}
		lines = append(lines, provenanceLine("time", words.Duration(p.Seconds)+" of trials, summed"+when(p)))
		if p.Resumed > 0 {
			lines = append(lines, provenanceLine("", words.Count(p.Resumed, "trial")+" stopped and resumed"))
		}
	}
	if p.Unverified > 0 {
		lines = append(lines, provenanceLine("", "not verified for "+words.Count(p.Unverified, "trial")+": an older version wrote their sidecars, without a checksum"))
	}
	if n := len(p.Unknown); n > 0 {
		lines = append(lines, provenanceLine("unknown", "for "+words.Count(n, "trial")+":"))
		var unknown []string
		for _, u := range p.Unknown {
			unknown = append(unknown, "    "+words.Plain(filepath.Base(u.Path)+": "+u.Cause))
		}
		lines = append(lines, atMost(unknown, "    ")...)
	}
	return lines
}

// tallyLines returns a line for each value of the field name, with the number of its trials unless all trials have it.
func tallyLines(p *origin.Provenance, name string, tallies []origin.Tally) []string {
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

// when returns the times of the first and the last start, as ", started 2026-01-02 15:04 to 15:31 UTC"; "" if unknown.
func when(p *origin.Provenance) string {
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
