package cli

import (
	"context"
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
	shard  scheduler.Shard
	trials []string
	costs  string
}

func costsFlag(cmd *cobra.Command, costs *string) {
	cmd.Flags().StringVar(costs, "costs", "", "balance shards by the seconds of the trials in this folder; give the same to all shards (default by the size of networks)")
}

// part returns a name for the part of the plan that the flags select, for messages; "" for the whole plan.
func (f *unitFlags) part() string {
	switch {
	case f.shard.Of > 0:
		return "shard " + f.shard.String()
	case len(f.trials) > 0:
		return "--trial"
	}
	return ""
}

// cut reduces the plan to the trials that the flags select.
func (a *app) cut(plan *experiment.Plan, f *unitFlags) error {
	if err := setCosts(plan, a.Path(f.costs)); err != nil {
		return err
	}
	switch {
	case len(f.trials) > 0:
		if err := plan.Select(f.trials); err != nil {
			return fmt.Errorf("--trial: %w", err)
		}
	case f.shard.Of > 0:
		if f.shard.From != "" {
			fmt.Fprintf(a.Stderr, "shard %s, by $%s\n", f.shard, f.shard.From)
		}
		return plan.Shard(f.shard.I, f.shard.Of)
	}
	return nil
}

// setCosts sets the plan's costs to the seconds of the trials in the folder dir. If dir is "", it does nothing.
func setCosts(plan *experiment.Plan, dir string) error {
	if dir == "" {
		return nil
	}
	if err := plan.SetCosts(harness.SecondsIn(dir)); err != nil {
		return fmt.Errorf("--costs %s: %w", dir, err)
	}
	return nil
}

// A unit is a row in the output of the commands plan and missing: one trial.
type unit struct {
	ID     string `json:"id"`
	Policy string `json:"policy"` // label of the policy
	// Environment is the label of the environment, if the experiment is on several environments.
	Environment string  `json:"environment,omitempty"`
	Seed        uint64  `json:"seed"`
	Cost        float64 `json:"cost"`
	Shard       int     `json:"shard"`
	File        string  `json:"file"` // path in the output folder
	// State is why the trial is missing: "missing", "interrupted", "damaged" or "failed".
	State string `json:"state,omitempty"`

	label string // label of policy and environment
}

// unitColumns are the columns of the tables of the commands plan and missing.
var unitColumns = report.Columns[unit]{
	{Header: "trial", Text: func(u unit) string { return u.ID[:12] }},
	{Header: "policy", Text: func(u unit) string { return u.label }},
	{Header: "seed", Right: true, Text: func(u unit) string { return fmt.Sprint(u.Seed) }},
	{Name: "cost", Header: "cost", Right: true, Text: func(u unit) string { return fmt.Sprintf("%.3g", u.Cost) }},
	{Header: "shard", Right: true, Text: func(u unit) string { return fmt.Sprint(u.Shard) }},
	{Name: "state", Header: "state", Text: func(u unit) string { return u.State }},
}

// shardsFlags are the flags of the commands that divide an experiment into shards: plan, missing and submit.
type shardsFlags struct {
	planFlags

	shards int
	costs  string
	format report.Format
}

func (a *app) addShardsFlags(cmd *cobra.Command, f *shardsFlags) {
	a.addPlanFlags(cmd, &f.planFlags)
	cmd.Flags().IntVar(&f.shards, "shards", 1, "number of shards")
	costsFlag(cmd, &f.costs)
}

// listFlags adds the flags that the commands plan and missing share.
func (a *app) listFlags(cmd *cobra.Command, f *shardsFlags) {
	a.addShardsFlags(cmd, f)
	usage.TextOrJSON(cmd, &f.format)
	usage.Renamed(cmd, "json", "format json")
}

