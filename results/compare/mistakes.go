package compare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
)

// ErrNoPulls is the error of FindMistakes for trials without recorded pulls.
var ErrNoPulls = errors.New("not all trials have their pulls: they are recorded with 'banditsim run --record pulls'")

// Mistakes counts a policy's pulls of arms that were not the best, and their regret, in its finished trials. It covers
// the rounds after burn-in, or all rounds if all are burn-in.
type Mistakes struct {
	Policy string // label
	Seeds  int
	Regret float64       // expected regret, summed over the seeds
	Arms   []ArmMistakes // one per arm of the environment, in its order

	rows       map[rowArm]RowMistakes // Wrong and Regret only; the method Row adds the other fields
	pullsOfRow map[int]int            // pulls of any arm, by data row
}

// ArmMistakes has the pulls of one arm.
type ArmMistakes struct {
	Arm    string
	Pulls  int
	Wrong  int     // pulls where another arm was better
	Regret float64 // expected regret, summed over the wrong pulls
	// Worst is the data row on which wrong pulls of the arm had the most regret; nil without data rows or wrong pulls.
	Worst *RowMistakes
}

// RowMistakes has the wrong pulls of one arm for one data row.
type RowMistakes struct {
	Row    int     `json:"row"`
	Met    int     `json:"met"`   // pulls of any arm for the row
	Wrong  int     `json:"wrong"` // wrong pulls of this arm for the row
	Regret float64 `json:"regret"`
}

type rowArm struct{ row, arm int }

// FindMistakes reads the recorded pulls of the finished trials of a set and returns each policy's mistakes, in the
// set's order. Trials with PullsDamaged are left out. The error is ErrNoPulls if another finished trial has no pulls,
// or all finished trials of a policy are left out. It is a results.Damaged if a file of pulls is found damaged.
func FindMistakes(set *results.Set) ([]Mistakes, error) {
	damaged := func(rec results.Record) bool { return rec.PullsDamaged }
	with := make([][]results.Record, len(set.Policies))
	for i, p := range set.Policies {
		with[i] = slices.DeleteFunc(results.Finished(p.Records), damaged)
		if slices.ContainsFunc(with[i], func(rec results.Record) bool { return !rec.HasPulls() }) || len(with[i]) == 0 && slices.ContainsFunc(results.Finished(p.Records), damaged) {
			return nil, fmt.Errorf("compare: mistakes of %s: %w", words.Plain(p.Label), ErrNoPulls)
		}
	}
	list := []Mistakes{}
	for i, p := range set.Policies {
		all := newMistakes(set, p.Label)
		err := results.InOrder(with[i], func(rec results.Record) (*Mistakes, error) {
			m := newMistakes(set, p.Label)
			return &m, m.read(rec)
		}, func(_ results.Record, m *Mistakes) { all.join(m) })
		if err != nil {
			return nil, fmt.Errorf("compare: mistakes of %s: %w", words.Plain(p.Label), err)
		}
		all.finish()
		list = append(list, all)
	}
	return list, nil
}

func newMistakes(set *results.Set, label string) Mistakes {
	arms := lists.Each(set.Conditions.Environment.Arms, func(name string) ArmMistakes { return ArmMistakes{Arm: name} })
	return Mistakes{Policy: label, Arms: arms, rows: make(map[rowArm]RowMistakes), pullsOfRow: make(map[int]int)}
}

func (m *Mistakes) read(rec results.Record) error {
	m.Seeds = 1
	from := rec.Protocol.AfterBurnIn()
	if from > rec.Protocol.Rounds {
		from = 1
	}
	for p, err := range rec.Pulls() {
		if err != nil {
			return err
		}
		if p.Round < from {
			continue
		}
		arm := &m.Arms[p.Arm]
		arm.Pulls++
		if p.Row >= 0 {
			m.pullsOfRow[p.Row]++
		}
		if p.Expected >= p.Best {
			continue
		}
		regret := p.Best - p.Expected
		arm.Wrong++
		arm.Regret += regret
		m.Regret += regret
		if p.Row >= 0 {
			at := m.rows[rowArm{p.Row, p.Arm}]
			m.rows[rowArm{p.Row, p.Arm}] = RowMistakes{Wrong: at.Wrong + 1, Regret: at.Regret + regret}
		}
	}
	return nil
}

// join adds the pulls of o, which has other seeds.
func (m *Mistakes) join(o *Mistakes) {
	m.Seeds += o.Seeds
	m.Regret += o.Regret
	for i, a := range o.Arms {
		m.Arms[i].Pulls += a.Pulls
		m.Arms[i].Wrong += a.Wrong
		m.Arms[i].Regret += a.Regret
	}
	for key, r := range o.rows {
		at := m.rows[key]
		m.rows[key] = RowMistakes{Wrong: at.Wrong + r.Wrong, Regret: at.Regret + r.Regret}
	}
	for row, n := range o.pullsOfRow {
		m.pullsOfRow[row] += n
	}
}

// finish sets Worst of every arm. If several rows have the most regret, it takes the one with the lowest number.
func (m *Mistakes) finish() {
	keys := slices.SortedFunc(maps.Keys(m.rows), func(a, b rowArm) int { return cmp.Compare(a.row, b.row) })
	for _, key := range keys {
		r := m.Row(key.row, key.arm)
		if worst := m.Arms[key.arm].Worst; worst == nil || r.Regret > worst.Regret {
			m.Arms[key.arm].Worst = &r
		}
	}
}

// Row returns the wrong pulls of an arm for a data row.
func (m *Mistakes) Row(row, arm int) RowMistakes {
	r := m.rows[rowArm{row, arm}]
	r.Row, r.Met = row, m.pullsOfRow[row]
	return r
}
