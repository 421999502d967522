package tables

import (
	"fmt"
	"slices"

	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A BasinsClaim is a claim of the paper about the experiment, and what the rows say of it.
type BasinsClaim struct {
	Claim   string
	Measure string // what the figure is of
	Figure  stats.Estimate
	Than    float64 // the claim is that the figure is above this
}

// Verdict returns 'holds' if the whole interval of the figure is above what it is claimed to exceed, 'does not hold' if it is below,
// else 'not shown'.
func (c BasinsClaim) Verdict() string {
	switch {
	case c.Figure.Low > c.Than:
		return "holds"
	case c.Figure.High < c.Than:
		return "does not hold"
	}
	return "not shown"
}

// leastNegative is the share of steps with a multiplier below 0 that the experiment asks for.
const leastNegative = 0.1

// BasinsClaims returns the claims with the figures of rows. Differences are paired by seed. A claim about a method without
// rows is left out.
func BasinsClaims(rows []BasinsRow) []BasinsClaim {
	var claims []BasinsClaim
	negative := func(r BasinsRow) float64 { return r.Negative }
	escapes := func(r BasinsRow) float64 { return r.Escapes }
	distinct := func(r BasinsRow) float64 { return r.Distinct }
	if e := paired(rows, "ICSGLD", "", negative); e.N > 0 {
		claims = append(claims, BasinsClaim{"ICSGLD meets negative learning rates", fmt.Sprintf("share of its steps with M < 0, above %g", leastNegative), e, leastNegative})
	}
	for _, c := range []struct {
		claim, measure string
		get            func(BasinsRow) float64
	}{
		{"ICSGLD escapes more often than ", "passages of a chain from low energy to high, less those of ", escapes},
		{"ICSGLD visits more modes than ", "distinct minima of a chain, less those of ", distinct},
	} {
		for _, than := range []string{"SGD", "SGLD"} {
			if e := paired(rows, "ICSGLD", than, c.get); e.N > 0 {
				claims = append(claims, BasinsClaim{c.claim + than, c.measure + than, e, 0})
			}
		}
	}
	for _, method := range []string{"SGD", "SGLD"} {
		if e := paired(rows, method, "", stays); e.N > 0 {
			claims = append(claims, BasinsClaim{method + " gets stuck: most falls to low energy are final", "share of the falls of a chain that no escape follows, above 0.5", e, 0.5})
		}
	}
	return claims
}

// stays returns the share of falls that no escape follows; NaN without a fall.
func stays(r BasinsRow) float64 { return 1 - r.Escapes/r.Falls }

// paired returns the mean over seeds of a measure of a method, less that of another one unless its name is empty. Seeds
// without a value are left out.
func paired(rows []BasinsRow, method, than string, get func(BasinsRow) float64) stats.Estimate {
	var values []float64
	for _, r := range rows {
		if r.Method != method {
			continue
		}
		v := get(r)
		if than != "" {
			i := slices.IndexFunc(rows, func(o BasinsRow) bool { return o.Method == than && o.Seed == r.Seed })
			if i < 0 {
				continue
			}
			v -= get(rows[i])
		}
		if words.Finite(v) {
			values = append(values, v)
		}
	}
	return stats.NewEstimate(values)
}
