package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/live"
	"banditsim/cmd/banditsim/cli/internal/machine"
	"banditsim/cmd/banditsim/cli/internal/plantext"
	"banditsim/cmd/banditsim/cli/internal/plugincmd"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/datasets"
	"banditsim/internal/kernel"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
	"banditsim/results/report"
)

// planFlags are the flags that change an experiment, and so its plan.
type planFlags struct {
	environment string
	seeds       string
	policies    []string
	data        string
	set         []string
	limits      []string
	plugins     []string
}

func (a *app) addPlanFlags(cmd *cobra.Command, f *planFlags) {
	flags := cmd.Flags()
	flags.StringVar(&f.environment, "environment", "", "environment, or several separated by commas (default those of the experiment): see 'banditsim list environments'")
	flags.StringVar(&f.seeds, "seeds", "", "seeds, such as 1..20 or 1,2,5 (default those of the experiment)")
	flags.StringSliceVar(&f.policies, "policies", nil, "policies or variants, separated by commas (default those of the experiment)")
	flags.StringVar(&f.data, "data", "", dataUsage+"; of one of several environments NAME=SOURCE (default that of the experiment, or auto)")
	flags.StringArrayVar(&f.set, "set", nil, "change an option: key=value, such as protocol.rounds=200 (repeatable)")
	flags.StringArrayVar(&f.plugins, "plugin", nil, "child process as a policy, posterior or environment: 'NAME=COMMAND', such as 'Mine=python3 mine.py' (repeatable; see docs/plugins.md)")
	usage.Complete(cmd, "environment", a.completeEnvironments)
	usage.Complete(cmd, "policies", a.completePolicies)
	usage.Complete(cmd, "data", completeData)
}

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
		Args:              usage.Count(0, 1),
		ValidArgsFunction: a.completePresets,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return usageError(err)
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
				return usageError(err)
			}
			f.workersSet = cmd.Flags().Changed("workers")
			if f.until == "" && cmd.Flags().Changed("max-seeds") {
				return usageError(errors.New("--max-seeds is for --until: --seeds sets the seeds of a run"))
			}
			return a.run(cmd.Context(), &f, e)
		}),
	}
	flags := cmd.Flags()
	a.addPlanFlags(cmd, &f.planFlags)
	f.unitFlags.add(cmd)
	flags.StringVar(&f.out, "out", "", "output folder (default out/<experiment>, or out/<experiment>-replica with the replica of the data)")
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

// isExperimentFile reports whether name is that of a file rather than of a preset.
func isExperimentFile(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml"
}

// experiment returns the experiment of the arguments and flags.
func (a *app) experiment(f *planFlags, args []string) (experiment.Experiment, error) {
	environments := f.environment
	if environments == "" && len(args) == 0 && f.data != "" {
		if environments = a.catalog.EnvironmentOf(f.data); environments != "" {
			fmt.Fprintf(a.stderr, "The environment is %s, by the name of the data: %s\n", environments, words.Plain(f.data))
		}
	}
	name := "quick"
	switch {
	case len(args) == 1:
		name = args[0]
	case environments != "":
		name = "general"
	}
	var e experiment.Experiment
	var err error
	if isExperimentFile(name) {
		e, err = a.catalog.ReadFile(name)
	} else {
		e, err = a.catalog.Preset(name)
	}
	if err != nil {
		return e, err
	}
	if err := plugincmd.Add(&e, f.plugins, strings.Split(f.environment, ","), len(f.policies) > 0); err != nil {
		return e, fmt.Errorf("--plugin: %w", err)
	}
	if environments != "" {
		if err := a.chooseEnvironments(&e, environments, f.data, len(args) == 0); err != nil {
			return e, err
		}
	}
	if f.seeds != "" {
		if e.Seeds, err = experiment.ParseSeeds(f.seeds); err != nil {
			return e, fmt.Errorf("--seeds: %w", err)
		}
	}
	if len(f.policies) > 0 {
		dropped, err := e.Select(f.policies)
		if err != nil {
			return e, fmt.Errorf("--policies: %w", err)
		}
		for _, t := range dropped {
			a.warn("threshold %s: not judged, as --policies leaves out its policy", t)
		}
	}
	if f.data != "" {
		if err := a.setData(&e, f.data); err != nil {
			return e, fmt.Errorf("--data %w", err)
		}
	}
	for _, s := range f.set {
		setting, err := experiment.ParseSetting(s)
		if err != nil {
			return e, err
		}
		e.Settings = append(e.Settings, setting)
	}
	for _, text := range f.limits {
		t, err := experiment.ParseThreshold(text)
		if err != nil {
			return e, fmt.Errorf("--threshold: %w", err)
		}
		e.Thresholds = append(e.Thresholds, t)
	}
	return e, nil
}

