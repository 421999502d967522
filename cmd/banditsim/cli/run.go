package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/bandit"
	"banditsim/bandit/agent"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/scheduler"
	"banditsim/datasets"
	"banditsim/internal/exit"
	"banditsim/internal/kernel"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/policy"
	"banditsim/results"
	"banditsim/results/compare"
)

type runFlags struct {
	planFlags
	unitFlags
	workFlags

	record   []string
	keep     bool
	start    string // path of an agent, or ""
	scores   bandit.ScoreOptions
	until    compare.Until
	maxSeeds int
}

// workFlags are the flags of commands that run trials.
type workFlags struct {
	out     string
	workers int
	every   int // rounds between checkpoints
	dryRun  bool
	quiet   bool
}

// recordable are the values of --record; rounds are always recorded.
var recordable = []string{"rounds", "pulls", "scores"}

const (
	// defaultCheckpoint is the number of rounds between checkpoints: some seconds of work in the preset mushroom-paper.
	defaultCheckpoint = 100
	// grace is how long the current rounds may go on after an interrupt or a termination signal.
	grace = 5 * time.Second
)

func (a *app) runCommand() *cobra.Command {
	f := runFlags{maxSeeds: 200}
	cmd := &cobra.Command{
		Use:   "run [PRESET|FILE.yaml]",
		Short: "Run an experiment: every policy on every seed",
		Long: `Run an experiment: every policy on every seed, one file per trial. Trials with a
file are not run again, so the same command resumes an interrupted run, and more
seeds or policies extend a finished one. A trial that was interrupted resumes from
its last checkpoint. Only one run at a time can work in a folder.

The default experiment is the preset quick; see 'banditsim list presets',
'banditsim list policies' and 'banditsim list environments'. 'banditsim init' writes
an experiment file to start from, with variants, a sweep and thresholds.

--environment runs the experiment in another environment, or in several, separated by
commas: every policy on every seed in each of them. In an experiment on several
environments it selects some by name.

--dry-run shows all options of policies and environments. A key of --set begins with
protocol., environment., the name of a policy and a dot, or all. for every policy
that has the option.

Exit codes: 0 success, 1 failure, 2 the command line or the configuration is wrong,
3 trials are missing or failed, 4 a threshold is missed, 75 terminated and 130
interrupted; after the last two the same command resumes the run.`,
		Example: `  banditsim run quick
  banditsim run mushroom-paper --seeds 1..3 --set protocol.rounds=200
  banditsim run mushroom-paper --policies pICSGLD,pSGLD,Uniform --out out/three
  banditsim run --environment wheel --policies pSGLD,GP,Uniform --seeds 1..10
  banditsim run quick --set pICSGLD.learning_rate=1e-7 --set all.act=sample --out out/tried
  banditsim run --environment linear --policies LinUCB,LinTS --until separated --max-seeds 50
  banditsim run quick --threshold 'regret(pICSGLD) - regret(pSGLD) < 0'`,
		Args:              a.oneExperiment,
		ValidArgsFunction: a.completePresets,
		PreRunE:           func(cmd *cobra.Command, _ []string) error { return f.check(cmd.Flags()) },
	}
	cmd.RunE = interruptible(func(ctx context.Context, args []string) error {
		e, err := a.experiment(&f.planFlags, args)
		if err != nil {
			return exit.Usage(err)
		}
		if slices.Contains(f.record, "pulls") {
			if e, err = a.withPropensities(ctx, &f, e); err != nil {
				return err
			}
		}
		if cmd.Flags().Changed("until") && !f.dryRun {
			if !cmd.Flags().Changed("max-seeds") {
				f.maxSeeds = max(f.maxSeeds, len(e.Seeds))
			}
			return a.runUntil(ctx, &f, e)
		}
		return a.run(ctx, &f, e, cmd.Flags().Changed("workers"))
	})
	flags := cmd.Flags()
	a.addPlanFlags(cmd, &f.planFlags)
	usage.Parsed(flags, &f.shard, "shard", "", "run only the i-th of n parts of the trials: i/n, i from 1; auto/n takes i from $"+scheduler.Own+" or the scheduler",
		func(text string) (scheduler.Shard, error) { return scheduler.ParseShard(text, a.Getenv) })
	flags.StringSliceVar(&f.trials, "trial", nil, "run only the trials of these IDs, which 'banditsim plan' lists (repeatable)")
	costsFlag(cmd, &f.costs)
	usage.List(flags, &f.thresholds, "threshold", "condition on a mean over the seeds, such as 'post_burn_in_regret(pICSGLD) < 4000'; exit code 4 if it is missed (repeatable)", compare.ParseThreshold)
	flags.StringSliceVar(&f.record, "record", []string{"rounds"}, "what to record: rounds; pulls: every pull too, beside the trials (see export --pulls); scores: how well posteriors predict, at the end (see report --scores)")
	usage.CompleteValues(cmd, "record", recordable...)
	flags.BoolVar(&f.keep, "keep", false, "keep the policy of each trial at its end, beside the trial, as an agent for 'act' (TRIAL.agent)")
	usage.Parsed(flags, &f.until, "until", "", "add whole seeds until every pair of policies is settled: separated (its anytime interval excludes 0), width=X (it is at most X wide), or either: separated,width=X", compare.ParseUntil)
	usage.Whole(flags, &f.maxSeeds, "max-seeds", 1, 100_000, "seeds at which --until ends")
	usage.Needs(cmd, "max-seeds", "until")
	cmd.MarkFlagsMutuallyExclusive("until", "shard", "trial") // --until adds whole seeds; --shard and --trial select trials, each in its own way
	flags.StringVar(&f.start, "start", "", "simulate an agent too, which begins with what it has learned: the file is the policy's name, without .agent")
	cmd.MarkFlagsMutuallyExclusive("start", "until")
	addScoreFlags(flags, &f.scores, "score-")
	f.workFlags.add(cmd, "")
	return cmd
}

