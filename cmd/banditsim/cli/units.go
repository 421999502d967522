package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/scheduler"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
)

// unitFlags select some trials of a plan.
type unitFlags struct {
	shard  string
	trials []string
	costs  string
}

func (f *unitFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.shard, "shard", "", "run only the i-th of n parts of the trials: i/n, i from 1; auto/n takes i from $"+scheduler.Own+" or the scheduler")
	cmd.Flags().StringSliceVar(&f.trials, "trial", nil, "run only the trials of these IDs, which 'banditsim plan' lists (repeatable)")
	costsFlag(cmd, &f.costs)
}

func costsFlag(cmd *cobra.Command, costs *string) {
	cmd.Flags().StringVar(costs, "costs", "", "balance shards by the seconds of the trials in this folder; give the same to all shards (default by the size of networks)")
}

// part names what the flags select, "" for the whole plan.
func (f *unitFlags) part() string {
	switch {
	case f.shard != "":
		return "shard " + f.shard
	case len(f.trials) > 0:
		return "--trial"
	}
	return ""
}

// cut leaves in the plan what the flags select.
func (a *app) cut(plan *experiment.Plan, f *unitFlags) error {
	if f.shard != "" && len(f.trials) > 0 {
		return errors.New("--shard and --trial both select trials: give one of them")
	}
	if err := setCosts(plan, a.Path(f.costs)); err != nil {
		return err
	}
	if len(f.trials) > 0 {
		if err := plan.Select(f.trials); err != nil {
			return fmt.Errorf("--trial: %w", err)
		}
		return nil
	}
	if f.shard == "" {
		return nil
	}
	i, n, from, err := scheduler.ParseShard(f.shard, a.Getenv)
	if err != nil {
		return fmt.Errorf("--shard %w", err)
	}
	if from != "" {
		f.shard = fmt.Sprintf("%d/%d", i, n)
		fmt.Fprintf(a.Stderr, "shard %s, by $%s\n", f.shard, from)
	}
	return plan.Shard(i, n)
}

// setCosts sets the plan's costs to the seconds of the trials in a folder, if one is given.
func setCosts(plan *experiment.Plan, dir string) error {
	if dir == "" {
		return nil
	}
	if err := plan.SetCosts(harness.SecondsIn(dir)); err != nil {
		return fmt.Errorf("--costs %s: %w", dir, err)
	}
	return nil
}

// A unit is a trial as plan and missing list it.
type unit struct {
	ID     string `json:"id"`
	Policy string `json:"policy"` // its label
	// Environment is the label of the environment in an experiment on several.
	Environment string  `json:"environment,omitempty"`
	Seed        uint64  `json:"seed"`
	Cost        float64 `json:"cost"`
	Shard       int     `json:"shard"`
	File        string  `json:"file"` // path in the output folder
	// State is why the trial is missing: "missing", "interrupted", "damaged" or "failed".
	State string `json:"state,omitempty"`

	label string // label of policy and environment
}

// unitColumns are those of plan and missing.
var unitColumns = report.Columns[unit]{
	{Header: "trial", Text: func(u unit) string { return u.ID[:12] }},
	{Header: "policy", Text: func(u unit) string { return u.label }},
	{Header: "seed", Right: true, Text: func(u unit) string { return fmt.Sprint(u.Seed) }},
	{Name: "cost", Header: "cost", Right: true, Text: func(u unit) string { return fmt.Sprintf("%.3g", u.Cost) }},
	{Header: "shard", Right: true, Text: func(u unit) string { return fmt.Sprint(u.Shard) }},
	{Name: "state", Header: "state", Text: func(u unit) string { return u.State }},
}

// units resolves an experiment and returns the trials of its plan, in n shards.
func (a *app) units(ctx context.Context, args []string, f *planFlags, costs string, n int) (*experiment.Plan, []unit, error) {
	e, err := a.experiment(f, args)
	if err != nil {
		return nil, nil, exit.Usage(err)
	}
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	plan, err := e.Resolve(ctx, a.catalog)
	if err != nil {
		return nil, nil, a.resolveError(ctx, err)
	}
	a.warnOfData(plan)
	if err = setCosts(plan, a.Path(costs)); err != nil {
		return nil, nil, exit.Usage(err)
	}
	shards, err := plan.Shards(n)
	if err != nil {
		return nil, nil, exit.Usage(fmt.Errorf("--shards: %w", err))
	}
	list := make([]unit, len(plan.Cells))
	for i, c := range plan.Cells {
		list[i] = unit{ID: c.ID(), Policy: c.Label, Environment: c.EnvironmentLabel, label: c.FullLabel(), Seed: c.Seed, Cost: c.Cost, Shard: shards[i], File: path.Join(results.TrialsDir, c.FileName())}
	}
	return plan, list, nil
}

