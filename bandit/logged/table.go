package logged

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"banditsim/bandit"
	"banditsim/internal/nearest"
)

const (
	noColumn  = "none" // name in ReadOptions for a column that the log does not have
	kindRows  = 1000   // number of first rows that decide whether a column of the context is numeric
	maxLevels = 1000   // largest number of categories of a column
)

// wantNumber says, in the error about a missing number in the context, what is wanted instead.
var wantNumber = fmt.Sprintf("a number, as the first %d rows have: fill it in or leave the row out", kindRows)

// table reads a table with a header, such as CSV.
type table struct {
	title   string
	source  source
	options ReadOptions
	header  []string
	// Indices of columns, −1 for none.
	arm, reward, propensity, position, time, available int

	probabilities []int
	features      []*feature
	dim           int // length of the context; 0 without columns and in the first pass
	arms          *arms

	in    cells
	learn bool // true in the first pass
	hash  maphash.Hash
}

// cells reads the rows of a table. Read returns the texts of a row, valid until the next call; io.EOF after the last.
type cells interface {
	Read() ([]string, error)
}

// A source returns the rows of a table without its header.
type source func(in *bufio.Reader) (cells, error)

// A feature is a column of the context: of numbers, or of categories, which are one-hot encoded.
type feature struct {
	column int
	name   string
	levels map[string]int // number of each category; nil for a column of numbers
	names  []string       // names of the categories
	first  int            // index of its first element in the context
	// missing is how many of the first kindRows rows have no value. If it is not 0, a column of numbers has a second
	// element in the context, which is 1 where the number is missing.
	missing int
}

// absent reports whether a cell of a column of numbers has a missing value, as in tables of package datasets/table.
func absent(cell string) bool { return cell == "" || cell == "NA" || cell == "?" }

func newTable(title, path string, header []string, from source, o ReadOptions) (*table, error) {
	c := &table{title: title, source: from, options: o, header: header, arms: newArms(o.Arms), learn: true}
	var err error
	find := func(name, flag string, must bool) int {
		k, wrong := c.column(name, flag, must)
		err = cmp.Or(err, wrong)
		return k
	}
	c.arm, c.reward = find(o.Arm, "arm", true), find(o.Reward, "reward", true)
	if o.Propensity == EstimatedPropensity && !slices.Contains(header, o.Propensity) {
		if o.Propensity = ""; o.Probabilities != nil {
			return nil, &InputError{"--probabilities and --propensity estimate: want one of them"}
		}
	}
	c.propensity = find(o.Propensity, "propensity", o.Probabilities == nil && !o.Unrecorded)
	c.position, c.time, c.available = find(o.Position, "position", false), find(o.Time, "time", false), find(o.Available, "available", false)
	for _, name := range o.Probabilities {
		c.probabilities = append(c.probabilities, find(name, "probabilities", true))
	}
	for i, name := range o.Context {
		f := &feature{name: name, column: find(name, "context", true)}
		if slices.Contains(o.Context[:i], name) || f.column == c.arm || f.column == c.reward || f.column == c.propensity {
			err = cmp.Or(err, error(&InputError{fmt.Sprintf("--context: the column %s is named twice, or is the arm, the reward or the propensity, which no policy knows before it chooses", name)}))
		}
		c.features = append(c.features, f)
	}
	if err != nil {
		return nil, err
	}
	return c, c.kinds(path)
}

// column returns the index of the column called name. If name is "", or is noColumn and no column is called so, column
// returns −1 or, if must is true, an error, which for a column of propensities is ErrNoPropensities.
func (c *table) column(name, flag string, must bool) (int, error) {
	k := slices.Index(c.header, name)
	switch {
	case k >= 0 && name != "" && slices.Contains(c.header[k+1:], name):
		return -1, &InputError{fmt.Sprintf("--%s: two columns of the header have the name %s: rename one of them", flag, name)}
	case k >= 0 && name != "":
		return k, nil
	case !must && (name == "" || name == noColumn):
		return -1, nil
	case name != "":
		return -1, &InputError{fmt.Sprintf("--%s: there is no column %q%s: the header has %s", flag, name, nearest.DidYouMean(name, c.header), strings.Join(c.header, ", "))}
	case flag == "propensity":
		return -1, fmt.Errorf("%w: name the column with --propensity: the header has %s", ErrNoPropensities, strings.Join(c.header, ", "))
	}
	return -1, &InputError{fmt.Sprintf("which column has the %s? Name it with --%s: the header has %s", flag, flag, strings.Join(c.header, ", "))}
}