// add adds the flags to cmd. The help shows suffix at the end of the default output folder.
func (f *workFlags) add(cmd *cobra.Command, suffix string) {
	flags := cmd.Flags()
	f.workers, f.every = runtime.GOMAXPROCS(0), defaultCheckpoint
	flags.StringVar(&f.out, "out", "", "output folder (default out/<experiment>"+suffix+")")
	usage.Workers(cmd, &f.workers, "trials that run at a time; results do not depend on it")
	usage.Whole(flags, &f.every, "checkpoint", 0, math.MaxInt32, "rounds between checkpoints of a trial, from which the same command resumes; 0: none")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what would be run and how long it would take")
	usage.Quiet(cmd, &f.quiet)
}

// addScoreFlags adds the flags that set o, with prefix before each name.
func addScoreFlags(flags *pflag.FlagSet, o *bandit.ScoreOptions, prefix string) {
	*o = bandit.ScoreOptions{Contexts: 1000, Draws: 100, Noise: 1}
	flags.IntVar(&o.Contexts, prefix+"contexts", o.Contexts, "contexts to score, an even number")
	flags.IntVar(&o.Draws, prefix+"draws", o.Draws, "draws of the posterior")
	usage.Real(flags, &o.Noise, prefix+"noise", "standard deviation of a reward about its mean")
}

func (f *runFlags) check(flags *pflag.FlagSet) error {
	for _, what := range f.record {
		if !slices.Contains(recordable, what) {
			return fmt.Errorf("--record %q: want rounds, pulls or scores, or several with commas", what)
		}
	}
	for _, name := range []string{"score-contexts", "score-draws", "score-noise"} {
		if flags.Changed(name) && !slices.Contains(f.record, "scores") {
			return fmt.Errorf("--%s goes with --record scores only", name)
		}
	}
	if err := f.scores.Validate(); err != nil {
		return fmt.Errorf("--score-%w", err)
	}
	return nil
}

