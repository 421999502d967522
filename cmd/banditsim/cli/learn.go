package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/agent"
	"banditsim/bandit/experiment"
	"banditsim/bandit/logged"
	"banditsim/internal/check"
	"banditsim/internal/exit"
	"banditsim/internal/lists"
	"banditsim/internal/logs"
	"banditsim/internal/optiontree"
	"banditsim/internal/usage"
	"banditsim/internal/words"
)

type learnFlags struct {
	evaluateFlags

	policy     string
	out        string
	weights    string
	horizon    int
	explore    float64
	exploreSet bool // reports whether explore was given on the command line
}

// mostConstant is the largest number of arms for which learn also evaluates the policies that always pull one arm.
const mostConstant = 20

func (a *app) learnCommand() *cobra.Command {
	f := learnFlags{evaluateFlags: evaluateFlags{options: logged.DefaultOptions(), workers: runtime.GOMAXPROCS(0), model: "Linear"}, explore: 0.05, weights: "none"}
	cmd := &cobra.Command{
		Use:   "learn LOG",
		Short: "Make an agent of a log: a policy that acts outside a simulation",
		Long: `Make an agent of a log: a policy that has learned the log's rows and acts outside a simulation, in
'banditsim act' or in a program of yours (package bandit/agent). Its file has the columns of the
context as they are in the log, the names of the arms, the options and what was learned.

What the policy would have earned is estimated beside it, with half of the log at a time unseen,
against what the log earned and the best arm for all.`,
		Example: `  banditsim learn shop.csv --policy LinTS --out shop.agent
  banditsim learn shop.csv --policy LinUCB --set LinUCB.alpha=0.5 --explore 0.1 --out shop.agent
  banditsim learn decisions.jsonl --policy LinTS --weights dr --out next.agent`,
		Args: usage.Count(1, 1),
	}
	cmd.RunE = keepsNothing(func(ctx context.Context, args []string) error {
		f.exploreSet = cmd.Flags().Changed("explore")
		return a.learn(ctx, &f, args[0])
	})
	flags := cmd.Flags()
	flags.StringVar(&f.policy, "policy", "", "policy, of 'banditsim list policies'")
	flags.StringVar(&f.out, "out", "", "write the agent to FILE")
	usage.List(flags, &f.settings, "set", "change an option of the policy: LinUCB.alpha=2 (repeatable)", experiment.ParseSetting)
	usage.Parsed(flags, &f.explore, "explore", "0.05", "share of decisions that are drawn uniformly, so that the log of the agent can be evaluated; 0: none", check.ParseFloat)
	usage.Parsed(flags, &f.weights, "weights", "none", "how rows count: none, as they are; ips or dr, as unbiased estimates of the rewards of all arms", func(text string) (string, error) {
		return text, check.OneOf("weights", text, "none", "ips", "dr")
	})
	flags.IntVar(&f.options.Round, "round", f.options.Round, "rewards between two trainings of a policy that trains")
	flags.IntVar(&f.horizon, "horizon", 1_000_000, "decisions that the agent is expected to make, for options that depend on it")
	flags.Uint64Var(&f.options.Seed, "seed", f.options.Seed, "seed of the agent and of the folds")
	usage.Workers(cmd, &f.workers, "policies and folds at a time; results do not depend on it")
	usage.Format(cmd, &f.format)
	f.readFlags.add(cmd)
	usage.Required(cmd, "policy", "out")
	return cmd
}

