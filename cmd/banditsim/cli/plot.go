package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/figure"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

type plotFlags struct {
	selection

	out           string
	figure        usage.Figure
	term, ascii   bool
	width, height int // in characters, for --term; 0 for the size of the terminal
}

func (a *app) plotCommand() *cobra.Command {
	var f plotFlags
	cmd := &cobra.Command{
		Use:   "plot DIR…",
		Short: "Plot regret by round, ranks, profiles, aggregates or every seed",
		Long: `Plot the regret of every policy by round, with the interval of its mean over the
seeds: to a file as SVG, PNG or PDF, or with --term in the terminal.

SVG and PDF have the size that --width and --height ask for, with letters in points.
--style reads the same options from a style file, or from the figure section of an
experiment file; flags come after it. docs/figures.md shows figures with their commands.

Of an experiment on several environments the mean ranks over these are drawn, with
Nemenyi's critical difference. --facet environment draws the curves instead, in a panel
for each environment, or for each of several folders; --environment selects one. Without
it several folders must be of one setting: their curves are drawn together, into --out.

--kind profile draws the share of trials above each score, --kind aggregate interquartile
means, optimality gaps and probabilities of improvement over several environments, and
--kind strip the regret of every seed, --kind time mean regret against the processor time of
a trial with the policies that no other beats in both. More than eight policies are grouped by family.`,
		Example: `  banditsim plot out/quick
  banditsim plot out/quick --out fig.pdf --width 84mm --no-title --no-caption \
    --policies pICSGLD,EpsGreedy --label pICSGLD='pICSGLD (ours)' \
    --color pICSGLD=#0072B2 --line EpsGreedy=dashed --log-axes y --legend below
  banditsim plot out/quick --term`,
		Args: usage.Count(1, maxFolders),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.out = a.Path(f.out)
			o, err := f.options(cmd, a)
			if err != nil {
				return exit.Usage(err)
			}
			return a.plot(cmd, &f, a.Paths(args), o)
		},
	}
	f.environmentFlag(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "file to write: .svg, .png or .pdf (default DIR/regret.svg, of several environments DIR/ranks.svg; of another kind DIR/KIND.svg)")
	f.figure.Add(cmd)
	cmd.Flags().BoolVar(&f.term, "term", false, "draw in the terminal and write no file")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "letters instead of braille dots, with --term (default if the locale is not UTF-8)")
	usage.Needs(cmd, "ascii", "term")
	cmd.MarkFlagsMutuallyExclusive("term", "out")
	return cmd
}

func (f *plotFlags) options(cmd *cobra.Command, a *app) (plot.Options, error) {
	var err error
	if f.term {
		err = errors.Join(characters(cmd, "width", plot.MinTermWidth, &f.width), characters(cmd, "height", plot.MinTermHeight, &f.height))
	} else if f.out != "" {
		err = plot.CheckPath(f.out)
	}
	if err != nil {
		return plot.Options{}, err
	}
	o, err := f.figure.Options(cmd, a.Process, f.term)
	if f.term {
		o.Facets, o.Picture = false, figure.ByData
	}
	return o, err
}

// characters parses --width or --height as a number of characters, for --term. Without the flag it does not change *n.
func characters(cmd *cobra.Command, name string, least int, n *int) (err error) {
	f := cmd.Flags().Lookup(name)
	if !f.Changed {
		return nil
	}
	if *n, err = strconv.Atoi(f.Value.String()); err != nil || *n < least {
		return fmt.Errorf("--%s %s: want at least %d characters with --term", name, f.Value, least)
	}
	return nil
}

// plot draws the figure of the folders to a file, or with --term to stdout.
func (a *app) plot(cmd *cobra.Command, f *plotFlags, dirs []string, o plot.Options) error {
	var sets []*results.Set
	var err error
	if o.Facets { // each folder and setting has its own panel
		if sets, err = a.loadEach(dirs, true); err == nil {
			sets, err = ofEnvironment(sets, f.environment)
		}
	} else {
		sets, err = a.load(dirs, f.selection)
	}
	if err != nil {
		return err
	}
	if err := f.figure.Name(&o, results.Labels(sets)); err != nil {
		return exit.Usage(err)
	}
	chosen := o.Picture != figure.ByData
	o.Picture = o.Picture.Of(len(sets), o.Facets)
	if err := f.check(dirs, sets, o, chosen, f.figure.Foreign(cmd, o.Picture)); err != nil {
		return exit.Usage(err)
	}
	if f.out == "" {
		f.out = filepath.Join(dirs[0], string(o.Picture)+".svg")
	}
	if !f.term {
		if err := checkTarget(f.out); err != nil {
			return err
		}
	}
	return a.showAll(sets, func(w io.Writer, sets []*results.Set) (err error) {
		if f.term {
			return a.termPlot(w, sets[0], f, o)
		}
		if o.Picture == figure.Regret {
			err = plot.Regret(f.out, sets, o)
		} else {
			var drawn plot.Figure
			if drawn, err = a.scores(sets, o); err == nil {
				err = plot.Write(f.out, drawn)
			}
		}
		if err == nil {
			_, err = fmt.Fprintln(w, f.out)
		}
		return err
	})
}

