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
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
)

// A column holds the values of all rows: numbers, NaN if missing, or codes of a category, −1 if missing.
type column struct {
	name    string
	numbers []float64
	codes   []int32
	values  []string // the value that each code stands for
	absent  int      // rows without a value
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

// parse reads a table from the text of the named file. The error is a DataError if the mistake is in the text, not in the options.
func parse(file string, text []byte, o Options) (*table, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s, err := openSource(file, text, o)
	if err != nil {
		return nil, &datasets.DataError{Err: err}
	}
	p, err := s.plan(o)
	if err != nil {
		return nil, err
	}
	if err := p.inspect(); err != nil {
		return nil, &datasets.DataError{Err: err}
	}
	if err := p.load(); err != nil {
		return nil, &datasets.DataError{Err: err}
	}
	t := &table{rows: p.count, sha256: fmt.Sprintf("%x", sha256.Sum256(text)), format: s.format, header: s.header, headerWarning: s.warning}
	if err := t.take(p, o); err != nil {
		return t, err
	}
	return t, t.screen(p, o)
}

// A plan holds the columns of a source: how the options use each, and what was read of it.
type plan struct {
	*source
	uses   []use    // use of each column
	loaded []column // all columns; those not in use have no values
	count  int      // number of the rows
}

type use struct {
	role   role
	kind   string // "numeric" or "categorical", "" if it is not known yet
	refuse bool   // missing values are errors
}

type role int

const (
	unused role = iota
	feature
	class
	reward
)

// plan returns how the columns are used according to the options.
func (s *source) plan(o Options) (*plan, error) {
	p := &plan{source: s, uses: make([]use, len(s.columns))}
	var names []string
	index := map[string]int{}
	for i, d := range s.columns {
		if other, ok := index[d.name]; ok {
			return nil, &datasets.DataError{Err: at(s.file, max(d.line, 1), max(d.column, 1), "columns %d and %d have the name %s: rename one", other+1, i+1, quote(d.name))}
		}
		index[d.name] = i
		names = append(names, d.name)
	}
	find := func(option, name string) (int, error) {
		i, ok := index[name]
		if !ok {
			return 0, fmt.Errorf("%s: there is no column %s%s: %s has %s", option, quote(name), nearest.DidYouMean(name, names), s.file, some(names))
		}
		return i, nil
	}
	each := func(option string, list []string, f func(*use)) error {
		for _, name := range list {
			i, err := find(option, name)
			if err != nil {
				return err
			}
			f(&p.uses[i])
		}
		return nil
	}
	for i, d := range s.columns {
		p.uses[i] = use{kind: d.kind, refuse: o.Missing == "refuse"}
		if len(o.Keep) == 0 {
			p.uses[i].role = feature
		}
	}
	err := errors.Join(
		each("keep", o.Keep, func(u *use) { u.role = feature }),
		each("drop", o.Drop, func(u *use) { u.role = unused }),
		each("left_out", o.LeftOut, func(u *use) { u.role = unused }),
		each("categorical", o.Categorical, func(u *use) { u.kind = "categorical" }),
		each("numeric", o.Numeric, func(u *use) { u.kind = "numeric" }),
		each("dates", o.Dates, func(*use) {}),
		each("reward_columns", o.RewardColumns, func(u *use) { *u = use{role: reward, kind: "numeric", refuse: true} }))
	if err != nil {
		return nil, err
	}
	if len(o.RewardColumns) == 0 {
		target := s.target
		if o.Target != "" {
			if target, err = find("target", o.Target); err != nil {
				return nil, err
			}
		}
		p.uses[target] = use{role: class, kind: "categorical", refuse: true}
	}
	for _, name := range o.DecimalComma {
		if i, err := find("decimal_comma", name); err != nil || p.uses[i].role != feature {
			return nil, cmp.Or(err, fmt.Errorf("decimal_comma: column %s is not one of the context", quote(name)))
		}
	}
	if !slices.ContainsFunc(p.uses, func(u use) bool { return u.role == feature }) {
		return nil, fmt.Errorf("%s has no column but those of the target and those dropped: want one that tells about the target", s.file)
	}
	return p, nil
}

func some(names []string) string {
	return strings.Join(words.AtMost(lists.Each(names, quote), 12, "and "), ", ")
}

// inspect counts the rows, and finds the kind of each column whose kind is not known: numeric if all its values are numbers.
func (p *plan) inspect() error {
	stored := 0
	open := make([]bool, len(p.uses)) // columns whose kind is not known yet
	for i, u := range p.uses {
		if u.role != unused {
			stored++
			open[i] = u.kind == ""
		}
	}
	for cells, err := range p.rows {
		if err != nil {
			return err
		}
		p.count++
		for i, c := range cells {
			if !open[i] || c.missing() {
				continue
			}
			p.uses[i].kind = "numeric"
			if _, ok := parseNumber(c.text); !ok {
				p.uses[i].kind, open[i] = "categorical", false
			}
		}
	}
	for i := range p.uses {
		p.uses[i].kind = cmp.Or(p.uses[i].kind, "categorical") // a column without any values
	}
	switch {
	case p.count == 0:
		return fmt.Errorf("%s has no rows: want one for each example", p.file)
	case p.count > maxCells/stored:
		return fmt.Errorf("%s has %d rows of %d columns, want at most %d cells: drop columns or take a sample of the rows", p.file, p.count, stored, maxCells)
	}
	return nil
}

func (p *plan) load() error {
	p.loaded = make([]column, len(p.uses))
	codes := make([]map[string]int32, len(p.uses))
	for i, u := range p.uses {
		c := &p.loaded[i]
		c.name = p.columns[i].name
		switch {
		case u.role == unused:
		case u.kind == "numeric":
			c.numbers = make([]float64, 0, p.count)
		default:
			c.codes, codes[i] = make([]int32, 0, p.count), map[string]int32{}
			for k, v := range p.columns[i].values {
				c.values, codes[i][v] = append(c.values, v), int32(k)
			}
		}
	}
	for cells, err := range p.rows {
		if err != nil {
			return err
		}
		for i, v := range cells {
			if p.uses[i].role == unused {
				continue
			}
			if err := p.store(i, v, codes[i]); err != nil {
				return err
			}
		}
	}
	for i := range p.loaded {
		if c := &p.loaded[i]; c.codes != nil && p.columns[i].values == nil {
			c.sort()
		}
	}
	return nil
}

func (p *plan) store(i int, v cell, codes map[string]int32) error {
	c, u := &p.loaded[i], p.uses[i]
	if v.missing() {
		c.absent++
		switch {
		case u.role == class:
			return p.wrong(v, i, "the class is missing: drop the row, or name the column of the classes with environment.target")
		case u.refuse:
			return p.wrong(v, i, "the value is missing: fill it in, drop the row or the column, or use environment.missing=category")
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
			return p.wrong(v, i, "%s is not a number: correct it, or use environment.categorical=%s", quote(v.text), c.name)
		case math.IsNaN(x) || math.Abs(x) > 1e150:
			return p.wrong(v, i, "%s is not a number between −1e150 and 1e150: write ? or leave the cell empty if the value is missing", quote(v.text))
		}
		c.numbers = append(c.numbers, x)
		return nil
	}
	code, ok := codes[v.text]
	if !ok {
		if p.columns[i].values != nil {
			return p.wrong(v, i, "%s is not a value that the attribute declares: %s", quote(v.text), some(p.columns[i].values))
		}
		code = int32(len(c.values))
		text := strings.Clone(v.text) // v.text would keep the memory of its whole line
		codes[text], c.values = code, append(c.values, text)
	}
	c.codes = append(c.codes, code)
	return nil
}

func (p *plan) wrong(v cell, i int, format string, args ...any) error {
	return at(p.file, v.line, v.column, "column %s: %w", quote(p.columns[i].name), fmt.Errorf(format, args...))
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

// recode gives the category new codes: order has the present code of each new one. A value that it leaves out must not occur.
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
