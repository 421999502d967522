package synthetic

import (
	"fmt"

	"banditsim/internal/check"
)

// Drift changes parameters in the course of a trial. Regret compares with the arm that is best at the
// time. The zero value is no drift.
type Drift struct {
	// Kind of the drift: abrupt (parameters are drawn anew every period pulls and constant between:
	// piecewise stationary), gradual (they move evenly from one draw to the next within each period) or
	// random-walk (they take a random step before each pull).
	Kind   string  `json:"kind" enum:"abrupt,gradual,random-walk"`
	Period int     `json:"period,omitzero"` // of abrupt and gradual drift: pulls, 1 to 10⁹
	Rate   float64 `json:"rate,omitzero"`   // of the random walk: size of a step relative to the parameters, above 0 to 1; after r pulls the steps add up to about rate·√r
}

func rangeError(key string, v float64, want string) error {
	return fmt.Errorf("%s: %g, want %s", key, v, want)
}

func (d Drift) validate() error {
	switch {
	case d == Drift{}:
		return nil
	case d.Kind == "random-walk":
		if !(d.Rate > 0 && d.Rate <= 1) {
			return rangeError("drift.rate", d.Rate, "above 0 to 1")
		}
		return check.Within("drift.period", d.Period, 0, 0) // it would have no effect
	case d.Rate != 0:
		return rangeError("drift.rate", d.Rate, "0: only a random-walk has a rate")
	}
	return check.First(
		check.OneOf("drift.kind", d.Kind, "abrupt", "gradual", "random-walk"),
		check.Within("drift.period", d.Period, 1, 1e9))
}

// begins reports whether a period begins with the pull of that number, from 0.
func (d Drift) begins(pull uint64) bool { return d.Period > 0 && pull%uint64(d.Period) == 0 }

// phase returns the part of the period that is over before the pull of that number, from 0.
func (d Drift) phase(pull uint64) float64 {
	return float64(pull%uint64(d.Period)) / float64(d.Period)
}
