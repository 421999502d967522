package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// An environmentCost is the JSON of one set.
type environmentCost struct {
	Environment string             `json:"environment"` // label
	Conditions  results.Conditions `json:"setting"`
	Policies    []compare.Cost     `json:"policies"`
	Parameters  compare.Parameters `json:"parameters,omitempty"`
}

// Costs writes the costs of the policies of each set: a table for each, or all in one sheet.
func Costs(w io.Writer, f Format, sets []*results.Set) error {
	var all []environmentCost
	for _, set := range sets {
		all = append(all, environmentCost{set.Label, set.Conditions, compare.Costs(set), compare.NewParameters(set)})
	}
	return renderEach(w, f, all, costTable, func() Sheet { return costSheet(all) })
}

func costTable(e environmentCost) Table {
	t := Table{
		Caption: []string{
			"Regret and cost of a trial, means over the seeds; " + words.Plain(e.Environment),
			"steps: gradient steps of all chains; seconds: wall time, which depends on the machine and its load",
			"*: no other policy has both less regret and less time",
			e.Conditions.DataName() + " · " + e.Conditions.ProtocolName(),
		},
		Header: []string{"policy", "seeds", compare.Metrics[0].Name + " regret", "steps", "seconds", ""},
	}
	var labels []string
	for _, c := range e.Policies {
		labels = append(labels, c.Policy)
		mark := ""
		if c.Undominated {
			mark = "*"
		}
		t.Rows = append(t.Rows, []string{words.Plain(c.Policy), strconv.Itoa(c.Regret.N), c.Regret.String(), words.Amount(float64(c.Steps)), secondsText(float64(c.Seconds)), mark})
	}
	t.addParameters(e.Parameters, labels)
	return t
}

func secondsText(v float64) string {
	if !words.Finite(v) {
		return words.None
	}
	return fmt.Sprintf("%.3g", v)
}

func costSheet(all []environmentCost) Sheet {
	var out Sheet
	var parameters []compare.Parameters
	for _, e := range all {
		parameters = append(parameters, e.Parameters)
	}
	for _, e := range all {
		s := Sheet{Header: slices.Concat([]string{"policy", "setting", "seeds"}, EstimateHeader(compare.Metrics[0].Name), []string{"steps", "seconds", "undominated"}, conditionHeader)}
		for _, c := range e.Policies {
			row := append([]string{c.Policy, e.Environment, strconv.Itoa(c.Regret.N)}, EstimateCells(c.Regret)...)
			row = append(append(row, Cells(float64(c.Steps), float64(c.Seconds))...), strconv.FormatBool(c.Undominated))
			s.Rows = append(s.Rows, append(row, conditionCells(e.Conditions)...))
		}
		s.addParameters(e.Parameters, parameterNames(parameters...))
		out.Header, out.Rows = s.Header, append(out.Rows, s.Rows...)
	}
	return out
}
