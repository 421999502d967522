package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// untilFlags say when a run has enough seeds.
type untilFlags struct {
	until    string
	maxSeeds int
}

// untilRule returns the rule of --until.
func (f *runFlags) untilRule() (compare.Until, error) {
	switch {
	case f.unitFlags.shard != "" || len(f.unitFlags.trials) > 0:
		return compare.Until{}, errors.New("--until adds whole seeds: leave out --shard and --trial")
	case f.maxSeeds < 1 || f.maxSeeds > 100_000:
		return compare.Until{}, fmt.Errorf("--max-seeds %d: want 1 to 100000", f.maxSeeds)
	}
	u, err := compare.ParseUntil(f.until)
	if err != nil {
		return u, fmt.Errorf("--until %w", err)
	}
	return u, nil
}

// runUntil runs the experiment with more and more seeds until the comparison is settled, or there are --max-seeds.
func (a *app) runUntil(ctx context.Context, f *runFlags, e experiment.Experiment, u compare.Until) error {
	var all harness.Summary
	for {
		plan, err := e.Resolve(ctx, a.catalog)
		if err != nil {
			return a.resolveError(ctx, err)
		}
		if len(plan.Policies) < 2 {
			return exit.Usage(errors.New("--until compares policies: want at least two"))
		}
		dir := a.outFolder(f.out, plan)
		summary, err := a.work(ctx, f, plan, dir)
		if err != nil {
			return a.interrupted(ctx, err, summary, len(plan.Cells))
		}
		all.Run, all.Resumed, all.Failed = all.Run+summary.Run, all.Resumed+summary.Resumed, summary.Failed
		all.Skipped = max(len(plan.Cells)-all.Run, 0)
		open, there, err := a.unsettled(dir, plan, u)
		if err != nil {
			return err
		}
		seeds := len(e.Seeds)
		if len(open) == 0 || seeds >= f.maxSeeds {
			if len(open) > 0 {
				a.Warn("not settled with %s: %s open, such as %s: see 'compare --anytime', or raise --max-seeds", words.Count(seeds, "seed"), words.Count(len(open), "pair"), pairName(open[0]))
			} else {
				fmt.Fprintf(a.Stderr, "settled with %s\n", words.Count(seeds, "seed"))
			}
			return a.conclude(f, plan, dir, all)
		}
		// Seeds that are in the folder already count; else as many as the workers can use.
		more := max(1, f.workers/len(plan.Policies))
		for next := slices.Max(e.Seeds) + 1; len(e.Seeds) < f.maxSeeds && (more > 0 || slices.Contains(there, next)); next++ {
			if !slices.Contains(there, next) {
				more--
			}
			e.Seeds = append(slices.Clip(e.Seeds), next)
		}
	}
}

// unsettled returns the pairs of a folder that are not settled, on all environments of a plan, and the seeds that are there.
func (a *app) unsettled(dir string, plan *experiment.Plan, u compare.Until) (open []compare.AnytimePair, seeds []uint64, err error) {
	sets, err := a.Load(dir, false)
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
			return nil, nil, folder.NoneFinished(err)
		}
		open = append(open, c.Open()...)
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				seeds = append(seeds, rec.Seed)
			}
		}
	}
	return open, seeds, nil
}

func pairName(p compare.AnytimePair) string {
	return fmt.Sprintf("%s less %s, %s", words.Plain(p.Policy), words.Plain(p.Other), p.Mean.Interval())
}
