package usage

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/internal/report"
)

// maxWorkers is above the processors of any machine; each worker has its memory.
const maxWorkers = 10_000

// Workers returns an error if --workers is out of range.
func Workers(n int) error {
	if n < 1 || n > maxWorkers {
		return fmt.Errorf("--workers %d: want 1 to %d", n, maxWorkers)
	}
	return nil
}

// FormatFlag adds the flag of the format of tables.
func FormatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVarP(format, "format", "o", string(report.Text), "format of the output: table, md, tex, csv or json")
	CompleteValues(cmd, "format", report.Text, report.Markdown, report.LaTeX, report.CSV, report.JSON)
}

// Rename gives flags that had another name their name of today, so that old command lines work.
func Rename(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "output" {
		name = "format"
	}
	return pflag.NormalizedName(name)
}
