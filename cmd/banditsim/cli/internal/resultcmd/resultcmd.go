// Package resultcmd has the verbs that read output folders: report, plot, compare and export.
package resultcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/results/compare"
)

// App is what the verbs need of the command line.
type App struct {
	folder.Viewer

	Catalog *experiment.Catalog
	Data    io.Writer // stdout for what is not text
}

// tableFlags are the flags of the form of tables and of what they show.
type tableFlags struct {
	format      string
	wide        bool
	environment string
	policies    []string
}

func (t *tableFlags) add(cmd *cobra.Command) {
	usage.FormatFlag(cmd, &t.format)
	cmd.Flags().BoolVar(&t.wide, "wide", false, "show all columns, on a narrow terminal too")
	folder.PoliciesFlag(cmd, &t.policies)
	folder.EnvironmentFlag(cmd, &t.environment)
}

// parse returns the format that --format and --wide select.
func (t *tableFlags) parse() (report.Format, error) {
	f, err := report.ParseFormat(t.format)
	if err == nil && t.wide {
		if f != report.Text {
			return f, fmt.Errorf("--wide is of tables on a terminal: leave it out, -o %s has all columns", t.format)
		}
		f = report.Wide
	}
	return f, err
}

func metricFlag(cmd *cobra.Command, metric *string) {
	cmd.Flags().StringVar(metric, "metric", compare.Expected().String(), "kind of regret: "+strings.Join(compare.MetricNames(), " or "))
	usage.CompleteValues(cmd, "metric", compare.MetricNames()...)
}
