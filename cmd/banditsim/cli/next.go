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

// maxNextSeed bounds the seeds after which nextCommand proposes more.
const maxNextSeed = 1_000_000

// nextCommand returns the command that merges a shard with the others; else the one for more seeds if there are too few for
// a comparison; else the one for the comparison. After a sweep the seeds are new ones: those it chose on flatter.
func (a *app) nextCommand(f *runFlags, plan *experiment.Plan, dir string) string {
	if f.shard != "" {
		return commandLine("merge", dir+"-merged", dir) + " and the folders of the other shards"
	}
	var seeds []uint64
	for _, t := range plan.Cells {
		seeds = append(seeds, t.Seed)
	}
	slices.Sort(seeds)
	seeds = slices.Compact(seeds)
	if len(seeds) >= compare.MinSeeds {
		return commandLine("compare", dir)
	}
	args := usage.Without(a.args, "--seeds")
	if len(args) == 1 {
		args = append(args, "quick") // the default of run
	}
	for i, p := range plan.Policies {
		if last := seeds[len(seeds)-1]; last <= maxNextSeed && slices.ContainsFunc(plan.Policies[:i], func(q experiment.PlannedPolicy) bool { return q.Policy.Name == p.Policy.Name }) {
			return commandLine(append(args, "--seeds", compare.MoreSeeds([]uint64{last + 1}))...)
		}
	}
	return commandLine(append(args, "--seeds", compare.MoreSeeds(seeds))...)
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
				fmt.Fprintf(&b, "        %s; more rounds or other options may tell them apart, more seeds hardly\n", words.Plain(w.Message))
			}
		}
	}
	return b.String()
}
