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
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/live"
	"banditsim/cmd/banditsim/cli/internal/plantext"
	"banditsim/datasets"
	"banditsim/internal/exit"
	"banditsim/internal/kernel"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
)

// runFlags are the flags of run.
type runFlags struct {
	planFlags
	unitFlags
	untilFlags
	out     string
	workers int
	every   int // rounds between checkpoints
	record  []string
	scores  bandit.ScoreOptions
	dryRun  bool
	quiet   bool

	workersSet bool // --workers was given
}

// recordable are the values of --record; rounds are always recorded.
var recordable = []string{"rounds", "pulls", "scores"}

const (
	// defaultCheckpoint is the number of rounds between checkpoints, some seconds in the paper's
	// experiment.
	defaultCheckpoint = 100
	// grace is the time that a round has to end after an interrupt or a termination.
	grace = 5 * time.Second
)

func (a *app) runCommand() *cobra.Command {
	var f runFlags
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

--environment runs the experiment in another environment, by default into the folder
out/<environment>, or out/<experiment>-<environment> if an experiment is named; or in
several, separated by commas: every policy on every seed in each of them. In an
experiment on several environments it selects some by name.

--dry-run shows all options that --set can change. A key of --set begins with
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
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return exit.Usage(err)
			}
			e, err := a.experiment(&f.planFlags, args)
			if err == nil {
				err = usage.Workers(f.workers)
			}
			for _, what := range f.record {
				if err == nil && !slices.Contains(recordable, what) {
					err = fmt.Errorf("--record %q: want rounds, pulls or scores, or several with commas", what)
				}
			}
			if err == nil {
				if err = f.scores.Validate(); err != nil {
					err = fmt.Errorf("--score-%w", err)
				}
			}
			if err == nil && f.every < 0 {
				err = fmt.Errorf("--checkpoint %d: want a number of rounds, or 0 for no checkpoints", f.every)
			}
			if err != nil {
				return exit.Usage(err)
			}
			f.workersSet = cmd.Flags().Changed("workers")
			if f.until == "" && cmd.Flags().Changed("max-seeds") {
				return exit.Usage(errors.New("--max-seeds is for --until: --seeds sets the seeds of a run"))
			}
			return a.run(cmd.Context(), &f, e)
		}),
	}
	flags := cmd.Flags()
	a.addPlanFlags(cmd, &f.planFlags)
	f.unitFlags.add(cmd)
	flags.StringVar(&f.out, "out", "", "output folder (default out/<experiment>)")
	flags.StringArrayVar(&f.limits, "threshold", nil, "condition on a mean over the seeds, such as 'post_burn_in_regret(pICSGLD) < 4000'; exit code 4 if it is missed (repeatable)")
	flags.StringSliceVar(&f.record, "record", []string{"rounds"}, "what to record: rounds; pulls: every pull too, beside the trials (see export --pulls); scores: how well posteriors predict, at the end (see report --scores)")
	usage.CompleteValues(cmd, "record", recordable...)
	flags.StringVar(&f.until, "until", "", "add whole seeds until every pair of policies is settled: separated (its anytime interval excludes 0), width=X (it is at most X wide), or either: separated,width=X")
	flags.IntVar(&f.maxSeeds, "max-seeds", 200, "seeds at which --until ends")
	f.scores = bandit.DefaultScoreOptions()
	addScoreFlags(flags, &f.scores, "score-")
	f.addWork(cmd)
	return cmd
}

// addWork adds the flags of commands that run trials.
func (f *runFlags) addWork(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "trials that run at a time; results do not depend on it")
	flags.IntVar(&f.every, "checkpoint", defaultCheckpoint, "rounds between checkpoints of a trial, from which the same command resumes; 0: none")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what would be run and how long it would take")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
}

func (a *app) run(ctx context.Context, f *runFlags, e experiment.Experiment) error {
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	if f.until != "" {
		u, err := f.untilRule()
		if err != nil {
			return exit.Usage(err)
		}
		if !f.dryRun {
			return a.runUntil(ctx, f, e, u)
		}
	}
	plan, err := e.Resolve(ctx, a.catalog)
	if err != nil {
		return a.resolveError(ctx, err)
	}
	if err := a.cut(plan, &f.unitFlags); err != nil {
		return exit.Usage(err)
	}
	a.capWorkers(f, plan)
	dir := a.outFolder(f.out, plan)
	if f.dryRun {
		return a.dryRun(ctx, f, plan, dir)
	}
	if err := a.warnOfSlowKernel(ctx, f, plan, dir); err != nil {
		return a.interrupted(ctx, err, harness.Summary{}, 0)
	}
	summary, err := a.work(ctx, f, plan, dir)
	if err != nil {
		return a.interrupted(ctx, err, summary, len(plan.Cells))
	}
	return a.conclude(f, plan, dir, summary)
}

