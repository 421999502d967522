package logcmd

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/bandit/logged"
	"banditsim/internal/exit"
	"banditsim/internal/logs"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/results/plot"
)

// evaluateFlags are the flags of evaluate.
type evaluateFlags struct {
	readFlags
	policies []string
	set      []string
	train    float64
	model    string
	rewards  string
	against  string
	options  logged.Options
	workers  int
	format   string
	html     string
	figure   string
}

// noModel is the value of --model that leaves out estimators with predictions.
const noModel = "none"

// EvaluateCommand returns the verb evaluate.
func (a App) EvaluateCommand() *cobra.Command {
	f := evaluateFlags{train: 0.5, options: logged.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "evaluate LOG",
		Short: "Estimate from a log of pulls what other policies would have earned",
		Long: `Estimate from a log of pulls what other policies would have earned, without pulling. A log has
the arm, the reward and the propensity of each pull: see 'banditsim log describe'.

Policies are names of 'banditsim list policies', 'always ARM', or experiment files, whose
policies are taken. Uniform and 'always ARM' are fixed. Other policies learn a share of the
log, are frozen, and evaluated on the rest, in folds so that every row is used. With --replay
they learn as they go, over the pulls of the log that they would have made themselves.

Estimators are

` + estimatorList() + `
each with a 95 % interval, and compared with what the log earned or with --baseline, paired by
row; dr, snips and ips are shown unless --estimators asks for others. Where the log cannot tell
there is no verdict, with what log would do. docs/logged.md says when to trust which interval.`,
		Example: `  banditsim evaluate out/recorded --policies Uniform,LinUCB,'always 1'
  banditsim evaluate clicks.csv --policies LinUCB,LinTS --html clicks.html
  banditsim evaluate men.csv.gz --policies Uniform --against uniform/men.csv.gz -o json`,
		Args: usage.Count(1, 1),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error { return a.evaluate(cmd, &f, args[0]) }),
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.policies, "policies", []string{"Uniform"}, "policies, 'always ARM' or experiment files, separated by commas")
	flags.StringArrayVar(&f.set, "set", nil, "change an option of a policy, or of the model of rewards: LinUCB.alpha=2, model.lambda=10 (repeatable)")
	flags.Var((*usage.Real)(&f.train), "train", "share of the log on which policies that learn are trained, 0.5 to 0.8")
	flags.StringSliceVar(&f.options.Estimators, "estimators", f.options.Estimators, "estimators, separated by commas")
	flags.BoolVar(&f.options.Replay, "replay", false, "policies that learn go through the log from the first pull on: what they earn while they learn, over the few pulls that count")
	flags.StringVar(&f.model, "model", "Linear", "posterior that predicts rewards, of 'banditsim list posteriors', or none")
	flags.IntVar(&f.options.Folds, "folds", f.options.Folds, "parts of the log: the model of a row has not seen its part; --train sets them by itself")
	flags.StringVar((*string)(&f.options.Interval), "interval", string(f.options.Interval), "95 % interval: t, bootstrap, bernstein, sequence or exact")
	flags.StringVar(&f.rewards, "range", "", "least and largest possible reward, LOW,HIGH, for the intervals bernstein and sequence (default 0,1 where all rewards are 0 or 1)")
	flags.StringVar(&f.options.Baseline, "baseline", "", "policy to compare with (default what the log earned)")
	flags.StringVar(&f.against, "against", "", "another log, such as one that the policy wrote: show the difference from what it earned")
	flags.IntVar(&f.options.Pulls, "accept", 0, "rows that a replay accepts at most; 0: all")
	usage.Renamed(cmd, "pulls", "accept")
	flags.IntVar(&f.options.Round, "round", f.options.Round, "rows that are learned between two calls of training")
	flags.Uint64Var(&f.options.Seed, "seed", f.options.Seed, "seed of the folds, the policies and the replay")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "policies and folds at a time; results do not depend on it")
	flags.StringVar(&f.html, "html", "", "write a page with figures and all tables to FILE")
	flags.StringVar(&f.figure, "figure", "", "write the forest plot to FILE.svg, .png or .pdf, and the estimates by clip to FILE-clip")
	f.readFlags.add(cmd)
	usage.FormatFlag(cmd, &f.format)
	cmd.MarkFlagsMutuallyExclusive("replay", "train")
	cmd.MarkFlagsMutuallyExclusive("folds", "train")
	usage.CompleteValues(cmd, "interval", logged.Intervals()...)
	var names []string
	for _, e := range logged.Estimators() {
		names = append(names, e.Name)
	}
	usage.CompleteValues(cmd, "estimators", names...)
	return cmd
}

