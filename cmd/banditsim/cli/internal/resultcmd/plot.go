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

// plotFlags are the flags of plot.
type plotFlags struct {
	out, environment string
	term             termFlags
	figure           usage.Figure
}

// PlotCommand returns the verb plot.
func (a App) PlotCommand() *cobra.Command {
	var f plotFlags
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
    --color pICSGLD=#0072B2 --line EpsGreedy=dashed --log-axes y --legend below
  banditsim plot out/quick --term`,
		Args: usage.Count(1, folder.MaxFolders),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			f.out = a.Path(f.out)
			o, err := f.options(cmd, a)
			if err != nil {
				return err
			}
			return a.plot(&f, a.Paths(args), o, f.figure.Changed(cmd))
		}),
	}
	folder.EnvironmentFlag(cmd, &f.environment)
	cmd.Flags().StringVar(&f.out, "out", "", "file to write: .svg, .png or .pdf (default DIR/regret.svg, of several environments DIR/ranks.svg)")
	f.figure.Add(cmd)
	f.term.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("term", "out")
	return cmd
}

// options returns the options of the figure.
func (f *plotFlags) options(cmd *cobra.Command, a App) (plot.Options, error) {
	if err := f.term.check(cmd); err != nil {
		return plot.Options{}, exit.Usage(err)
	}
	if f.out != "" {
		if err := plot.CheckPath(f.out); err != nil {
			return plot.Options{}, exit.Usage(err)
		}
		if err := folder.CheckTarget(f.out); err != nil {
			return plot.Options{}, err
		}
	}
	o, err := f.figure.Options(cmd, a.Process, f.term.on)
	if err != nil {
		return o, exit.Usage(err)
	}
	if f.term.on {
		o.Facets = false
	}
	return o, nil
}

// plot draws the figure of folders: curves, or the ranks over several environments unless options ask for curves.
func (a App) plot(f *plotFlags, dirs []string, o plot.Options, curves bool) error {
	sets, err := a.plotted(f, dirs, o.Facets)
	if err != nil {
		return err
	}
	if err := f.figure.Name(&o, results.Labels(sets)); err != nil {
		return exit.Usage(err)
	}
	switch {
	case len(dirs) > 1 && f.out == "" && !o.Facets && !f.term.on:
		return exit.Usage(fmt.Errorf("%d folders: --out is missing: want the file of the figure", len(dirs)))
	case len(sets) == 1 || o.Facets:
		return a.plotCurves(f, dirs[0], sets, o)
	case len(dirs) > 1:
		return exit.Usage(fmt.Errorf("%d settings: want a panel for each folder, in a file, with --facet environment", len(sets)))
	case f.term.on || curves:
		return folder.CheckOne(dirs[0], sets)
	}
	return a.plotRanks(dirs[0], f.out, sets, o.Metric)
}

// plotted returns the sets of a figure: with facets each folder and setting has its own, else those of one setting are joined.
func (a App) plotted(f *plotFlags, dirs []string, facets bool) ([]*results.Set, error) {
	if !facets {
		return a.ShowAll(dirs, false, f.environment, nil)
	}
	sets, err := a.ShowEach(dirs, true)
	if err != nil {
		return nil, err
	}
	return folder.OfEnvironment(sets, f.environment)
}

// plotCurves draws the curves of sets to the terminal or to a file.
func (a App) plotCurves(f *plotFlags, dir string, sets []*results.Set, o plot.Options) error {
	out := f.out
	if out == "" && !f.term.on {
		out = filepath.Join(dir, "regret.svg")
		if err := folder.CheckTarget(out); err != nil {
			return err
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
	sets, err := a.Show(sets, func(w io.Writer, sets []*results.Set) error {
		if f.term.on {
			return a.termPlot(w, sets[0], f.term, o)
		}
		return plot.Regret(out, sets, o)
	})
	if err != nil {
		return folder.NoneFinished(err)
	}
	if !f.term.on {
		if _, err = fmt.Fprintln(a.Stdout, out); err != nil {
			return err
		}
	}
	return folder.Incomplete(sets)
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
