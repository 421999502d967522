package report

import (
	"fmt"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// An environmentCost is the set of a cost.
type environmentCost struct {
	environment string // label
	conditions  results.Conditions
	parameters  compare.Parameters
}

// A costRow is the cost of a policy.
type costRow struct {
	compare.Cost
	of *environmentCost
}

func (r costRow) parametersOf() (compare.Parameters, string) { return r.of.parameters, r.Policy }

// Costs reports the costs of the policies of each set: a table for each, or all in one CSV.
func Costs(sets []*results.Set) Result {
	var parameters []compare.Parameters
	var all []costRow
	var r Result
	for _, set := range sets {
		e := &environmentCost{environment: set.Label, conditions: set.Conditions, parameters: compare.NewParameters(set)}
		var rows []costRow
		for _, c := range compare.Costs(set) {
			rows = append(rows, costRow{c, e})
		}
		all, parameters = append(all, rows...), append(parameters, e.parameters)
		t := NewTable(costColumns(e.parameters), rows,
			"Regret and cost of a trial, means over the seeds; "+words.Plain(e.environment),
			"steps: gradient steps of all chains; seconds: wall time, which depends on the machine and its load",
			"*: no other policy has both less regret and less time",
			e.conditions.DataName()+" · "+e.conditions.ProtocolName(),
		)
		r.Parts = append(r.Parts, Result{Tables: []Table{t}, Document: struct {
			Environment string             `json:"environment"` // label
			Conditions  results.Conditions `json:"setting"`
			Policies    Table              `json:"policies"`
			Parameters  compare.Parameters `json:"parameters,omitempty"`
		}{e.environment, e.conditions, t, e.parameters}})
	}
	t := Data(costColumns(parameters...), all)
	r.Data = &t
	return r
}

// costColumns returns the columns of costs of policies with parameters.
func costColumns(parameters ...compare.Parameters) Columns[costRow] {
	name := compare.Primary().String()
	l := Columns[costRow]{
		{Name: "policy", Header: "policy", Doc: "label of the policy",
			Exact: func(r costRow) any { return r.Policy }},
		{Name: "setting", Doc: "label of the environment", Flat: true, Exact: func(r costRow) any { return r.of.environment }},
		{Name: "seeds", Header: "seeds", Doc: "number of trials that did all their rounds", Flat: true,
			Exact: func(r costRow) any { return r.Regret.N }},
		{Name: "regret", Doc: "mean cumulative " + name + " regret with error and interval; in JSON alone", Unit: "reward", JSON: func(r costRow) any { return r.Regret }},
	}
	l = append(l, Estimate(Column[costRow]{Name: name, Header: name + " regret", Doc: "mean cumulative " + name + " regret", Unit: "reward", Flat: true}, name+"_", func(r costRow) stats.Estimate { return r.Regret })...)
	l = append(l, Columns[costRow]{
		{Name: "steps", Header: "steps", Doc: "mean gradient steps of all chains of a trial",
			Exact: func(r costRow) any { return r.Steps }},
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
