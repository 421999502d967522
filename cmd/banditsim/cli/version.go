package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/internal/kernel"
	"banditsim/results"
	"banditsim/results/report"
)

// version is the version of the program in CHANGELOG.md.
const version = "0.1.0"

// build describes this program and machine.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source, "" if the build did not record it
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Kernel   string `json:"kernel"` // the arithmetic kernel in use
	Epoch    int    `json:"results_epoch"`
	Schema   int    `json:"schema"` // of trial files
}

func thisBuild() build {
	return build{
		Version:  version,
		Revision: revision(),
		Go:       runtime.Version(),
		OS:       runtime.GOOS,
		Arch:     runtime.GOARCH,
		Kernel:   kernel.Name(),
		Epoch:    results.Epoch,
		Schema:   results.Schema,
	}
}

func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	rev, modified := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+modified"
			}
		}
	}
	return rev + modified
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and what it runs on",
		Args:  usage.Count(0, 0),
		RunE: failing(func(*cobra.Command, []string) error {
			b := thisBuild()
			if asJSON {
				return report.WriteJSON(a.stdout, b)
			}
			_, err := fmt.Fprintf(a.stdout, "banditsim %s (%s, %s/%s, %s kernel)\n", b.Version, b.Go, b.OS, b.Arch, b.Kernel)
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
