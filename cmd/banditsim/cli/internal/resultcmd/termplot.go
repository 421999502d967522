package resultcmd

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"banditsim/internal/terminal"
	"banditsim/results"
	"banditsim/results/plot"
)

// termFlags are the flags of plot --term.
type termFlags struct {
	on            bool
	width, height int // as --width and --height say, 0 for none
	ascii         bool
}

func (t *termFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&t.on, "term", false, "draw in the terminal and write no file")
	flags.BoolVar(&t.ascii, "ascii", false, "letters instead of braille dots, with --term (default if the locale is not UTF-8)")
}

// check rejects flags that need --term, and sizes that are too small.
func (t *termFlags) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	if t.on {
		if err := characters(cmd, "width", plot.MinTermWidth, &t.width); err != nil {
			return err
		}
		return characters(cmd, "height", plot.MinTermHeight, &t.height)
	}
	if flags.Changed("ascii") {
		return errors.New("--ascii goes with --term only")
	}
	return nil
}

// characters reads a flag of figures that has a number of characters with --term.
func characters(cmd *cobra.Command, name string, least int, to *int) error {
	f := cmd.Flags().Lookup(name)
	if !f.Changed {
		return nil
	}
	n, err := strconv.Atoi(f.Value.String())
	switch {
	case err != nil:
		return fmt.Errorf("--%s %s: want a number of characters with --term", name, f.Value)
	case n < least:
		return fmt.Errorf("--%s %d: want at least %d", name, n, least)
	}
	*to = n
	return nil
}

// termPlot draws the curves of a set to w, which goes to stdout.
func (a App) termPlot(w io.Writer, set *results.Set, t termFlags, o plot.Options) error {
	width, height := 80, 24
	if f, ok := terminal.Of(a.Stdout); ok {
		width, height = terminal.Size(f)
		width, height = max(width, plot.MinTermWidth), max(height-2, plot.MinTermHeight) // leave room for two command lines
	}
	if t.width != 0 {
		width = t.width
	}
	if t.height != 0 {
		height = t.height
	}
	return plot.Term(w, set, plot.TermOptions{
		Figure: o, Width: width, Height: height,
		ASCII: t.ascii || !terminal.HasUnicode(a.Getenv), Color: terminal.HasColors(a.Stdout, a.Getenv),
	})
}
