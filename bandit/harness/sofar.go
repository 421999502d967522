package harness

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"banditsim/bandit/experiment"
	"banditsim/results"
)

// A PolicyProgress is the regret of a policy so far.
type PolicyProgress struct {
	Policy string // as Cell.FullLabel
	// Environment is the label of the environment in an experiment on several, else "".
	Environment string
	Finished    int     // trials with all rounds, including those of earlier runs
	Failed      int     // trials that failed
	Mean        float64 // mean expected regret of the finished trials; NaN without one
	Running     []RunningTrial
}

// A RunningTrial is the regret of a running trial, up to and including Round. It cannot be
// compared with that of a finished trial or of one in another round.
type RunningTrial struct {
	Seed     uint64
	Round    int
	Expected float64 // cumulative expected regret
}

// soFar holds the PolicyProgress of all policies of a plan; the zero value has no policies. It
// is safe for concurrent use.
type soFar struct {
	mu       sync.Mutex
	policies []PolicyProgress
	byLabel  map[string]int
}

// Policies returns the regret so far of every policy, in the plan's order.
func (p *Progress) Policies() []PolicyProgress {
	p.soFar.mu.Lock()
	defer p.soFar.mu.Unlock()
	list := slices.Clone(p.soFar.policies)
	for i := range list {
		list[i].Running = slices.Clone(list[i].Running)
	}
	return list
}

// begin sets the policies to those of a plan.
func (s *soFar) begin(plan *experiment.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policies, s.byLabel = nil, make(map[string]int)
	for _, c := range plan.Cells {
		if _, ok := s.byLabel[c.FullLabel()]; !ok {
			s.byLabel[c.FullLabel()] = len(s.policies)
			s.policies = append(s.policies, PolicyProgress{Policy: c.FullLabel(), Environment: c.EnvironmentLabel, Mean: math.NaN()})
		}
	}
}

// running records the regret of a trial up to and including a round.
func (s *soFar) running(c experiment.Cell, round int, expected float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.policies[s.byLabel[c.FullLabel()]]
	at := RunningTrial{c.Seed, round, expected}
	i, found := slices.BinarySearchFunc(p.Running, c.Seed, bySeed)
	if !found {
		p.Running = slices.Insert(p.Running, i, at)
	}
	p.Running[i] = at
}

// finished records the end of a trial.
func (s *soFar) finished(c experiment.Cell, totals results.Totals) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.policies[s.byLabel[c.FullLabel()]]
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
