package report

import (
	"fmt"
	"path/filepath"

	"banditsim/internal/lists"
	"banditsim/internal/origin"
	"banditsim/internal/words"
)

// maxTallies is the number of values that are shown of a field with at least maxTallies+2. Of other fields all are shown.
const maxTallies = 6

// provenanceLines returns a heading, followed by lines with the values of each field of the provenance.
func provenanceLines(p *origin.Provenance) []string {
	lines := []string{fmt.Sprintf("Provenance of %s, results epoch %d", words.Count(p.Trials, "trial"), p.Epoch)}
	for _, f := range p.Facts(300) {
		if more := len(f.Values) - maxTallies; more > 1 {
			f.Values = append(f.Values[:maxTallies:maxTallies], fmt.Sprintf("and %d more", more))
		}
		for _, v := range f.Values {
			lines = append(lines, provenanceLine(f.Name, v))
			f.Name = ""
		}
	}
	if n := len(p.Unknown); n > 0 {
		lines = append(lines, provenanceLine("unknown", "for "+words.Count(n, "trial")+":"))
		unknown := lists.Each(p.Unknown, func(u origin.Unknown) string { return "    " + words.Plain(filepath.Base(u.Path)+": "+u.Cause) })
		lines = append(lines, words.AtMost(unknown, maxNotes, "    and ")...)
	}
	return lines
}

func provenanceLine(name, value string) string { return fmt.Sprintf("  %-9s  %s", name, value) }
