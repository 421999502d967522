package synthetic

import (
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"cmp"
)

// Drift changes parameters during a trial. Regret compares with the arm best at the time. The zero value is no drift.
type Drift struct {
	// Kind: abrupt (parameters are drawn anew after each period and constant within it: piecewise stationary), gradual
	// (they move evenly from draw to draw within each period) or random-walk (they take a random step before each pull).
	Kind   string  `json:"kind" enum:"abrupt,gradual,random-walk"`
	Period int     `json:"period,omitzero"` // for abrupt and gradual drift: pulls between changes, 1 to 10⁹
	Rate   float64 `json:"rate,omitzero"`   // for the random walk: size of a step relative to the parameters, above 0 to 1; after r pulls the steps add up to about rate·√r
}

func (d Drift) validate() error {
	switch {
	case d == Drift{}:
		return nil
	case d.Kind == "random-walk":
		return cmp.Or(
			check.That(d.Rate > 0 && d.Rate <= 1, "drift.rate: %g, want above 0 to 1", d.Rate),
			check.Within("drift.period", d.Period, 0, 0)) // a period would have no effect
	}
	return cmp.Or(
		check.That(d.Rate == 0, "drift.rate: %g, want 0: only a random-walk has a rate", d.Rate),
		check.OneOf("drift.kind", d.Kind, "abrupt", "gradual", "random-walk"),
		check.Within("drift.period", d.Period, 1, 1e9))
}

// begins reports whether a period begins with the pull of the given number, from 0.
func (d Drift) begins(pull uint64) bool { return d.Period > 0 && pull%uint64(d.Period) == 0 }

// phase returns the fraction of its period that has passed before the pull of the given number, from 0.
func (d Drift) phase(pull uint64) float64 {
	return float64(pull%uint64(d.Period)) / float64(d.Period)
}

// parameters is implemented by types whose parameters drift.
type parameters interface {
	draw(dst []float64) // draws new parameters
	walk()              // takes a random step
}

// drifting holds the values of parameters in the course of a trial.
type drifting struct {
	drift         Drift
	draws, steps  *stream.Stream // streams of new parameters and of a random walk
	pulls         uint64
	now, from, to []float64 // current parameters; for gradual drift also those at the beginning and the end of the period
}

// newDrifting returns n parameters, which are 0 until start draws them.
func newDrifting(n int, d Drift, r *stream.Stream) drifting {
	m := drifting{drift: d, draws: r.Child("parameters"), steps: r.Child("drift"), now: make([]float64, n)}
	if d.Kind == "gradual" {
		m.from, m.to = make([]float64, n), make([]float64, n)
	}
	return m
}

// start draws the first parameters.
func (m *drifting) start(p parameters) {
	p.draw(m.now)
	copy(m.to, m.now)
}

// advance moves the parameters to the next pull. The first call does not change them.
func (m *drifting) advance(p parameters) {
	pull := m.pulls
	m.pulls++
	switch {
	case m.drift.Kind == "gradual":
		if m.drift.begins(pull) {
			copy(m.from, m.to)
			p.draw(m.to)
		}
		s := m.drift.phase(pull)
		for i := range m.now {
			m.now[i] = float64((1-s)*m.from[i]) + float64(s*m.to[i])
		}
	case pull == 0:
	case m.drift.Kind == "random-walk":
		p.walk()
	case m.drift.begins(pull): // abrupt
		p.draw(m.now)
	}
}

func (m *drifting) state(c *state.Codec) {
	c.Object(m.draws)
	c.Object(m.steps)
	c.Uint64(&m.pulls)
	c.Float64s(m.now)
	c.Float64s(m.from)
	c.Float64s(m.to)
}
