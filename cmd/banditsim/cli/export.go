package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"banditsim/internal/export"
	"banditsim/internal/usage"
	"banditsim/results"
)

type exportFlags struct {
	selection

	out, format   string
	trials, pulls bool
	options       export.Options
}

func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export DIR… --out FILE.csv|FILE.csv.gz",
		Short: "Write all rounds of all trials as CSV",
		Long: `Write all rounds of all trials as CSV, for other programs: one row per trial and
round, with all digits. docs/export.md describes the columns, and how DuckDB, pandas
and R read them or make Parquet of them.

--pulls writes a row per pull instead: context row, arm, reward, expected rewards and
propensity, of trials that 'run --record pulls' ran. --trials writes a row per trial:
its sums of regret, gradient steps and checksum.

Trials of several folders go into one file, each once. To pass a run on, copy its folder.`,
		Example: `  banditsim export out/quick --out rounds.csv.gz
  banditsim export out/quick --trials --out trials.csv
  banditsim export out/quick --out - --format csv | head`,
		Args:    usage.Count(1, maxFolders),
		PreRunE: func(*cobra.Command, []string) error { return f.check() },
		RunE:    func(_ *cobra.Command, args []string) error { return a.export(a.Paths(args), &f) },
	}
	f.policiesFlag(cmd)
	f.mixedFlag(cmd, "; the columns tell them apart")
	flags := cmd.Flags()
	flags.BoolVar(&f.pulls, "pulls", false, "a row for each pull, of trials that 'run --record pulls' ran")
	flags.BoolVar(&f.trials, "trials", false, "a row for each trial, with its sums")
	flags.BoolVar(&f.options.PolicyOptions, "policy-options", false, "a column with all options of the policy, as JSON")
	usage.Renamed(cmd, "options", "policy-options")
	flags.StringVar(&f.out, "out", "", "file to write: .csv or .csv.gz, or - for stdout, with --format")
	flags.StringVarP(&f.format, "format", "o", "", "format of the output, with --out -: csv")
	usage.CompleteValues(cmd, "format", "csv")
	usage.Required(cmd, "out")
	cmd.MarkFlagsMutuallyExclusive("pulls", "trials")         // each says what a row is
	cmd.MarkFlagsMutuallyExclusive("pulls", "policy-options") // only tables of rounds and of trials have this column
	return cmd
}

// check returns an error if the flags are wrong, and sets the table that they select.
func (f *exportFlags) check() error {
	switch {
	case f.out == "-" && f.format != "csv":
		return fmt.Errorf("--out -: the format is %q: want --format csv", f.format)
	case f.out != "-" && f.format != "":
		return fmt.Errorf("--format goes with --out - only; the ending of %s sets the format", f.out)
	case f.pulls:
		f.options.Of = export.Pulls
	case f.trials:
		f.options.Of = export.Trials
	}
	if f.out == "-" || f.out == "" { // cobra reports that --out is missing
		return nil
	}
	return export.CheckPath(f.out)
}

// export writes the table of the folders to a file or to stdout.
func (a *app) export(dirs []string, f *exportFlags) error {
	stdout := f.out == "-"
	if !stdout {
		f.out = a.Path(f.out)
		if err := checkTarget(f.out); err != nil {
			return err
		}
	}
	sets, err := a.load(dirs, f.selection)
	if err == nil && stdout && f.pulls { // before anything is written, as stdout cannot be rewound
		sets, err = a.leaveOut(sets, results.CheckPulls)
	}
	if err != nil {
		return err
	}
	write := func(w io.Writer, sets []*results.Set) error {
		table, err := export.NewTable(sets, f.options)
		switch {
		case err != nil:
			return err
		case stdout:
			return table.Write(a.data)
		}
		if err := table.WriteFile(f.out); err != nil {
			return err
		}
		_, err = fmt.Fprintln(w, f.out)
		return err
	}
	if !stdout {
		return a.showAll(sets, write)
	}
	if err := write(nil, sets); err != nil {
		return err
	}
	return incomplete(sets)
}