// units returns the plan of an experiment and a unit for each of its trials, in the order of plan.Cells.
func (a *app) units(ctx context.Context, args []string, f *shardsFlags) (*experiment.Plan, []unit, error) {
	plan, err := a.plan(ctx, &f.planFlags, args)
	if err != nil {
		return nil, nil, err
	}
	if err = setCosts(plan, a.Path(f.costs)); err != nil {
		return nil, nil, exit.Usage(err)
	}
	shards, err := plan.Shards(f.shards)
	if err != nil {
		return nil, nil, exit.Usage(fmt.Errorf("--shards: %w", err))
	}
	list := make([]unit, len(plan.Cells))
	for i, c := range plan.Cells {
		list[i] = unit{ID: c.ID(), Policy: c.Label, Environment: c.EnvironmentLabel, label: c.FullLabel(), Seed: c.Seed, Cost: c.Cost, Shard: shards[i], File: path.Join(results.TrialsDir, c.FileName())}
	}
	return plan, list, nil
}

// printUnits prints units as JSON or as a table. The argument hidden is the name of a column that the table leaves out.
func (a *app) printUnits(list []unit, format report.Format, hidden string) error {
	if format == report.JSON {
		return report.WriteJSON(a.Stdout, append([]unit{}, list...))
	}
	if len(list) == 0 {
		return nil
	}
	return a.printLines(report.NewTable(unitColumns.Without(hidden), list).Lines())
}

func (a *app) planCommand() *cobra.Command {
	var f shardsFlags
	cmd := &cobra.Command{
		Use:   "plan FILE.yaml|PRESET",
		Short: "List the trials of an experiment: the units of work for other machines",
		Long: `List the trials of an experiment: the units of work for other machines. A trial's ID is
a hash of all that its numbers depend on; 'run --trial ID' runs it, and 'run --shard i/n' runs a
shard. The order and the shards depend on the experiment and on n alone. Costs are
multiplications and additions; with --costs they are the seconds of the trials in a folder.
-o json has whole IDs and the names of files. docs/scaling.md shows how to use a scheduler.`,
		Example: `  banditsim plan mushroom-paper --shards 8
  banditsim plan quick -o json`,
		Args:              usage.Count(1, 1),
		ValidArgsFunction: a.completePresets,
		RunE: interruptible(func(ctx context.Context, args []string) error {
			_, list, err := a.units(ctx, args, &f)
			if err != nil {
				return err
			}
			return a.printUnits(list, f.format, "state")
		}),
	}
	a.listFlags(cmd, &f)
	return cmd
}

func (a *app) missingCommand() *cobra.Command {
	var f shardsFlags
	var array bool
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
		RunE: interruptible(func(ctx context.Context, args []string) error {
			plan, all, err := a.units(ctx, args[1:], &f)
			if err != nil {
				return err
			}
			states, err := harness.Missing(plan, a.Path(args[0]))
			if err != nil {
				return a.interrupted(ctx, err, harness.Summary{}, 0)
			}
			var list []unit
			var again []int // shards to submit again
			for i, u := range all {
				if u.State = states[i]; u.State == "" {
					continue
				}
				if list = append(list, u); u.State != harness.StateFailed {
					again = append(again, u.Shard)
				}
			}
			if !array {
				err = a.printUnits(list, f.format, "cost")
			} else if len(again) > 0 {
				err = a.printLines([]string{scheduler.ArraySpec(again)})
			}
			if err == nil && len(list) > 0 {
				err = exit.With(exit.CodeIncomplete, fmt.Errorf("%s: %s of %s", args[0], words.Count(len(list), "trial"), notThere(list, len(all))))
			} else if err == nil {
				fmt.Fprintf(a.Stderr, "%s: none of %s is missing\n", args[0], words.Count(len(all), "trial"))
			}
			return err
		}),
	}
	a.listFlags(cmd, &f)
	cmd.Flags().BoolVar(&array, "array-spec", false, "print the shards to submit again, such as 2,5-7")
	usage.Needs(cmd, "array-spec", "shards")
	return cmd
}

// notThere returns the argument all, and how many units in list have each state, such as "24: 2 missing, 1 failed".
func notThere(list []unit, all int) string {
	count := map[string]int{}
	for _, u := range list {
		count[u.State]++
	}
	var parts []string
	for _, state := range harness.States() {
		if n := count[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return fmt.Sprintf("%d: %s", all, strings.Join(parts, ", "))
}
