package table

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/datasets"
	"banditsim/internal/lists"
	"banditsim/internal/moments"
	"banditsim/internal/state"
)

// maxWidth is the largest length of a context.
const maxWidth = 100_000

// An encoding maps rows to contexts. A category takes one element per value (one-hot), or a single one with the index
// of the value over the largest index, in [0, 1] (ordinal). A missing value of a category counts as one more value, the
// last. A number takes one element, or two if some are missing: a missing number has the elements 0 and 1.
type encoding struct {
	table       *table
	spec        bandit.Spec
	oneHot      bool
	standardize string
	offsets     []int // index of the first element of each feature
	width       int
	file        []spread // moments of each numeric feature over the file; nil unless standardize is "file"
}

// encode returns the encoding of t, or an error if contexts would be too long.
func (t *table) encode(o Options) (*encoding, error) {
	e := &encoding{table: t, oneHot: o.Encoding == "onehot", standardize: o.Standardize}
	widest := 0
	for i := range t.features {
		e.offsets = append(e.offsets, e.width)
		w := e.featureWidth(i)
		if w > e.featureWidth(widest) {
			widest = i
		}
		e.width += w
		if o.Standardize == "file" {
			e.file = append(e.file, t.features[i].moments())
		}
	}
	if e.width > maxWidth {
		return nil, fmt.Errorf("contexts would have %d elements, want at most %d: column %s has %d values; drop it with environment.drop, or use environment.encoding=ordinal",
			e.width, maxWidth, quote(t.features[widest].name), len(t.features[widest].values))
	}
	regrets := lists.Each(t.summarize(), func(s armSummary) float64 { return s.regret })
	uniform := t.uniformRegret()
	if slices.Max(regrets) == 0 { // the rewards of each row are equal, but their rounded mean may differ from them
		uniform = 0
	}
	e.spec = bandit.Spec{Dim: e.width, Groups: e.groups(), Columns: e.columns(), Arms: t.arms, IgnoresActions: true,
		UniformRegret: uniform, ConstantArm: bandit.BestConstantArm(t.arms, regrets)}
	return e, nil
}

func (e *encoding) environment() datasets.Table {
	t := datasets.Table{
		Spec: e.spec, Rows: e.table.rows,
		Put:    func(context []float32, row int) { e.put(context, row, e.file) },
		Reward: func(reward []float64, row int) { copy(reward, e.table.reward(row)) },
	}
	if e.standardize == "seen" {
		seen := make([]spread, len(e.table.features)) // moments of each numeric feature so far
		t.Put = func(context []float32, row int) {
			for i := range seen {
				if c := &e.table.features[i]; c.numeric() {
					seen[i].add(c.numbers[row])
				}
			}
			e.put(context, row, seen)
		}
		t.State = func(c *state.Codec) {
			for i := range seen {
				m := &seen[i]
				v := []float64{m.N, m.Mean, m.Squares}
				c.Float64s(v)
				m.N, m.Mean, m.Squares = v[0], v[1], v[2]
			}
		}
	}
	return t
}

func (e *encoding) featureWidth(i int) int {
	c := &e.table.features[i]
	extra := min(c.absent, 1)
	switch {
	case c.numeric():
		return 1 + extra
	case e.oneHot:
		return len(c.values) + extra
	}
	return 1
}

// groups returns bandit.Spec.Groups. The elements of a one-hot encoded category form a group, and so does the element
// that marks the missing values of a numeric column, by itself.
func (e *encoding) groups() (groups []int) {
	for i := range e.table.features {
		for k := range e.featureWidth(i) {
			group := i + 1
			if k == 0 && (e.table.features[i].numeric() || !e.oneHot) {
				group = 0
			}
			groups = append(groups, group)
		}
	}
	return groups
}

// columns returns the columns of the contexts, or nil if a category is not one-hot. Mean and SD are those of the file.
// They are right after a whole pass, too, if numbers are standardized over the rows drawn so far.
func (e *encoding) columns() (list []bandit.Column) {
	for i := range e.table.features {
		c := &e.table.features[i]
		col := bandit.Column{Name: c.name}
		switch {
		case !c.numeric() && !e.oneHot:
			return nil
		case !c.numeric():
			col.Values = slices.Clone(c.values)
			if c.absent > 0 {
				col.Values = append(col.Values, bandit.Missing)
			}
		default:
			col.Missing = c.absent > 0
			if e.standardize != "off" {
				m := c.moments()
				col.Mean, col.SD = m.Mean, m.deviation()
			}
		}
		list = append(list, col)
	}
	return list
}

// put writes the context of a row. Numbers are standardized by the moments of each feature, unless moments is nil.
func (e *encoding) put(dst []float32, row int, moments []spread) {
	clear(dst)
	for i := range e.table.features {
		c, at := &e.table.features[i], e.offsets[i]
		switch {
		case c.numeric():
			v := c.numbers[row]
			if math.IsNaN(v) {
				dst[at+1] = 1
				continue
			}
			mean, sd := 0.0, 1.0
			if moments != nil {
				mean, sd = moments[i].Mean, moments[i].deviation()
			}
			if sd > 0 {
				dst[at] = float32(max(-math.MaxFloat32, min(math.MaxFloat32, (v-mean)/sd))) // finite, even if the quotient does not fit
			}
		default:
			code, last := int(c.codes[row]), len(c.values)-1+min(c.absent, 1)
			if code < 0 {
				code = last
			}
			switch {
			case e.oneHot:
				dst[at+code] = 1
			case last > 0:
				dst[at] = float32(code) / float32(last)
			}
		}
	}
}

type spread struct{ moments.Running }

func (c *column) moments() spread {
	var m spread
	for _, v := range c.numbers {
		m.add(v)
	}
	return m
}

func (m *spread) add(v float64) {
	if !math.IsNaN(v) {
		m.Add(v)
	}
}

// deviation returns the standard deviation, 0 for fewer than two numbers or if all are equal.
func (m *spread) deviation() float64 {
	if m.N < 2 || m.Squares == 0 {
		return 0
	}
	return m.SD()
}