// columns returns the names of the context columns, and of the unused columns except those that only number the rows.
func (c *table) columns() (context, ignored []string) {
	used := append([]int{c.arm, c.reward, c.propensity, c.position, c.time, c.available}, c.probabilities...)
	for _, f := range c.features {
		context, used = append(context, f.name), append(used, f.column)
	}
	for k, name := range c.header {
		number := name == "" || c.title == journalTitle && name == "id"
		if !number && !slices.Contains(used, k) {
			ignored = append(ignored, name)
		}
	}
	return context, ignored
}

// kinds finds the context columns with categories: in the first kindRows rows, a value is no number or all are missing.
func (c *table) kinds(path string) error {
	return read(path, func(in *bufio.Reader) error {
		if err := c.begin(in); err != nil {
			return err
		}
		rows := 0
		for ; rows < kindRows; rows++ {
			cells, err := c.in.Read()
			if err != nil {
				break // the first pass reports errors
			}
			for _, f := range c.features {
				if absent(cells[f.column]) {
					f.missing++
				} else if _, err := strconv.ParseFloat(cells[f.column], 64); err != nil && f.levels == nil {
					f.levels = make(map[string]int)
				}
			}
		}
		for _, f := range c.features {
			if f.missing == rows {
				f.levels = make(map[string]int)
			}
		}
		return nil
	})
}

func (c *table) name() string { return c.title }

func (c *table) begin(in *bufio.Reader) (err error) {
	c.in, err = c.source(in)
	return err
}

func (c *table) next(r *Row) error {
	cells, err := c.in.Read()
	switch wrong, ok := errors.AsType[*csv.ParseError](err); {
	case ok:
		return fmt.Errorf("row %d, line %d, column %d: %w", r.Number, wrong.Line, wrong.Column, wrong.Err)
	case err != nil:
		return err
	}
	if c.learn && c.options.Duplicates {
		c.hash.Reset()
		for k, cell := range cells {
			if c.header[k] != "" { // a column without a name numbers the rows
				c.hash.WriteString(cell) // never fails
				c.hash.WriteByte(0)
			}
		}
		r.hash = c.hash.Sum64()
	}
	if c.title == exportedTitle { // an export has an apostrophe before a text that a spreadsheet would run as a formula
		cells[c.arm] = strings.TrimPrefix(cells[c.arm], "'")
	}
	if r.Arm, err = c.arms.of(cells[c.arm], r.Number, c.header[c.arm]); err != nil {
		return err
	}
	if r.Reward, err = finite(cells[c.reward], r.Number, c.header[c.reward], "the reward, a finite number: leave the row out if there was none"); err != nil {
		return err
	}
	if err := c.readPropensity(r, cells); err != nil {
		return err
	}
	if r.Position = 0; c.position >= 0 {
		if r.Position, err = strconv.Atoi(cells[c.position]); err != nil {
			return rowError(r.Number, c.header[c.position], cells[c.position], "a whole number: if the column has other things, say --position "+noColumn)
		}
	}
	if r.Time = math.NaN(); c.time >= 0 {
		if r.Time, err = parseTime(cells[c.time]); err != nil {
			return rowError(r.Number, c.header[c.time], cells[c.time], "seconds, or a time such as 2019-11-24 00:01:03: if the column has other things, say --time "+noColumn)
		}
	}
	if c.available >= 0 {
		if err := c.readAvailable(r, cells[c.available], cells[c.arm]); err != nil {
			return err
		}
	}
	return c.context(r, cells)
}

// readAvailable sets r.Available from the names of the arms that could be pulled, which must include the pulled one.
func (c *table) readAvailable(r *Row, cell, pulled string) error {
	column, names := c.header[c.available], strings.Split(cell, "|")
	if r.Available = nil; cell == "" {
		return nil
	}
	if strings.HasPrefix(cell, "[") && json.Unmarshal([]byte(cell), &names) != nil {
		return rowError(r.Number, column, cell, "a list of the names of arms")
	}
	for _, name := range names {
		arm, err := c.arms.of(name, r.Number, column)
		if err != nil {
			return err
		}
		r.Available = append(r.Available, make([]bool, max(len(c.arms.names)-len(r.Available), 0))...)
		r.Available[arm] = true
	}
	if !slices.Contains(names, pulled) {
		return rowError(r.Number, column, cell, fmt.Sprintf("the arm %s, which was pulled, among the arms that could be", pulled))
	}
	return nil
}

