package report

import (
	"cmp"
	"fmt"
	"slices"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// A mistakesRow has a policy's wrong pulls of an arm. In MistakesTable, a policy without any has one row without pulls.
type mistakesRow struct {
	policy *compare.Mistakes
	arm    *compare.ArmMistakes
	set    *results.Set
}

// Mistakes reports the regret of each policy's recorded wrong pulls: one table per set; CSV has the rows of all sets.
func Mistakes(sets []*results.Set) (Result, error) {
	type policyMistakes struct {
		Policy string  `json:"policy"`
		Seeds  int     `json:"seeds"`
		Regret float64 `json:"regret"`
		Arms   Table   `json:"arms"`
	}
	columns := func([]mistakesRow) Columns[mistakesRow] { return mistakesColumns() }
	return perSet(sets, columns, func(set *results.Set) (rows []mistakesRow, t Table, d setDocument, err error) {
		policies, err := compare.FindMistakes(set)
		list := []policyMistakes{}
		for i := range policies {
			m := &policies[i]
			var arms []mistakesRow
			for k := range m.Arms {
				arms = append(arms, mistakesRow{m, &m.Arms[k], set})
			}
			rows = append(rows, arms...)
			list = append(list, policyMistakes{m.Policy, m.Seeds, m.Regret, Data(mistakesColumns(), arms)})
		}
		t = MistakesTable(policies)
		t.Caption = append(t.Caption, set.Conditions.DataName()+" · "+set.Conditions.ProtocolName())
		return rows, t, setDocument{Policies: list}, err
	})
}

func mistakesColumns() Columns[mistakesRow] {
	l := Columns[mistakesRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy", Flat: true, Exact: func(r mistakesRow) any { return r.policy.Policy }},
		{Name: "setting", Doc: "label of the environment", Flat: true, Exact: func(r mistakesRow) any { return r.set.Label }},
		{Name: "seeds", Doc: "number of trials", Flat: true, Exact: func(r mistakesRow) any { return r.policy.Seeds }},
		{Name: "arm", Header: "arm", Doc: "name of the arm",
			Text:  func(r mistakesRow) string { return cmp.Or(words.Plain(r.arm.Arm), words.None) },
			Exact: func(r mistakesRow) any { return r.arm.Arm }},
		{Name: "pulls", Header: "of pulls", Doc: "pulls of the arm after burn-in", After: "wrong", Leaves: 1, Text: pullsText,
			Exact: func(r mistakesRow) any { return r.arm.Pulls }},
		{Name: "wrong", Header: "wrong", Doc: "of them, where another arm was better",
			Exact: func(r mistakesRow) any { return r.arm.Wrong }},
		{Name: "regret", Header: "regret", Doc: "expected regret of the wrong pulls, summed", Unit: "reward",
			Exact: func(r mistakesRow) any { return r.arm.Regret }},
		{Header: "of regret", Leaves: 2,
			Text: func(r mistakesRow) string { return words.Percent(100 * r.arm.Regret / r.policy.Regret) }},
	}
	worst := lift(worstRowColumns, func(r mistakesRow) (compare.RowMistakes, bool) {
		if r.arm.Worst == nil {
			return compare.RowMistakes{}, false
		}
		return *r.arm.Worst, true
	})
	return slices.Concat(l, worst, conditionColumns(func(r mistakesRow) results.Conditions { return r.set.Conditions }))
}

var worstRowColumns = Columns[compare.RowMistakes]{
	{Name: "worst_row", Header: "worst row", Doc: "data row, from 0, in which the arm cost most; in JSON an object with all that follows", Leaves: 3,
		Text: func(r compare.RowMistakes) string {
			return fmt.Sprintf("%d: %s of %s", r.Row, words.Int(r.Wrong), words.Int(r.Met))
		},
		Exact: func(r compare.RowMistakes) any { return r.Row }, JSON: func(r compare.RowMistakes) any { return r }},
	{Name: "worst_row_met", Doc: "pulls of any arm in that row", Flat: true, Exact: func(r compare.RowMistakes) any { return r.Met }},
	{Name: "worst_row_wrong", Doc: "wrong pulls of this arm in it", Flat: true, Exact: func(r compare.RowMistakes) any { return r.Wrong }},
	{Name: "worst_row_regret", Doc: "their expected regret", Unit: "reward", Flat: true, Exact: func(r compare.RowMistakes) any { return r.Regret }},
}

func pullsText(r mistakesRow) string {
	if r.arm.Pulls == 0 {
		return words.None
	}
	return words.Int(r.arm.Pulls)
}

// maxArmsShown is the maximum number of arms per policy in a table.
const maxArmsShown = 3

// MistakesTable returns a table with, for each policy, the arms whose wrong pulls had the most regret. Policies are
// sorted by regret per trial. The table has no exact values: columns of CSV need the field set, which is nil here.
func MistakesTable(list []compare.Mistakes) Table {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b compare.Mistakes) int {
		return cmp.Compare(a.Regret/float64(max(a.Seeds, 1)), b.Regret/float64(max(b.Seeds, 1)))
	})
	var rows []mistakesRow
	left := 0
	for i := range list {
		m := &list[i]
		arms := slices.DeleteFunc(slices.Clone(m.Arms), func(a compare.ArmMistakes) bool { return a.Wrong == 0 })
		slices.SortStableFunc(arms, func(a, b compare.ArmMistakes) int { return cmp.Compare(b.Regret, a.Regret) })
		left += max(len(arms)-maxArmsShown, 0)
		if len(arms) == 0 {
			rows = append(rows, mistakesRow{policy: m, arm: new(compare.ArmMistakes)})
		}
		for k := range arms[:min(len(arms), maxArmsShown)] {
			rows = append(rows, mistakesRow{policy: m, arm: &arms[k]})
		}
	}
	t := NewTable(mistakesColumns(), rows,
		"Wrong pulls after burn-in, by expected regret, of all seeds: where another arm was better",
		"wrong: of so many pulls of the arm; of regret: share of the policy's regret after burn-in",
		"worst row: the row of the data, from 0, in which the arm cost most, how often it was pulled there, and how often the row was met",
	)
	if left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s with less regret not shown: 'banditsim report --mistakes -o csv' has all", words.Count(left, "arm")))
	}
	return t
}