// setData sets the source of the data.
func (a *app) setData(e *experiment.Experiment, text string) error {
	name, _, named := strings.Cut(text, "=")
	if named && len(e.Environments) == 0 && name != e.Environment && slices.ContainsFunc(a.catalog.Environments(), func(v experiment.Entry) bool { return v.Name == name }) {
		return fmt.Errorf("%q: the experiment is on the environment %s: want the source alone, or %s=SOURCE", text, e.Environment, e.Environment)
	}
	return e.SetData(text)
}

// chooseEnvironments sets the environments of an experiment to those of a list with commas. If some are not
// the experiment's own, or named, the experiment's name says so; a table goes by the name of its data.
func (a *app) chooseEnvironments(e *experiment.Experiment, list, data string, unnamed bool) error {
	names := strings.Split(list, ",")
	labels := slices.Clone(names)
	for i, name := range names {
		if name == fileEnvironment {
			labels[i] = tableName(data)
		}
	}
	own := func(name string) bool {
		return slices.ContainsFunc(e.Environments, func(v experiment.EnvironmentVariant) bool { return v.Name == strings.TrimSpace(name) })
	}
	switch {
	case len(e.Environments) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !own(name) }):
	case unnamed:
		e.Name = strings.Join(labels, "-")
	case list != e.Environment:
		e.Name += "-" + strings.Join(labels, "-")
	}
	dropped, err := e.SelectEnvironments(names)
	if err != nil {
		return fmt.Errorf("--environment: %w", err)
	}
	for _, t := range dropped {
		a.warn("threshold %s: not judged, as --environment leaves out its environment", t)
	}
	return nil
}