// recordedExplore is the value of the option explore that run --record pulls gives to policies that sample: the share
// of their pulls that are drawn uniformly.
const recordedExplore = "0.05"

// withPropensities returns e with the option explore set for policies that act by posterior samples, so that the record
// has the probability of each choice. It does not set explore for a policy that knows its probabilities anyway, has
// explore set already, or has trials in the output folder: the run records the pulls of those trials, which have no
// explore. It warns about the policies for which it sets explore, and about those whose probabilities stay unknown.
func (a *app) withPropensities(ctx context.Context, f *runFlags, e experiment.Experiment) (experiment.Experiment, error) {
	plan, err := e.Resolve(ctx, a.catalog)
	if err != nil {
		return e, a.resolveError(ctx, err)
	}
	there, _ := results.Heads(a.outFolder(f.out, plan, "")) // none if the folder cannot be read, which the run will report
	explored := func(label string) experiment.Experiment {
		with := e
		with.Settings = append(slices.Clip(e.Settings), experiment.Setting{Key: strconv.Quote(label) + ".explore", Value: recordedExplore})
		return with
	}
	var sampling, unknown, without []string
	for i, c := range plan.Cells[:len(plan.Policies)] { // one cell per policy
		trial, p, err := c.NewTrial(nil, nil)
		if err != nil {
			return e, exit.Usage(err)
		}
		_, knows := p.(bandit.Randomizer)
		asked := slices.Contains(plan.Policies[i].Set, "explore") || slices.ContainsFunc(there, func(r results.Record) bool {
			return r.Policy.Name == c.Policy.Name && bytes.Equal(r.Policy.Options, c.Policy.Options)
		})
		switch {
		case knows:
		case policy.Samples(p) && !asked:
			e, sampling = explored(c.Label), append(sampling, c.Label)
		default:
			if _, err := explored(c.Label).ResolvePolicies(a.catalog); err != nil {
				without = append(without, c.Label)
			} else {
				unknown = append(unknown, c.Label)
			}
		}
		trial.Close()
	}
	if sampling != nil {
		a.warn("%s: with explore=%s, so that the log has the probability of each choice; --set POLICY.explore=X asks for another share of uniform pulls", strings.Join(sampling, ", "), recordedExplore)
	}
	if unknown != nil {
		a.warn("%s: the log will not tell of other policies, as the probabilities of its choices are unknown: --set 'POLICY.explore=0.05' draws that share of pulls uniformly", strings.Join(unknown, ", "))
	}
	if without != nil {
		a.warn("%s: the log will not tell of other policies, as the probabilities of its choices are unknown and it has no option explore: "+
			"evaluate with --propensity estimate, or let a program of yours answer with propensities (docs/protocol.md)", strings.Join(without, ", "))
	}
	return e, nil
}

func (a *app) run(ctx context.Context, f *runFlags, e experiment.Experiment, workersSet bool) error {
	plan, err := a.resolve(ctx, e)
	if err != nil {
		return err
	}
	if f.start != "" {
		if err := a.addStarted(plan, f.start); err != nil {
			return exit.Usage(err)
		}
		if plan.Environments[0].World.Data.SHA256 != "" {
			a.warn("--start: on rows of this data that the agent has learned, its regret is too low, with any seed: compare it on data that it has not learned")
		}
	}
	if err := a.cut(plan, &f.unitFlags); err != nil {
		return exit.Usage(err)
	}
	if workersSet {
		a.capWorkers(f, plan)
	}
	dir := a.outFolder(f.out, plan, "")
	slowness := kernel.Slowness()
	if f.dryRun || slowness > 1 {
		expected, err := harness.Expect(ctx, plan, dir, f.workers, processor(), time.Now)
		switch {
		case err != nil:
			return a.interrupted(ctx, err, harness.Summary{}, 0)
		case f.dryRun: // a folder in which a run would not start is no error: planText describes it
			_, err = fmt.Fprint(a.Stdout, planText(plan, dir, expected, f.workers))
			return err
		case expected.Left > 0:
			a.warn("there is no fast kernel for this processor: a gradient step takes about %d times as long as with AVX2 or NEON; time for %s: %s%s on %d workers",
				slowness, words.Count(expected.Left, "trial"), moreThan(expected.AtLeast, "about "), roughly(expected.Time), f.workers)
		}
	}
	summary, err := a.work(ctx, f, plan, dir)
	if err != nil {
		return err
	}
	return a.conclude(f, plan, dir, summary)
}

