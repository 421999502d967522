package experiment

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
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
	return assignShards(seeds, costs, n), nil
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
	if w, ok := bandit.As[diagnostics.Worker](p); ok {
		work = w.Work()
	}
	return float64(float64(c.Protocol.Rounds)*work) + float64(float64(c.Protocol.AllPulls())*float64(len(spec.Arms))*float64(max(spec.Dim+spec.ArmDim, 1)))
}

// assignShards returns the shard of each trial, 1 to n, of which seeds has the seed and costs the cost. As far as the number of seeds
// allows, shards have equal numbers of whole seeds, so that the policies of a shard can be compared; the trials of the
// seeds that are left over go one by one, the most expensive first, to the shard with the least cost (Graham, Bounds on
// multiprocessing timing anomalies, 1969).
func assignShards(seeds []uint64, costs []float64, n int) []int {
	bySeed := map[uint64]int{} // position of the seed
	for _, seed := range seeds {
		if _, ok := bySeed[seed]; !ok {
			bySeed[seed] = len(bySeed)
		}
	}
	whole := len(bySeed) / n // seeds per shard
	shards := make([]int, len(seeds))
	load := make(shardLoads, n)
	for i := range load {
		load[i].shard = i + 1
	}
	var rest []int
	for k := range seeds {
		if seed := bySeed[seeds[k]]; seed < whole*n {
			shards[k] = seed/whole + 1
			load[shards[k]-1].cost += costs[k]
		} else {
			rest = append(rest, k)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	heap.Init(&load)
	for _, k := range rest {
		shards[k] = load[0].shard
		load[0].cost += costs[k]
		heap.Fix(&load, 0)
	}
	return shards
}

// shardLoads are shards and the cost of their trials, as a heap with the least first.
type shardLoads []struct {
	shard int
	cost  float64
}

func (l shardLoads) Len() int      { return len(l) }
func (l shardLoads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l shardLoads) Push(any)      { panic("shards: the number of shards is fixed") }
func (l shardLoads) Pop() any      { panic("shards: the number of shards is fixed") }
func (l shardLoads) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].cost, l[j].cost), cmp.Compare(l[i].shard, l[j].shard)) < 0
}
