package tune

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/internal/place"
	"banditsim/results/compare"
)

// A Section is the section tune of an experiment file. The search does not see the seeds of the experiment itself.
type Section struct {
	Seeds  []uint64 // seeds of the search
	Budget int      // budget of each policy, in trials that run all rounds of the protocol; 0 if Minutes is given
	// Minutes is the budget of each policy in minutes of processor time. What is tried then depends on the machine.
	Minutes      float64
	Environments []string // names of the environments of the search, if the experiment has several; nil: all
	Halving      *Halving // nil: random search
	Objective    Objective
	Metric       *compare.Metric
	Draw         uint64 // seed of the draws
	Ranges       []Range
	// Places of Seeds and Environments in the file.
	SeedsAt, EnvironmentsAt place.Place
}

// DefaultSection returns random search for the lowest mean expected regret, without seeds, budget and ranges.
func DefaultSection() Section { return Section{Objective: Mean, Metric: compare.Expected(), Draw: 1} }

// Halving is successive halving: the search begins with short trials on few seeds. Every rung keeps the best 1/Eta of
// the configurations and gives each Eta times as many seeds or rounds.
type Halving struct {
	Eta    int // at least 2
	Rounds int // no trial has fewer rounds
	Seeds  int // no rung has fewer seeds
	place.Place
}

// An Objective is what the search minimizes over the seeds.
type Objective string

// The objectives.
const (
	Mean  Objective = "mean"
	Worst Objective = "worst" // the regret of the worst seed
)

// ParseObjective returns the objective with the given name.
func ParseObjective(name string) (Objective, error) {
	return nearest.Parse("unknown objective", name, []Objective{Mean, Worst})
}

// A Range is the range of values of an option from which the search draws.
type Range struct {
	Policy         string   // name of the policy in the experiment
	Option         string   // path, as in the settings of a variant
	Kind           string   // distribution of the draws: one of RangeKinds
	Low, High      float64  // ends of a range of numbers
	Values         []string // values of a choice, as in settings
	KeyAt, ValueAt place.Place
}

// The kinds of ranges. In a Log range the logarithm of a value is uniform, in a Linear range the value itself.
const (
	Log    = "log"
	Linear = "linear"
	Int    = "int"    // whole numbers
	Choice = "choice" // a list of any values
)

// RangeKinds returns all kinds of ranges.
func RangeKinds() []string { return []string{Log, Linear, Int, Choice} }

// String returns the range as in a file: "log 1e-05 to 0.1".
func (r Range) String() string {
	if r.Kind == Choice {
		return "choice of " + strings.Join(r.Values, ", ")
	}
	return fmt.Sprintf("%s %g to %g", r.Kind, r.Low, r.High)
}

// A Rung is a step of the search.
type Rung struct {
	Configurations int // configurations of each policy, at most
	Seeds, Rounds  int // seeds and rounds of each configuration
	Eta            int // the best 1/Eta of the configurations go on to the next rung; 0 in the last
}

// schedule returns the rungs, with as many configurations as the budget allows. From the last rung backwards, it
// divides the number of seeds by Eta down to Halving.Seeds, then the number of rounds down to Halving.Rounds. So short
// trials come first. Later rungs have trials of all rounds, on more and more seeds, and keep those that have run.
func schedule(t *Section, rounds int) ([]Rung, error) {
	list := []Rung{{Seeds: len(t.Seeds), Rounds: rounds}}
	if h := t.Halving; h != nil {
		if h.Rounds > rounds {
			return nil, fmt.Errorf("tune.halving.rounds: %d, want at most the %d of the protocol", h.Rounds, rounds)
		}
		for {
			next := Rung{Seeds: max(ceilDiv(list[0].Seeds, h.Eta), h.Seeds), Rounds: list[0].Rounds, Eta: h.Eta}
			if next.Seeds == list[0].Seeds {
				next.Rounds = max(ceilDiv(next.Rounds, h.Eta), h.Rounds)
			}
			if next.Rounds == list[0].Rounds && next.Seeds == list[0].Seeds {
				break
			}
			list = append([]Rung{next}, list...)
		}
		if len(list) == 1 {
			return nil, fmt.Errorf("tune.halving: the first rung would be the last: want fewer than %d rounds or %d seeds", rounds, len(t.Seeds))
		}
	}
	if t.Minutes > 0 {
		if t.Halving != nil {
			return nil, errors.New("tune.halving: a budget in minutes of processor time is for random search: leave halving out, or give the budget in trials")
		}
		list[0].Configurations = firstDraws
		return list, nil
	}
	const least = 2 // configurations
	worlds := max(len(t.Environments), 1)
	if whole := wholeTrials(list, least, rounds); whole > t.Budget/worlds {
		return nil, fmt.Errorf("tune.budget: %d, want at least %d: that is what %d configurations of a policy cost, in trials of all rounds", t.Budget, min(whole, math.MaxInt/worlds)*worlds, least)
	}
	n := least
	for n <= maxConfigurations && wholeTrials(list, n+1, rounds) <= t.Budget/worlds {
		n++
	}
	for i := range list {
		list[i].Configurations = n
		if eta := list[i].Eta; eta > 0 {
			n = ceilDiv(n, eta)
		}
	}
	return list, nil
}

// wholeTrials returns the cost of searching n configurations in one environment, in trials of all rounds, rounded up.
func wholeTrials(list []Rung, n, rounds int) int {
	cost, done := uint64(0), 0 // cost in rounds; number of seeds whose trials have run already
	for i, r := range list {
		if i > 0 && list[i-1].Rounds != r.Rounds {
			done = 0
		}
		// The cost fits: at most 1,001 configurations, 100,000 seeds and 10⁹ rounds in 50 rungs are 5·10¹⁸, below 2⁶³.
		cost, done = cost+uint64(n*(r.Seeds-done))*uint64(r.Rounds), r.Seeds
		if r.Eta > 0 {
			n = ceilDiv(n, r.Eta)
		}
	}
	return int(min((cost+uint64(rounds)-1)/uint64(rounds), math.MaxInt))
}

// Cost returns what the search costs for each policy with ranges, in trials of all rounds.
func (s *Search) Cost() int {
	return wholeTrials(s.Rungs, s.Rungs[0].Configurations, s.Rungs[len(s.Rungs)-1].Rounds) * max(len(s.Tune.Environments), 1)
}