// resolve returns the plan of an experiment and prints the warnings about its data.
func (a *app) resolve(ctx context.Context, e experiment.Experiment) (*experiment.Plan, error) {
	plan, err := e.Resolve(ctx, a.catalog)
	if err != nil {
		return nil, a.resolveError(ctx, err)
	}
	for _, e := range plan.Environments {
		if e.World.Warning != "" {
			a.warn("%s", e.World.Warning)
		}
	}
	return plan, nil
}

// resolveError adds the exit code to an error of resolving an experiment.
func (a *app) resolveError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return a.interrupted(ctx, err, harness.Summary{}, 0)
	case errors.As(err, new(*datasets.DataError)):
		return exit.With(exit.CodeFailure, err)
	}
	return exit.Usage(err)
}

// outFolder returns the output folder of a plan: out or, if that is empty, out/NAME followed by suffix.
func (a *app) outFolder(out string, plan *experiment.Plan, suffix string) string {
	return a.Path(cmp.Or(out, filepath.Join("out", plan.Name)+suffix))
}

// capWorkers limits f.workers to the number of chains in all trials: more workers would be idle.
func (a *app) capWorkers(f *runFlags, plan *experiment.Plan) {
	chains := 0
	for _, c := range plan.Cells {
		chains += c.Chains()
	}
	if f.workers > chains {
		a.warn("--workers %d: %s of %s can use no more than %d, which are started", f.workers, words.Count(len(plan.Cells), "trial"), words.Count(chains, "chain"), chains)
		f.workers = chains
	}
}

// work runs the plan's trials with progress on stderr. Its errors have exit codes.
func (a *app) work(ctx context.Context, f *runFlags, plan *experiment.Plan, dir string) (harness.Summary, error) {
	var progress harness.Progress
	b := thisBuild()
	build, err := foreignBuild()
	if err != nil {
		return harness.Summary{}, exit.With(exit.CodeFailure, err)
	}
	if text := otherBuilds(plan, dir, build); text != "" {
		a.warn("%s", text)
	}
	runner := harness.Runner{
		Dir:     dir,
		Workers: f.workers,
		Sidecar: results.Sidecar{
			Version: b.Version, Revision: b.Revision, Build: build, Go: b.Go, Kernel: b.Kernel,
			Processor: processor(), System: b.OS + "/" + b.Arch,
			Command: a.Line(),
			Title:   plan.Title, Notes: plan.Notes,
		},
		Now:        time.Now,
		Checkpoint: f.every,
		Pulls:      slices.Contains(f.record, "pulls"),
		Grace:      grace,
		Progress:   &progress,
		Warn:       func(message string) { a.warn("%s", message) },
	}
	if f.keep {
		runner.Keep = keepAgent
	}
	if slices.Contains(f.record, "scores") {
		runner.Scores = &f.scores
	}
	if !f.quiet {
		stop := showProgress(a.Stderr, &progress)
		defer stop()
	}
	summary, err := runner.Run(ctx, plan)
	if err != nil {
		err = a.interrupted(ctx, err, summary, len(plan.Cells))
	}
	return summary, err
}

