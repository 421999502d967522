package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/plugincmd"
	"banditsim/internal/usage"
	"banditsim/internal/words"
)

// planFlags are the flags that change an experiment, and so its plan.
type planFlags struct {
	environment string
	seeds       string
	policies    []string
	data        string
	passes      int
	set         []string
	limits      []string
	plugins     []string
}

func (a *app) addPlanFlags(cmd *cobra.Command, f *planFlags) {
	flags := cmd.Flags()
	flags.StringVar(&f.environment, "environment", "", "environment, or several separated by commas (default those of the experiment): see 'banditsim list environments'")
	flags.StringVar(&f.seeds, "seeds", "", "seeds, such as 1..20 or 1,2,5 (default those of the experiment)")
	flags.StringSliceVar(&f.policies, "policies", nil, "policies or variants, separated by commas (default those of the experiment)")
	flags.StringVar(&f.data, "data", "", dataUsage+"; with several environments NAME=SOURCE")
	flags.IntVar(&f.passes, "passes", 0, "passes over the rows of a table, each in a new order; with it, the rounds are as many as that makes (default 1 where no rounds are given)")
	flags.StringArrayVar(&f.set, "set", nil, "change an option: key=value, such as protocol.rounds=200 (repeatable)")
	flags.StringArrayVar(&f.plugins, "plugin", nil, "child process as a policy, posterior or environment: 'NAME=COMMAND', such as 'Mine=python3 mine.py' (repeatable; see docs/plugins.md)")
	usage.Complete(cmd, "environment", a.completeEnvironments)
	usage.Complete(cmd, "policies", a.completePolicies)
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
			fmt.Fprintf(a.Stderr, "The environment is %s, by the name of the data: %s\n", environments, words.Plain(f.data))
		}
	}
	e, err := a.source(f, args, environments)
	if err != nil {
		return e, err
	}
	plugins := plugincmd.App{Process: a.Process}
	if err := plugins.Add(&e, f.plugins, strings.Split(f.environment, ","), len(f.policies) > 0); err != nil {
		return e, fmt.Errorf("--plugin: %w", err)
	}
	if environments != "" {
		if err := a.chooseEnvironments(&e, environments, f.data, len(args) == 0); err != nil {
			return e, err
		}
	}
	err = a.change(&e, f)
	return e, err
}

// source returns the experiment file or the preset to begin with.
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
	if err != nil {
		err = a.noPreset(name, f, err)
	}
	return e, err
}

// change applies the flags that change an experiment whose environments are known.
func (a *app) change(e *experiment.Experiment, f *planFlags) error {
	var err error
	if f.seeds != "" {
		if e.Seeds, err = experiment.ParseSeeds(f.seeds); err != nil {
			return fmt.Errorf("--seeds: %w", err)
		}
	}
	if len(f.policies) > 0 {
		dropped, err := e.Select(f.policies)
		if err != nil {
			return fmt.Errorf("--policies: %w", err)
		}
		for _, t := range dropped {
			a.Warn("threshold %s: not judged, as --policies leaves out its policy", t)
		}
	}
	if f.data != "" {
		if err := a.setData(e, f.data); err != nil {
			return fmt.Errorf("--data %w", err)
		}
	}
	for _, s := range f.set {
		setting, err := experiment.ParseSetting(s)
		if err != nil {
			return err
		}
		e.Settings = append(e.Settings, setting)
	}
	if f.passes != 0 {
		if *e, err = playedThrough(*e, f.passes); err != nil {
			return fmt.Errorf("--passes %d: %w", f.passes, err)
		}
	}
	for _, text := range f.limits {
		t, err := experiment.ParseThreshold(text)
		if err != nil {
			return fmt.Errorf("--threshold: %w", err)
		}
		e.Thresholds = append(e.Thresholds, t)
	}
	return nil
}

// oneExperiment accepts a preset or a file, and says what several names of policies are.
func (a *app) oneExperiment(cmd *cobra.Command, args []string) error {
	policies := slices.DeleteFunc(slices.Clone(args), func(name string) bool {
		return !slices.ContainsFunc(a.catalog.Policies(), func(p experiment.Entry) bool { return p.Name == name })
	})
	if len(args) > 1 && len(policies) > 0 {
		return fmt.Errorf("policies are separated by commas: --policies …,%s", strings.Join(policies, ","))
	}
	return usage.Count(0, 1)(cmd, args)
}

// noPreset returns the error for an argument that is no preset, with the cure if it is data or a policy.
func (a *app) noPreset(name string, f *planFlags, err error) error {
	info, statErr := os.Stat(a.Path(name))
	switch {
	case a.catalog.EnvironmentOf(name) != "", statErr == nil && !info.IsDir():
		return fmt.Errorf("%s is data, not a preset or an experiment file (.yaml): want --data %s", name, name)
	case slices.ContainsFunc(a.catalog.Policies(), func(p experiment.Entry) bool { return p.Name == name }):
		return fmt.Errorf("%s is a policy, not a preset: policies are separated by commas: --policies %s", name, strings.Join(append(slices.Clone(f.policies), name), ","))
	}
	return err
}

// playedThrough returns an experiment whose trials meet each row of a table so many times.
func playedThrough(e experiment.Experiment, passes int) (experiment.Experiment, error) {
	if passes < 1 {
		return e, errors.New("want at least 1")
	}
	if slices.ContainsFunc(e.Settings, func(s experiment.Setting) bool { return s.Key == "protocol.rounds" }) {
		return e, errors.New("the rounds follow from it: leave protocol.rounds out")
	}
	e.FollowRows = true
	e.Settings = append(e.Settings, experiment.Setting{Key: "environment.passes", Value: strconv.Itoa(passes)})
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
		a.Warn("threshold %s: not judged, as --environment leaves out its environment", t)
	}
	return nil
}
