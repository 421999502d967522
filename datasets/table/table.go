package table

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
)

// A column is what the file declares about a column, what the options say, and the values of all rows: numbers, NaN if
// missing, or codes of a category, −1 if missing.
type column struct {
	name     string
	line, at int    // place of the name; 0 if the file does not have it
	kind     string // "numeric", "categorical", or "" if the values have to tell
	zero     string // value of a row that leaves the column out
	declared bool   // the file lists the values of the category
	role     role
	fixed    bool // the file or an option decides the kind: screen keeps the column as it is
	refuse   bool // missing values are errors
	numbers  []float64
	codes    []int32
	values   []string         // the value that each code stands for
	codeOf   map[string]int32 // codes by value while the rows are read
	absent   int              // rows without a value
}

func (c *column) numeric() bool { return c.codes == nil }

// A table is a file whose rows were read: features, and the reward of each arm.
type table struct {
	rows   int
	sha256 string // SHA-256 of the text, in hexadecimal: the same for a file and the file compressed
	format string
	header bool // the first line of a CSV file holds the names of columns

	headerWarning string
	leftOut       []leftOut
	dates         []string // columns of dates, which became days, weekday and month
	mixed         []string // warnings about categories whose values, except for a few, are numbers or dates
	commas        []string // columns of numbers with a decimal comma
	signs         []string // columns of numbers with a currency or percent sign
	thousands     []string // categories whose values are numbers with a comma that may separate thousands
	features      []column
	target        *column   // column of the classes; nil if each column holds the rewards of an arm
	arms          []string  // classes, or columns of rewards
	rewards       []float64 // rewards of all arms, row by row; see perRow
	perRow        bool      // rewards has a row for each row of the table; else for each class
	costs         Costs     // as numbers in the order of arms; the zero value if there are none
}

// rewardRow returns the index of the row of rewards that applies to a row of the table.
func (t *table) rewardRow(row int) int {
	if t.perRow {
		return row
	}
	return int(t.target.codes[row])
}

// reward returns the rewards of all arms in a row, read-only.
func (t *table) reward(row int) []float64 {
	at := t.rewardRow(row) * len(t.arms)
	return t.rewards[at : at+len(t.arms)]
}

// uniformRegret returns the regret per pull of acting uniformly on rows drawn at random.
func (t *table) uniformRegret() float64 {
	sum := 0.0
	for row := range t.rows { // in the order of rows: the sum is part of the identity of trials
		rewards := t.reward(row)
		all := 0.0
		for _, r := range rewards {
			all += r
		}
		sum += slices.Max(rewards) - all/float64(len(rewards))
	}
	return sum / float64(t.rows)
}

type armSummary struct {
	best           int     // number of rows in which no other arm has a higher reward
	reward, regret float64 // means per pull, if the arm is always pulled
}

func (t *table) summarize() []armSummary {
	rows := make([]int, len(t.rewards)/len(t.arms)) // number of the table's rows for each row of rewards
	for row := range t.rows {
		rows[t.rewardRow(row)]++
	}
	list := make([]armSummary, len(t.arms))
	for i, n := range rows {
		rewards := t.rewards[i*len(t.arms) : (i+1)*len(t.arms)]
		top := slices.Max(rewards)
		for a, r := range rewards {
			s := &list[a]
			s.reward += float64(float64(n) * r)
			s.regret += float64(float64(n) * (top - r))
			if r == top {
				s.best += n
			}
		}
	}
	for a := range list {
		list[a].reward /= float64(t.rows)
		list[a].regret /= float64(t.rows)
	}
	return list
}

// maxArms is the largest number of arms. A column with more values does not hold classes.
const maxArms = 1000

