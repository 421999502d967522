package resultcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/export"
)

// ExportCommand returns the verb export.
func (a App) ExportCommand() *cobra.Command {
	var out, format string
	var mixed, pulls bool
	var o export.Options
	var policies []string
	cmd := &cobra.Command{
		Use:   "export DIR… --out FILE.csv|FILE.parquet|FILE.tar.gz",
		Short: "Write all rounds of all trials as CSV or Parquet, or pack the trials",
		Long: `Write all rounds of all trials as CSV or Parquet, for other programs: one row per
trial and round, with all digits. docs/export.md describes the columns.

--pulls writes a row per pull instead: context row, arm, reward, expected rewards and
propensity, of trials that 'run --record pulls' ran. --trials writes a row per trial:
its sums of regret, gradient steps and checksum.

Trials of several folders go into one file, each once.

A .tar.gz holds the trial files themselves, without the diagnostics of the samplers
(energies, bins, multipliers): a tenth of the size. Unpacked into a folder they are
a run like any other: report, compare and plot print the same, and 'run --out' with
that folder extends it.`,
		Example: `  banditsim export out/quick --out rounds.parquet
  banditsim export out/quick --trials --out trials.csv
  banditsim export out/quick --out trials.tar.gz
  banditsim export out/quick --out - --format csv | head`,
		Args: usage.Count(1, folder.MaxFolders),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			f, err := exportFormat(cmd, out, format)
			if err == nil && (pulls || o.Trials) && f == export.Archive {
				err = errors.New("--pulls and --trials go into .csv or .parquet")
			}
			if err == nil && pulls && o.Trials {
				err = errors.New("--pulls and --trials exclude each other: a row is a pull or a trial")
			}
			if err == nil && o.PolicyOptions && (pulls || f == export.Archive) {
				err = errors.New("--options is a column of rounds and trials in .csv or .parquet: leave it out with --pulls and .tar.gz")
			}
			if err != nil {
				return exit.Usage(err)
			}
			args = a.Paths(args)
			if out != "-" {
				out = a.Path(out)
				if err := folder.CheckTarget(out); err != nil {
					return err
				}
			}
			sets, err := a.ShowAll(args, mixed, "", policies)
			if err != nil {
				return err
			}
			if out == "-" {
				if sets, err = a.Readable(sets, pulls); err == nil && pulls {
					err = export.WritePulls(a.Data, f, sets)
				} else if err == nil {
					err = export.Write(a.Data, f, sets, o)
				}
			} else {
				sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) error {
					if err := exportFile(out, sets, pulls, o); err != nil {
						return err
					}
					_, err := fmt.Fprintln(w, out)
					return err
				})
			}
			if err != nil {
				return err
			}
			return folder.Incomplete(sets)
		}),
	}
	folder.PoliciesFlag(cmd, &policies)
	cmd.Flags().BoolVar(&pulls, "pulls", false, "a row for each pull, of trials that 'run --record pulls' ran")
	cmd.Flags().BoolVar(&o.Trials, "trials", false, "a row for each trial, with its sums")
	cmd.Flags().BoolVar(&o.PolicyOptions, "options", false, "a column with all options of the policy, as JSON")
	cmd.Flags().StringVar(&out, "out", "", "file to write: .csv, .parquet or .tar.gz, or - for stdout, with --format")
	cmd.Flags().StringVarP(&format, "format", "o", "", "format of the output, with --out -: csv, parquet or tar.gz")
	cmd.Flags().BoolVar(&mixed, "mixed", false, "accept trials with different settings; the columns tell them apart")
	usage.CompleteValues(cmd, "format", export.CSV, export.Parquet, export.Archive)
	return cmd
}

func exportFile(path string, sets []*results.Set, pulls bool, o export.Options) error {
	if pulls {
		return export.WritePullsFile(path, sets)
	}
	return export.WriteFile(path, sets, o)
}

// exportFormat returns the format that --out and --format select.
func exportFormat(cmd *cobra.Command, out, format string) (export.Format, error) {
	switch {
	case out == "":
		return "", errors.New("export: --out is missing: want FILE.csv, FILE.parquet, FILE.tar.gz or -")
	case out == "-" && format == "":
		return "", errors.New("--out -: the format is missing: want --format csv, parquet or tar.gz")
	case out == "-":
		return export.ParseFormat(format)
	case cmd.Flags().Changed("format"):
		return "", fmt.Errorf("--format goes with --out - only; the ending of %s sets the format", out)
	}
	return export.FormatOf(out)
}
