package compare

import (
	"fmt"

	"banditsim/results"
	"banditsim/results/stats"
)

// A Curve is a policy's cumulative regret by round: the mean over the seeds whose
// trials did all their rounds, with a t-interval at each round.
type Curve struct {
	Policy string
	Seeds  []uint64
	Rounds []int // the first is the round before the curve begins
	// Regret up to and with each of Rounds, an Estimate each; the first is 0.
	Regret []stats.Estimate
}

// Curves reads the rounds of all trials from round from on (1 for all); regret before it
// does not count. Each curve is thinned to at most points rounds. Memory does not grow
// with the number or the length of the trials. Policies without a finished trial have no curve; where
// no policy has one, the error is ErrNoneFinished.
func Curves(set *results.Set, metric Metric, from, points int) ([]Curve, error) {
	rounds := set.Conditions.Protocol.Rounds
	if _, err := ParseMetric(string(metric)); err != nil {
		return nil, err
	}
	switch {
	case from < 1 || from > rounds:
		return nil, fmt.Errorf("compare: curves: from round %d, want 1 to %d", from, rounds)
	case points < 2:
		return nil, fmt.Errorf("compare: curves: %d points, want at least 2", points)
	}
	marks := Thin(from-1, rounds, points)
	var curves []Curve
	for _, p := range set.Policies {
		c := Curve{Policy: p.Label, Rounds: marks}
		at := make([]stats.Moments, len(marks))
		for _, t := range p.Records {
			if t.Totals.Failure != nil {
				continue
			}
			if err := addCurve(at, marks, t, metric); err != nil {
				return nil, err
			}
			c.Seeds = append(c.Seeds, t.Seed)
		}
		if len(c.Seeds) == 0 {
			continue
		}
		for i := range at {
			c.Regret = append(c.Regret, at[i].Estimate())
		}
		curves = append(curves, c)
	}
	if len(curves) == 0 {
		return nil, fmt.Errorf("compare: curves: %w", ErrNoneFinished)
	}
	return curves, nil
}

// Thin returns at most n numbers from first to last, evenly spaced, both among
// them.
func Thin(first, last, n int) []int {
	n = min(n, last-first+1)
	marks := make([]int, n)
	for i := range marks {
		// In integers: rounding would let two marks fall on one round.
		marks[i] = first + i*(last-first)/max(n-1, 1)
	}
	return marks
}

// regretBetween is a trial's regret in the rounds from … to, both among them.
func regretBetween(rec results.Record, metric Metric, from, to int) (float64, error) {
	at := make([]stats.Moments, 2)
	err := addCurve(at, []int{from - 1, to}, rec, metric)
	return at[1].Estimate().Mean, err
}

// addCurve adds one trial's cumulative regret since round marks[0] at every mark.
func addCurve(at []stats.Moments, marks []int, rec results.Record, metric Metric) error {
	total, next := 0.0, 1
	at[0].Add(0)
	for r, err := range rec.Regrets() {
		if err != nil {
			return err
		}
		if r.Round <= marks[0] {
			continue
		}
		if metric == Realised {
			total += r.Realised
		} else {
			total += r.Expected
		}
		if next < len(marks) && r.Round == marks[next] {
			at[next].Add(total)
			next++
		}
	}
	return nil
}

func (c *Curve) End() stats.Estimate { return c.Regret[len(c.Regret)-1] }
