package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// An environmentMistakes is the JSON of one set.
type environmentMistakes struct {
	Environment string             `json:"environment"` // label
	Conditions  results.Conditions `json:"setting"`
	Policies    []compare.Mistakes `json:"policies"`
}

// Mistakes writes what the wrong pulls of each policy cost, by the recorded pulls: a table for each set, or all in one sheet.
func Mistakes(w io.Writer, f Format, sets []*results.Set) error {
	all := []environmentMistakes{}
	for _, set := range sets {
		m, err := compare.FindMistakes(set)
		if err != nil {
			return err
		}
		all = append(all, environmentMistakes{set.Label, set.Conditions, m})
	}
	table := func(e environmentMistakes) Table {
		t := MistakesTable(e.Policies)
		t.Caption = append(t.Caption, e.Conditions.DataName()+" · "+e.Conditions.ProtocolName())
		return t
	}
	return renderEach(w, f, all, table, func() Sheet { return mistakesSheet(all) })
}

// maxArmsShown bounds the arms of a policy in a table.
const maxArmsShown = 3

// MistakesTable returns the arms whose wrong pulls cost each policy most, the policy with the least regret first.
func MistakesTable(list []compare.Mistakes) Table {
	t := Table{
		Caption: []string{
			"Wrong pulls after burn-in, by expected regret, of all seeds: where another arm was better",
			"wrong: of so many pulls of the arm; of regret: share of the policy's regret after burn-in",
			"worst row: the row of the data in which the arm cost most, how often it was pulled there, and how often the row was met",
		},
		Header: []string{"policy", "arm", "wrong", "of pulls", "regret", "of regret", "worst row"},
		Least:  []int{3, 5, 6},
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b compare.Mistakes) int {
		return cmp.Compare(a.Regret/float64(max(a.Seeds, 1)), b.Regret/float64(max(b.Seeds, 1)))
	})
	left := 0
	for _, m := range list {
		arms := slices.DeleteFunc(slices.Clone(m.Arms), func(a compare.ArmMistakes) bool { return a.Wrong == 0 })
		slices.SortStableFunc(arms, func(a, b compare.ArmMistakes) int { return cmp.Compare(b.Regret, a.Regret) })
		left += max(len(arms)-maxArmsShown, 0)
		if len(arms) == 0 {
			t.Rows = append(t.Rows, []string{words.Plain(m.Policy), words.None, "0", words.None, "0", words.None, words.None})
		}
		for _, a := range arms[:min(len(arms), maxArmsShown)] {
			worst := words.None
			if r := a.Worst; r != nil {
				worst = fmt.Sprintf("%d: %s of %s", r.Row, words.Int(r.Wrong), words.Int(r.Met))
			}
			t.Rows = append(t.Rows, []string{words.Plain(m.Policy), words.Plain(a.Arm), words.Int(a.Wrong), words.Int(a.Pulls), words.Amount(a.Regret), words.Percent(100 * a.Regret / m.Regret), worst})
		}
	}
	if left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s with less regret not shown: 'banditsim report --mistakes -o csv' has all", words.Count(left, "arm")))
	}
	return t
}

func mistakesSheet(all []environmentMistakes) Sheet {
	s := Sheet{Header: append([]string{"policy", "setting", "seeds", "arm", "pulls", "wrong", "regret", "worst_row", "worst_row_met", "worst_row_wrong", "worst_row_regret"}, conditionHeader...)}
	for _, e := range all {
		for _, m := range e.Policies {
			for _, a := range m.Arms {
				row := []string{m.Policy, e.Environment, strconv.Itoa(m.Seeds), a.Arm, strconv.Itoa(a.Pulls), strconv.Itoa(a.Wrong), words.Exact(a.Regret), "", "", "", ""}
				if r := a.Worst; r != nil {
					copy(row[7:], []string{strconv.Itoa(r.Row), strconv.Itoa(r.Met), strconv.Itoa(r.Wrong), words.Exact(r.Regret)})
				}
				s.Rows = append(s.Rows, append(row, conditionCells(e.Conditions)...))
			}
		}
	}
	return s
}
