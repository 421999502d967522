package results

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/words"
	"banditsim/results/stats"
)

// Render writes the summary as a table.
func (s *Summary) Render(w io.Writer, f Format) error {
	return render(w, f, s.table, s.sheet, s)
}

func (s *Summary) table() table {
	t := table{
		caption: []string{s.seedsCaption(), s.Conditions.DataName() + " · " + s.Conditions.ProtocolName()},
		header:  []string{"policy", "seeds", "expected regret", "% of uniform", "after burn-in", "% of uniform", "realised regret", "failed"},
	}
	for _, p := range s.Policies {
		t.rows = append(t.rows, []string{
			words.Plain(p.Policy), strconv.Itoa(len(p.Seeds)),
			p.Expected.All.String(), words.Percent(p.Expected.Percent),
			p.Expected.AfterBurnIn.String(), words.Percent(p.Expected.PercentAfterBurnIn),
			p.Realised.All.String(), strconv.Itoa(len(p.Failed)),
		})
	}
	t.notes = append(s.failures(), damagedNotes(s.Damaged)...)
	if s.Provenance != nil {
		if len(t.notes) > 0 {
			t.notes = append(t.notes, "")
		}
		t.notes = append(t.notes, s.Provenance.lines()...)
	}
	return t
}

// seedsCaption says which regret, which interval and how many seeds.
func (s *Summary) seedsCaption() string {
	switch seeds, interval := s.seedsText(); {
	case seeds == "":
		return "Cumulative regret: no trial did all its rounds"
	case interval:
		return "Cumulative regret, mean ± half of the 95 % t-interval over " + seeds
	default:
		return "Cumulative regret of " + seeds + ": no interval"
	}
}

// seedsText is "3 seeds (1–3)", "2 to 3 seeds" or "seed 1 alone", and tells whether any
// policy has an interval.
func (s *Summary) seedsText() (text string, interval bool) {
	least, most := 0, 0
	same := true
	for i, p := range s.Policies {
		n := len(p.Seeds)
		if i == 0 {
			least = n
		}
		least, most = min(least, n), max(most, n)
		same = same && slices.Equal(p.Seeds, s.Policies[0].Seeds)
	}
	switch {
	case most == 0:
		return "", false
	case same && most == 1:
		return "seed " + words.Ranges(s.Policies[0].Seeds) + " alone", false
	case same:
		return words.Count(most, "seed") + " (" + words.Shorten(words.Ranges(s.Policies[0].Seeds), 60) + ")", true
	case least == most:
		return words.Count(most, "seed") + ", not the same for all", most > 1
	}
	return fmt.Sprintf("%d to %s", least, words.Count(most, "seed")), most > 1
}

// maxNotes bounds the failures and damaged files that are told one by one.
const maxNotes = 10

func (s *Summary) failures() []string {
	var notes []string
	for _, p := range s.Policies {
		if len(p.Failed) == 0 {
			continue
		}
		notes = append(notes, words.Plain(p.Policy)+": "+failedList(seedsOf(p.Failed))+" (not in the means)")
		notes = append(notes, trialNotes(p.Failed)...)
	}
	return notes
}

// trialNotes tell where and why trials failed, one a line.
func trialNotes(failed []FailedTrial) []string {
	var notes []string
	for i, f := range failed {
		if i == maxNotes {
			return append(notes, fmt.Sprintf("  and %d more", len(failed)-i))
		}
		notes = append(notes, fmt.Sprintf("  seed %d, round %d: %s", f.Seed, f.Round, words.Plain(words.Shorten(f.Cause, 200))))
	}
	return notes
}

func damagedNotes(damaged []Damaged) []string {
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

func (s *Summary) sheet() sheet {
	h := []string{"policy", "seeds", "seed_list", "failed", "failed_seeds"}
	for _, metric := range []string{"expected", "realised"} {
		for _, part := range []string{"", "_after_burn_in"} {
			for _, what := range []string{"", "_standard_error", "_low", "_high", "_percent_of_uniform"} {
				h = append(h, metric+part+what)
			}
		}
	}
	out := sheet{header: append(h, settingHeader...)}
	for _, p := range s.Policies {
		failed := seedsOf(p.Failed)
		row := []string{p.Policy, strconv.Itoa(len(p.Seeds)), blanks(p.Seeds), strconv.Itoa(len(failed)), blanks(failed)}
		for _, r := range []Regret{p.Expected, p.Realised} {
			row = append(append(row, estimateCells(r.All)...), words.Exact(r.Percent))
			row = append(append(row, estimateCells(r.AfterBurnIn)...), words.Exact(r.PercentAfterBurnIn))
		}
		out.rows = append(out.rows, append(row, s.Conditions.cells()...))
	}
	return out
}

func estimateCells(e stats.Estimate) []string {
	return []string{words.Exact(e.Mean), words.Exact(e.StdErr), words.Exact(e.Low), words.Exact(e.High)}
}

// blanks is a list of seeds in one cell: "1 2 3".
func blanks(seeds []uint64) string {
	return strings.Trim(fmt.Sprint(seeds), "[]")
}

// Columns that say in each row of a CSV what the rows are of.
var settingHeader = []string{"environment", "data", "replica", "sha256", "rounds", "pulls", "burn_in", "epoch"}

func (s Conditions) cells() []string {
	e, p := s.Environment, s.Protocol
	return []string{e.Name, e.Data.Name, strconv.FormatBool(e.Data.Replica), e.Data.SHA256,
		strconv.Itoa(p.Rounds), strconv.Itoa(p.Pulls), strconv.Itoa(p.BurnIn), strconv.Itoa(s.Epoch)}
}
