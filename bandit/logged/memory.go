package logged

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"banditsim/bandit"
)

// New returns a log of rows that a program has, which it keeps and does not change. Their numbers are set; arms, propensities, rewards and the lengths of
// contexts are checked.
func New(name string, spec bandit.Spec, rows []Row) (*Log, error) {
	l := &Log{Path: name, Format: "rows in memory", Spec: spec, format: &memory{rows: rows}}
	for i := range spec.Dim {
		l.Columns = append(l.Columns, "x"+strconv.Itoa(i+1))
	}
	l.Context = l.Columns
	d := newDescriber(false)
	order := make([]int, len(spec.Arms))
	for i := range order {
		order[i] = i
	}
	for i := range rows {
		r := &rows[i]
		r.Number = i + 1
		switch {
		case r.Arm < 0 || r.Arm >= len(spec.Arms):
			return nil, l.wrap(fmt.Errorf("row %d: arm %d, want 0 to %d", r.Number, r.Arm, len(spec.Arms)-1))
		case math.IsNaN(r.Reward) || math.IsInf(r.Reward, 0):
			return nil, l.wrap(fmt.Errorf("row %d: reward %g, want a finite number", r.Number, r.Reward))
		case len(r.Context) != spec.Dim || spec.ArmDim > 0 && len(r.Arms) != len(spec.Arms):
			return nil, l.wrap(fmt.Errorf("row %d: a context of %d numbers with %d arms, want %d and %d", r.Number, len(r.Context), len(r.Arms), spec.Dim, len(spec.Arms)))
		}
		if err := checkPropensity(r.Propensity, r.Number, "propensity", ""); err != nil {
			return nil, l.wrap(err)
		}
		if err := d.add(r); err != nil {
			return nil, l.wrap(err)
		}
	}
	if d.n == 0 {
		return nil, l.wrap(errors.New("no rows"))
	}
	l.Description = d.describe(spec.Arms, order)
	return l, nil
}

// memory is the format of New.
type memory struct {
	rows []Row
	at   int
}

func (m *memory) name() string { return "rows in memory" }

func (m *memory) begin(io.Reader, bool) error {
	m.at = 0
	return nil
}

func (m *memory) next(r *Row) error {
	if m.at == len(m.rows) {
		return io.EOF
	}
	*r = m.rows[m.at]
	m.at++
	return nil
}

func (m *memory) spec() (bandit.Spec, []string, []int) { return bandit.Spec{}, nil, nil } // only files have them
