// Package resultcmd has the verbs that read output folders: report, plot, compare and export.
package resultcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/results/compare"
	"banditsim/results/report"
)

// App is what the verbs need of the command line.
type App struct {
	folder.Viewer

	Catalog *experiment.Catalog
	Data    io.Writer // stdout for what is not text
}

func wideFlag(cmd *cobra.Command, wide *bool) {
	cmd.Flags().BoolVar(wide, "wide", false, "show all columns, on a narrow terminal too")
}

// tableFormat returns the format that --output and --wide select.
func tableFormat(name string, wide bool) (report.Format, error) {
	f, err := report.ParseFormat(name)
	if err == nil && wide {
		if f != report.Text {
			return f, fmt.Errorf("--wide is of tables on a terminal: leave it out, -o %s has all columns", name)
		}
		f = report.Wide
	}
	return f, err
}

func metricFlag(cmd *cobra.Command, metric *string) {
	cmd.Flags().StringVar(metric, "metric", compare.Expected().String(), "kind of regret: "+strings.Join(compare.MetricNames(), " or "))
	usage.CompleteValues(cmd, "metric", compare.MetricNames()...)
}
