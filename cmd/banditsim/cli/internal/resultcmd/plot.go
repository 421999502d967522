package resultcmd

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

// PlotCommand returns the verb plot.
func (a App) PlotCommand() *cobra.Command {
	var out, environment string
	var term termFlags
	var figure usage.Figure
	cmd := &cobra.Command{
		Use:   "plot DIR…",
		Short: "Plot regret by round, one curve per policy",
		Long: `Plot the regret of every policy by round, with the interval of its mean over the
seeds: to a file as SVG, PNG or PDF, or with --term in the terminal.

SVG and PDF have the size that --width and --height ask for, with letters in points,
so that they go into a document as they are. --style reads the same options from a
style file, or from the figure section of an experiment file; flags come after it.
docs/figures.md shows figures with their commands.

Of an experiment on several environments the mean ranks over these are drawn, with
Nemenyi's critical difference. --facet environment draws the curves instead, in a panel
for each environment, or for each of several folders; --environment selects one. Without
it several folders must be of one setting: their curves are drawn together, into --out.`,
		Example: `  banditsim plot out/quick
  banditsim plot out/quick --out fig.pdf --width 84mm --no-title --no-caption \
    --policies pICSGLD,EpsGreedy --label pICSGLD='pICSGLD (ours)' \
    --color pICSGLD=#0072B2 --line EpsGreedy=dashed --log y --legend below
  banditsim plot out/quick --term`,
		Args: usage.Count(1, folder.MaxFolders),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			args, out = a.Paths(args), a.Path(out)
			if err := term.check(cmd); err != nil {
				return exit.Usage(err)
			}
			if out != "" {
				if err := plot.CheckPath(out); err != nil {
					return exit.Usage(err)
				}
			}
			o, err := figure.Options(cmd, a.Process, term.on)
			if err != nil {
				return exit.Usage(err)
			}
			if !term.on && out != "" {
				if err := folder.CheckTarget(out); err != nil {
					return err
				}
			}
			var sets []*results.Set
			if !o.Facets || term.on {
				sets, err = a.ShowAll(args, false, environment, nil)
			} else if sets, err = a.ShowEach(args, true); err == nil { // a panel for each
				sets, err = folder.OfEnvironment(sets, environment)
			}
			if err != nil {
				return err
			}
			if err := figure.Name(&o, results.Labels(sets)); err != nil {
				return exit.Usage(err)
			}
			switch {
			case len(args) > 1 && out == "" && !o.Facets && !term.on:
				return exit.Usage(fmt.Errorf("%d folders: --out is missing: want the file of the figure", len(args)))
			case len(sets) == 1 || o.Facets && !term.on:
			case len(args) > 1:
				return exit.Usage(fmt.Errorf("%d settings: want a panel for each folder, in a file, with --facet environment", len(sets)))
			case term.on || figure.Changed(cmd):
				if err := folder.CheckOne(args[0], sets); err != nil {
					return err
				}
			default:
				return a.plotRanks(args[0], out, sets, o.Metric)
			}
			if out == "" {
				out = filepath.Join(args[0], "regret.svg")
				if !term.on {
					if err := folder.CheckTarget(out); err != nil {
						return err
					}
				}
			}
			for _, set := range sets {
				if err := checkRounds(set, o); err != nil {
					return exit.Usage(err)
				}
			}
			if _, err := o.Select(sets); err != nil {
				return exit.Usage(err)
			}
			sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) error {
				if term.on {
					return a.termPlot(w, sets[0], term, o)
				}
				return plot.Regret(out, sets, o)
			})
			if err != nil {
				return folder.NoneFinished(err)
			}
			if !term.on {
				if _, err = fmt.Fprintln(a.Stdout, out); err != nil {
					return err
				}
			}
			return folder.Incomplete(sets)
		}),
	}
	folder.EnvironmentFlag(cmd, &environment)
	cmd.Flags().StringVar(&out, "out", "", "file to write: .svg, .png or .pdf (default DIR/regret.svg, of several environments DIR/ranks.svg)")
	figure.Add(cmd)
	term.add(cmd)
	return cmd
}

// checkRounds returns an error if the rounds of a figure are not those of a set.
func checkRounds(set *results.Set, o plot.Options) error {
	rounds := set.Conditions.Protocol.Rounds
	if o.From < 1 || o.From > rounds {
		return fmt.Errorf("--from-round %d: want 1 to %d", o.From, rounds)
	}
	if o.To != compare.LastRound && (o.To < o.From || o.To > rounds) {
		return fmt.Errorf("--to-round %d: want %d to %d", o.To, o.From, rounds)
	}
	return nil
}

// plotRanks draws the mean ranks over the environments of a folder.
func (a App) plotRanks(dir, out string, sets []*results.Set, m *compare.Metric) error {
	if out == "" {
		out = filepath.Join(dir, "ranks.svg")
		if err := folder.CheckTarget(out); err != nil {
			return err
		}
	}
	across, err := compare.CompareAcross(sets, m)
	if err == nil {
		err = plot.Write(out, plot.Ranks(across))
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.Stdout, out); err != nil {
		return err
	}
	return folder.Incomplete(sets)
}