func (a *app) run(ctx context.Context, f *runFlags, e experiment.Experiment) error {
	ctx, stop := notifyInterrupts(ctx)
	defer stop()
	if f.until != "" {
		u, err := f.untilRule()
		if err != nil {
			return usageError(err)
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
		return usageError(err)
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

// replicaSuffix ends the name of the default output folder if the data are the replica.
const replicaSuffix = "-replica"

// outFolder returns the output folder of a plan, which is out if that is given, and warns of its data.
func (a *app) outFolder(out string, plan *experiment.Plan) string {
	dir := filepath.Join("out", plan.Name)
	if a.warnOfData(plan) {
		dir += replicaSuffix
	}
	return cmp.Or(out, dir)
}

// warnOfData warns of the data of a plan, and reports whether some are the replica.
func (a *app) warnOfData(plan *experiment.Plan) (replica bool) {
	for _, e := range plan.Environments {
		replica = replica || e.World.Data.Replica
		if e.World.Warning != "" {
			a.warn("%s", e.World.Warning)
		}
	}
	return replica
}

// capWorkers lowers the workers that the user asked for to the chains of all trials: no more can work
// at a time.
func (a *app) capWorkers(f *runFlags, plan *experiment.Plan) {
	chains := 0
	for _, c := range plan.Cells {
		chains += c.Chains()
	}
	if f.workersSet && f.workers > chains {
		a.warn("--workers %d: %s of %s can use no more than %d, which are started", f.workers, words.Count(len(plan.Cells), "trial"), words.Count(chains, "chain"), chains)
		f.workers = chains
	}
}

// warnOfSlowKernel says how long the run will take if the kernel in use is a slow one.
func (a *app) warnOfSlowKernel(ctx context.Context, f *runFlags, plan *experiment.Plan, dir string) error {
	slowness := kernel.Slowness()
	if slowness == 1 {
		return nil
	}
	e, err := harness.Expect(ctx, plan, dir, f.workers, machine.Processor(), time.Now)
	if err != nil || e.Left == 0 {
		return err
	}
	about := "about"
	if e.AtLeast {
		about = "more than"
	}
	a.warn("there is no fast kernel for this processor: a gradient step takes about %d times as long as with AVX2 or NEON; time for %s: %s %s on %d workers",
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
		return exitWith(ExitFailure, err)
	}
	return usageError(err)
}

// work runs the plan's trials with progress on stderr.
func (a *app) work(ctx context.Context, f *runFlags, plan *experiment.Plan, dir string) (harness.Summary, error) {
	var progress harness.Progress
	b := thisBuild()
	runner := harness.Runner{
		Dir:     dir,
		Workers: f.workers,
		Sidecar: results.Sidecar{
			Version: b.Version, Revision: b.Revision, Go: b.Go, Kernel: b.Kernel,
			Processor: machine.Processor(), System: b.OS + "/" + b.Arch,
			Command: append([]string{program()}, a.args...),
			Title:   plan.Title, Notes: plan.Notes,
		},
		Now:        time.Now,
		Checkpoint: f.every,
		Pulls:      slices.Contains(f.record, "pulls"),
		Grace:      grace,
		Progress:   &progress,
		Warn:       func(message string) { a.warn("%s", message) },
	}
	if slices.Contains(f.record, "scores") {
		runner.Scores = &f.scores
	}
	if !f.quiet {
		stop := live.Progress(a.stderr, &progress)
		defer stop()
	}
	return runner.Run(ctx, plan)
}

// conclude prints the table, the verdict, the thresholds, the folder and the next command, and
// draws the plot.
func (a *app) conclude(f *runFlags, plan *experiment.Plan, dir string, summary harness.Summary) error {
	sets, err := a.load(dir, false)
	if err != nil {
		return err
	}
	picture := ""
	sets, err = a.show(sets, func(w io.Writer, sets []*results.Set) (err error) {
		if picture, err = a.picture(dir, plan, sets); err != nil {
			return err
		}
		summaries, err := summarise(sets)
		if err != nil {
			return err
		}
		addVerdict(sets, summaries)
		if err := renderSets(w, report.Text, false, sets, summaries); err != nil {
			return err
		}
		_, err = fmt.Fprintln(w)
		return err
	})
	if err != nil {
		return err
	}
	missed, err := a.judge(f, plan, sets)
	if err != nil {
		return err
	}
	resumed := ""
	if summary.Resumed > 0 {
		resumed = fmt.Sprintf(", %d of them from a checkpoint", summary.Resumed)
	}
	_, err = fmt.Fprintf(a.stdout, "Trials  %s (%d run now%s, %d there already)\nPlot    %s\nNext    %s\n%s",
		filepath.Join(dir, results.TrialsDir), summary.Run, resumed, summary.Skipped, picture, a.nextCommand(f, plan, dir, sets),
		report.WrapText(a.screen(), alike(sets)))
	if err != nil {
		return err
	}
	if damaged := len(sets[0].Damaged); missed == nil && damaged > 0 && len(summary.Failed) == 0 {
		return exitWith(ExitIncomplete, fmt.Errorf("damaged files: %d", damaged))
	}
	if len(summary.Failed) == 0 {
		return missed
	}
	for _, f := range summary.Failed {
		fmt.Fprintf(a.stderr, "failed: %s, seed %d, round %d: %s\n", f.Policy, f.Seed, f.Round, f.Cause)
	}
	return exitWith(ExitIncomplete, fmt.Errorf("%d of %d trials failed", len(summary.Failed), len(plan.Cells)))
}

// picture draws the regret of a set, or the ranks over several, into the folder; a figure section with facets the
// regret on each. It returns the file, or why there is none.
func (a *app) picture(dir string, plan *experiment.Plan, sets []*results.Set) (string, error) {
	path := filepath.Join(dir, "regret.svg")
	if len(sets) == 1 || plan.Figure != nil && plan.Figure.Facets {
		err := a.draw(path, plan, sets)
		if errors.Is(err, compare.ErrNoneFinished) {
			return "none: no trial is finished", nil
		}
		return path, err
	}
	path = filepath.Join(dir, "ranks.svg")
	across, err := compare.CompareAcross(sets, compare.Expected)
	if err != nil {
		return "none: " + err.Error(), nil
	}
	return path, plot.Write(path, plot.Ranks(across))
}

// draw draws the plot of a run. A figure section without room for what is there gives way to the default: by then
// the trials are done.
func (a *app) draw(path string, plan *experiment.Plan, sets []*results.Set) error {
	o := plot.DefaultOptions()
	if plan.Figure != nil {
		err := plot.Regret(path, sets, plan.Figure.Restrict(results.Labels(sets)))
		if err == nil || errors.Is(err, compare.ErrNoneFinished) {
			return err
		}
		a.warn("the plot is drawn without the figure section: %v", err)
		o.Facets = plan.Figure.Facets
	}
	return plot.Regret(path, sets, o)
}

// Causes of a cancelled context.
var (
	errInterrupted = errors.New("interrupted")
	errTerminated  = errors.New("terminated")
)

// stopped returns the error of a command that was stopped by cause and cannot be resumed.
func stopped(cause, err error) error {
	if errors.Is(cause, errInterrupted) {
		return exitWith(ExitInterrupted, err)
	}
	return exitWith(ExitFailure, err)
}

// brokenPipe is SIGPIPE, which package syscall does not name for WebAssembly.
const brokenPipe = syscall.Signal(13)

// notifyInterrupts cancels the context on an interrupt or a termination; a second interrupt ends
// the process at once. A closed stdout or stderr does not end it, since trials are worth more than
// text about them.
func notifyInterrupts(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signal.Ignore(brokenPipe) // writes fail with EPIPE instead
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, append(machine.Terminations(), os.Interrupt)...)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			if s == os.Interrupt {
				cancel(errInterrupted)
			} else {
				cancel(errTerminated)
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Reset(brokenPipe)
		cancel(nil)
	}
}

// interrupted adds the exit code, what was kept and how to resume to the error of a run.
func (a *app) interrupted(ctx context.Context, err error, s harness.Summary, trials int) error {
	cause := context.Cause(ctx)
	code := ExitFailure
	var folder *harness.FolderError
	switch {
	case errors.As(err, &folder):
		return usageError(err)
	case errors.Is(cause, errInterrupted):
		code, err = ExitInterrupted, cause
	case errors.Is(cause, errTerminated):
		code, err = ExitResumable, cause
	}
	if trials == 0 || code == ExitFailure && s.Finished()+s.Saved == 0 {
		return exitWith(code, err) // there is nothing to resume
	}
	saved := ""
	if s.Saved > 0 {
		saved = fmt.Sprintf(", %d more have a checkpoint", s.Saved)
	}
	return exitWith(code, fmt.Errorf("%w: %d of %d trials are finished and kept%s; resume with:\n  %s",
		err, s.Finished(), trials, saved, commandLine(a.args...)))
}

// commandLine returns a command as it is typed into a shell.
func commandLine(args ...string) string {
	return words.CommandLine(append([]string{program()}, args...))
}

// program returns the name of this program.
func program() string { return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") }
