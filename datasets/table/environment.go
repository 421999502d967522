package table

import (
	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets/internal/draw"
	"banditsim/internal/state"
)

// environment is the bandit of a table. Each pull draws a row, with replacement or by passes in random orders. Rewards depend
// on the row alone. It is not safe for concurrent use.
type environment struct {
	*encoding
	uniformRegret float64
	constant      *bandit.ConstantArm
	rows          *draw.Rows
	seen          []spread // moments of each numeric feature so far, with the option standardize: seen
}

var _ bandit.Environment = (*environment)(nil)

// newEnvironment returns an environment that draws from r, with replacement if passes is 0.
func newEnvironment(e *encoding, passes int, uniformRegret float64, constant *bandit.ConstantArm, r *stream.Stream) *environment {
	env := &environment{encoding: e, uniformRegret: uniformRegret, constant: constant, rows: draw.New(e.table.Rows, passes, r)}
	if e.standardize == "seen" {
		env.seen = make([]spread, len(e.table.features))
	}
	return env
}

// Spec describes the environment, which ignores the arms chosen.
func (e *environment) Spec() bandit.Spec {
	return bandit.Spec{Dim: e.width, Groups: e.groups(), Arms: e.table.Arms, IgnoresActions: true, Pulls: e.rows.Pulls(), UniformRegret: e.uniformRegret, ConstantArm: e.constant}
}

// Next draws a row. It returns io.EOF after the last pass.
func (e *environment) Next(r *bandit.Round, o *bandit.Outcome) error {
	row, err := e.rows.Next()
	if err != nil {
		return err
	}
	r.Row = row
	for i := range e.seen {
		if c := &e.table.features[i]; c.numeric() {
			e.seen[i].add(c.numbers[r.Row])
		}
	}
	e.put(r.Context, r.Row, e.seen)
	copy(o.Reward, e.table.reward(r.Row))
	copy(o.Mean, o.Reward)
	return nil
}

// MarshalBinary saves the stream, the number of pulls and the moments, not the table.
func (e *environment) MarshalBinary() ([]byte, error) { return state.Save(e.state) }

// UnmarshalBinary restores the state that MarshalBinary saved on the same table with the same options.
func (e *environment) UnmarshalBinary(b []byte) error { return state.Restore(b, e.state) }

func (e *environment) state(c *state.Codec) {
	e.rows.State(c)
	for i := range e.seen {
		m := &e.seen[i]
		v := []float64{m.N, m.Mean, m.Squares}
		c.Float64s(v)
		m.N, m.Mean, m.Squares = v[0], v[1], v[2]
	}
}
