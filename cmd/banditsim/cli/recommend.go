package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

type recommendFlags struct {
	runFlags

	minutes float64
}

const (
	// yardstick is a policy that every race includes. It is not dropped if it is worse than the best.
	yardstick = "Uniform"
	// firstSeeds is the number of seeds that every policy runs first. With up to six seeds nothing can be settled: the
	// anytime intervals for the 15 pairs of six policies are infinite.
	firstSeeds = 8
	// plannedSeeds is the number of seeds that should fit into the budget. On long tables trials are shortened for this.
	plannedSeeds = 12
	// fewestRounds is the smallest number of rounds of a shortened trial. With 20 pulls a round that is 500 pulls.
	// Networks begin to train when they have 50 rows, so that most of the pulls come after that.
	fewestRounds = 25
	// alikeShare is a fraction of the uniform policy's regret. If the interval of the difference of two policies is no
	// wider than this fraction, the policies are alike and their pair is settled.
	alikeShare = 0.01
)

// errSpent is the cause (context.Cause) of a context that ended because the --minutes are over.
var errSpent = errors.New("the budget is spent")

var errTooShort = exit.With(exit.CodeIncomplete, fmt.Errorf("%w before all policies finished a seed: give more --minutes, the same command goes on", errSpent))

func (a *app) recommendCommand() *cobra.Command {
	f := recommendFlags{minutes: 5}
	f.maxSeeds = 200
	cmd := &cobra.Command{
		Use:   "recommend FILE.csv",
		Short: "Recommend a policy for a table, and show the commands that go on from there",
		Long: `Recommend a policy for a table. The command describes the table, takes the policies that do
well on tables of this kind (docs/recommend.md) with options for any problem, and runs them on the
same seeds beside Uniform, until the best is settled or the minutes are over. A policy that is surely
worse than the best gets no more seeds. The intervals hold at every number of seeds.

A long table is played in part, so that enough seeds fit: the output says how many rows. The same
command goes on in the same folder, for as many minutes again.

The file is read as 'run --data' reads it: the last column has the classes, unless
--set environment.target=NAME names another; 'banditsim data describe FILE' shows all columns.`,
		Example: `  banditsim recommend my.csv
  banditsim recommend my.csv --minutes 1 --set environment.drop=id --out out/first`,
		Args: usage.Count(1, 1),
		PreRunE: func(*cobra.Command, []string) error {
			if !(f.minutes > 0 && f.minutes <= 1e6) {
				return fmt.Errorf("--minutes %v: want a number above 0", f.minutes)
			}
			return nil
		},
		RunE: interruptible(func(ctx context.Context, args []string) error { return a.recommend(ctx, &f, args[0]) }),
	}
	flags := cmd.Flags()
	usage.Real(flags, &f.minutes, "minutes", "budget of time by the clock, such as 0.5")
	flags.StringSliceVar(&f.policies, "policies", nil, "policies to compare, separated by commas (default those for the kind of table)")
	usage.List(flags, &f.settings, "set", "change an option of the table: environment.key=value, such as environment.target=class (repeatable)", experiment.ParseSetting)
	flags.StringVar(&f.out, "out", "", "output folder (default out/<name of the file>-recommend)")
	f.workers, f.every = runtime.GOMAXPROCS(0), defaultCheckpoint
	usage.Workers(cmd, &f.workers, "trials that run at a time")
	usage.Quiet(cmd, &f.quiet)
	return cmd
}

// A race is a comparison of policies on seeds that are added until the best policy is settled or the time is spent.
type race struct {
	*recommendFlags
	plan    *experiment.Plan // with all seeds up to maxSeeds
	dir     string
	rounds  []string         // --set protocol.rounds=… if trials are shortened, else nil
	fit     string           // why trials have their length, if they are shortened
	seeds   int              // number of seeds so far
	left    []string         // policies that get more seeds
	best    string           // policy in left with the lowest mean
	dropped []string         // for each policy that was removed from left, a line with the reason
	whole   bool             // whether every policy in left has run all seeds so far
	settled bool             // whether each pair of best and another policy in left is settled
	failed  int              // number of failed trials
	anytime *compare.Anytime // comparison of all pairs of policies on the seeds so far
	all     *results.Set     // trials so far; a trial of a policy in left is here only if all policies in left have run its seed
}

