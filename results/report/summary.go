package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// WriteSummary writes a summary.
func Summary(w io.Writer, f Format, s *compare.Summary) error {
	return Render(w, f, func() Table { return SummaryTable(s) }, func() Sheet { return summarySheet(s) }, s)
}

// SummaryTable returns the table that WriteSummary writes for people.
func SummaryTable(s *compare.Summary) Table {
	t := Table{
		Caption: []string{seedsCaption(s), s.Conditions.DataName() + " · " + s.Conditions.ProtocolName()},
		Header:  []string{"policy", "seeds", "expected regret", "% of uniform", "after burn-in", "% of uniform", "realised regret", "failed"},
	}
	for _, p := range s.Policies {
		t.Rows = append(t.Rows, []string{
			words.Plain(p.Policy), strconv.Itoa(len(p.Seeds)),
			p.Expected.All.String(), words.Percent(p.Expected.Percent),
			p.Expected.AfterBurnIn.String(), words.Percent(p.Expected.PercentAfterBurnIn),
			p.Realised.All.String(), strconv.Itoa(len(p.Failed)),
		})
	}
	t.Notes = append(failureNotes(s), damagedNotes(s.Damaged)...)
	if s.Provenance != nil {
		if len(t.Notes) > 0 {
			t.Notes = append(t.Notes, "")
		}
		t.Notes = append(t.Notes, provenanceLines(s.Provenance)...)
	}
	return t
}

// seedsCaption says which regret, which interval and how many seeds.
func seedsCaption(s *compare.Summary) string {
	switch seeds, interval := s.SeedsText(); {
	case seeds == "":
		return "Cumulative regret: no trial did all its rounds"
	case interval:
		return "Cumulative regret, mean ± half of the 95 % t-interval over " + seeds
	default:
		return "Cumulative regret of " + seeds + ": no interval"
	}
}

// maxNotes bounds the failures and damaged files that are told one by one.
const maxNotes = 10

func failureNotes(s *compare.Summary) []string {
	var notes []string
	for _, p := range s.Policies {
		if len(p.Failed) == 0 {
			continue
		}
		notes = append(notes, words.Plain(p.Policy)+": "+p.Failed.String()+" (not in the means)")
		notes = append(notes, trialNotes(p.Failed)...)
	}
	return notes
}

// trialNotes tell where and why trials failed, one a line.
func trialNotes(failed []compare.FailedTrial) []string {
	var notes []string
	for i, f := range failed {
		if i == maxNotes {
			return append(notes, fmt.Sprintf("  and %d more", len(failed)-i))
		}
		notes = append(notes, fmt.Sprintf("  seed %d, round %d: %s", f.Seed, f.Round, words.Plain(words.Shorten(f.Cause, 200))))
	}
	return notes
}

func damagedNotes(damaged []results.Damaged) []string {
	if len(damaged) == 0 {
		return nil
	}
	notes := []string{fmt.Sprintf("%s left out; run what they are of again, or delete them:", words.Count(len(damaged), "damaged trial file"))}
	for i, d := range damaged {
		if i == maxNotes {
			return append(notes, fmt.Sprintf("  and %d more", len(damaged)-i))
		}
		notes = append(notes, "  "+words.Plain(strings.TrimPrefix(d.Err.Error(), "results: ")))
	}
	return notes
}

func summarySheet(s *compare.Summary) Sheet {
	h := []string{"policy", "seeds", "seed_list", "failed", "failed_seeds"}
	for _, metric := range []string{"expected", "realised"} {
		for _, part := range []string{"", "_after_burn_in"} {
			for _, what := range []string{"", "_standard_error", "_low", "_high", "_percent_of_uniform"} {
				h = append(h, metric+part+what)
			}
		}
	}
	out := Sheet{Header: append(h, conditionHeader...)}
	for _, p := range s.Policies {
		row := []string{p.Policy, strconv.Itoa(len(p.Seeds)), blanks(p.Seeds), strconv.Itoa(len(p.Failed)), blanks(p.Failed.Seeds())}
		for _, r := range []compare.Regret{p.Expected, p.Realised} {
			row = append(append(row, EstimateCells(r.All)...), words.Exact(r.Percent))
			row = append(append(row, EstimateCells(r.AfterBurnIn)...), words.Exact(r.PercentAfterBurnIn))
		}
		out.Rows = append(out.Rows, append(row, conditionCells(s.Conditions)...))
	}
	return out
}

func EstimateCells(e stats.Estimate) []string {
	return []string{words.Exact(e.Mean), words.Exact(e.StdErr), words.Exact(e.Low), words.Exact(e.High)}
}

// blanks is a list of seeds in one cell: "1 2 3".
func blanks(seeds []uint64) string {
	return strings.Trim(fmt.Sprint(seeds), "[]")
}

// Columns that say in each row of a CSV what the rows are of.
var conditionHeader = []string{"environment", "data", "replica", "sha256", "rounds", "pulls", "burn_in", "epoch"}

func conditionCells(s results.Conditions) []string {
	e, p := s.Environment, s.Protocol
	return []string{e.Name, e.Data.Name, strconv.FormatBool(e.Data.Replica), e.Data.SHA256,
		strconv.Itoa(p.Rounds), strconv.Itoa(p.Pulls), strconv.Itoa(p.BurnIn), strconv.Itoa(s.Epoch)}
}