// outFolder returns the output folder of a plan, which is out if that is given, and warns of its data.
func (a *app) outFolder(out string, plan *experiment.Plan) string {
	a.warnOfData(plan)
	return a.Path(cmp.Or(out, filepath.Join("out", plan.Name)))
}

// warnOfData warns of the data of a plan.
func (a *app) warnOfData(plan *experiment.Plan) {
	for _, e := range plan.Environments {
		if e.World.Warning != "" {
			a.Warn("%s", e.World.Warning)
		}
	}
}

// capWorkers lowers the workers that the user asked for to the chains of all trials: no more can work
// at a time.
func (a *app) capWorkers(f *runFlags, plan *experiment.Plan) {
	chains := 0
	for _, c := range plan.Cells {
		chains += c.Chains()
	}
	if f.workersSet && f.workers > chains {
		a.Warn("--workers %d: %s of %s can use no more than %d, which are started", f.workers, words.Count(len(plan.Cells), "trial"), words.Count(chains, "chain"), chains)
		f.workers = chains
	}
}

// warnOfSlowKernel says how long the run will take if the kernel in use is a slow one.
func (a *app) warnOfSlowKernel(ctx context.Context, f *runFlags, plan *experiment.Plan, dir string) error {
	slowness := kernel.Slowness()
	if slowness == 1 {
		return nil
	}
	e, err := harness.Expect(ctx, plan, dir, f.workers, processor(), time.Now)
	if err != nil || e.Left == 0 {
		return err
	}
	about := "about"
	if e.AtLeast {
		about = "more than"
	}
	a.Warn("there is no fast kernel for this processor: a gradient step takes about %d times as long as with AVX2 or NEON; time for %s: %s %s on %d workers",
		slowness, words.Count(e.Left, "trial"), about, plantext.Roughly(e.Time), f.workers)
	return nil
}

// resolveError adds the exit code to an error of Resolve.
func (a *app) resolveError(ctx context.Context, err error) error {
	var data *datasets.DataError
	switch {
	case ctx.Err() != nil:
		return a.interrupted(ctx, err, harness.Summary{}, 0)
	case errors.As(err, &data):
		return exit.With(ExitFailure, err)
	}
	return exit.Usage(err)
}

// work runs the plan's trials with progress on stderr.
func (a *app) work(ctx context.Context, f *runFlags, plan *experiment.Plan, dir string) (harness.Summary, error) {
	var progress harness.Progress
	b := thisBuild()
	build, err := foreignBuild()
	if err != nil {
		return harness.Summary{}, err
	}
	if text := otherBuilds(plan, dir, build); text != "" {
		a.Warn("%s", text)
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
		Warn:       func(message string) { a.Warn("%s", message) },
	}
	if slices.Contains(f.record, "scores") {
		runner.Scores = &f.scores
	}
	if !f.quiet {
		stop := live.Progress(a.Stderr, &progress)
		defer stop()
	}
	return runner.Run(ctx, plan)
}

// interrupted adds the exit code, what was kept and how to resume to the error of a run.
func (a *app) interrupted(ctx context.Context, err error, s harness.Summary, trials int) error {
	cause := context.Cause(ctx)
	code := ExitFailure
	var unusable *harness.FolderError
	var path *fs.PathError
	switch {
	case errors.As(err, &unusable):
		return exit.Usage(err)
	case errors.Is(err, fs.ErrPermission), errors.As(err, &path) && path.Op == "mkdir":
		err = fmt.Errorf("%w: name a folder that can be written with --out DIR", err)
	case errors.Is(cause, exit.ErrInterrupted):
		code, err = ExitInterrupted, cause
	case errors.Is(cause, exit.ErrTerminated):
		code, err = ExitResumable, cause
	}
	if trials == 0 || code == ExitFailure && s.Finished()+s.Saved == 0 {
		return exit.With(code, err) // there is nothing to resume
	}
	saved := ""
	if s.Saved > 0 {
		saved = fmt.Sprintf(", %d more have a checkpoint", s.Saved)
	}
	return exit.With(code, fmt.Errorf("%w: %d of %d trials are finished and kept%s; resume with:\n  %s",
		err, s.Finished(), trials, saved, a.CommandLine(a.Args[1:]...)))
}