// parseNumber returns the number in a cell, and whether the cell is written as one. NaN and infinity are numbers.
func parseNumber(text string) (v float64, ok bool) {
	if strings.ContainsAny(text, "xX_") {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

// parseDecimal is parseNumber for a number with a decimal point or comma.
func parseDecimal(text string) (v float64, ok bool) {
	return parseNumber(strings.Replace(text, ",", ".", 1))
}

// parse reads a table from the text of the named file. An error in the text, not in the options, is a DataError.
func parse(file string, text []byte, o Options) (*table, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s, err := openSource(file, text, o)
	if err != nil {
		return nil, &datasets.DataError{Err: err}
	}
	if err := s.assign(o); err != nil {
		return nil, err
	}
	if err := s.load(); err != nil {
		return nil, &datasets.DataError{Err: err}
	}
	t := &table{rows: s.count, sha256: fmt.Sprintf("%x", sha256.Sum256(text)), format: s.format, header: s.header, headerWarning: s.warning}
	if err := t.take(s, o); err != nil {
		return t, err
	}
	return t, t.screen(o)
}

type role int

const (
	unused role = iota
	feature
	class
	reward
)

// assign sets how the columns are used, according to the options.
func (s *source) assign(o Options) error {
	var names []string
	index := map[string]*column{}
	for i := range s.columns {
		c := &s.columns[i]
		if _, ok := index[c.name]; ok {
			return &datasets.DataError{Err: at(s.file, max(c.line, 1), max(c.at, 1), "columns %d and %d have the name %s: rename one", slices.Index(names, c.name)+1, i+1, quote(c.name))}
		}
		index[c.name], names = c, append(names, c.name)
		c.declared, c.refuse = c.values != nil, o.Missing == "refuse"
		c.fixed = c.declared || c.kind == "numeric"
		if len(o.Keep) == 0 {
			c.role = feature
		}
	}
	find := func(option, name string) (*column, error) {
		if c := index[name]; c != nil {
			return c, nil
		}
		return nil, fmt.Errorf("%s: there is no column %s%s: %s has %s", option, quote(name), nearest.DidYouMean(name, names), s.file, some(names))
	}
	each := func(option string, list []string, f func(*column)) error {
		for _, name := range list {
			c, err := find(option, name)
			if err != nil {
				return err
			}
			f(c)
		}
		return nil
	}
	err := errors.Join(
		each("keep", o.Keep, func(c *column) { c.role, c.fixed = feature, true }),
		each("drop", o.Drop, func(c *column) { c.role = unused }),
		each("left_out", o.LeftOut, func(c *column) { c.role = unused }),
		each("categorical", o.Categorical, func(c *column) { c.kind, c.fixed = "categorical", true }),
		each("numeric", o.Numeric, func(c *column) { c.kind, c.fixed = "numeric", true }),
		each("dates", o.Dates, func(*column) {}),
		each("reward_columns", o.RewardColumns, func(c *column) { c.role, c.kind, c.refuse = reward, "numeric", true }))
	if err != nil {
		return err
	}
	if len(o.RewardColumns) == 0 {
		target := &s.columns[s.target]
		if o.Target != "" {
			if target, err = find("target", o.Target); err != nil {
				return err
			}
		}
		target.role, target.kind, target.refuse = class, "categorical", true
	}
	for _, name := range o.DecimalComma {
		if c, err := find("decimal_comma", name); err != nil || c.role != feature {
			return cmp.Or(err, fmt.Errorf("decimal_comma: column %s is not one of the context", quote(name)))
		}
	}
	return check.That(slices.ContainsFunc(s.columns, func(c column) bool { return c.role == feature }),
		"%s has no column but those of the target and those dropped: want one that tells about the target", s.file)
}

func some(names []string) string {
	return strings.Join(words.AtMost(lists.Each(names, quote), 12, "and "), ", ")
}

// inspect counts the rows, and finds each column's kind if it is not known: numeric if all its values are numbers.
func (s *source) inspect() error {
	stored := 0
	open := make([]bool, len(s.columns)) // columns whose kind is not known yet
	for i, c := range s.columns {
		if c.role != unused {
			stored++
			open[i] = c.kind == ""
		}
	}
	for cells, err := range s.rows {
		if err != nil {
			return err
		}
		s.count++
		for i, v := range cells {
			if !open[i] || v.missing() {
				continue
			}
			s.columns[i].kind = "numeric"
			if _, ok := parseNumber(v.text); !ok {
				s.columns[i].kind, open[i] = "categorical", false
			}
		}
	}
	switch {
	case s.count == 0:
		return fmt.Errorf("%s has no rows: want one for each example", s.file)
	case s.count > maxCells/stored:
		return fmt.Errorf("%s has %d rows of %d columns, want at most %d cells: drop columns or take a sample of the rows", s.file, s.count, stored, maxCells)
	}
	return nil
}

// load reads the values of the columns in use. A column without any values is a category.
func (s *source) load() error {
	if err := s.inspect(); err != nil {
		return err
	}
	for i := range s.columns {
		switch c := &s.columns[i]; {
		case c.role == unused:
		case c.kind == "numeric":
			c.numbers, c.values = make([]float64, 0, s.count), nil
		default:
			c.codes, c.codeOf = make([]int32, 0, s.count), map[string]int32{}
			for k, v := range c.values {
				c.codeOf[v] = int32(k)
			}
		}
	}
	for cells, err := range s.rows {
		if err != nil {
			return err
		}
		for i, v := range cells {
			c := &s.columns[i]
			if c.role == unused {
				continue
			}
			if err := c.store(v); err != nil {
				return at(s.file, v.line, v.column, "column %s: %w", quote(c.name), err)
			}
		}
	}
	for i := range s.columns {
		c := &s.columns[i]
		if c.codeOf = nil; c.codes != nil && !c.declared {
			c.sort()
		}
	}
	return nil
}

// store appends the value of a row.
func (c *column) store(v cell) error {
	if v.missing() {
		c.absent++
		switch {
		case c.role == class:
			return errors.New("the class is missing: drop the row, or name the column of the classes with environment.target")
		case c.refuse:
			return errors.New("the value is missing: fill it in, drop the row or the column, or use environment.missing=category")
		case c.numeric():
			c.numbers = append(c.numbers, math.NaN())
		default:
			c.codes = append(c.codes, -1)
		}
		return nil
	}
	if c.numeric() {
		x, ok := parseNumber(v.text)
		switch {
		case !ok:
			return fmt.Errorf("%s is not a number: correct it, or use environment.categorical=%s", quote(v.text), c.name)
		case !(math.Abs(x) <= 1e150):
			return fmt.Errorf("%s is not a number between −1e150 and 1e150: write ? or leave the cell empty if the value is missing", quote(v.text))
		}
		c.numbers = append(c.numbers, x)
		return nil
	}
	code, ok := c.codeOf[v.text]
	if !ok {
		if c.declared {
			return fmt.Errorf("%s is not a value that the attribute declares: %s", quote(v.text), some(c.values))
		}
		code = int32(len(c.values))
		text := strings.Clone(v.text) // v.text would keep the memory of its whole line
		c.codeOf[text], c.values = code, append(c.values, text)
	}
	c.codes = append(c.codes, code)
	return nil
}

// sort sorts the values of a category: as numbers if all of them are, else by their bytes.
func (c *column) sort() {
	order := make([]int32, len(c.values))
	numbers, all := make([]float64, len(c.values)), true
	for i, v := range c.values {
		x, ok := parseNumber(v)
		order[i], numbers[i], all = int32(i), x, all && ok && !math.IsNaN(x)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if all && numbers[a] != numbers[b] {
			return cmp.Compare(numbers[a], numbers[b])
		}
		return cmp.Compare(c.values[a], c.values[b])
	})
	c.recode(order)
}

// recode gives the category new codes: order has the present code of each new one. A value left out must not occur.
func (c *column) recode(order []int32) {
	rank, values := make([]int32, len(c.values)), make([]string, len(order))
	for r, i := range order {
		rank[i], values[r] = int32(r), c.values[i]
	}
	c.values = values
	for i, code := range c.codes {
		if code >= 0 {
			c.codes[i] = rank[code]
		}
	}
}
