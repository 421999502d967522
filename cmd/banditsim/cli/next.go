package cli

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// nextCommand returns the command that merges a shard with the others; else the one for more seeds, those that the verdict
// names, if there are too few for a comparison; else the one for the comparison.
func (a *app) nextCommand(f *runFlags, plan *experiment.Plan, dir string, sets []*results.Set) string {
	if f.shard != "" {
		return usage.CommandLine("merge", dir+"-merged", dir) + " and the folders of the other shards"
	}
	var seeds []uint64
	for _, t := range plan.Cells {
		seeds = append(seeds, t.Seed)
	}
	slices.Sort(seeds)
	seeds = slices.Compact(seeds)
	if len(seeds) >= compare.MinSeeds {
		return usage.CommandLine("compare", dir)
	}
	args := usage.Without(a.args, "--seeds")
	if len(args) == 1 {
		args = append(args, "quick") // the default of run
	}
	return usage.CommandLine(append(args, "--seeds", compare.MoreSeeds(sets...))...)
}

// alike returns a line for policies that pulled the same arms in every round, with the reason: more seeds
// hardly tell them apart.
func alike(sets []*results.Set) string {
	var b strings.Builder
	for _, set := range sets {
		s := compare.Totals(set)
		s.Explain(set)
		for _, w := range s.Warnings {
			if w.Kind == compare.Identical {
				fmt.Fprintf(&b, "%s; more rounds or other options may tell them apart, more seeds hardly\n", words.Plain(w.Message))
			}
		}
	}
	return b.String()
}