func (a *app) recommend(ctx context.Context, f *recommendFlags, file string) error {
	limited, cancel := context.WithDeadlineCause(ctx, time.Now().Add(time.Duration(f.minutes*float64(time.Minute))), errSpent)
	defer cancel()
	opened, _, err := a.catalog.Open(ctx, fileEnvironment, file, f.settings)
	if err != nil {
		return a.resolveError(ctx, err)
	}
	data, err := opened.Summarize()
	if err != nil {
		return exit.Usage(err)
	}
	f.environment, f.data = fileEnvironment, file
	advice := experiment.Advice{Kind: "by --policies", Policies: f.policies}
	if len(f.policies) == 0 {
		if advice, err = a.catalog.Advise(data); err != nil {
			return exit.Usage(err)
		}
	}
	f.policies = advice.Policies
	if !slices.Contains(f.policies, yardstick) {
		f.policies = append(slices.Clip(f.policies), yardstick)
	}
	r := &race{recommendFlags: f, seeds: firstSeeds, left: f.policies}
	if err := a.planRace(ctx, limited, r); err != nil {
		return err
	}
	if err := a.printLines(r.lines(file, opened.World.Target, advice.Kind, data)); err != nil {
		return err
	}
	for {
		part := *r.plan
		part.Cells = slices.DeleteFunc(slices.Clone(r.plan.Cells), func(c experiment.Cell) bool {
			return c.Seed > uint64(r.seeds) || !slices.Contains(r.left, c.Label)
		})
		_, err := a.work(limited, &r.runFlags, &part, r.dir)
		spent := errors.Is(err, errSpent)
		if err != nil && !spent {
			return err
		}
		switch err := a.judgeRace(r); {
		case err != nil:
			return err
		case r.settled || spent && !r.whole || r.seeds == r.maxSeeds: // after the budget is spent, go on only while the folder has all trials: they cost no time
			return a.concludeRace(r)
		}
		r.seeds = min(r.maxSeeds, r.seeds+max(2, r.seeds/4))
	}
}

// planRace sets r.plan, r.dir and, for shortened trials, r.rounds. New trials are as long as those in the folder, if
// any. Otherwise they are shortened if necessary to fit plannedSeeds into the budget, but not below fewestRounds.
func (a *app) planRace(ctx, limited context.Context, r *race) error {
	for seed := range uint64(r.maxSeeds) {
		r.planFlags.seeds = append(r.planFlags.seeds, seed+1)
	}
	e, err := a.experiment(&r.planFlags, nil)
	if err != nil {
		return exit.Usage(err)
	}
	if r.plan, err = a.resolve(ctx, e); err != nil {
		return err
	}
	r.dir = a.outFolder(r.out, r.plan, "-recommend")
	full := r.plan.Environments[0].Protocol.Rounds
	rounds := full
	heads, err := results.Heads(r.dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case len(heads) > 0:
		rounds, r.fit = heads[0].Protocol.Rounds, "as long as those in the folder"
	default:
		one := *r.plan
		one.Cells = one.Cells[:len(one.Policies)]
		expected, err := harness.Expect(limited, &one, r.dir, r.workers, processor(), time.Now)
		if err != nil && !errors.Is(err, errSpent) {
			return a.interrupted(ctx, err, harness.Summary{}, 0)
		}
		deadline, _ := limited.Deadline()
		if share := time.Until(deadline).Seconds() / plannedSeeds / expected.Time.Seconds(); share < 1 {
			rounds, r.fit = int(share*float64(full)), fmt.Sprintf("so that %d seeds fit", plannedSeeds)
			if rounds < fewestRounds {
				rounds, r.fit = min(full, fewestRounds), fmt.Sprintf("shorter ones would tell too little; %d seeds may not fit", plannedSeeds)
			}
		}
	}
	if rounds == full {
		return nil
	}
	shortened := experiment.Setting{Key: "protocol.rounds", Value: strconv.Itoa(rounds)}
	r.rounds = []string{"--set", shortened.String()}
	e.Settings = append(e.Settings, shortened)
	if r.plan, err = e.Resolve(ctx, a.catalog); err != nil {
		return a.resolveError(ctx, err)
	}
	return nil
}