// readPropensity reads the propensity and the probabilities of all arms.
func (c *table) readPropensity(r *Row, cells []string) (err error) {
	if r.Probabilities, err = probabilities(r.Probabilities[:0], cells, c.probabilities, c.options.Probabilities, r.Number); err != nil {
		return err
	}
	if len(c.probabilities) > 0 && !c.learn {
		if n := len(c.arms.names); len(c.probabilities) != n {
			return fmt.Errorf("--probabilities names %d columns, the log has %d arms: want one column per arm, in the order %s", len(c.probabilities), n, strings.Join(c.arms.names, ", "))
		}
		if err := checkSum(r.Probabilities, r.Number, c.options.Probabilities[0]); err != nil {
			return err
		}
	}
	if c.propensity < 0 {
		if r.Propensity = 1; c.probabilities == nil {
			r.Propensity = math.NaN()
			return nil
		}
		if c.learn {
			return nil // arms are not numbered yet
		}
		r.Propensity = r.Probabilities[r.Arm]
		return checkPropensity(r.Propensity, r.Number, c.header[c.probabilities[r.Arm]])
	}
	cell, column := cells[c.propensity], c.header[c.propensity]
	switch {
	case cell == "" && c.options.Unrecorded:
		r.Propensity = math.NaN()
		return nil
	case cell == "":
		return fmt.Errorf("row %d, column %s: %w of all rows", r.Number, column, ErrNoPropensities)
	}
	if r.Propensity, err = propensity(cell, r.Number, column); err != nil || c.learn || len(c.probabilities) == 0 {
		return err
	}
	if of := r.Probabilities[r.Arm]; math.Abs(of-r.Propensity) > 1e-3*r.Propensity {
		return rowError(r.Number, column, cell, fmt.Sprintf("the probability of the arm %s, which column %s has as %g: the two are in conflict, name the right one", cells[c.arm], c.header[c.probabilities[r.Arm]], of))
	}
	return nil
}

// context sets the context of a row or, in the first pass, collects the levels of categories.
func (c *table) context(r *Row, cells []string) error {
	r.Context = newContext(r.Context, c.dim)
	for _, f := range c.features {
		cell := cells[f.column]
		if f.levels == nil {
			at, v := f.first, 1.0
			var err error
			if f.missing > 0 && absent(cell) {
				at++
			} else if v, err = finite(cell, r.Number, f.name, wantNumber); err != nil {
				return err
			}
			if !c.learn {
				r.Context[at] = float32(v)
			}
			continue
		}
		level, ok := f.levels[cell]
		switch {
		case ok:
		case !c.learn:
			return rowError(r.Number, f.name, cell, "a category that was there when the file was read before: was the file changed?")
		case len(f.names) == maxLevels:
			return rowError(r.Number, f.name, cell, fmt.Sprintf("at most %d categories: leave the column out of --context", maxLevels))
		default:
			level = len(f.names)
			name := strings.Clone(cell)
			f.levels[name], f.names = level, append(f.names, name)
		}
		if !c.learn {
			r.Context[f.first+level] = 1
		}
	}
	return nil
}

// spec also gives each column its place in the context. Without columns every context is [1].
func (c *table) spec() (bandit.Spec, []string, []int) {
	c.learn = false
	order := c.arms.learned()
	var columns []string
	var groups []int
	var named []bandit.Column
	for i, f := range c.features {
		f.first = len(columns)
		named = append(named, bandit.Column{Name: f.name, Values: f.names, Missing: f.levels == nil && f.missing > 0})
		if f.levels == nil {
			columns, groups = append(columns, f.name), append(groups, 0)
		}
		if named[i].Missing {
			columns, groups = append(columns, f.name+" missing"), append(groups, 0)
		}
		for _, level := range f.names {
			columns, groups = append(columns, f.name+"="+level), append(groups, i+1)
		}
	}
	if c.dim = len(columns); c.dim == 0 {
		columns, groups, named = []string{"1"}, []int{0}, []bandit.Column{{Name: "1"}}
	}
	return bandit.Spec{Dim: len(columns), Arms: c.arms.names, Groups: groups, Columns: named, IgnoresActions: true, UniformRegret: math.NaN()}, columns, order
}

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02"}

// parseTime returns a number as it is, and a date, with or without a time, in seconds since 1970.
func parseTime(s string) (float64, error) {
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v, nil
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.UnixNano()) / 1e9, nil
		}
	}
	return 0, errors.New("not a time")
}