func (a *app) learn(ctx context.Context, f *learnFlags, path string) error {
	if err := checkAgent(a.Path(f.out)); err != nil {
		return err
	}
	l, err := a.openLog(ctx, path, &f.readFlags, false)
	if err != nil {
		return err
	}
	if l.Spec.ArmDim > 0 {
		return exit.Usage(fmt.Errorf("%s: its arms have features, which an agent's contexts do not: write the log without them, in dsjson without the features in _multi", path))
	}
	if l.Context == nil && len(l.Ignored) > 0 {
		return exit.Usage(fmt.Errorf("no column was recognized as context: name them with --context %s, or say that there is none with --context none", strings.Join(l.Ignored, ",")))
	}
	if err := l.Standardize(); err != nil {
		return err
	}
	chosen, err := a.learnedPolicy(f)
	if err != nil {
		return exit.Usage(err)
	}
	if f.options.Model, err = a.catalog.NewPosterior(f.model, nil); err != nil {
		return err
	}
	f.options.Parallel = parallel(f.workers)
	columns := l.Spec.Columns
	if columns == nil {
		columns = lists.Each(l.Columns, func(name string) bandit.Column { return bandit.Column{Name: name} })
	}
	made, err := agent.New(agent.Config{Policy: chosen.Policy.Name, Options: chosen.Policy.Options, Arms: l.Spec.Arms, Columns: columns,
		Horizon: f.horizon, Round: f.options.Round, Seed: f.options.Seed})
	if err != nil {
		return exit.Usage(err)
	}
	if err := learnRows(ctx, made, l, f); err != nil {
		return err
	}
	candidates := []logged.Policy{{Label: chosen.Label, New: chosen.New}}
	if len(l.Spec.Arms) <= mostConstant {
		for k, arm := range l.Spec.Arms {
			candidates = append(candidates, constant(alwaysPrefix+arm, k))
		}
	}
	e, err := logged.Evaluate(ctx, l, candidates, f.options)
	if err != nil {
		return err
	}
	if err := made.Save(a.Path(f.out)); err != nil {
		return err
	}
	for _, w := range logs.Warnings(e) {
		a.warn("%s", w)
	}
	r := logs.Report(e)
	best := bestConstant(e, chosen.Label)
	told := *e
	told.Estimates = slices.DeleteFunc(slices.Clone(e.Estimates), func(l logged.Estimate) bool { return l.Policy != chosen.Label && l.Policy != best })
	told.Diagnostics = slices.DeleteFunc(slices.Clone(e.Diagnostics), func(d logged.Diagnostics) bool { return d.Policy != chosen.Label && d.Policy != best })
	names := words.Shorten(strings.Join(lists.Each(columns, func(c bandit.Column) string { return c.Name }), ", "), 80)
	r.Sentences = append([]string{fmt.Sprintf("%s: %s learned %s of %s and chooses among %s by %s.", words.Plain(f.out), chosen.Label,
		words.Count(l.Description.Rows, "row"), words.Plain(l.Name()), words.Count(len(l.Spec.Arms), "arm"), words.Plain(names))},
		logs.Verdicts(&told)...)
	if best != "" {
		r.Sentences = append(r.Sentences, fmt.Sprintf("The best single arm is %s, by the same log.", words.Plain(strings.TrimPrefix(best, alwaysPrefix))))
	}
	journal := strings.TrimSuffix(filepath.Base(f.out), filepath.Ext(f.out)) + ".jsonl"
	r.Notes = append(r.Notes, "Next: "+a.Program()+" act "+words.Plain(f.out)+" --log "+words.Plain(journal))
	return r.Render(a.screen(a.Stdout), f.format)
}

// learnedPolicy returns the policy of --policy with its options in the profile general. It sets the option explore to
// the value of --explore if the user gave this flag, or if the policy knows its propensities only with explore. A
// policy without this option is an error only if the user gave --explore.
func (a *app) learnedPolicy(f *learnFlags) (experiment.NamedPolicy, error) {
	e := experiment.Experiment{Name: "learn", Profile: "general", Policies: []string{f.policy}, Seeds: []uint64{1}, Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Settings: f.settings}
	if f.explore != 0 && (f.exploreSet || !slices.Contains(a.catalog.Randomizers(), f.policy)) {
		e.Settings = append(slices.Clip(e.Settings), experiment.Setting{Key: strconv.Quote(f.policy) + ".explore", Value: fmt.Sprint(f.explore)})
	}
	resolved, err := e.ResolvePolicies(a.catalog)
	if errors.Is(err, optiontree.ErrUnknownKey) { // perhaps the policy has no option explore
		e.Settings = f.settings
		if resolved, err = e.ResolvePolicies(a.catalog); err == nil && f.exploreSet {
			err = fmt.Errorf("--explore %v: %s has no share of uniform pulls as an option: leave out --explore", f.explore, f.policy)
		}
	}
	if err != nil {
		return experiment.NamedPolicy{}, err
	}
	return resolved[0], nil
}

// learnRows makes the agent learn the log's rows or, with --weights, estimates of the rewards of all arms in each row.
func learnRows(ctx context.Context, learner *agent.Agent, l *logged.Log, f *learnFlags) error {
	if f.weights == "none" {
		for row, err := range l.Rows() {
			if err == nil {
				err = learner.LearnRow(row.Context, row.Arm, row.Reward)
			}
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
		}
		return nil
	}
	o := f.options
	if f.weights == "ips" {
		o.Model = nil
	}
	return l.Targets(ctx, o, func(round bandit.Round, targets []float64) error {
		for arm, target := range targets {
			if !round.CanPull(arm) {
				continue
			}
			if err := learner.LearnRow(round.Context, arm, target); err != nil {
				return err
			}
		}
		return nil
	})
}

// bestConstant returns the label of the constant policy with the highest estimate by the preferred estimator, among
// those with a verdict; "" if there is none. All policies in e except chosen are constant.
func bestConstant(e *logged.Evaluation, chosen string) (best string) {
	by, highest := e.Preferred(), 0.0
	for _, l := range e.Estimates {
		if l.Estimator == by && l.Policy != chosen && l.Verdict && (best == "" || l.Mean.Mean > highest) {
			best, highest = l.Policy, l.Mean.Mean
		}
	}
	return best
}