// lines describes the table, the policies and the length of trials that the budget allows.
func (r *race) lines(file, target, kind string, d experiment.DataSummary) []string {
	share := func(rows int) string {
		return fmt.Sprintf("%s (%s)", words.Percent(100*float64(rows)/float64(d.Rows)), words.Plain(words.Shorten(d.Arms[slices.Index(d.Best, rows)], 30)))
	}
	columns := fmt.Sprintf("columns  %d of numbers, %d of categories", d.Numbers, d.Categories)
	if d.Levels > 0 {
		columns += fmt.Sprintf(" (up to %s)", words.Count(d.Levels, "value"))
	}
	if d.Tails != nil {
		columns += "; heavy tails: " + words.Plain(words.Shorten(strings.Join(d.Tails, ", "), 60))
	}
	pulls := r.plan.Environments[0].Protocol.AllPulls()
	budget := fmt.Sprintf("budget   %v min on %s: trials of %s pulls", r.minutes, words.Count(r.workers, "worker"), words.Int(pulls))
	if pulls < d.Rows {
		budget += fmt.Sprintf(", each seed on other rows (%s)", r.fit)
	}
	return []string{
		fmt.Sprintf("data     %s, %s, of which %s repeat an earlier one", words.Plain(filepath.Base(file)), words.Count(d.Rows, "row"), words.Int(d.Duplicates)),
		fmt.Sprintf("arms     %d, %s; best in %s to %s of the rows", len(d.Arms), target, share(slices.Min(d.Best)), share(slices.Max(d.Best))),
		columns,
		fmt.Sprintf("policies %s (%s)", strings.Join(r.policies, ", "), kind),
		budget, "",
	}
}

// keepCommon removes from r.all the trials of policies in r.left on seeds above r.seeds, and on seeds that not all
// policies in r.left have. It sets r.whole.
func (r *race) keepCommon() {
	policies := map[uint64]int{} // for each seed, how many policies in r.left have it
	for _, p := range r.all.Policies {
		if slices.Contains(r.left, p.Label) {
			for _, rec := range p.Records {
				policies[rec.Seed]++
			}
		}
	}
	r.whole = len(r.all.Policies) > 0
	for i := range r.all.Policies {
		if p := &r.all.Policies[i]; slices.Contains(r.left, p.Label) {
			p.Records = slices.DeleteFunc(p.Records, func(rec results.Record) bool {
				return rec.Seed > uint64(r.seeds) || policies[rec.Seed] < len(r.left)
			})
			r.whole = r.whole && len(p.Records) == r.seeds
		}
	}
}

