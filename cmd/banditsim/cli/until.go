package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/internal/exit"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// runUntil runs the experiment with more and more seeds until every pair of policies is settled, or up to --max-seeds.
func (a *app) runUntil(ctx context.Context, f *runFlags, e experiment.Experiment) error {
	if len(e.Seeds) > f.maxSeeds {
		return exit.Usage(fmt.Errorf("--max-seeds %d: the experiment has %d seeds, want at least as many", f.maxSeeds, len(e.Seeds)))
	}
	var all harness.Summary
	for {
		plan, err := a.resolve(ctx, e)
		if err != nil {
			return err
		}
		if len(plan.Policies) < 2 {
			return exit.Usage(errors.New("--until compares policies: want at least two"))
		}
		dir := a.outFolder(f.out, plan, "")
		summary, err := a.work(ctx, f, plan, dir)
		if err != nil {
			return err
		}
		all.Run, all.Resumed, all.Failed = all.Run+summary.Run, all.Resumed+summary.Resumed, summary.Failed
		all.Skipped = max(len(plan.Cells)-all.Run, 0)
		open, there, err := a.unsettled(dir, plan, f.until)
		if err != nil {
			return err
		}
		seeds := words.Count(len(there), "seed")
		if len(open) == 0 {
			fmt.Fprintf(a.Stderr, "settled with %s\n", seeds)
			return a.conclude(f, plan, dir, all)
		}
		if len(e.Seeds) == f.maxSeeds {
			a.warn("not settled with %s: %s open, such as %s less %s, %s: see 'compare --anytime', or raise --max-seeds", seeds,
				words.Count(len(open), "pair"), words.Plain(open[0].Policy), words.Plain(open[0].Other), open[0].Mean.Interval())
			return a.conclude(f, plan, dir, all)
		}
		// Add as many seeds as the workers can run at a time, not counting those that the folder already has.
		more := max(1, f.workers/len(plan.Policies))
		for next := slices.Max(e.Seeds) + 1; len(e.Seeds) < f.maxSeeds && (more > 0 || slices.Contains(there, next)); next++ {
			if !slices.Contains(there, next) {
				more--
			}
			e.Seeds = append(slices.Clip(e.Seeds), next)
		}
	}
}

// unsettled compares the policies of a plan by their trials in the folder dir, in every environment. It returns the
// pairs that are not settled, and the sorted seeds of those trials.
func (a *app) unsettled(dir string, plan *experiment.Plan, u compare.Until) (open []compare.AnytimePair, seeds []uint64, err error) {
	sets, err := a.loadEach([]string{dir}, false)
	if err != nil {
		return nil, nil, err
	}
	var labels []string
	for _, p := range plan.Policies {
		for _, set := range sets {
			if there := set.FindPolicy(p.Policy); there != nil && !slices.Contains(labels, there.Label) {
				labels = append(labels, there.Label)
			}
		}
	}
	if sets, err = results.Select(sets, labels); err != nil {
		return nil, nil, err
	}
	for _, set := range sets {
		c, err := compare.Sequential(set, compare.Expected(), u)
		if err != nil {
			return nil, nil, err
		}
		open = append(open, c.Open()...)
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				seeds = append(seeds, rec.Seed)
			}
		}
	}
	slices.Sort(seeds)
	return open, slices.Compact(seeds), nil
}

// concludeUntil replaces the sentences of the summaries, which hold only for a number of seeds chosen in advance, by
// those of the anytime comparison.
func concludeUntil(sets []*results.Set, summaries []*compare.Summary, u compare.Until) error {
	for i, s := range summaries {
		c, err := compare.Sequential(sets[i], compare.Expected(), u)
		if err != nil {
			return err
		}
		s.Sentences = c.Verdict(sets[i], s.Policies[0].Policy)
	}
	return nil
}
