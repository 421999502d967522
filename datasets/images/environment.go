package images

import (
	"strconv"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets/internal/draw"
	"banditsim/internal/state"
)

// environment is the bandit of a set of pictures: the context is a picture, row by row, with pixels from 0 to 1; the arm of
// its class pays 1, the others 0. It is not safe for concurrent use.
type environment struct {
	set      *Set
	arms     []string
	arm      [256]int // by class
	rows     *draw.Rows
	constant *bandit.ConstantArm
}

var _ bandit.Environment = (*environment)(nil)

// NewEnvironment returns an environment over a set, which it may share with others. It draws from r so many passes,
// each in a random order, or with replacement if passes is 0.
func NewEnvironment(s *Set, passes int, r *stream.Stream) bandit.Environment {
	e := &environment{set: s, rows: draw.New(s.Len(), passes, r)}
	for i, class := range s.Classes() {
		e.arm[class] = i
		e.arms = append(e.arms, strconv.Itoa(int(class)))
	}
	e.constant = s.constantArm()
	return e
}

// Spec describes the environment, which ignores the arms chosen.
func (e *environment) Spec() bandit.Spec {
	return bandit.Spec{Dim: e.set.Height * e.set.Width, Shape: []int{e.set.Height, e.set.Width, 1}, Arms: e.arms, IgnoresActions: true, Pulls: e.rows.Pulls(), UniformRegret: uniformRegret(len(e.arms)), ConstantArm: e.constant}
}

// constantArm returns the class of the most pictures, which misses the others.
func (s *Set) constantArm() *bandit.ConstantArm {
	count := s.counts()
	var names []string
	var regrets []float64
	for _, class := range s.Classes() {
		names = append(names, strconv.Itoa(int(class)))
		regrets = append(regrets, float64(s.Len()-count[class])/float64(s.Len()))
	}
	return bandit.BestConstantArm(names, regrets)
}

// counts returns the number of pictures of each class.
func (s *Set) counts() (count [256]int) {
	for _, label := range s.Labels {
		count[label]++
	}
	return count
}

// uniformRegret returns the regret per pull of acting uniformly, which misses K−1 times in K.
func uniformRegret(arms int) float64 { return float64(arms-1) / float64(arms) }

// Next draws a picture. It returns io.EOF after the last pass.
func (e *environment) Next(r *bandit.Round, o *bandit.Outcome) error {
	row, err := e.rows.Next()
	if err != nil {
		return err
	}
	r.Row = row
	e.set.Put(r.Context, r.Row)
	clear(o.Reward)
	o.Reward[e.arm[e.set.Labels[r.Row]]] = 1
	copy(o.Mean, o.Reward)
	return nil
}

// MarshalBinary saves the stream and the number of pulls, not the pictures.
func (e *environment) MarshalBinary() ([]byte, error) { return state.Save(e.rows.State) }

// UnmarshalBinary restores the state that MarshalBinary saved on the same pictures with the same options.
func (e *environment) UnmarshalBinary(b []byte) error { return state.Restore(b, e.rows.State) }
