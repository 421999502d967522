package compare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"banditsim/internal/words"
	"banditsim/results"
)

// ErrNoPulls is the error of trials whose pulls are not recorded.
var ErrNoPulls = errors.New("not all trials have their pulls: they are recorded with 'banditsim run --record pulls'")

// Mistakes are the pulls of arms that were not the best, by what they cost: over the trials of a policy that did all their
// rounds, from the end of burn-in on (or over all rounds if none follows it).
type Mistakes struct {
	Policy string // label
	Seeds  int
	Regret float64       // expected regret, summed over the seeds
	Arms   []ArmMistakes // one per arm, in the order of arms

	rows map[rowArm]RowMistakes
	met  map[int]int // pulls by row
}

// ArmMistakes are the pulls of one arm.
type ArmMistakes struct {
	Arm    string
	Pulls  int
	Wrong  int     // pulls where another arm was better
	Regret float64 // expected regret, summed over the wrong pulls
	// Worst is the data row in which the arm cost most; nil without rows or wrong pulls.
	Worst *RowMistakes
}

// RowMistakes are the wrong pulls of an arm in one data row.
type RowMistakes struct {
	Row    int     `json:"row"`
	Met    int     `json:"met"`   // pulls of any arm in the row
	Wrong  int     `json:"wrong"` // wrong pulls of this arm
	Regret float64 `json:"regret"`
}

type rowArm struct{ row, arm int }

// FindMistakes reads the recorded pulls of all finished trials of a set and returns the mistakes of each policy, in
// the order of the set. Trials that the set leaves out because their pulls are damaged are left out here, too. The
// error is ErrNoPulls if a trial or a policy has no pulls, and results.Damaged if pulls are incomplete.
func FindMistakes(set *results.Set) ([]Mistakes, error) {
	damaged := func(rec results.Record) bool { return rec.PullsDamaged }
	with := make([][]results.Record, len(set.Policies))
	for i, p := range set.Policies {
		with[i] = slices.DeleteFunc(results.Finished(p.Records), damaged)
		if slices.ContainsFunc(with[i], func(rec results.Record) bool { return !rec.HasPulls() }) || len(with[i]) == 0 && slices.ContainsFunc(p.Records, damaged) {
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
	m := Mistakes{Policy: label, rows: make(map[rowArm]RowMistakes), met: make(map[int]int)}
	for _, name := range set.Conditions.Environment.Arms {
		m.Arms = append(m.Arms, ArmMistakes{Arm: name})
	}
	return m
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
			m.met[p.Row]++
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
			m.rows[rowArm{p.Row, p.Arm}] = RowMistakes{Row: p.Row, Wrong: at.Wrong + 1, Regret: at.Regret + regret}
		}
	}
	return nil
}

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
		m.rows[key] = RowMistakes{Row: r.Row, Wrong: at.Wrong + r.Wrong, Regret: at.Regret + r.Regret}
	}
	for row, n := range o.met {
		m.met[row] += n
	}
}

func (m *Mistakes) finish() {
	keys := slices.SortedFunc(maps.Keys(m.rows), func(a, b rowArm) int { return cmp.Compare(a.row, b.row) })
	for _, key := range keys {
		r := m.Row(key.row, key.arm)
		if worst := m.Arms[key.arm].Worst; worst == nil || r.Regret > worst.Regret {
			m.Arms[key.arm].Worst = &r
		}
	}
}

// Row returns the wrong pulls of an arm in a data row.
func (m *Mistakes) Row(row, arm int) RowMistakes {
	r := m.rows[rowArm{row, arm}]
	r.Row, r.Met = row, m.met[row]
	return r
}
