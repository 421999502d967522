package export

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/results"
)

// A Type is the type of a column's values: string, bool, int32, uint64 or float64.
type Type int

const (
	String  Type = iota // string
	Bool                // bool
	Int32               // int32
	Uint64              // uint64
	Float64             // float64
)

// String returns the name of the Go type.
func (t Type) String() string { return [...]string{"string", "bool", "int32", "uint64", "float64"}[t] }

// A Column of a table. Its values have the Go type that Type names; those of nullable columns may be nil, for null.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
	Unit     string // or ""
	Doc      string // what it says, as docs/export.md has it
}

// A row is what the values of a row are taken from: the trial, and the round or the pull.
type row struct {
	set    *results.Set
	policy results.PolicyRecords
	record results.Record

	round                    *results.Round
	chains                   int
	sumRealised, sumExpected float64 // up to and including the round
	multiplier               [3]any  // lowest, mean and highest over the chains
	arms                     []any   // pulls of each arm of the layout

	pull *bandit.PullRecord

	sidecar *results.Sidecar // nil if the trial has none that can be read
}

// A column declares a Column and its value in a row.
type column struct {
	Column
	value   func(*row) any
	ofTrial bool // the value is the same in all rows of a trial
}

// each returns a column whose value is another one in each row, ofTrial one whose value is the same in all rows of a trial.
func each(name string, t Type, unit, doc string, value func(*row) any) column {
	return column{Column: Column{Name: name, Type: t, Unit: unit, Doc: doc}, value: value}
}

func ofTrial(name string, t Type, doc string, value func(*row) any) column {
	return column{Column: Column{Name: name, Type: t, Doc: doc}, value: value, ofTrial: true}
}

// orNull returns the column with null among its values.
func (c column) orNull() column {
	c.Nullable = true
	return c
}

// A sheet is the list of a table's columns.
type sheet []column

// columns returns them without their values.
func (s sheet) columns() []Column {
	list := make([]Column, len(s))
	for i, c := range s {
		list[i] = c.Column
	}
	return list
}

// writer returns a function that calls out with the values of each row of one trial.
func (s sheet) writer(out func([]any) error) func(*row) error {
	var values []any
	return func(r *row) error {
		first := values == nil
		if first {
			values = make([]any, len(s))
		}
		for i := range s {
			if first || !s[i].ofTrial {
				values[i] = s[i].value(r)
			}
		}
		return out(values)
	}
}

// The columns of trials that several tables have.
var (
	trialColumn = ofTrial("trial", String, "ID of the trial: SHA-256 of its identity, in hexadecimal", func(r *row) any { return r.record.ID() })

	environmentColumn = ofTrial("environment", String, "name of the environment", func(r *row) any { return r.set.Conditions.Environment.Name })

	dataHashColumn = ofTrial("data_sha256", String, "SHA-256 of the data, in hexadecimal", func(r *row) any { return r.set.Conditions.Environment.Data.SHA256 })

	epochColumn = ofTrial("epoch", Int32, "results epoch: trials of different epochs are not comparable", func(r *row) any { return int32(r.set.Conditions.Epoch) })

	settingColumn = ofTrial("setting", String,
		"name of the environment in an experiment on several; else of its environment, with the fields in which the settings of a folder differ",
		func(r *row) any { return r.set.Label })

	labelColumn = ofTrial("policy", String, "label: the name, and the options in which policies of one name differ", func(r *row) any { return r.policy.Label })

	nameColumn = ofTrial("policy_name", String, "name of the policy", func(r *row) any { return r.policy.Policy.Name })

	optionsColumn = ofTrial("options", String, "its resolved options, as JSON; with `--policy-options` alone, as they are long and the same in all rounds",
		func(r *row) any { return string(r.policy.Policy.Options) })

	seedColumn = ofTrial("seed", Uint64, "seed of all randomness of the trial", func(r *row) any { return r.record.Seed })

	failedColumn = ofTrial("failed", Bool, "whether the trial ended before its last round", func(r *row) any { return r.record.Totals.Failure != nil })
)

// policyColumns returns the columns of the policy, its options if the layout has them.
func (l *layout) policyColumns() sheet {
	if l.options {
		return sheet{labelColumn, nameColumn, optionsColumn}
	}
	return sheet{labelColumn, nameColumn}
}

// parameterColumns returns a column for each option in which policies of one name differ.
func (l *layout) parameterColumns() sheet {
	var list sheet
	for _, name := range l.names {
		list = append(list, ofTrial("option_"+name, String,
			"value of an option in which policies of one name differ, such as one of a sweep; one column per option; null for other policies",
			func(r *row) any {
				if text := l.parameters[r.set].Text(r.policy.Label, name); text != "" {
					return text
				}
				return nil
			}).orNull())
	}
	return list
}

// described returns a table of the columns in Markdown, as docs/export.md has it.
func described(columns []Column) string {
	text := "| column | type | unit | what it is |\n| --- | --- | --- | --- |\n"
	for _, c := range columns {
		typed, unit := c.Type.String(), c.Unit
		if c.Nullable {
			typed += ", null"
		}
		if unit != "" {
			unit = " " + unit
		}
		text += fmt.Sprintf("| `%s` | %s |%s | %s |\n", c.Name, typed, unit, c.Doc)
	}
	return text
}
