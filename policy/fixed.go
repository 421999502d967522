package policy

import "banditsim/bandit"

// Fixed pulls one arm always.
type Fixed int

var _ bandit.Policy = Fixed(0)

// Act returns the arm.
func (f Fixed) Act(bandit.Round) (int, error) { return int(f), nil }

// Learn does nothing.
func (f Fixed) Learn(bandit.Round, int, float64) error { return nil }
