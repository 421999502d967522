package plot

import (
	"encoding/json"
	"errors"
	"fmt"

	"banditsim/internal/figure"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// horizontal converts rounds of a policy to positions on the horizontal axis.
type horizontal struct {
	label string
	at    func(round int) float64
}

// errNoSteps is the error of a policy that does no gradient steps.
var errNoSteps = errors.New("it does no gradient steps")

// newXAxis returns the axis of the policy with the label of a set.
func newXAxis(set *results.Set, x figure.X, label string) (horizontal, error) {
	protocol := set.Conditions.Protocol
	switch x {
	case figure.Pulls:
		return horizontal{"Pull", func(round int) float64 { return float64(protocol.PullsUntil(round)) }}, nil
	case figure.Steps:
		each, before, err := GradientSteps(set, set.Find(label).Policy)
		return horizontal{"Gradient step", func(round int) float64 { return float64(each * max(round-before, 0)) }}, err
	case figure.Seconds:
		seconds, err := meanSeconds(set.Find(label).Records)
		return horizontal{"Wall time (s)", func(round int) float64 { return seconds * float64(round) / float64(protocol.Rounds) }}, err
	}
	return horizontal{"Round of " + words.Count(protocol.Pulls, "pull"), func(round int) float64 { return float64(round) }}, nil
}

// GradientSteps returns the gradient steps of a training round, of all chains together, and the first rounds
// without training: those in which the replay buffer has too few rows.
func GradientSteps(set *results.Set, p results.Policy) (each, before int, err error) {
	var o struct {
		Posterior struct {
			Steps      int `json:"steps"`
			Chains     int `json:"chains"`
			Buffer     int `json:"buffer"`
			TrainAfter int `json:"train_after"`
		} `json:"posterior"`
	}
	if err := json.Unmarshal(p.Options, &o); err != nil || o.Posterior.Steps == 0 {
		return 0, 0, errNoSteps
	}
	protocol := set.Conditions.Protocol
	switch n := o.Posterior; {
	case !protocol.Delay.IsZero():
		return 0, 0, errors.New("rewards are delayed, so that the rounds of the gradient steps are unknown")
	case n.TrainAfter >= n.Buffer:
		return 0, 0, errNoSteps
	default:
		return n.Steps * max(n.Chains, 1), n.TrainAfter / protocol.Pulls, nil
	}
}

// meanSeconds returns the mean of the wall times of finished trials.
func meanSeconds(records []results.Record) (float64, error) {
	sum, n := 0.0, 0
	for _, rec := range results.Finished(records) {
		s, err := rec.Sidecar()
		if err != nil {
			return 0, fmt.Errorf("the time of seed %d is unknown: %w", rec.Seed, err)
		}
		sum += s.Seconds
		for _, e := range s.Earlier {
			sum += e.Seconds
		}
		n++
	}
	return sum / float64(n), nil
}

// xAxes returns the axis of each curve and, of those whose policies have no gradient steps, the names.
func xAxes(set *results.Set, o *Options, all []compare.Curve) (axes map[string]horizontal, without []string, err error) {
	axes = make(map[string]horizontal)
	for _, c := range all {
		a, err := newXAxis(set, o.X, c.Policy)
		switch {
		case errors.Is(err, errNoSteps):
			without = append(without, words.Plain(name(o, c.Policy)))
			continue
		case err != nil:
			return nil, nil, fmt.Errorf("plot: %s in %s: %w", words.Plain(c.Policy), o.X, err)
		}
		axes[c.Policy] = a
	}
	if len(axes) == 0 {
		return nil, nil, errors.New("plot: no policy does gradient steps, so that there is no axis of them: choose rounds, pulls or seconds")
	}
	return axes, without, nil
}
