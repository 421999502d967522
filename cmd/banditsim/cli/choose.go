package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/bandit/plugin"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/exit"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results/compare"
)

// planFlags are the flags that change an experiment, and so its plan.
type planFlags struct {
	environment string
	seeds       []uint64
	policies    []string
	data        string
	passes      int
	settings    []experiment.Setting
	thresholds  []compare.Threshold
	plugins     []declare.Declaration
}

const pluginUsage = "child process as a policy, posterior or environment: 'NAME=COMMAND', such as 'Mine=python3 mine.py' (repeatable; see docs/plugins.md)"

const dataUsage = "path of the data, iris or digits; without it the data that the program brings"

// planFlagNames are the flags that can be written into an experiment file.
var planFlagNames = []string{"environment", "seeds", "policies", "data", "passes", "set", "plugin"}

func (a *app) addPlanFlags(cmd *cobra.Command, f *planFlags) {
	flags := cmd.Flags()
	flags.StringVar(&f.environment, "environment", "", "environment, or several separated by commas (default those of the experiment): see 'banditsim list environments'")
	usage.Parsed(flags, &f.seeds, "seeds", "", "seeds, such as 1..20 or 1,2,5 (default those of the experiment)", experiment.ParseSeeds)
	flags.StringSliceVar(&f.policies, "policies", nil, "policies or variants, separated by commas (default those of the experiment)")
	flags.StringVar(&f.data, "data", "", dataUsage+"; with several environments NAME=SOURCE")
	usage.Whole(flags, &f.passes, "passes", 1, 1e9, "passes over the rows of a table, each in a new order; with it, the rounds are as many as that makes (default 1 where no rounds are given)")
	usage.List(flags, &f.settings, "set", "change an option: key=value, such as protocol.rounds=200 (repeatable)", experiment.ParseSetting)
	usage.List(flags, &f.plugins, "plugin", pluginUsage, declare.Flag)
	usage.Complete(cmd, "environment", completeList(a.catalog.Environments))
	usage.Complete(cmd, "policies", completeList(a.catalog.Policies))
}

// completeList completes the last name of a list separated by commas.
func completeList(entries func() []experiment.Entry) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := toComplete[:strings.LastIndex(toComplete, ",")+1]
		return described(entries(), before), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// described returns a completion for each entry: prefix followed by the entry's name, with the entry's description.
func described(entries []experiment.Entry, prefix string) []cobra.Completion {
	return lists.Each(entries, func(e experiment.Entry) string { return cobra.CompletionWithDesc(prefix+e.Name, e.Doc) })
}

func (a *app) completePresets(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return described(a.catalog.Presets(), ""), cobra.ShellCompDirectiveDefault
}

// isExperimentFile reports whether name has the ending of an experiment file. Presets have no such names.
func isExperimentFile(name string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name))
}

// has reports whether one of the entries has the given name.
func has(entries []experiment.Entry, name string) bool {
	return slices.ContainsFunc(entries, func(e experiment.Entry) bool { return e.Name == name })
}

// oneExperiment accepts at most one argument, a preset or a file. If there are several arguments and some of them are
// policies, the error says that policies are given by --policies.
func (a *app) oneExperiment(cmd *cobra.Command, args []string) error {
	policies := slices.DeleteFunc(slices.Clone(args), func(name string) bool { return !has(a.catalog.Policies(), name) })
	if len(args) > 1 && len(policies) > 0 {
		return fmt.Errorf("policies are separated by commas: --policies …,%s", strings.Join(policies, ","))
	}
	return usage.Count(0, 1)(cmd, args)
}

// experiment returns the experiment that the arguments and flags select.
func (a *app) experiment(f *planFlags, args []string) (experiment.Experiment, error) {
	environments := f.environment
	if environments == "" && len(args) == 0 && f.data != "" {
		if environments = a.catalog.EnvironmentOf(f.data); environments != "" {
			fmt.Fprintf(a.Stderr, "The environment is %s, by the name of the data: %s\n", environments, words.Plain(f.data))
		}
	}
	e, err := a.source(f, args, environments)
	if err != nil {
		return e, err
	}
	if err := a.addPlugins(&e, f); err != nil {
		return e, fmt.Errorf("--plugin: %w", err)
	}
	if environments != "" {
		if err := a.chooseEnvironments(&e, environments, f, len(args) == 0); err != nil {
			return e, err
		}
	}
	err = a.change(&e, f)
	return e, err
}

// plan resolves the experiment that the arguments and flags select.
func (a *app) plan(ctx context.Context, f *planFlags, args []string) (*experiment.Plan, error) {
	e, err := a.experiment(f, args)
	if err != nil {
		return nil, exit.Usage(err)
	}
	return a.resolve(ctx, e)
}

// source returns the experiment before flags change it: the file or preset in args. The default is the preset quick or,
// if environments is not empty, general.
func (a *app) source(f *planFlags, args []string, environments string) (experiment.Experiment, error) {
	name := "quick"
	switch {
	case len(args) == 1:
		name = args[0]
	case environments != "":
		name = "general"
	}
	if isExperimentFile(name) {
		return a.catalog.ReadFile(a.Path(name))
	}
	e, err := a.catalog.Preset(name)
	if err == nil {
		return e, nil
	}
	info, statErr := os.Stat(a.Path(name))
	switch {
	case a.catalog.EnvironmentOf(name) != "", statErr == nil && info.Mode().IsRegular(): // data cannot be a pipe
		err = fmt.Errorf("%s is data, not a preset or an experiment file (.yaml): want --data %[1]s", name)
	case has(a.catalog.Policies(), name):
		err = fmt.Errorf("%s is a policy, not a preset: policies are separated by commas: --policies %s", name, strings.Join(append(slices.Clone(f.policies), name), ","))
	}
	return e, err
}

