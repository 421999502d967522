package export

import (
	"fmt"

	"banditsim/internal/parquet"
	"banditsim/results"
)

// A Column of a table. Its values have the Go type that Type names; those of nullable columns may be nil, for null.
type Column struct {
	Name     string
	Type     parquet.Type
	Nullable bool
	Unit     string // or ""
	Doc      string // what it says, as docs/export.md has it
}

// A column declares a Column and its value in a row that comes from R.
type column[R any] struct {
	Column
	once  bool // the value is the same in all rows of a trial
	value func(R) any
}

// each returns a column whose value is another one in each row, ofTrial one whose value is the same in all rows of a trial.
func each[R any](name string, t parquet.Type, unit, doc string, value func(R) any) column[R] {
	return column[R]{Column{Name: name, Type: t, Unit: unit, Doc: doc}, false, value}
}

func ofTrial[R any](name string, t parquet.Type, unit, doc string, value func(R) any) column[R] {
	return column[R]{Column{Name: name, Type: t, Unit: unit, Doc: doc}, true, value}
}

// orNull returns the column with null among its values.
func (c column[R]) orNull() column[R] {
	c.Nullable = true
	return c
}

// A sheet is the list of a table's columns.
type sheet[R any] []column[R]

// columns returns them without their values.
func (s sheet[R]) columns() []Column {
	list := make([]Column, len(s))
	for i, c := range s {
		list[i] = c.Column
	}
	return list
}

// A line fills a row of a trial again and again.
type line[R any] struct {
	sheet sheet[R]
	row   []any
}

// put writes the next row of the trial, from r.
func (l *line[R]) put(out rowWriter, r R) error {
	first := l.row == nil
	if first {
		l.row = make([]any, len(l.sheet))
	}
	for i := range l.sheet {
		if c := &l.sheet[i]; first || !c.once {
			l.row[i] = c.value(r)
		}
	}
	return out.Write(l.row)
}

// A trialRow is what the columns of a trial need.
type trialRow struct {
	set    *results.Set
	policy results.PolicyRecords
	record results.Record
}

func (t *trialRow) trial() *trialRow { return t }

// A rowOfTrial is made from a trial.
type rowOfTrial interface{ trial() *trialRow }

// The columns of trials that several tables have.

func trialColumn[R rowOfTrial]() column[R] {
	return ofTrial("trial", parquet.String, "", "ID of the trial: SHA-256 of its identity, in hexadecimal", func(r R) any { return r.trial().record.ID() })
}

func environmentColumn[R rowOfTrial]() column[R] {
	return ofTrial("environment", parquet.String, "", "name of the environment", func(r R) any { return r.trial().set.Conditions.Environment.Name })
}

func dataHashColumn[R rowOfTrial]() column[R] {
	return ofTrial("data_sha256", parquet.String, "", "SHA-256 of the data, in hexadecimal", func(r R) any { return r.trial().set.Conditions.Environment.Data.SHA256 })
}

func epochColumn[R rowOfTrial]() column[R] {
	return ofTrial("epoch", parquet.Int32, "", "results epoch: trials of different epochs are not comparable", func(r R) any { return int32(r.trial().set.Conditions.Epoch) })
}

func settingColumn[R rowOfTrial]() column[R] {
	return ofTrial("setting", parquet.String, "", "name of the environment in an experiment on several; else of its environment, with the fields in which the settings of a folder differ",
		func(r R) any { return r.trial().set.Label })
}

func policyColumns[R rowOfTrial]() sheet[R] {
	return sheet[R]{
		ofTrial("policy", parquet.String, "", "label: the name, and the options in which policies of one name differ", func(r R) any { return r.trial().policy.Label }),
		ofTrial("policy_name", parquet.String, "", "name of the policy", func(r R) any { return r.trial().policy.Policy.Name }),
	}
}

func optionsColumn[R rowOfTrial]() column[R] {
	return ofTrial("options", parquet.String, "", "its resolved options, as JSON; with `--options` alone, as they are long and the same in all rounds",
		func(r R) any { return string(r.trial().policy.Policy.Options) })
}

func seedColumn[R rowOfTrial]() column[R] {
	return ofTrial("seed", parquet.Uint64, "", "seed of all randomness of the trial", func(r R) any { return r.trial().record.Seed })
}

func failedColumn[R rowOfTrial]() column[R] {
	return ofTrial("failed", parquet.Bool, "", "whether the trial ended before its last round", func(r R) any { return r.trial().record.Totals.Failure != nil })
}

// parameterColumns returns a column for each option in which policies of one name differ.
func parameterColumns[R rowOfTrial](l *layout) sheet[R] {
	var list sheet[R]
	for _, name := range l.names {
		list = append(list, ofTrial("option_"+name, parquet.String, "", "value of an option in which policies of one name differ, such as one of a sweep; one column per option; null for other policies",
			func(r R) any {
				if text := l.parameters[r.trial().set].Text(r.trial().policy.Label, name); text != "" {
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
