package export

import (
	"banditsim/bandit"
	"banditsim/results"
)

// A Type is the type of a column's values: string, bool, int32, uint64 or float64.
type Type int

const (
	String Type = iota
	Bool
	Int32
	Uint64
	Float64
)

// String returns the name of the Go type.
func (t Type) String() string { return [...]string{"string", "bool", "int32", "uint64", "float64"}[t] }

// A Column is a column of a table. Its values have the Go type that Type names; if Nullable, they may be nil, for null.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
	Unit     string // unit, or ""
	Doc      string // description for docs/export.md
}

// A row has the data from which the values of a table's row are computed. Every table has the first three fields.
type row struct {
	set    *results.Set
	policy results.PolicyRecords
	record results.Record

	// Fields of tables of rounds.
	round                    *results.Round
	chains                   int
	sumRealised, sumExpected float64 // regret up to and including the round
	multiplier               [3]any  // lowest, mean and highest over the chains, or nil
	arms                     []any   // pulls of each arm in layout.arms, or nil

	pull *bandit.PullRecord // in tables of pulls

	sidecar *results.Sidecar // in tables of trials; nil if there is no readable sidecar
}

// A column is a Column with a function that computes its value in a row.
type column struct {
	Column
	value   func(*row) any
	ofTrial bool // reports whether the value is the same in all rows of a trial
}

// each returns a column whose value may differ in every row.
func each(name string, t Type, unit, doc string, value func(*row) any) column {
	return column{Column: Column{Name: name, Type: t, Unit: unit, Doc: doc}, value: value}
}

// ofTrial returns a column whose value is the same in all rows of a trial, and is computed once.
func ofTrial(name string, t Type, doc string, value func(*row) any) column {
	return column{Column: Column{Name: name, Type: t, Doc: doc}, value: value, ofTrial: true}
}

// orNull returns the column as nullable.
func (c column) orNull() column {
	c.Nullable = true
	return c
}

// A sheet is the list of a table's columns.
type sheet []column

func (s sheet) columns() []Column {
	list := make([]Column, len(s))
	for i, c := range s {
		list[i] = c.Column
	}
	return list
}

// writer returns a function to call with each row of one trial; it passes the row's values to out.
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

// Columns that several tables have.
var (
	trialColumn       = ofTrial("trial", String, "ID of the trial: SHA-256 of its identity, in hexadecimal", func(r *row) any { return r.record.ID() })
	environmentColumn = ofTrial("environment", String, "name of the environment", func(r *row) any { return r.set.Conditions.Environment.Name })
	dataHashColumn    = ofTrial("data_sha256", String, "SHA-256 of the data, in hexadecimal", func(r *row) any { return r.set.Conditions.Environment.Data.SHA256 })
	epochColumn       = ofTrial("epoch", Int32, "results epoch: trials of different epochs are not comparable", func(r *row) any { return int32(r.set.Conditions.Epoch) })
	settingColumn     = ofTrial("setting", String,
		"name of the environment in an experiment on several; else of its environment, with the fields in which the settings of a folder differ",
		func(r *row) any { return r.set.Label })
	labelColumn   = ofTrial("policy", String, "label: the name, and the options in which policies of one name differ", func(r *row) any { return r.policy.Label })
	nameColumn    = ofTrial("policy_name", String, "name of the policy", func(r *row) any { return r.policy.Policy.Name })
	optionsColumn = ofTrial("options", String, "its resolved options, as JSON; with `--policy-options` alone, as they are long and the same in all rounds",
		func(r *row) any { return string(r.policy.Policy.Options) })
	seedColumn   = ofTrial("seed", Uint64, "seed of all randomness of the trial", func(r *row) any { return r.record.Seed })
	failedColumn = ofTrial("failed", Bool, "whether the trial ended before its last round", func(r *row) any { return r.record.Totals.Failure != nil })
)

// policyColumns returns the columns that describe the policy, with its options if l.options is set.
func (l *layout) policyColumns() sheet {
	if l.options {
		return sheet{labelColumn, nameColumn, optionsColumn}
	}
	return sheet{labelColumn, nameColumn}
}

// parameterColumns returns a column for each option in which policies with the same name differ.
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
