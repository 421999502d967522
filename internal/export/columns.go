package export

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/internal/lists"
	"banditsim/results"
)

// A Column is a column of a table.
type Column struct {
	Name     string
	Type     string // Go type of the values: string, bool, int32, uint64 or float64
	Nullable bool   // reports whether a value may be nil, which stands for null
	Unit     string // unit, or ""
	Doc      string // description for docs/export.md
	value    func(*row) any
}

// A row has the data from which one row of a table is computed. All tables use the first four fields.
type row struct {
	set    *results.Set
	policy results.PolicyRecords
	record results.Record
	trial  string // ID of the trial

	// Fields of tables of rounds.
	round                    *results.Round
	chains                   int        // number of chains in the options of the sampler
	sumRealised, sumExpected float64    // regret up to and including the round
	multiplier               [3]float64 // lowest, mean and highest over the chains
	arms                     []int      // index in round.Arms of each arm in layout.arms; −1 if the trial has no such arm

	pull *bandit.PullRecord // in tables of pulls

	sidecar results.Sidecar // in tables of trials
}

type typed interface {
	string | bool | int32 | uint64 | float64
}

// column returns a column of values that are never null.
func column[T typed](name, unit, doc string, value func(*row) T) Column {
	return Column{name, fmt.Sprintf("%T", *new(T)), false, unit, doc, func(r *row) any { return value(r) }}
}

// nullable returns a column that is null in the rows for which the argument value returns false.
func nullable[T typed](name, unit, doc string, value func(*row) (T, bool)) Column {
	return Column{name, fmt.Sprintf("%T", *new(T)), true, unit, doc, func(r *row) any {
		if v, ok := value(r); ok {
			return v
		}
		return nil
	}}
}

// Columns that several tables have.
var (
	trialColumn = column("trial", "", "ID of the trial: SHA-256 of its identity, in hexadecimal",
		func(r *row) string { return r.trial })
	environmentColumn = column("environment", "", "name of the environment",
		func(r *row) string { return r.set.Conditions.Environment.Name })
	dataHashColumn = column("data_sha256", "", "SHA-256 of the data, in hexadecimal",
		func(r *row) string { return r.set.Conditions.Environment.Data.SHA256 })
	epochColumn = column("epoch", "", "results epoch: trials of different epochs are not comparable",
		func(r *row) int32 { return int32(r.set.Conditions.Epoch) })
	settingColumn = column("setting", "",
		"the experiment's name for the environment, if it has several; else the environment's own name, with the fields in which the settings of a folder differ",
		func(r *row) string { return r.set.Label })
	labelColumn = column("policy", "", "label: the name, and the options in which policies of one name differ",
		func(r *row) string { return r.policy.Label })
	nameColumn    = column("policy_name", "", "name of the policy", func(r *row) string { return r.policy.Policy.Name })
	optionsColumn = column("options", "",
		"its resolved options, as JSON; with `--policy-options` alone, as they are long and the same in all rounds",
		func(r *row) string { return string(r.policy.Policy.Options) })
	seedColumn   = column("seed", "", "seed of all randomness of the trial", func(r *row) uint64 { return r.record.Seed })
	failedColumn = column("failed", "", "whether the trial ended before its last round",
		func(r *row) bool { return r.record.Totals.Failure != nil })
)

// policyColumns returns the columns that describe the policy, with its options if l.options is set.
func (l *layout) policyColumns() []Column {
	if l.options {
		return []Column{labelColumn, nameColumn, optionsColumn}
	}
	return []Column{labelColumn, nameColumn}
}

// parameterColumns returns a column for each option in which policies with the same name differ.
func (l *layout) parameterColumns() []Column {
	return lists.Each(l.names, func(name string) Column {
		return nullable("option_"+name, "",
			"value of an option in which policies of one name differ, such as one of a sweep; one column per option; null for other policies",
			func(r *row) (string, bool) {
				text := l.parameters[r.set].Text(r.policy.Label, name)
				return text, text != ""
			})
	})
}
