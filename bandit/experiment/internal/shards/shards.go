// Package shards divides trials among machines.
package shards

import (
	"cmp"
	"container/heap"
	"slices"
)

// Assign returns the shard of each trial, 1 to n, of which seeds has the seed and costs the cost. As far as the number of seeds
// allows, shards have equal numbers of whole seeds, so that the policies of a shard can be compared; the trials of the
// seeds that are left over go one by one, the most expensive first, to the shard with the least cost (Graham, Bounds on
// multiprocessing timing anomalies, 1969).
func Assign(seeds []uint64, costs []float64, n int) []int {
	bySeed := map[uint64]int{} // position of the seed
	for _, seed := range seeds {
		if _, ok := bySeed[seed]; !ok {
			bySeed[seed] = len(bySeed)
		}
	}
	whole := len(bySeed) / n // seeds per shard
	shards := make([]int, len(seeds))
	loads := make(loads, n)
	for i := range loads {
		loads[i].shard = i + 1
	}
	var rest []int
	for k := range seeds {
		if seed := bySeed[seeds[k]]; seed < whole*n {
			shards[k] = seed/whole + 1
			loads[shards[k]-1].cost += costs[k]
		} else {
			rest = append(rest, k)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	heap.Init(&loads)
	for _, k := range rest {
		shards[k] = loads[0].shard
		loads[0].cost += costs[k]
		heap.Fix(&loads, 0)
	}
	return shards
}

// loads are shards and the cost of their trials, as a heap with the least first.
type loads []struct {
	shard int
	cost  float64
}

func (l loads) Len() int      { return len(l) }
func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l loads) Push(any)      { panic("shards: the number of shards is fixed") }
func (l loads) Pop() any      { panic("shards: the number of shards is fixed") }
func (l loads) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].cost, l[j].cost), cmp.Compare(l[i].shard, l[j].shard)) < 0
}