// addStarted adds a trial to a plan for each environment and seed: its policy is the agent in the file at path.
func (a *app) addStarted(plan *experiment.Plan, path string) error {
	start, err := agent.Open(a.Path(path))
	if err != nil {
		return err
	}
	id, err := start.ID()
	if err != nil {
		return err
	}
	chosen, learned, _ := start.Counts()
	label := strings.TrimSuffix(filepath.Base(path), ".agent")
	if slices.ContainsFunc(plan.Policies, func(p experiment.NamedPolicy) bool { return p.Label == label }) {
		return fmt.Errorf("--start %s: a policy has the name %s: name the file otherwise", path, label)
	}
	// The identity of the trials has the options of the agent and, as a further option, the state that it starts from.
	options := slices.Clip(bytes.TrimSuffix(start.Config().Options, []byte("}")))
	if len(options) > len("{") {
		options = append(options, ',')
	}
	options = fmt.Appendf(options, `"start":"%.16s, %d decisions, %d rewards"}`, id, chosen, learned)
	added := experiment.NamedPolicy{Label: label, Policy: results.Policy{Name: start.Config().Policy, Options: options}, All: options,
		New: func(s policy.Setup) (bandit.Policy, error) { return start.Start(s.Spec) }}
	var cells []experiment.Cell
	for others := range slices.Chunk(plan.Cells, len(plan.Policies)) { // the cells of an environment and seed
		c := others[0]
		c.Label, c.Policy, c.NewPolicy = added.Label, added.Policy, added.New
		trial, _, err := c.NewTrial(nil, nil)
		if err != nil {
			return err
		}
		trial.Close()
		cells = append(append(cells, c), others...)
	}
	plan.Cells, plan.Policies = cells, append(slices.Clip(plan.Policies), added)
	return nil
}

// keepAgent saves the policy of a trial as an agent.
func keepAgent(path string, c experiment.Cell, spec bandit.Spec, p bandit.Policy) error {
	a, err := agent.Of(p, spec, c.Protocol, c.Protocol.AllPulls(), agent.Config{Policy: c.Policy.Name, Options: c.Policy.Options, Seed: c.Seed})
	if err == nil {
		err = a.Save(path)
	}
	if err != nil {
		return fmt.Errorf("--keep: %s, seed %d: %w", c.FullLabel(), c.Seed, err)
	}
	return nil
}

// processor returns the name of the processor from /proc/cpuinfo, or its architecture if there is no name.
func processor() string {
	b, _ := os.ReadFile("/proc/cpuinfo") // other systems do not have this file
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// interrupted returns the error of a run, or the signal that ended it, with the exit code, what was kept and how to
// resume the run. The argument trials is the number of trials of the plan, or 0 if none has started.
func (a *app) interrupted(ctx context.Context, err error, s harness.Summary, trials int) error {
	cause := context.Cause(ctx)
	code := exit.CodeFailure
	var path *fs.PathError
	switch {
	case errors.As(err, new(*harness.FolderError)):
		return exit.Usage(err)
	case trials > 0 && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.As(err, &path) && path.Op == "mkdir"):
		err = fmt.Errorf("%w: name a folder that can be written with --out DIR", err)
	case errors.Is(cause, exit.ErrInterrupted):
		code, err = exit.Interrupted, cause
	case errors.Is(cause, exit.ErrTerminated):
		code, err = exit.Resumable, cause
	}
	if trials == 0 || code == exit.CodeFailure && s.Finished()+s.Saved == 0 {
		return exit.With(code, err) // there is nothing to resume
	}
	saved := ""
	if s.Saved > 0 {
		saved = fmt.Sprintf(", %d more have a checkpoint", s.Saved)
	}
	return exit.With(code, fmt.Errorf("%w: %d of %d trials are finished and kept%s; resume with:\n  %s",
		err, s.Finished(), trials, saved, a.CommandLine(a.Args[1:]...)))
}
