package tune

import (
	"fmt"
	"math"
	"math/bits"
)

// A Rung is a step of the search.
type Rung struct {
	Configurations int // configurations of each policy, at most
	Seeds, Rounds  int // seeds and rounds of each configuration
	Eta            int // the best 1/Eta of the configurations go on to the next rung; 0 in the last
}

// schedule returns the rungs, with as many configurations as the budget allows. Going back from the last rung, each
// has 1/Eta of the seeds of the next one and, once it has the fewest seeds, 1/Eta of its rounds. So short trials come
// first, and trials of all rounds are not repeated when seeds are added.
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

// wholeTrials returns the cost of a search over n configurations in one environment, in trials of all rounds, rounded up.
func wholeTrials(list []Rung, n, rounds int) int {
	cost, done := uint64(0), 0 // cost in rounds; number of seeds whose trials have run already
	for i, r := range list {
		if i > 0 && list[i-1].Rounds != r.Rounds {
			done = 0
		}
		high, c := bits.Mul64(uint64(n*(r.Seeds-done)), uint64(r.Rounds))
		if high > 0 || cost+c < cost {
			return math.MaxInt // above any budget
		}
		cost, done = cost+c, r.Seeds
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
