package resultcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/export"
	"banditsim/internal/usage"
	"banditsim/results"
)

// exportFlags are the flags of export.
type exportFlags struct {
	out, format          string
	mixed, trials, pulls bool
	options              bool
	policies             []string
}

// ExportCommand returns the verb export.
func (a App) ExportCommand() *cobra.Command {
	var flags exportFlags
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
		Args: usage.Count(1, folder.MaxFolders),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			o, err := flags.check(cmd)
			if err != nil {
				return exit.Usage(err)
			}
			return a.export(args, flags, o)
		}),
	}
	folder.PoliciesFlag(cmd, &flags.policies)
	cmd.Flags().BoolVar(&flags.pulls, "pulls", false, "a row for each pull, of trials that 'run --record pulls' ran")
	cmd.Flags().BoolVar(&flags.trials, "trials", false, "a row for each trial, with its sums")
	cmd.Flags().BoolVar(&flags.options, "options", false, "a column with all options of the policy, as JSON")
	cmd.Flags().StringVar(&flags.out, "out", "", "file to write: .csv or .csv.gz, or - for stdout, with --format")
	cmd.Flags().StringVarP(&flags.format, "format", "o", "", "format of the output, with --out -: csv")
	cmd.Flags().BoolVar(&flags.mixed, "mixed", false, "accept trials with different settings; the columns tell them apart")
	usage.CompleteValues(cmd, "format", "csv")
	return cmd
}

// check returns the table that the flags select, or what is wrong with them.
func (f *exportFlags) check(cmd *cobra.Command) (o export.Options, err error) {
	o.PolicyOptions = f.options
	switch {
	case f.out == "":
		return o, errors.New("export: --out is missing: want FILE.csv, FILE.csv.gz or -")
	case f.out == "-" && f.format == "":
		return o, errors.New("--out -: the format is missing: want --format csv")
	case f.out == "-" && f.format != "csv":
		return o, fmt.Errorf("export: unknown format %q, want csv", f.format)
	case f.out != "-" && cmd.Flags().Changed("format"):
		return o, fmt.Errorf("--format goes with --out - only; the ending of %s sets the format", f.out)
	case f.pulls && f.trials:
		return o, errors.New("--pulls and --trials exclude each other: a row is a pull or a trial")
	case f.pulls && f.options:
		return o, errors.New("--options is a column of rounds and trials: leave it out with --pulls")
	case f.pulls:
		o.Of = export.Pulls
	case f.trials:
		o.Of = export.Trials
	}
	if f.out == "-" {
		return o, nil
	}
	return o, export.CheckPath(f.out)
}

// export writes the table of the folders to a file or to stdout.
func (a App) export(dirs []string, flags exportFlags, o export.Options) error {
	dirs = a.Paths(dirs)
	if flags.out != "-" {
		flags.out = a.Path(flags.out)
		if err := folder.CheckTarget(flags.out); err != nil {
			return err
		}
	}
	sets, err := a.ShowAll(dirs, flags.mixed, "", flags.policies)
	if err != nil {
		return err
	}
	if flags.out == "-" {
		if flags.pulls {
			if sets, err = a.WithSoundPulls(sets); err != nil {
				return err
			}
		}
		table, err := export.NewTable(sets, o)
		if err == nil {
			err = table.Write(a.Data)
		}
		if err != nil {
			return err
		}
		return folder.Incomplete(sets)
	}
	sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) error {
		table, err := export.NewTable(sets, o)
		if err == nil {
			err = table.WriteFile(flags.out)
		}
		if err == nil {
			_, err = fmt.Fprintln(w, flags.out)
		}
		return err
	})
	if err != nil {
		return err
	}
	return folder.Incomplete(sets)
}
