package report

import (
	"fmt"
	"io"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/column"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// An environmentCost has the costs of one set.
type environmentCost struct {
	environment string // label
	conditions  results.Conditions
	parameters  compare.Parameters
	rows        []costRow
}

// A costRow is the cost of a policy.
type costRow struct {
	compare.Cost
	of *environmentCost
}

func (r costRow) parametersOf() (compare.Parameters, string) { return r.of.parameters, r.Policy }

// costJSON is the JSON of one set.
type costJSON struct {
	Environment string                  `json:"environment"` // label
	Conditions  results.Conditions      `json:"setting"`
	Policies    column.Objects[costRow] `json:"policies"`
	Parameters  compare.Parameters      `json:"parameters,omitempty"`
}

// Costs writes the costs of the policies of each set: a table for each, or all in one CSV.
func Costs(w io.Writer, f Format, sets []*results.Set) error {
	var all []*environmentCost
	var parameters []compare.Parameters
	var rows []costRow
	var documents []costJSON
	for _, set := range sets {
		e := &environmentCost{environment: set.Label, conditions: set.Conditions, parameters: compare.NewParameters(set)}
		for _, c := range compare.Costs(set) {
			e.rows = append(e.rows, costRow{c, e})
		}
		all, parameters, rows = append(all, e), append(parameters, e.parameters), append(rows, e.rows...)
		documents = append(documents, costJSON{e.environment, e.conditions, column.Objects[costRow]{Columns: costColumns(e.parameters), Rows: e.rows}, e.parameters})
	}
	return renderEach(w, f, all, costTable, costColumns(parameters...).CSV(rows), documents)
}

func costTable(e *environmentCost) Table {
	return NewTable(costColumns(e.parameters), e.rows,
		"Regret and cost of a trial, means over the seeds; "+words.Plain(e.environment),
		"steps: gradient steps of all chains; seconds: wall time, which depends on the machine and its load",
		"*: no other policy has both less regret and less time",
		e.conditions.DataName()+" · "+e.conditions.ProtocolName(),
	)
}

// costColumns returns the columns of costs of policies with parameters.
func costColumns(parameters ...compare.Parameters) column.List[costRow] {
	name := compare.Metrics()[0].String()
	l := column.List[costRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy",
			Text: func(r costRow) string { return words.Plain(r.Policy) }, Exact: func(r costRow) any { return r.Policy }},
		{Name: "setting", Doc: "label of the environment", Flat: true, Exact: func(r costRow) any { return r.of.environment }},
		{Name: "seeds", Header: "seeds", Doc: "number of trials that did all their rounds", Flat: true,
			Text: func(r costRow) string { return strconv.Itoa(r.Regret.N) }, Exact: func(r costRow) any { return r.Regret.N }},
		{Name: "regret", Doc: "mean cumulative " + name + " regret with error and interval; in JSON alone", Unit: "reward", JSON: func(r costRow) any { return r.Regret }},
	}
	l = append(l, column.Estimate(column.Column[costRow]{Name: name, Header: name + " regret", Doc: "mean cumulative " + name + " regret", Unit: "reward", Flat: true,
		Text: func(r costRow) string { return r.Regret.String() }}, name+"_", func(r costRow) stats.Estimate { return r.Regret })...)
	l = append(l, column.List[costRow]{
		{Name: "steps", Header: "steps", Doc: "mean gradient steps of all chains of a trial",
			Text: func(r costRow) string { return words.Amount(float64(r.Steps)) }, Exact: func(r costRow) any { return r.Steps }},
		{Name: "seconds", Header: "seconds", Doc: "mean wall time of a trial, which depends on the machine and its load", Unit: "seconds",
			Text: func(r costRow) string { return secondsText(float64(r.Seconds)) }, Exact: func(r costRow) any { return r.Seconds }},
		{Name: "undominated", Doc: "whether no other policy has both less regret and less time; * in text", Text: undominatedMark,
			Exact: func(r costRow) any { return r.Undominated }},
	}...)
	l = append(l, conditionColumns(func(r costRow) results.Conditions { return r.of.conditions })...)
	return withParameters(l, parameterNames(parameters...), costRow.parametersOf)
}

func undominatedMark(r costRow) string {
	if r.Undominated {
		return "*"
	}
	return ""
}

func secondsText(v float64) string {
	if !words.Finite(v) {
		return words.None
	}
	return fmt.Sprintf("%.3g", v)
}
