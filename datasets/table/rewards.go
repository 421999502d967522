package table

import (
	"fmt"
	"math"
	"slices"

	"banditsim/datasets"
)

// take keeps the features among the columns, and sets the arms and their rewards.
func (t *table) take(s *source, o Options) (err error) {
	for i := range s.columns {
		switch c := &s.columns[i]; c.role {
		case feature:
			t.features = append(t.features, *c)
		case class:
			t.target = c
		}
	}
	if t.target == nil {
		return t.rewardsByColumn(o.RewardColumns, s.columns)
	}
	if err := t.classes(s.file); err != nil {
		return err
	}
	n := len(t.arms)
	t.rewards = make([]float64, n*n)
	if o.Costs.IsZero() {
		for a := range n {
			t.rewards[a*n+a] = 1
		}
		return nil
	}
	if t.costs, err = o.Costs.inOrder(t.arms); err != nil {
		return err
	}
	for i, cost := range t.costs.flat {
		t.rewards[i] = 0 - cost // not −0
	}
	return nil
}

// classes makes an arm of each class that occurs.
func (t *table) classes(file string) error {
	c := t.target
	if n := len(c.values); n > maxArms {
		return fmt.Errorf("column %s has %d values, want 2 to %d classes: name the column of the classes with environment.target", quote(c.name), n, maxArms)
	}
	c.recode(slices.Compact(slices.Sorted(slices.Values(c.codes))))
	if t.arms = c.values; len(t.arms) < 2 {
		return &datasets.DataError{Err: fmt.Errorf("%s: column %s has one class, %s, want at least 2: name the column of the classes with environment.target", file, quote(c.name), quote(t.arms[0]))}
	}
	return nil
}

// rewardsByColumn makes an arm of each column of rewards.
func (t *table) rewardsByColumn(names []string, columns []column) error {
	t.arms, t.perRow = names, true
	t.rewards = make([]float64, t.rows*len(names))
	for a, name := range names {
		i := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
		for row, v := range columns[i].numbers {
			if math.Abs(v) > 1e12 {
				return fmt.Errorf("reward_columns: %s has the reward %g, want −1e12 to 1e12", quote(name), v)
			}
			t.rewards[row*len(names)+a] = v
		}
	}
	return nil
}
