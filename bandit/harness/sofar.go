package harness

import (
	"cmp"
	"math"
	"slices"

	"banditsim/bandit/experiment"
	"banditsim/results"
)

// A PolicyProgress is the regret of a policy so far.
type PolicyProgress struct {
	Policy string // as Cell.FullLabel returns it
	// Environment is the label of the environment if the experiment has several, else "".
	Environment string
	Finished    int     // trials that played all rounds, including those of earlier runs
	Failed      int     // failed trials, including those of earlier runs
	Mean        float64 // mean expected regret of the finished trials; NaN if there is none
	Running     []RunningTrial
}

// A RunningTrial is a trial's regret up to and including Round, comparable only to that of other trials at that round.
type RunningTrial struct {
	Seed     uint64
	Round    int
	Expected float64 // cumulative expected regret
}

// Policies returns the regret so far of every policy, in the plan's order.
func (p *Progress) Policies() []PolicyProgress {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := slices.Clone(p.policies)
	for i := range list {
		list[i].Running = slices.Clone(list[i].Running)
	}
	return list
}

// begin sets Length and the list of policies from a plan.
func (p *Progress) begin(plan *experiment.Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.policies, p.byLabel = nil, make(map[string]int)
	p.Length.Store(0)
	for _, c := range plan.Cells {
		p.Length.Store(max(p.Length.Load(), int64(c.Protocol.Rounds)))
		if _, ok := p.byLabel[c.FullLabel()]; !ok {
			p.byLabel[c.FullLabel()] = len(p.policies)
			p.policies = append(p.policies, PolicyProgress{Policy: c.FullLabel(), Environment: c.EnvironmentLabel, Mean: math.NaN()})
		}
	}
}

// running records the regret of a trial up to and including a round.
func (p *Progress) running(c experiment.Cell, round int, expected float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := &p.policies[p.byLabel[c.FullLabel()]]
	at := RunningTrial{c.Seed, round, expected}
	i, found := slices.BinarySearchFunc(of.Running, c.Seed, bySeed)
	if !found {
		of.Running = slices.Insert(of.Running, i, at)
	}
	of.Running[i] = at
}

// finished records the end of a trial.
func (p *Progress) finished(c experiment.Cell, totals results.Totals) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := &p.policies[p.byLabel[c.FullLabel()]]
	if i, found := slices.BinarySearchFunc(of.Running, c.Seed, bySeed); found {
		of.Running = slices.Delete(of.Running, i, i+1)
	}
	switch {
	case totals.Failure != nil:
		of.Failed++
	case of.Finished == 0:
		of.Finished, of.Mean = 1, totals.Expected
	default:
		of.Finished++
		of.Mean += (totals.Expected - of.Mean) / float64(of.Finished)
	}
}

func bySeed(r RunningTrial, seed uint64) int { return cmp.Compare(r.Seed, seed) }