func (a *app) planCommand() *cobra.Command {
	var f planFlags
	var n int
	var costs string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan FILE.yaml|PRESET",
		Short: "List the trials of an experiment: the units of work for other machines",
		Long: `List the trials of an experiment: the units of work for other machines. A trial's ID is
a hash of all that its numbers depend on; 'run --trial ID' runs it, and 'run --shard i/n' runs a
shard. The order and the shards depend on the experiment and on n alone. Costs are
multiplications and additions; with --costs they are the seconds of the trials in a folder.
docs/scaling.md shows how to use a scheduler.`,
		Example: `  banditsim plan mushroom-paper --shards 8
  banditsim plan quick --json`,
		Args:              usage.Count(1, 1),
		ValidArgsFunction: a.completePresets,
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return exit.Usage(err)
			}
			_, list, err := a.units(cmd.Context(), args, &f, costs, n)
			if err != nil {
				return err
			}
			if asJSON {
				return report.WriteJSON(a.Stdout, list)
			}
			return a.printLines(report.NewTable(unitColumns.Without("state"), list).Lines())
		}),
	}
	a.addPlanFlags(cmd, &f)
	shardsFlag(cmd, &n)
	costsFlag(cmd, &costs)
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON, with whole IDs and the names of files")
	return cmd
}

func shardsFlag(cmd *cobra.Command, n *int) {
	cmd.Flags().IntVar(n, "shards", 1, "number of shards")
}

func (a *app) missingCommand() *cobra.Command {
	var f planFlags
	var n int
	var costs string
	var asJSON, array bool
	cmd := &cobra.Command{
		Use:   "missing DIR FILE.yaml|PRESET",
		Short: "List the trials of an experiment that an output folder lacks",
		Long: `List the trials of an experiment that an output folder lacks: missing, interrupted, damaged and
failed ones. Every trial that is there is verified. With --array-spec it prints the shards
to submit again, as schedulers take them: failed trials are not among them, since they
would fail again. Exit code 3 means that some trials are missing or failed.`,
		Example: `  banditsim missing out/all sweep.yaml
  sbatch --array=$(banditsim missing out/all sweep.yaml --shards 40 --array-spec) array.sh`,
		Args: usage.Count(2, 2),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return exit.Usage(err)
			}
			if array && !cmd.Flags().Changed("shards") {
				return exit.Usage(errors.New("--array-spec: --shards is missing: want the number of shards of the array"))
			}
			plan, all, err := a.units(cmd.Context(), args[1:], &f, costs, n)
			if err != nil {
				return err
			}
			states, err := harness.Missing(plan, a.Path(args[0]))
			if err != nil {
				return a.interrupted(cmd.Context(), err, harness.Summary{}, 0)
			}
			var list []unit
			for i, u := range all {
				if u.State = states[i]; u.State != "" {
					list = append(list, u)
				}
			}
			switch {
			case array:
				var shards []int
				for _, u := range list {
					if u.State != harness.StateFailed {
						shards = append(shards, u.Shard)
					}
				}
				if len(shards) > 0 {
					err = a.printLines([]string{scheduler.ArraySpec(shards)})
				}
			case asJSON:
				err = report.WriteJSON(a.Stdout, append([]unit{}, list...))
			case len(list) > 0:
				err = a.printLines(report.NewTable(unitColumns.Without("cost"), list).Lines())
			}
			if err == nil && len(list) > 0 {
				err = exit.With(ExitIncomplete, fmt.Errorf("%s: %s of %s", args[0], words.Count(len(list), "trial"), notThere(list, len(all))))
			} else if err == nil {
				fmt.Fprintf(a.Stderr, "%s: none of %s is missing\n", args[0], words.Count(len(all), "trial"))
			}
			return err
		}),
	}
	a.addPlanFlags(cmd, &f)
	shardsFlag(cmd, &n)
	costsFlag(cmd, &costs)
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON, with whole IDs and the names of files")
	cmd.Flags().BoolVar(&array, "array-spec", false, "print the shards to submit again, such as 2,5-7")
	return cmd
}

// notThere returns the number of trials of a plan and how many of them are in each state of list: "24: 2 missing, 1 failed".
func notThere(list []unit, all int) string {
	count := map[string]int{}
	for _, u := range list {
		count[u.State]++
	}
	var parts []string
	for _, state := range []string{harness.StateMissing, harness.StateInterrupted, harness.StateDamaged, harness.StateFailed} {
		if n := count[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return fmt.Sprintf("%d: %s", all, strings.Join(parts, ", "))
}

func (a *app) printLines(lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(a.Stdout, line); err != nil {
			return err
		}
	}
	return nil
}
