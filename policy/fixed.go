package policy

import (
	"banditsim/bandit"
	"banditsim/internal/state"
)

// Fixed pulls one arm always.
type Fixed int

var _ bandit.Policy = Fixed(0)

// Act returns the arm.
func (f Fixed) Act(bandit.Round) (int, error) { return int(f), nil }

// Learn does nothing.
func (f Fixed) Learn(bandit.Round, int, float64) error { return nil }

// MarshalBinary saves the arm, as there is nothing else.
func (f Fixed) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Int(int(f))
	return w.Bytes()
}

// UnmarshalBinary checks that the same arm was saved.
func (f Fixed) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	r.Int("the arm", int(f), int(f))
	return r.Close()
}