// scores returns the figure for o.Picture, which must be neither ByData nor Regret.
func (a *app) scores(sets []*results.Set, o plot.Options) (plot.Figure, error) {
	families, order := a.catalog.Families(sets), results.Order(sets)
	sets, err := o.Select(sets)
	if err != nil {
		return nil, err
	}
	if o.Picture == figure.Strip {
		return plot.Strips(sets, families, &o), nil
	}
	if o.Picture == figure.Time && len(sets) == 1 {
		return plot.Times(compare.Costs(sets[0], o.Metric), false, sets[0].Conditions.DataName(), families, order, &o), nil
	}
	across, err := compare.CompareAcross(sets, o.Metric, o.Baseline)
	switch {
	case err != nil:
		return nil, err
	case o.Picture == figure.Ranks:
		return plot.Ranks(across), nil
	case len(across.Unscored) == len(across.Environments):
		return nil, errors.New("no environment has a known regret of acting uniformly, so that there are no scores: want --kind ranks or strip")
	case o.Picture == figure.Time:
		return plot.Times(compare.CostsAcross(across, sets), true, "Means over "+words.Count(len(sets), "environment"), families, order, &o), nil
	case o.Picture == figure.Profile:
		return plot.Profiles(across, families, order, &o), nil
	}
	return plot.Aggregates(across, families, order, &o), nil
}

// check returns an error if the sets of the folders cannot be in one figure, if o selects something that they lack, or
// if there are foreign flags, which do not apply to the figure. chosen reports whether the user chose a kind of figure.
func (f *plotFlags) check(dirs []string, sets []*results.Set, o plot.Options, chosen bool, foreign []string) error {
	picture, several := o.Picture, len(sets) > 1 && !o.Facets
	switch {
	case len(dirs) > 1 && f.out == "" && !o.Facets && !f.term:
		return fmt.Errorf("%d folders: --out is missing: want the file of the figure", len(dirs))
	case several && len(dirs) > 1 && (!chosen || picture == figure.Regret):
		return fmt.Errorf("%d settings: want a panel for each folder, in a file, with --facet environment", len(sets))
	case several && (f.term || picture == figure.Regret || !chosen && len(foreign) > 0):
		return fmt.Errorf("%s has %d environments: choose one with --environment: %s", dirs[0], len(sets), strings.Join(environments(sets), ", "))
	case len(foreign) > 0:
		return fmt.Errorf("%s has no meaning for --kind %s", strings.Join(foreign, ", "), picture)
	case len(sets) == 1 && slices.Contains([]figure.Picture{figure.Ranks, figure.Profile, figure.Aggregate}, picture):
		return fmt.Errorf("--kind %s: %s has one environment, want at least two; regret, strip and time show one", picture, dirs[0])
	case picture == figure.Regret:
		return checkCurves(sets, o)
	}
	_, err := o.Select(sets)
	return err
}

// checkCurves returns an error if o selects rounds or policies that the sets do not have.
func checkCurves(sets []*results.Set, o plot.Options) error {
	for _, set := range sets {
		rounds := set.Conditions.Protocol.Rounds
		if o.From < 1 || o.From > rounds {
			return fmt.Errorf("--from-round %d: want 1 to %d", o.From, rounds)
		}
		if o.To != compare.LastRound && (o.To < o.From || o.To > rounds) {
			return fmt.Errorf("--to-round %d: want %d to %d", o.To, o.From, rounds)
		}
	}
	_, err := o.Select(sets)
	return err
}

// termPlot draws the curves of a set as text to w, by default in the size of stdout's terminal, or 80 × 24 without one.
func (a *app) termPlot(w io.Writer, set *results.Set, f *plotFlags, o plot.Options) error {
	to := a.termOptions(o, 80, 24)
	if screen, ok := terminal.Of(a.Stdout); ok {
		width, height := terminal.Size(screen)
		to.Width, to.Height = max(width, plot.MinTermWidth), max(height-2, plot.MinTermHeight) // leave room for two command lines
	}
	to.Width, to.Height = cmp.Or(f.width, to.Width), cmp.Or(f.height, to.Height)
	to.ASCII = to.ASCII || f.ascii
	return plot.Term(w, set, to)
}

// termOptions returns the options of a plot on stdout.
func (a *app) termOptions(o plot.Options, width, height int) plot.TermOptions {
	return plot.TermOptions{Figure: o, Width: width, Height: height,
		ASCII: !terminal.HasUnicode(a.Getenv), Color: terminal.HasColors(a.Stdout, a.Getenv)}
}
