// Package table makes a bandit of any labeled file: CSV, TSV, ARFF or libsvm, plain or compressed by
// gzip. Each pull draws a row; its class decides the rewards of the arms.
//
// Columns are in the order of the file. Values of a category, and with them the arms, are sorted: as numbers if all are
// such, else by their bytes. Values that an ARFF file declares keep their order. Environments share a read-only table.
package table

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/internal/workdir"
	"banditsim/results"
)

// Options are the options of the environment. They name a column as the file does, else by its number, from 1.
type Options struct {
	Format string `json:"format" enum:"auto,csv,tsv,arff,libsvm"` // auto: by the end of the file's name, else by its first line
	// Whether the first line of CSV holds the names of columns; auto: it does if none of its cells is a number, repeats
	// another or occurs again in its column.
	Header      string   `json:"header" enum:"auto,yes,no"`
	Target      string   `json:"target"`                // column of the classes, which become the arms; empty: the last, in libsvm the label
	Keep        []string `json:"keep,omitempty"`        // columns that are features; empty: all
	Drop        []string `json:"drop,omitempty"`        // columns that are not used
	Categorical []string `json:"categorical,omitempty"` // columns that are categories though their values are numbers
	Numeric     []string `json:"numeric,omitempty"`     // columns that must be numbers
	// Dates are columns of dates, which become days since 1970, weekday and month. Columns whose values are all dates,
	// in an unambiguous order of day and month, are found without this option.
	Dates []string `json:"dates,omitempty"`
	// DecimalComma are columns of numbers with a decimal comma, or with a currency or percent sign such as $1,200 and
	// 0.5%. Columns whose values are all such numbers are found without this option. It is needed if three digits follow
	// each comma, which may then separate thousands, and no currency is before the number.
	DecimalComma []string `json:"decimal_comma,omitempty"`
	// LeftOut are columns that the program left out as they name or count the rows: to use one, name it in categorical or
	// numeric.
	LeftOut     []string `json:"left_out,omitempty"`
	Missing     string   `json:"missing" enum:"category,refuse"`   // an empty cell, ? or NA is a value of its own (category), or an error
	Encoding    string   `json:"encoding" enum:"onehot,ordinal"`   // categories as an element for each value, or as one number in [0, 1]
	Standardize string   `json:"standardize" enum:"file,seen,off"` // numbers to mean 0 and variance 1: over the file, over the rows drawn so far, or not
	// Costs by class and arm, {class: {arm: cost}}; or the path of a CSV file with the arms in the first line and a
	// class in the first cell of each other line; or numbers: for each class in order, the cost of each arm. Rewards
	// are minus the costs; without costs, 1 for the arm of the class, else 0.
	Costs         Costs    `json:"costs,omitzero"`
	RewardColumns []string `json:"reward_columns,omitempty"` // columns with the rewards of one arm each, in place of a target
	datasets.Drawing
}

// validate checks the options as far as they do not depend on a file.
func (o Options) validate() error {
	for i, name := range o.RewardColumns {
		if slices.Contains(o.RewardColumns[:i], name) {
			return fmt.Errorf("reward_columns: %s occurs twice", quote(name))
		}
	}
	k := len(o.RewardColumns)
	return cmp.Or(
		check.OneOf("format", o.Format, "auto", "csv", "tsv", "arff", "libsvm"),
		check.OneOf("header", o.Header, "auto", "yes", "no"),
		check.OneOf("missing", o.Missing, "category", "refuse"),
		check.OneOf("encoding", o.Encoding, "onehot", "ordinal"),
		check.OneOf("standardize", o.Standardize, "file", "seen", "off"),
		o.Validate(),
		o.Costs.validate(),
		check.That(k == 0 || o.Target == "", "target and reward_columns: want one of them"),
		check.That(k == 0 || k >= 2 && k <= maxArms, "reward_columns: %d columns, want 2 to %d", k, maxArms),
		check.That(k == 0 || o.Costs.IsZero(), "costs and reward_columns: want one of them"))
}

// Kind declares the environment for catalogs.
func Kind() datasets.Kind[Options] {
	return datasets.Kind[Options]{
		Name: "table", Doc: "any labeled file as a bandit: CSV, TSV, ARFF, libsvm, or gzip of them; --data FILE, iris or digits",
		Defaults: func() Options {
			return Options{Format: "auto", Header: "auto", Missing: "category", Encoding: "onehot", Standardize: "file"}
		},
		Open:  open,
		Takes: func(data string) bool { return formatOf(data) != "" || shipped[data] != nil },
		Rows:  describeRows,
	}
}

const envVar = "BANDITSIM_DATA"

func load(ctx context.Context, o Options, data string) (*table, error) {
	from := ""
	if data == "" {
		from = "$" + envVar + ": "
		if data = workdir.Getenv(ctx, envVar); data == "" {
			return nil, errors.New("table: the environment table needs a file: --data FILE, iris or digits, or set $" + envVar)
		}
	}
	var text []byte
	var err error
	if shipped[data] != nil {
		text, err = Shipped(data)
		data += ".csv"
	} else {
		text, err = readFile(ctx, data, "--data wants the path of a table, iris or digits")
	}
	if err != nil {
		return nil, &datasets.DataError{Err: fmt.Errorf("table: %s%w", from, err)}
	}
	if o.Costs, err = o.Costs.read(ctx); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	t, err := parse(data, text, o)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return t, nil
}