// addPlugins adds the programs of --plugin to an experiment. A program that --environment names is an environment. The
// other programs are started and asked for their role. Without --policies, they are added to the experiment's policies.
func (a *app) addPlugins(e *experiment.Experiment, f *planFlags) error {
	environments := strings.Split(f.environment, ",")
	for _, d := range f.plugins {
		isEnvironment := slices.ContainsFunc(environments, func(name string) bool { return strings.TrimSpace(name) == d.Name })
		if d.Role = plugin.RoleEnvironment; !isEnvironment {
			program := d.Program
			program.Dir = a.Dir
			var err error
			if d.Role, _, err = plugin.Probe(program); err != nil {
				return err
			}
		}
		switch {
		case d.Role == plugin.RoleEnvironment && !isEnvironment:
			return fmt.Errorf("%s is an environment: name it in --environment as well", d.Name)
		case d.Role == plugin.RolePosterior:
			d.Rule = declare.Rules()[0]
		}
		if err := e.AddPlugin(d); err != nil {
			return err
		}
		if !isEnvironment && len(f.policies) == 0 {
			e.Policies = append(e.Policies, d.Name)
		}
	}
	return nil
}

// change applies all flags but --environment and --plugin to an experiment.
func (a *app) change(e *experiment.Experiment, f *planFlags) error {
	if len(f.seeds) > 0 {
		e.Seeds = f.seeds
	}
	if len(f.policies) > 0 {
		dropped, err := e.Select(f.policies)
		if err != nil {
			return fmt.Errorf("--policies: %w", err)
		}
		a.warnOfDropped(dropped, "--policies leaves out its policy")
	}
	if f.data != "" {
		name, _, named := strings.Cut(f.data, "=")
		if named && len(e.Environments) == 0 && name != e.Environment && has(a.catalog.Environments(), name) {
			return fmt.Errorf("--data %q: the experiment is on the environment %s: want the source alone, or %[2]s=SOURCE", f.data, e.Environment)
		}
		if err := e.SetData(f.data); err != nil {
			return fmt.Errorf("--data %w", err)
		}
	}
	e.Settings = append(e.Settings, f.settings...)
	if f.passes != 0 { // trials go through the rows of their table this many times
		if slices.ContainsFunc(e.Settings, func(s experiment.Setting) bool { return s.Key == "protocol.rounds" }) {
			return fmt.Errorf("--passes %d: the rounds follow from it: leave protocol.rounds out", f.passes)
		}
		e.FollowRows = true
		e.Settings = append(e.Settings, experiment.Setting{Key: "environment.passes", Value: strconv.Itoa(f.passes), Flag: fmt.Sprint("--passes ", f.passes)})
	}
	e.Thresholds = append(e.Thresholds, f.thresholds...)
	return nil
}

func (a *app) warnOfDropped(thresholds []string, why string) {
	for _, t := range thresholds {
		a.warn("threshold %s: not judged, as %s", t, why)
	}
}

// chooseEnvironments sets the environments of an experiment to those in list, separated by commas, and adapts its name.
// If the user named no experiment (unnamed), the list becomes the name, joined by hyphens. Otherwise a list with an
// environment that the experiment lacks is appended to the name. In the name, tableName(f.data) replaces "table".
func (a *app) chooseEnvironments(e *experiment.Experiment, list string, f *planFlags, unnamed bool) error {
	names := lists.Each(strings.Split(list, ","), strings.TrimSpace)
	known := lists.Each(e.Environments, func(v experiment.EnvironmentVariant) string { return v.Name })
	labels, foreign := slices.Clone(names), len(known) == 0
	for i, name := range names {
		if name == fileEnvironment {
			labels[i] = tableName(f.data)
		}
		if slices.Contains(known, name) {
			continue
		}
		foreign = true
		isNamed := func(d declare.Declaration) bool { return d.Name == name }
		if len(known) > 0 && name != "" && !has(a.catalog.Environments(), name) && !slices.ContainsFunc(f.plugins, isNamed) {
			return fmt.Errorf("--environment: there is no environment %q%s: the experiment has %s", name, nearest.DidYouMean(name, known), strings.Join(known, ", "))
		}
	}
	switch {
	case !foreign:
	case unnamed:
		e.Name = strings.Join(labels, "-")
	case list != e.Environment:
		e.Name += "-" + strings.Join(labels, "-")
	}
	dropped, err := e.SelectEnvironments(names)
	if err != nil {
		return fmt.Errorf("--environment: %w", err)
	}
	a.warnOfDropped(dropped, "--environment leaves out its environment")
	return nil
}

// fileEnvironment is the environment that takes any file with a table as its data.
const fileEnvironment = "table"

// tableName returns the label of the environment "table" for the data: the file's name without its endings. It replaces
// all but letters, digits, '.', '_' and '-' by '-', and trims '.' and '-'. If nothing is left, it returns "table".
func tableName(data string) string {
	data = strings.TrimPrefix(data, fileEnvironment+"=")
	name := strings.TrimSuffix(filepath.Base(data), ".gz")
	name = strings.TrimSuffix(name, filepath.Ext(name))
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, name)
	return cmp.Or(strings.Trim(name, ".-"), fileEnvironment)
}
