package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/terminal"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

// termFlags are the flags of plot --term.
type termFlags struct {
	on            bool
	width, height int
	ascii         bool
}

func (t *termFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&t.on, "term", false, "draw in the terminal and write no file")
	flags.IntVar(&t.width, "width", 0, "characters per line, with --term (default that of the terminal)")
	flags.IntVar(&t.height, "height", 0, "lines, with --term (default 24, or that of the terminal)")
	flags.BoolVar(&t.ascii, "ascii", false, "letters instead of braille dots, with --term (default if the locale is not UTF-8)")
}

// check rejects flags that need --term, and sizes that are too small.
func (t *termFlags) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	if t.on {
		if flags.Changed("out") {
			return errors.New("--term draws in the terminal, --out into a file: choose one")
		}
		if flags.Changed("width") && t.width < plot.MinTermWidth {
			return fmt.Errorf("--width %d: want at least %d", t.width, plot.MinTermWidth)
		}
		if flags.Changed("height") && t.height < plot.MinTermHeight {
			return fmt.Errorf("--height %d: want at least %d", t.height, plot.MinTermHeight)
		}
		return nil
	}
	for _, name := range []string{"width", "height", "ascii"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s goes with --term only", name)
		}
	}
	return nil
}

// termPlot draws the curves of a set on stdout.
func (a *app) termPlot(set *results.Set, t termFlags, metric *compare.Metric, from int) error {
	width, height := 80, 24
	if f, ok := terminal.Of(a.stdout); ok {
		width, height = terminal.Size(f)
		width, height = max(width, plot.MinTermWidth), max(height-2, plot.MinTermHeight) // leave room for two command lines
	}
	if t.width != 0 {
		width = t.width
	}
	if t.height != 0 {
		height = t.height
	}
	return plot.Term(a.stdout, set, plot.TermOptions{
		Metric: metric, From: from, Width: width, Height: height,
		ASCII: t.ascii || !terminal.HasUnicode(), Color: terminal.HasColors(a.stdout),
	})
}