func open(ctx context.Context, o Options, data string) (*datasets.World, error) {
	t, err := load(ctx, o, data)
	if err != nil {
		return nil, err
	}
	e, err := t.encode(o)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	o.Costs = t.costs // as numbers, so that the form of the costs does not change the identity of trials
	o.Dates, o.DecimalComma = t.dates, slices.Concat(t.commas, t.signs)
	left := lists.Each(t.leftOut, func(l leftOut) string { return l.name })
	o.LeftOut = slices.Compact(slices.Sorted(slices.Values(slices.Concat(o.LeftOut, left))))
	target := words.Count(len(t.arms), "column") + " of rewards"
	if t.target != nil {
		target = "the values of column " + words.Plain(t.target.name)
	}
	w := datasets.World{Target: target, Detail: t.costText(), Data: results.Data{Name: "file", SHA256: t.sha256}, Warning: t.warning(), Describe: e.describe}
	return o.World(w, e.environment, func(d datasets.Drawing) any {
		o.Drawing = d
		return o
	})
}

// warning returns the warnings about the header, the classes and the columns, or "".
func (t *table) warning() string {
	var list []string
	if t.headerWarning != "" {
		list = append(list, t.headerWarning)
	}
	spelled := map[string]string{}
	for _, arm := range t.arms {
		key, how := strings.ToLower(arm), "differ only in case"
		if x, ok := parseNumber(arm); ok {
			key, how = fmt.Sprint(x), "are the same number"
		}
		if other, ok := spelled[key]; ok && t.target != nil {
			list = append(list, fmt.Sprintf("%s and %s are two arms that %s: spell one class one way", quote(other), quote(arm), how))
		}
		spelled[key] = arm
	}
	if t.target != nil && tooManyClasses(t.arms, t.rows) {
		list = []string{fmt.Sprintf("column %s has %s in %s, each of which is a class with an arm: name the column of the classes with --set environment.target=NAME, or columns of rewards with environment.reward_columns",
			quote(t.target.name), words.Count(len(t.arms), "value"), words.Count(t.rows, "row"))}
	}
	list = slices.Concat(list, lists.Each(t.leftOut, leftOut.String), t.mixed)
	about := func(columns []string, format, option string) {
		if len(columns) > 0 {
			list = append(list, fmt.Sprintf(format, strings.Join(columns, ", "), words.CommandLine([]string{"--set", "environment." + option + "=" + strings.Join(columns, ",")})))
		}
	}
	var telling []string
	for i := range t.features {
		if c := &t.features[i]; t.target != nil && t.determinedBy(c) {
			telling = append(telling, c.name)
		}
	}
	about(telling, "each value of %s has one class: unless it is known before an arm is chosen, leave it out with %s", "drop")
	about(t.dates, "the dates of %s became days, weekday and month, without times of day: as one category with %s", "categorical")
	about(t.thousands, "%s became categories, as their commas may separate thousands: for numbers use %s", "decimal_comma")
	about(t.commas, "the commas of %s were read as decimal commas: as categories with %s", "categorical")
	about(t.signs, "%s became numbers, as 0.5%%, 0,5 € or $1,200 becomes 0.5, 0.5 or 1200: as categories with %s", "categorical")
	return strings.Join(list, "; ")
}

// determinedBy reports whether each value of c determines the class. It needs two values and five rows each on average.
func (t *table) determinedBy(c *column) bool {
	classes := map[string]int32{}
	for row, class := range t.target.codes {
		v := c.text(row)
		if before, ok := classes[v]; ok && before != class || 5*len(classes) > t.rows {
			return false
		}
		classes[v] = class
	}
	return len(classes) > 1 && 5*len(classes) <= t.rows
}

// fewValues is the number of values up to which a column may be a category in a file of any length.
const fewValues = 20

// tooManyClasses reports whether a target has too many values to be classes: more than a tenth of the rows, such as
// names, or a hundred or more that are all numbers, such as measurements. Up to fewValues are never too many.
func tooManyClasses(values []string, rows int) bool {
	if len(values) <= fewValues {
		return false
	}
	return len(values) > rows/10 || len(values) >= 100 && !slices.ContainsFunc(values, func(v string) bool { _, ok := parseNumber(v); return !ok })
}

// maxDescribed is the largest number of cells that describeRows describes.
const maxDescribed = 1_000_000

// describeRows describes the rows of the built-in table that the trials ran on. If they ran on a file, this must be the
// one that $BANDITSIM_DATA names.
func describeRows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	var o Options
	if err := json.Unmarshal(e.Options, &o); err != nil {
		return nil, fmt.Errorf("table: options of the trials: %w", err)
	}
	data := ""
	for name := range shipped {
		if text, err := Shipped(name); err == nil && fmt.Sprintf("%x", sha256.Sum256(text)) == e.Data.SHA256 {
			data = name
		}
	}
	if data == "" && workdir.Getenv(ctx, envVar) == "" {
		return nil, errors.New("their file is not known here: set " + envVar + "=FILE")
	}
	t, err := load(ctx, o, data)
	if err != nil {
		return nil, err
	}
	if t.sha256 != e.Data.SHA256 {
		return nil, datasets.OtherData(e.Data.SHA256, t.sha256, envVar)
	}
	if n := t.rows * len(t.features); n > maxDescribed {
		return nil, fmt.Errorf("the file has %d cells, at most %d are described", n, maxDescribed)
	}
	rows := &datasets.Rows{Wrong: func(row, arm int) bool {
		r := t.reward(row)
		return r[arm] < slices.Max(r)
	}}
	rows.Columns = lists.Each(t.features, func(c column) string { return c.name })
	for row := range t.rows {
		rows.Values = append(rows.Values, lists.Each(t.features, func(c column) string { return c.text(row) }))
	}
	return rows, nil
}

func (c *column) text(row int) string {
	switch {
	case c.numeric() && c.numbers[row] == c.numbers[row]:
		return strconv.FormatFloat(c.numbers[row], 'g', -1, 64)
	case !c.numeric() && c.codes[row] >= 0:
		return c.values[c.codes[row]]
	}
	return "?"
}
