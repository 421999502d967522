package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/logged"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/check"
	"banditsim/internal/exit"
	"banditsim/internal/lists"
	"banditsim/internal/logs"
	"banditsim/internal/nearest"
	"banditsim/internal/pool"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results/plot"
)

type evaluateFlags struct {
	readFlags

	policies []string
	columns  []logged.Policy // policies of --policy, each given by columns of a table
	table    string          // file with the columns of --policy; "" for the log itself
	plugins  []declare.Declaration
	settings []experiment.Setting
	model    string
	against  string
	options  logged.Options
	workers  int
	format   report.Format
	html     string
	figure   string
}

// noModel is the value of --model that leaves out the estimators that need a model of rewards.
const noModel = "none"

func (a *app) evaluateCommand() *cobra.Command {
	f := evaluateFlags{options: logged.DefaultOptions(), workers: runtime.GOMAXPROCS(0)}
	row := func(e logged.Estimator) [2]string { return [2]string{"  " + e.Name, e.Doc} }
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

` + strings.Join(aligned(lists.Each(logged.Estimators(), row)), "\n") + `

each with a 95 % interval, and compared with what the log earned or with --baseline, paired by
row; dr, snips and ips are shown unless --estimators asks for others. Where the log cannot tell
there is no verdict, with what log would do. docs/logged.md says when to trust which interval.`,
		Example: `  banditsim evaluate out/recorded --policies Uniform,LinUCB,'always 1'
  banditsim evaluate clicks.csv --policies LinUCB,LinTS --html clicks.html
  banditsim evaluate men.csv.gz --policies Uniform --against uniform/men.csv.gz -o json`,
		Args: usage.Count(1, 1),
		RunE: keepsNothing(func(ctx context.Context, args []string) error { return a.evaluate(ctx, &f, args[0]) }),
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.policies, "policies", nil, "policies, 'always ARM' or experiment files, separated by commas (default Uniform, unless --policy or --plugin name one)")
	usage.List(flags, &f.columns, "policy", "a fixed policy of your own, NAME=COLUMN with the arm that it pulls, or NAME=COLUMN,COLUMN,… with its probability of each arm, in their order (repeatable)", columnPolicy)
	flags.StringVar(&f.table, "policy-file", "", "CSV or JSON lines with the columns of --policy, a row for each of the log (default the log)")
	usage.Needs(cmd, "policy-file", "policy")
	usage.List(flags, &f.plugins, "plugin", pluginUsage, declare.Flag)
	usage.List(flags, &f.settings, "set", "change an option of a policy, or of the model of rewards: LinUCB.alpha=2, model.lambda=10 (repeatable)", experiment.ParseSetting)
	usage.Parsed(flags, &f.options.Folds, "train", "0.5", "share of the log on which policies that learn are trained, 0.5 to 0.8", func(text string) (int, error) {
		share, err := check.ParseFloat(text)
		if err == nil && !(share >= 0.5 && share <= 0.8) {
			err = fmt.Errorf("%g, want a share of the log from 0.5 (two folds) to 0.8 (five)", share)
		}
		return int(math.Round(1 / (1 - share))), err // number of folds: with 2, policies train on ½ of the log, with 3 on ⅔
	})
	flags.StringSliceVar(&f.options.Estimators, "estimators", f.options.Estimators, "estimators, separated by commas")
	flags.BoolVar(&f.options.Replay, "replay", false, "policies that learn go through the log from the first pull on: what they earn while they learn, over the few pulls that count")
	flags.StringVar(&f.model, "model", "Linear", "posterior that predicts rewards, of 'banditsim list posteriors', or none")
	flags.IntVar(&f.options.Folds, "folds", f.options.Folds, "parts of the log: the model of a row has not seen its part; --train sets them by itself")
	flags.StringVar((*string)(&f.options.Interval), "interval", string(f.options.Interval), "95 % interval: t, bootstrap, bernstein, sequence or exact")
	usage.Parsed(flags, &f.options, "range", "", "least and largest possible reward, LOW,HIGH, for the intervals bernstein and sequence (default 0,1 where all rewards are 0 or 1)", f.withRange)
	flags.StringVar(&f.options.Baseline, "baseline", "", "policy to compare with (default what the log earned)")
	flags.StringVar(&f.against, "against", "", "another log, such as one that the policy wrote: show the difference from what it earned")
	flags.IntVar(&f.options.Pulls, "accept", 0, "rows that a replay accepts at most; 0: all")
	usage.Renamed(cmd, "pulls", "accept")
	flags.IntVar(&f.options.Round, "round", f.options.Round, "rows that are learned between two calls of training")
	flags.Uint64Var(&f.options.Seed, "seed", f.options.Seed, "seed of the folds, the policies and the replay")
	usage.Workers(cmd, &f.workers, "policies and folds at a time; results do not depend on it")
	flags.StringVar(&f.html, "html", "", "write a page with figures and all tables to FILE")
	usage.Parsed(flags, &f.figure, "figure", "", "write the forest plot to FILE.svg, .png or .pdf, and the estimates by clip to FILE-clip", func(path string) (string, error) {
		return path, plot.CheckPath(path)
	})
	f.readFlags.add(cmd)
	usage.Format(cmd, &f.format)
	cmd.MarkFlagsMutuallyExclusive("replay", "train")
	cmd.MarkFlagsMutuallyExclusive("folds", "train")
	usage.CompleteValues(cmd, "interval", logged.Intervals()...)
	names := lists.Each(logged.Estimators(), func(e logged.Estimator) string { return e.Name })
	usage.CompleteValues(cmd, "estimators", names...)
	return cmd
}

// columnPolicy parses NAME=COLUMN,COLUMN,… as a policy with these columns.
func columnPolicy(text string) (logged.Policy, error) {
	name, columns, ok := strings.Cut(text, "=")
	if !ok || name == "" || columns == "" {
		return logged.Policy{}, fmt.Errorf("%q, want NAME=COLUMN or NAME=COLUMN,COLUMN,…, such as mine=p1,p2,p3", text)
	}
	return logged.Policy{Label: name, Columns: &logged.Columns{Names: strings.Split(columns, ",")}}, nil
}

// withRange returns the options with the range of rewards parsed from LOW,HIGH.
func (f *evaluateFlags) withRange(text string) (logged.Options, error) {
	o := f.options
	low, high, _ := strings.Cut(text, ",")
	var err, wrong error
	o.Low, err = strconv.ParseFloat(low, 64)
	o.High, wrong = strconv.ParseFloat(high, 64)
	if err != nil || wrong != nil || !(o.Low < o.High) || math.IsInf(o.High-o.Low, 1) {
		return o, fmt.Errorf("%q, want LOW,HIGH, such as 0,1", text)
	}
	return o, nil
}

func (a *app) evaluate(ctx context.Context, f *evaluateFlags, path string) error {
	modelAlone := slices.Equal(f.options.Estimators, []string{"dm"}) && f.model != noModel
	l, err := a.openLog(ctx, path, &f.readFlags, modelAlone)
	if err != nil {
		return err
	}
	for _, p := range f.columns {
		p.Columns.Path = cmp.Or(a.Path(f.table), l.Path)
		if f.table == "" {
			l.Ignored = slices.DeleteFunc(l.Ignored, func(column string) bool { return slices.Contains(p.Columns.Names, column) })
		}
	}
	policies, err := a.logPolicies(f, l)
	if err != nil {
		return exit.Usage(err)
	}
	if f.against != "" {
		other, err := a.openLog(ctx, f.against, &f.readFlags, true)
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
	if err != nil {
		return a.logError(l, err)
	}
	for _, w := range logs.Warnings(e) {
		a.warn("%s", w)
	}
	if err := logs.Report(e).Render(a.screen(a.Stdout), f.format); err != nil {
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

// logPolicies returns the policies that the flags name, and sets f.options.Model.
func (a *app) logPolicies(f *evaluateFlags, l *logged.Log) ([]logged.Policy, error) {
	settings := slices.DeleteFunc(slices.Clone(f.settings), experiment.Setting.IsModel)
	ofModel := slices.DeleteFunc(slices.Clone(f.settings), func(s experiment.Setting) bool { return !s.IsModel() })
	if f.model != noModel {
		model, err := a.catalog.NewPosterior(f.model, ofModel)
		if err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
		f.options.Model = model
	} else if len(ofModel) > 0 {
		return nil, fmt.Errorf("--set %s: there is no model with --model none", ofModel[0])
	}
	names := f.policies
	for _, d := range f.plugins {
		if !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	if names == nil && f.columns == nil {
		names = []string{"Uniform"}
	}
	return a.named(names, f, settings, l)
}

// alwaysPrefix begins the name of a policy that always pulls one arm.
const alwaysPrefix = "always "

// named returns the policies of --policy and, after them, those with the given names: 'always ARM', experiment files
// and registered policies or plugins. The settings apply to registered policies and plugins only.
func (a *app) named(names []string, f *evaluateFlags, settings []experiment.Setting, l *logged.Log) ([]logged.Policy, error) {
	list := slices.Clone(f.columns)
	var registered []string
	at := map[string]int{} // index in list of each registered policy
	for _, name := range names {
		name = strings.TrimSpace(name)
		switch {
		case strings.HasPrefix(name, alwaysPrefix):
			k, err := findArm(l.Spec.Arms, strings.TrimSpace(strings.TrimPrefix(name, alwaysPrefix)))
			if err != nil {
				return nil, fmt.Errorf("--policies: %q: the log has %w", name, err)
			}
			list = append(list, constant(name, k))
		case isExperimentFile(name):
			e, err := a.catalog.ReadFile(a.Path(name))
			if err != nil {
				return nil, err
			}
			resolved, err := e.ResolvePolicies(a.catalog)
			if err != nil {
				return nil, err
			}
			for _, p := range resolved {
				list = append(list, logged.Policy{Label: p.Label, New: p.New})
			}
		default:
			at[name] = len(list)
			registered = append(registered, name)
			list = append(list, logged.Policy{Label: name})
		}
	}
	if len(registered) > 0 {
		e := experiment.Experiment{Name: "evaluate", Policies: registered, Seeds: []uint64{1}, Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Settings: settings}
		if err := a.addPlugins(&e, &planFlags{plugins: f.plugins, policies: registered}); err != nil {
			return nil, fmt.Errorf("--plugin: %w", err)
		}
		resolved, err := e.ResolvePolicies(a.catalog)
		if err != nil {
			return nil, fmt.Errorf("--policies: %w", err)
		}
		for _, p := range resolved {
			list[at[p.Label]].New = p.New
		}
	} else if len(settings) > 0 {
		return nil, fmt.Errorf("--set %s: no policy of --policies has options", settings[0])
	}
	for i, p := range list {
		if slices.ContainsFunc(list[:i], func(o logged.Policy) bool { return o.Label == p.Label }) {
			return nil, fmt.Errorf("%s is named twice by --policies and --policy", p.Label)
		}
	}
	return list, nil
}

// constant returns a policy that always pulls arm k.
func constant(name string, k int) logged.Policy {
	return logged.Policy{Label: name, New: func(policy.Setup) (bandit.Policy, error) { return policy.Fixed(k), nil }}
}

// findArm returns the index of the arm called name or else of the only arm whose name is the same number, as 1.0 for 1.
func findArm(arms []string, name string) (int, error) {
	if k := slices.Index(arms, name); k >= 0 {
		return k, nil
	}
	found := -1
	if v, err := strconv.ParseFloat(name, 64); err == nil {
		for k, arm := range arms {
			if w, err := strconv.ParseFloat(arm, 64); err == nil && v == w {
				if found >= 0 {
					return -1, fmt.Errorf("the arms %s and %s are both %s: want one of their names", arms[found], arm, name)
				}
				found = k
			}
		}
	}
	if found < 0 {
		plain := lists.Each(arms, words.Plain)
		return -1, fmt.Errorf("no arm %q%s: the arms are %s", name, nearest.DidYouMean(name, plain), words.Clip(strings.Join(plain, ", ")))
	}
	return found, nil
}

// parallel returns a function that calls do(0) … do(n−1), at most workers of them at a time.
func parallel(workers int) posterior.Parallel {
	return func(n int, do func(i int)) {
		p := pool.Pool{Workers: workers}
		p.Run(context.Background(), n, func(i int) error { // the error of Run is nil, as no call fails
			do(i)
			return nil
		})
	}
}
