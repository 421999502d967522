package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Summary writes a summary; text and Markdown end with its verdict, if there is one.
func Summary(w io.Writer, f Format, s *compare.Summary) error {
	err := Render(w, f, func() Table { return SummaryTable(s) }, func() Sheet { return summarySheet(s, s.Parameters.Names()) }, s)
	if err != nil || s.Verdict == "" || f == CSV || f == JSON {
		return err
	}
	verdict := s.Verdict
	if f == Markdown {
		verdict = escapeMarkdown(verdict)
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", WrapText(w, verdict)); err != nil {
		return fmt.Errorf("report: write verdict: %w", err)
	}
	return nil
}

// SummaryTable returns the table of a summary: the first metric in full, and the mean of the others.
func SummaryTable(s *compare.Summary) Table {
	first, others := compare.Metrics[0], compare.Metrics[1:]
	t := Table{
		Caption: []string{seedsCaption(s), s.Conditions.DataName() + " · " + s.Conditions.ProtocolName()},
		Header:  []string{"policy", "seeds", first.Name + " regret", "% of uniform", "after burn-in", "% of uniform"},
	}
	t.Short = []string{2: first.Name, 3: "% unif.", 5: "% unif."}
	for _, m := range others {
		t.Header, t.Short = append(t.Header, m.Name+" regret"), append(t.Short, m.Name)
	}
	t.Header = append(t.Header, "failed")
	var labels []string
	for _, p := range s.Policies {
		labels = append(labels, p.Policy)
		r := p.Regret[first]
		row := []string{words.Plain(p.Policy), strconv.Itoa(len(p.Seeds)), r.All.String(), words.Percent(float64(r.Percent)), r.AfterBurnIn.String(), words.Percent(float64(r.PercentAfterBurnIn))}
		for _, m := range others {
			row = append(row, p.Regret[m].All.String())
		}
		t.Rows = append(t.Rows, append(row, strconv.Itoa(len(p.Failed))))
	}
	t.Least = []int{5}
	if failed := len(t.Header) - 1; onlyHas(t.Rows, failed, "0") {
		t.Least = []int{failed, 5}
	}
	for k := range others {
		t.Least = append(t.Least, 6+k)
	}
	t.Least = append(t.Least, 3, 4, 1)
	t.addParameters(s.Parameters, labels)
	t.Notes = slices.Concat(spreadNotes(s), warningNotes(s.Warnings), failureNotes(s), damagedNotes(s.Damaged))
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

// spreadNotes returns a line for each policy of three seeds or more: median, best and worst seed, which
// a mean with its interval does not show.
func spreadNotes(s *compare.Summary) []string {
	var rows [][]string
	for _, p := range s.Policies {
		if r := p.Regret[compare.Metrics[0]]; len(p.Seeds) > 2 {
			departs := ""
			if r.Worst.Departs > 0 {
				departs = ", departs in round " + words.Int(r.Worst.Departs)
			}
			rows = append(rows, []string{words.Plain(p.Policy) + ":", "median " + words.Amount(float64(r.Median)) + ",",
				fmt.Sprintf("best %s (seed %d),", words.Amount(r.Best.Regret), r.Best.Seed), fmt.Sprintf("worst %s (seed %d%s)", words.Amount(r.Worst.Regret), r.Worst.Seed, departs)})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return append([]string{"Of the " + compare.Metrics[0].Name + " regrets of the seeds:"}, Columns(rows, 1, 2)...)
}

func warningNotes(warnings []compare.Warning) []string {
	var notes []string
	for _, w := range warnings {
		notes = append(notes, "warning: "+words.Plain(w.Message))
	}
	return notes
}

func failureNotes(s *compare.Summary) []string {
	var notes []string
	for _, p := range s.Policies {
		if len(p.Failed) > 0 {
			notes = append(notes, words.Plain(p.Policy)+": "+p.Failed.String()+" (not in the means)")
			notes = append(notes, trialNotes(p.Failed)...)
		}
	}
	return notes
}

// trialNotes returns a line for each failed trial, with its round and cause.
func trialNotes(failed []compare.FailedTrial) []string {
	var notes []string
	for _, f := range failed {
		notes = append(notes, fmt.Sprintf("  seed %d, round %d: %s", f.Seed, f.Round, words.Plain(words.Shorten(f.Cause, 200))))
	}
	return atMost(notes, "  ")
}

func damagedNotes(damaged []results.Damaged) []string {
	if len(damaged) == 0 {
		return nil
	}
	var notes []string
	for _, d := range damaged {
		notes = append(notes, "  "+words.Plain(strings.TrimPrefix(d.Err.Error(), "results: ")))
	}
	return append([]string{words.Count(len(damaged), "damaged file") + " left out; run what they are of again, or delete them:"}, atMost(notes, "  ")...)
}

// maxNotes bounds the failures and damaged files that notes name.
const maxNotes = 10

// atMost returns the first maxNotes lines and the number of the others.
func atMost(lines []string, indent string) []string {
	if len(lines) <= maxNotes {
		return lines
	}
	return append(lines[:maxNotes:maxNotes], fmt.Sprintf("%sand %d more", indent, len(lines)-maxNotes))
}

// summarySheet has columns for the parameters of the names.
func summarySheet(s *compare.Summary, parameters []string) Sheet {
	h := []string{"policy", "seeds", "seed_list", "failed", "failed_seeds"}
	for _, m := range compare.Metrics {
		for _, name := range []string{m.Name, m.Name + "_after_burn_in"} {
			h = append(append(h, EstimateHeader(name)...), name+"_percent_of_uniform")
		}
	}
	for _, m := range compare.Metrics {
		for _, name := range []string{"median", "best", "best_seed", "worst", "worst_seed", "worst_departs_round"} {
			h = append(h, m.Name+"_"+name)
		}
	}
	h = append(h, "warnings")
	out := Sheet{Header: append(h, conditionHeader...)}
	for _, p := range s.Policies {
		row := []string{p.Policy, strconv.Itoa(len(p.Seeds)), seedCell(p.Seeds), strconv.Itoa(len(p.Failed)), seedCell(p.Failed.Seeds())}
		for _, m := range compare.Metrics {
			r := p.Regret[m]
			row = append(append(row, EstimateCells(r.All)...), words.Exact(float64(r.Percent)))
			row = append(append(row, EstimateCells(r.AfterBurnIn)...), words.Exact(float64(r.PercentAfterBurnIn)))
		}
		for _, m := range compare.Metrics {
			row = append(row, spreadCells(len(p.Seeds), p.Regret[m])...)
		}
		row = append(row, warningKinds(s.Warnings, p.Policy))
		out.Rows = append(out.Rows, append(row, conditionCells(s.Conditions)...))
	}
	out.addParameters(s.Parameters, parameters)
	return out
}

// spreadCells returns empty cells without a seed.
func spreadCells(seeds int, r compare.Regret) []string {
	if seeds == 0 {
		return make([]string, 6)
	}
	departs := ""
	if r.Worst.Departs > 0 {
		departs = strconv.Itoa(r.Worst.Departs)
	}
	return []string{words.Exact(float64(r.Median)), words.Exact(r.Best.Regret), strconv.FormatUint(r.Best.Seed, 10),
		words.Exact(r.Worst.Regret), strconv.FormatUint(r.Worst.Seed, 10), departs}
}

// EstimateHeader returns the names of the columns of EstimateCells.
func EstimateHeader(name string) []string {
	return []string{name, name + "_standard_error", name + "_low", name + "_high"}
}

// EstimateCells returns an estimate with all digits.
func EstimateCells(e stats.Estimate) []string { return Cells(e.Mean, e.StdErr, e.Low, e.High) }

// Cells returns numbers with all digits.
func Cells(numbers ...float64) []string {
	cells := make([]string, len(numbers))
	for i, v := range numbers {
		cells[i] = words.Exact(v)
	}
	return cells
}

// seedCell returns seeds as "1 2 3".
func seedCell(seeds []uint64) string { return strings.Trim(fmt.Sprint(seeds), "[]") }

// conditionHeader names the columns of conditionCells, which every row of a CSV ends with.
var conditionHeader = []string{"environment", "data", "replica", "sha256", "rounds", "pulls", "burn_in", "epoch"}

func conditionCells(c results.Conditions) []string {
	e, p := c.Environment, c.Protocol
	return []string{e.Name, e.Data.Name, strconv.FormatBool(e.Data.Replica), e.Data.SHA256,
		strconv.Itoa(p.Rounds), strconv.Itoa(p.Pulls), strconv.Itoa(p.BurnIn), strconv.Itoa(c.Epoch)}
}
