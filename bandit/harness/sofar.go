package harness

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"banditsim/bandit/experiment"
	"banditsim/results"
)

// A PolicyProgress is what a policy came to so far, in a run that may be under way.
type PolicyProgress struct {
	Policy   string  // its label, as tables have it
	Finished int     // trials that did all their rounds, those of earlier runs too
	Failed   int     // trials that could not go on
	Mean     float64 // expected regret of the finished trials; NaN without one
	Running  []RunningTrial
}

// A RunningTrial is under way: its regret is up to and with its last round, so it cannot
// be compared with a finished one's, nor with that of a trial in another round.
type RunningTrial struct {
	Seed     uint64
	Round    int
	Expected float64 // cumulative expected regret
}

// soFar keeps the PolicyProgress of all policies of a plan. The zero value is one of no
// policy. It may be used by many goroutines.
type soFar struct {
	mu       sync.Mutex
	policies []PolicyProgress
	byLabel  map[string]int
}

// Policies returns what every policy of the run came to so far, in the plan's order.
func (p *Progress) Policies() []PolicyProgress {
	p.soFar.mu.Lock()
	defer p.soFar.mu.Unlock()
	list := slices.Clone(p.soFar.policies)
	for i := range list {
		list[i].Running = slices.Clone(list[i].Running)
	}
	return list
}

// begin takes up the policies of a plan.
func (s *soFar) begin(plan *experiment.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policies, s.byLabel = nil, make(map[string]int)
	for _, c := range plan.Cells {
		if _, ok := s.byLabel[c.Label]; !ok {
			s.byLabel[c.Label] = len(s.policies)
			s.policies = append(s.policies, PolicyProgress{Policy: c.Label, Mean: math.NaN()})
		}
	}
}

// running takes note of a trial's regret up to and with a round.
func (s *soFar) running(c experiment.Cell, round int, expected float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.policies[s.byLabel[c.Label]]
	at := RunningTrial{c.Seed, round, expected}
	i, found := slices.BinarySearchFunc(p.Running, c.Seed, bySeed)
	if !found {
		p.Running = slices.Insert(p.Running, i, at)
	}
	p.Running[i] = at
}

// finished takes note of a trial that has ended.
func (s *soFar) finished(c experiment.Cell, totals results.Totals) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.policies[s.byLabel[c.Label]]
	if i, found := slices.BinarySearchFunc(p.Running, c.Seed, bySeed); found {
		p.Running = slices.Delete(p.Running, i, i+1)
	}
	switch {
	case totals.Failure != nil:
		p.Failed++
	case p.Finished == 0:
		p.Finished, p.Mean = 1, totals.Expected
	default:
		p.Finished++
		p.Mean += (totals.Expected - p.Mean) / float64(p.Finished)
	}
}

func bySeed(r RunningTrial, seed uint64) int { return cmp.Compare(r.Seed, seed) }
