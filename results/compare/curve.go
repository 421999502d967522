package compare

import (
	"errors"
	"fmt"

	"banditsim/results"
	"banditsim/results/stats"
)

// A Curve is a policy's cumulative regret by round: the mean over the seeds whose
// trials did all their rounds, with a t-interval at each round.
type Curve struct {
	Policy string
	Seeds  []uint64
	Rounds []int            // the first is the round before the curve begins
	Regret []stats.Estimate // up to and including each of Rounds; the first is 0
}

// End returns the regret after the last round.
func (c *Curve) End() stats.Estimate { return c.Regret[len(c.Regret)-1] }

// Curves reads the rounds of all trials. Regret before round from, counted from 1, is left out. Each
// curve has at most points rounds. Memory does not grow with the number or the length of the trials.
// Policies without a finished trial have no curve; if no policy has one, the error is ErrNoneFinished.
func Curves(set *results.Set, m *Metric, from, points int) ([]Curve, error) {
	rounds := set.Conditions.Protocol.Rounds
	switch {
	case m == nil:
		return nil, errors.New("compare: curves: no metric")
	case from < 1 || from > rounds:
		return nil, fmt.Errorf("compare: curves: from round %d, want 1 to %d", from, rounds)
	case points < 2:
		return nil, fmt.Errorf("compare: curves: %d points, want at least 2", points)
	}
	marks := Thin(from-1, rounds, points)
	var all []Curve
	for _, p := range set.Policies {
		c := Curve{Policy: p.Label, Rounds: marks}
		at := make([]stats.Moments, len(marks))
		err := results.InOrder(results.Finished(p.Records), func(rec results.Record) (*Trace, error) {
			return trace(rec, marks, m)
		}, func(rec results.Record, t *Trace) {
			for i := range at {
				at[i].Add(t.Regret[0][i])
			}
			c.Seeds = append(c.Seeds, rec.Seed)
		})
		if err != nil {
			return nil, err
		}
		if len(c.Seeds) == 0 {
			continue
		}
		for i := range at {
			c.Regret = append(c.Regret, at[i].Estimate())
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("compare: curves: %w", ErrNoneFinished)
	}
	return all, nil
}

// Thin returns at most n integers from first to last, evenly spaced, both included.
func Thin(first, last, n int) []int {
	n = min(n, last-first+1)
	marks := make([]int, n)
	for i := range marks {
		// In integers: rounding would let two marks fall on one round.
		marks[i] = first + i*(last-first)/max(n-1, 1)
	}
	return marks
}

// A Trace is one trial's cumulative regret at some rounds, by each of some metrics.
type Trace struct {
	Regret [][]float64 // by metric and mark; 0 at the first mark, from which on it counts
	marks  []int
	of     []*Metric
	total  []float64
	next   int // mark
}

// NewTrace returns a trace at marks, which are rounds in order; the first is the round before the first that counts.
func NewTrace(marks []int, metrics ...*Metric) *Trace {
	t := &Trace{marks: marks, of: metrics, total: make([]float64, len(metrics)), next: 1}
	for range metrics {
		t.Regret = append(t.Regret, make([]float64, len(marks)))
	}
	return t
}

// Add adds the next round.
func (t *Trace) Add(r *results.Round) {
	if t.next >= len(t.marks) || r.Round <= t.marks[0] {
		return
	}
	mark := r.Round == t.marks[t.next]
	for k, m := range t.of {
		t.total[k] += m.round(r)
		if mark {
			t.Regret[k][t.next] = t.total[k]
		}
	}
	if mark {
		t.next++
	}
}

// trace reads one trial.
func trace(rec results.Record, marks []int, metrics ...*Metric) (*Trace, error) {
	t := NewTrace(marks, metrics...)
	for r, err := range rec.Regrets() {
		if err != nil {
			return nil, err
		}
		t.Add(r)
	}
	return t, nil
}
