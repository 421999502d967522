package cli

import (
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit/experiment"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// nextCommand returns the command that merges a shard with the others; else, if there are enough seeds and anything to
// compare, the one for the comparison; else the same one for another folder, if there are policies whose trials all failed and
// that have to be changed, as more seeds would fail too; else the one for more seeds, those that the verdict names.
func (a *app) nextCommand(f *runFlags, plan *experiment.Plan, dir string, sets []*results.Set) string {
	if f.shard != "" {
		return a.CommandLine("merge", dir+"-merged", dir) + " and the folders of the other shards"
	}
	var seeds []uint64
	for _, t := range plan.Cells {
		seeds = append(seeds, t.Seed)
	}
	slices.Sort(seeds)
	seeds = slices.Compact(seeds)
	failing, finished := neverFinished(sets)
	if finished && len(seeds) >= compare.MinSeeds {
		return a.CommandLine("compare", dir)
	}
	if len(failing) > 0 {
		// The trials of a changed policy are another experiment.
		return "change " + words.Plain(strings.Join(failing, ", ")) + ", then " + a.CommandLine(append(usage.Without(a.Args[1:], "--out"), "--out", dir+"-2")...)
	}
	args := usage.Without(a.Args[1:], "--seeds")
	if len(args) == 1 {
		args = append(args, "quick") // the default of run
	}
	return a.CommandLine(append(args, "--seeds", compare.MoreSeeds(sets...))...)
}

// neverFinished returns the labels of the policies whose trials all failed, and reports whether a trial of any policy did not.
func neverFinished(sets []*results.Set) (failing []string, finished bool) {
	done := make(map[string]bool)
	for _, set := range sets {
		for _, p := range set.Policies {
			done[p.Label] = done[p.Label] || slices.ContainsFunc(p.Records, func(r results.Record) bool { return r.Totals.Failure == nil })
		}
	}
	for label, ok := range done {
		finished = finished || ok
		if !ok {
			failing = append(failing, label)
		}
	}
	slices.Sort(failing)
	return failing, finished
}

// alike returns a line for policies that pulled the same arms in every round, with the reason: more seeds
// hardly tell them apart.
func alike(summaries []*compare.Summary) string {
	var b strings.Builder
	for _, s := range summaries {
		for _, w := range s.Warnings {
			if w.Kind == compare.Identical {
				fmt.Fprintf(&b, "%s; more rounds or other options may tell them apart, more seeds hardly\n", words.Plain(w.Message))
			}
		}
	}
	return b.String()
}
