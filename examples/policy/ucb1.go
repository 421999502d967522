package main

import (
	"encoding/json"
	"fmt"
	"math"

	"banditsim/bandit"
	"banditsim/policy"
)

// Options are the options of UCB1.
type Options struct {
	Width float64 `json:"width" doc:"factor of the confidence bounds, in units of reward"`
}

// Kind declares UCB1 under a name that the catalog does not have.
var Kind = policy.Kind[Options]{
	Name: "OwnUCB1", Doc: "upper confidence bounds of the arms' means, whatever the context",
	Defaults: func() Options { return Options{Width: 10} },
	New:      New,
}

// UCB1 pulls the arm with the highest upper confidence bound mean + width·√(ln t/n), where n is the
// number of pulls of the arm and t that of all arms (Auer, Cesa-Bianchi and Fischer, 2002; their
// width is √2, for rewards in [0, 1]). It ignores contexts.
type UCB1 struct {
	width float64
	state
}

// state is the saved part of UCB1.
type state struct {
	Sum   []float64 // sums of the rewards of each arm
	Pulls []float64 // pulls of each arm
}

// New returns the policy for the arms of an environment.
func New(o Options, s policy.Setup) (bandit.Policy, error) {
	if !(o.Width >= 0) {
		return nil, fmt.Errorf("width: %g, want at least 0", o.Width)
	}
	arms := len(s.Spec.Arms)
	return &UCB1{o.Width, state{make([]float64, arms), make([]float64, arms)}}, nil
}

// Act returns, of the arms that can be pulled, the first without pulls. If all have pulls, it returns the arm
// with the highest bound, the first in case of ties.
func (u *UCB1) Act(r bandit.Round) (int, error) {
	total := 0.0
	for _, n := range u.Pulls {
		total += n
	}
	best, highest := 0, math.Inf(-1)
	for arm, n := range u.Pulls {
		if !r.CanPull(arm) {
			continue
		}
		if n == 0 {
			return arm, nil
		}
		if bound := u.Sum[arm]/n + u.width*math.Sqrt(math.Log(total)/n); bound > highest {
			best, highest = arm, bound
		}
	}
	return best, nil
}

// Learn records a pull of an arm and its reward.
func (u *UCB1) Learn(_ bandit.Round, arm int, reward float64) error {
	u.Sum[arm] += reward
	u.Pulls[arm]++
	return nil
}

// MarshalBinary saves the sums of rewards and the numbers of pulls.
func (u *UCB1) MarshalBinary() ([]byte, error) { return json.Marshal(u.state) }

// UnmarshalBinary restores what MarshalBinary saved.
func (u *UCB1) UnmarshalBinary(b []byte) error { return json.Unmarshal(b, &u.state) }