// judgeRace compares the trials so far, drops policies with failed trials and policies other than yardstick that are
// significantly worse than the best, and sets r.all, r.anytime, r.best, r.settled and r.failed. Dropping policies and
// adding seeds is sound, because the anytime intervals hold for all pairs of policies and all numbers of seeds at once.
func (a *app) judgeRace(r *race) error {
	if heads, err := results.Heads(r.dir); err == nil && len(heads) == 0 {
		return errTooShort
	}
	sets, err := a.loadEach([]string{r.dir}, false)
	if err != nil {
		return err
	}
	r.all = sets[0]
	r.all.Policies = slices.DeleteFunc(r.all.Policies, func(p results.PolicyRecords) bool { return !slices.Contains(r.policies, p.Label) })
	for _, p := range r.all.Policies {
		if failed := compare.Failed(p.Records); len(failed) > 0 && slices.Contains(r.left, p.Label) {
			r.drop(p.Label, len(p.Records), failed.String())
			r.failed += len(failed)
		}
	}
	if len(r.left) == 0 {
		return exit.With(exit.CodeIncomplete, errors.New(strings.Join(r.dropped, "\n")))
	}
	r.keepCommon()
	uniform, _ := r.all.Conditions.UniformRegret()
	if r.anytime, err = compare.Sequential(r.all, compare.Primary(), compare.Until{Separated: true, Width: alikeShare * uniform}); err != nil {
		return err
	}
	r.best, r.settled = "", true
	for _, p := range r.anytime.Pairs { // the pairs of the policy with the lowest mean come first
		if !slices.Contains(r.left, p.Policy) || !slices.Contains(r.left, p.Other) {
			continue
		}
		if r.best = cmp.Or(r.best, p.Other); p.Other != r.best {
			continue
		}
		r.settled = r.settled && p.Settled
		if p.Mean.Low > 0 && p.Policy != yardstick {
			r.drop(p.Policy, p.Mean.N, fmt.Sprintf("worse than %s by %s", words.Plain(r.best), p.Mean.WithInterval()))
		}
	}
	r.best = cmp.Or(r.best, r.left[0]) // without a pair, take the first policy
	return nil
}

// drop removes a policy, which has run the given number of seeds, from r.left and adds a line to r.dropped.
func (r *race) drop(policy string, seeds int, why string) {
	r.left = slices.DeleteFunc(slices.Clone(r.left), func(p string) bool { return p == policy })
	r.dropped = append(r.dropped, fmt.Sprintf("%s was dropped after %s: %s", words.Plain(policy), words.Count(seeds, "seed"), why))
}

// concludeRace prints the table, the verdict and two commands: one runs more seeds, the other makes an agent.
func (a *app) concludeRace(r *race) error {
	if p := r.all.Find(r.best); p == nil || len(p.Records) == 0 {
		return errTooShort
	}
	s, err := compare.Summarize(r.all)
	if err != nil {
		return err
	}
	s.Sentences = nil // they hold only for a number of seeds chosen in advance
	if err := report.Summary(s).Render(a.screen(a.Stdout), report.Text); err != nil {
		return err
	}
	of := []string{"run", "--data", r.data}
	if a.catalog.EnvironmentOf(r.data) != fileEnvironment {
		of = append(of, "--environment", fileEnvironment)
	}
	for _, s := range r.settings {
		of = append(of, "--set", s.String())
	}
	more, again := slices.Concat(of, r.rounds), r.left
	if r.settled {
		again = r.policies // nothing is left to settle, so all policies may get more seeds
	}
	verdict := r.anytime.Verdict(r.all, r.best)
	if len(r.rounds) > 0 {
		verdict = append(verdict, "Trials had a part of the rows: what learns slowly may do better on all of them. More --minutes, in another folder, play more.")
	}
	text := report.WrapText(a.screen(a.Stdout), strings.Join(slices.Concat([]string{""}, r.dropped, verdict, []string{""}), "\n"))
	if err := a.printLines([]string{text, // commands are not wrapped, so that they can be pasted
		"More seeds:  " + a.CommandLine(append(more, "--policies", strings.Join(again, ","), "--seeds", fmt.Sprintf("1..%d", r.seeds+10), "--out", r.dir)...),
		"An agent:    " + a.CommandLine(append(of, "--policies", r.best, "--seeds", "1", "--keep", "--out", r.dir+"-agent")...),
	}); err != nil {
		return err
	}
	return incompleteBy(r.failed, 0)
}
