package experiment

import (
	"fmt"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/experiment/internal/shards"
	"banditsim/results"
)

// Shards returns the shard of each cell, 1 to n. The cells, their costs and n alone decide. Only shards above
// the number of cells are empty. As far as the number of seeds allows, shards have equal numbers of whole seeds.
func (p *Plan) Shards(n int) ([]int, error) {
	if n < 1 || n > maxTrials {
		return nil, fmt.Errorf("%d shards, want 1 to %d", n, maxTrials)
	}
	seeds, costs := make([]uint64, len(p.Cells)), make([]float64, len(p.Cells))
	for k, c := range p.Cells {
		seeds[k], costs[k] = c.Seed, c.Cost
	}
	return shards.Assign(seeds, costs, n), nil
}

// Shard keeps the cells of the i-th of n shards; i counts from 1. A shard without a trial is an error.
func (p *Plan) Shard(i, n int) error {
	switch all := len(p.Cells); {
	case n < 1 || i < 1 || i > n:
		return fmt.Errorf("shard %d/%d: want i/n with 1 ≤ i ≤ n", i, n)
	case i > all:
		return fmt.Errorf("shard %d/%d has no trials: there are %d trials, want at most %d parts", i, n, all, all)
	}
	shardOf, err := p.Shards(n)
	if err != nil {
		return err
	}
	var mine []Cell
	for k, c := range p.Cells {
		if shardOf[k] == i {
			mine = append(mine, c)
		}
	}
	p.Cells = mine
	return nil
}

// minID is the number of digits that select a trial.
const minID = 8

// Select keeps the cells whose IDs begin with the given digits, at least eight each. Every one must
// select one cell.
func (p *Plan) Select(ids []string) error {
	var mine []Cell
	found := make([]int, len(ids))
	for _, c := range p.Cells {
		id, selected := c.ID(), false
		for k, want := range ids {
			if strings.HasPrefix(id, want) {
				found[k]++
				selected = true
			}
		}
		if selected {
			mine = append(mine, c)
		}
	}
	for k, id := range ids {
		switch {
		case len(id) < minID:
			return fmt.Errorf("trial %q: want at least %d digits of its ID", id, minID)
		case found[k] == 0:
			return fmt.Errorf("trial %q: none of the %d trials has this ID: 'banditsim plan' lists them", id, len(p.Cells))
		case found[k] > 1:
			return fmt.Errorf("trial %q: %d trials have this ID: give more digits", id, found[k])
		}
	}
	p.Cells = mine
	return nil
}

// SetCosts sets the costs of cells to mean seconds of trials that differ in the seed alone. A
// policy without seconds gets those of the others in the ratio of the costs so far. An error means that no policy
// of the plan has any.
func (p *Plan) SetCosts(seconds func(results.Identity) (float64, bool)) error {
	known := map[string]float64{} // by label
	sum, model := 0.0, 0.0
	labels := map[string]bool{}
	for _, c := range p.Cells {
		if labels[c.FullLabel()] {
			continue
		}
		labels[c.FullLabel()] = true
		if s, ok := seconds(c.Identity); ok && s > 0 {
			known[c.FullLabel()] = s
			sum, model = sum+s, model+c.Cost
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("no trial of a policy of %s was timed there", p.Name)
	}
	for k := range p.Cells {
		c := &p.Cells[k]
		if s, ok := known[c.FullLabel()]; ok {
			c.Cost = s
		} else {
			c.Cost *= sum / model
		}
	}
	return nil
}

// modelCost returns about how many multiplications and additions the trial takes: those of training, which policies
// without a known one do not have, and one for each number of a context and each arm in every pull.
func (c Cell) modelCost(spec bandit.Spec, p bandit.Policy) float64 {
	work := 0.0
	if w, ok := p.(diagnostics.Worker); ok {
		work = w.Work()
	}
	return float64(float64(c.Protocol.Rounds)*work) + float64(float64(c.Protocol.AllPulls())*float64(len(spec.Arms))*float64(max(spec.Dim+spec.ArmDim, 1)))
}