func estimatorList() string {
	return strings.Join(report.NewTable(report.Columns[logged.Estimator]{
		{Text: func(e logged.Estimator) string { return "  " + e.Name }},
		{Text: func(e logged.Estimator) string { return e.Doc }},
	}, logged.Estimators()).Lines(), "\n") + "\n"
}

func (a App) evaluate(cmd *cobra.Command, f *evaluateFlags, path string) error {
	tables, err := report.ParseFormat(f.format)
	if err == nil {
		err = usage.NoEmpty(cmd)
	}
	if err == nil {
		err = f.check(cmd)
	}
	if err != nil {
		return exit.Usage(err)
	}
	ctx, stop := exit.Interrupts(cmd.Context())
	defer stop()
	l, err := a.open(ctx, a.Path(path), &f.readFlags)
	if err != nil {
		return err
	}
	policies, err := a.policies(f, l)
	if err != nil {
		return exit.Usage(err)
	}
	if f.against != "" {
		other, err := a.open(ctx, a.Path(f.against), &f.readFlags)
		if err != nil {
			return err
		}
		name := other.Name()
		if name == l.Name() {
			name = filepath.Join(filepath.Base(filepath.Dir(other.Path)), name)
		}
		f.options.Against = &logged.Earned{Name: name, Mean: other.Description.Reward}
	}
	f.options.Parallel = parallel(f.workers)
	e, err := logged.Evaluate(ctx, l, policies, f.options)
	var wrong *logged.InputError // of a row: a fault that the description does not find
	switch {
	case errors.As(err, &wrong):
		return exit.Usage(err)
	case errors.Is(err, logged.ErrNoContext):
		columns := strings.Join(l.Ignored, ", ")
		cure := fmt.Sprintf("name it with --context %s, or say that there is none with --context none", strings.Join(l.Ignored, ","))
		if l.Exported {
			cure = "exported pulls have no contexts: evaluate the folder of the run, or say that there is none with --context none"
		}
		return exit.Usage(fmt.Errorf("%w; not used are %s: %s", err, columns, cure))
	case err != nil:
		return err
	}
	for _, w := range logs.Warnings(e) {
		a.Warn("%s", w)
	}
	if err := logs.Report(e).Render(a.Screen(), tables); err != nil {
		return err
	}
	if f.figure != "" {
		if err := logs.WriteFigures(a.Path(f.figure), e); err != nil {
			return err
		}
	}
	if f.html != "" {
		return logs.WritePage(a.Path(f.html), e)
	}
	return nil
}

// check sets the options that flags ask for.
func (f *evaluateFlags) check(cmd *cobra.Command) error {
	var err error
	if f.rewards != "" {
		low, high, _ := strings.Cut(f.rewards, ",")
		var wrong error
		f.options.Low, err = strconv.ParseFloat(low, 64)
		f.options.High, wrong = strconv.ParseFloat(high, 64)
		if err != nil || wrong != nil || !(f.options.Low < f.options.High) || math.IsInf(f.options.High-f.options.Low, 1) {
			return fmt.Errorf("--range %q: want LOW,HIGH, such as 0,1", f.rewards)
		}
	}
	if cmd.Flags().Changed("train") {
		if !(f.train >= 0.5 && f.train <= 0.8) {
			return fmt.Errorf("--train %g: want a share of the log from 0.5 (two folds) to 0.8 (five)", f.train)
		}
		f.options.Folds = int(math.Round(1 / (1 - f.train))) // trained on ½ with 2, on ⅔ with 3
	}
	if f.workers < 1 || f.workers > 10_000 {
		return fmt.Errorf("--workers %d: want 1 to 10000", f.workers)
	}
	if f.figure != "" {
		return plot.CheckPath(f.figure)
	}
	return nil
}

// policies returns the policies of the flags for a log, and sets the model.
func (a App) policies(f *evaluateFlags, l *logged.Log) ([]logged.Policy, error) {
	var settings, ofModel []experiment.Setting
	for _, text := range f.set {
		s, err := experiment.ParseSetting(text)
		if err != nil {
			return nil, err
		}
		if s.IsModel() {
			ofModel = append(ofModel, s)
		} else {
			settings = append(settings, s)
		}
	}
	if f.model != noModel {
		model, err := a.Catalog.NewPosterior(f.model, ofModel)
		if err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
		f.options.Model = model
	} else if len(ofModel) > 0 {
		return nil, fmt.Errorf("--set %s: there is no model with --model none", ofModel[0])
	}
	return a.named(f.policies, settings, l)
}

// parallel returns a function that runs so many calls at a time.
func parallel(workers int) func(n int, f func(i int)) {
	return func(n int, f func(i int)) {
		var all sync.WaitGroup
		next := make(chan int)
		for range min(workers, n) {
			all.Go(func() {
				for i := range next {
					f(i)
				}
			})
		}
		for i := range n {
			next <- i
		}
		close(next)
		all.Wait()
	}
}
