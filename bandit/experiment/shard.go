package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/results"
)

// Shards divides the cells into n shards and returns the shard of each cell, from 1 to n. The result depends only on
// the cells, their costs and n. If there are fewer cells than shards, the last shards are empty.
//
// Each shard first gets all cells of ⌊seeds/n⌋ seeds, so that policies can be compared. The other cells go one by one,
// most expensive first, to the shard of least total cost (Graham, Bounds on multiprocessing timing anomalies, 1969).
func (p *Plan) Shards(n int) ([]int, error) {
	if n < 1 || n > maxTrials {
		return nil, fmt.Errorf("%d shards, want 1 to %d", n, maxTrials)
	}
	bySeed := map[uint64]int{} // position of each seed in order of first occurrence
	for _, c := range p.Cells {
		if _, ok := bySeed[c.Seed]; !ok {
			bySeed[c.Seed] = len(bySeed)
		}
	}
	whole := len(bySeed) / n // seeds per shard
	shards := make([]int, len(p.Cells))
	load := make([]float64, n) // costs of the shards
	var rest []int
	for k, c := range p.Cells {
		if seed := bySeed[c.Seed]; seed < whole*n {
			shards[k] = seed/whole + 1
			load[shards[k]-1] += c.Cost
		} else {
			rest = append(rest, k)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(p.Cells[b].Cost, p.Cells[a].Cost) })
	for _, k := range rest {
		least := slices.Index(load, slices.Min(load))
		shards[k] = least + 1
		load[least] += p.Cells[k].Cost
	}
	return shards, nil
}

// Shard keeps only the cells of shard i of n, where i counts from 1. An empty shard is an error.
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

// minID is the least number of digits of an ID that may select a trial.
const minID = 8

// Select keeps the cells whose ID begins with one of ids. Each needs at least 8 digits and must match one cell only.
func (p *Plan) Select(ids []string) error {
	found := make([]int, len(ids))
	mine := slices.DeleteFunc(slices.Clone(p.Cells), func(c Cell) bool {
		id, selected := c.ID(), false
		for k, want := range ids {
			if strings.HasPrefix(id, want) {
				found[k]++
				selected = true
			}
		}
		return !selected
	})
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

// SetCosts replaces the costs of cells by measured times. The function seconds returns the mean time of earlier trials
// with the given identity, apart from the seed. Costs of cells without a measurement are scaled by the ratio of seconds
// to costs of the measured cells. If no cell has a measurement, SetCosts returns an error.
func (p *Plan) SetCosts(seconds func(results.Identity) (float64, bool)) error {
	known := map[string]float64{} // seconds by label; 0 without a measurement
	sum, model := 0.0, 0.0
	for _, c := range p.Cells {
		if _, done := known[c.FullLabel()]; done {
			continue
		}
		known[c.FullLabel()] = 0
		if s, ok := seconds(c.Identity); ok && s > 0 {
			known[c.FullLabel()] = s
			sum, model = sum+s, model+c.Cost
		}
	}
	if sum == 0 {
		return fmt.Errorf("no trial of a policy of %s was timed there", p.Name)
	}
	for k := range p.Cells {
		c := &p.Cells[k]
		if s := known[c.FullLabel()]; s > 0 {
			c.Cost = s
		} else {
			c.Cost *= sum / model
		}
	}
	return nil
}

// modelCost estimates the number of multiplications and additions of the trial: the training of the policy, if it
// implements diagnostics.Worker, plus, for every pull and arm, the lengths of the context and of the arm's features.
func (c Cell) modelCost(spec bandit.Spec, p bandit.Policy) float64 {
	work := 0.0
	if w, ok := bandit.As[diagnostics.Worker](p); ok {
		work = w.Work()
	}
	return float64(float64(c.Protocol.Rounds)*work) + float64(float64(c.Protocol.AllPulls())*float64(len(spec.Arms))*float64(max(spec.Dim+spec.ArmDim, 1)))
}
