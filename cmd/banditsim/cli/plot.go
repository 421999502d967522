package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

func (a *app) plotCommand() *cobra.Command {
	var out, metric, environment string
	var from int
	var term termFlags
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "Plot cumulative regret by round, one curve per policy",
		Long: `Plot cumulative regret by round, one curve per policy.

Of an experiment on several environments the mean ranks over these are drawn, with
Nemenyi's critical difference; --environment selects the curves of one.`,
		Args: argCount(1, 1),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			if err := term.check(cmd); err != nil {
				return usageError(err)
			}
			if out != "" {
				if err := plot.CheckPath(out); err != nil {
					return usageError(err)
				}
			}
			m, err := compare.ParseMetric(metric)
			if err != nil {
				return usageError(err)
			}
			if !term.on && out != "" {
				if err := checkTarget(out); err != nil {
					return err
				}
			}
			sets, err := a.show(args[0], false)
			if err == nil {
				sets, err = pick(sets, environment)
			}
			if err != nil {
				return err
			}
			if len(sets) > 1 && !term.on && !cmd.Flags().Changed("from-round") {
				return a.plotRanks(args[0], out, sets, m)
			}
			if err := checkOne(args[0], sets); err != nil {
				return err
			}
			set := sets[0]
			if out == "" {
				out = filepath.Join(args[0], "regret.svg")
				if !term.on {
					if err := checkTarget(out); err != nil {
						return err
					}
				}
			}
			if rounds := set.Conditions.Protocol.Rounds; from < 1 || from > rounds {
				return usageError(fmt.Errorf("--from-round %d: want 1 to %d", from, rounds))
			}
			if term.on {
				err = a.termPlot(set, term, m, from)
			} else {
				err = plot.Regret(out, set, plot.Options{Metric: m, From: from})
			}
			if err != nil {
				return noneFinished(err)
			}
			if !term.on {
				if _, err = fmt.Fprintln(a.stdout, out); err != nil {
					return err
				}
			}
			return incomplete(sets)
		}),
	}
	a.environmentFlag(cmd, &environment)
	cmd.Flags().StringVar(&out, "out", "", "file to write: .svg, .png or .pdf (default DIR/regret.svg, of several environments DIR/ranks.svg)")
	cmd.Flags().IntVar(&from, "from-round", 1, "first round to count regret from")
	metricFlag(cmd, &metric)
	term.add(cmd)
	return cmd
}

// plotRanks draws the mean ranks over the environments of a folder.
func (a *app) plotRanks(dir, out string, sets []*results.Set, m *compare.Metric) error {
	if out == "" {
		out = filepath.Join(dir, "ranks.svg")
		if err := checkTarget(out); err != nil {
			return err
		}
	}
	across, err := compare.CompareAcross(sets, m)
	if err == nil {
		err = plot.Ranks(out, across)
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.stdout, out); err != nil {
		return err
	}
	return incomplete(sets)
}
