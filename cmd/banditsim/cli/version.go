package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"banditsim/internal/kernel"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/results"
)

// next is the version of the next release, the topmost in CHANGELOG.md.
const next = "0.1.0"

// build describes this program and machine.
type build struct {
	Version  string `json:"version"`  // tag that the program was built from, or the next version with -dev
	Revision string `json:"revision"` // revision of the source, 12 digits; "" if the build did not record it
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Kernel   string `json:"kernel"` // the arithmetic kernel in use
	Epoch    int    `json:"results_epoch"`
	Schema   int    `json:"schema"` // schema of trial files
}

func thisBuild() build {
	b := build{
		Version: next + "-dev",
		Go:      runtime.Version(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
		Kernel:  kernel.Name(),
		Epoch:   results.Epoch,
		Schema:  results.Schema,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.source(info)
	}
	return b
}

// tagged matches the version of a build from a tag, but not a pseudo-version, which Go makes from a date and a
// revision.
var tagged = regexp.MustCompile(`^v(\d+\.\d+\.\d+(-[a-z]+(\.\d+)*)?)$`)

// source sets Version and Revision from the build information.
func (b *build) source(info *debug.BuildInfo) {
	modified := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+modified"
		}
	}
	if match := tagged.FindStringSubmatch(info.Main.Version); match != nil && modified == "" {
		b.Version = match[1]
	}
	if b.Revision != "" {
		b.Revision += modified
	}
}

// String returns what --version prints.
func (b build) String() string {
	revision := ""
	if b.Revision != "" {
		revision = "revision " + b.Revision + ", "
	}
	return fmt.Sprintf("banditsim %s (%s%s, %s/%s, %s kernel)", b.Version, revision, b.Go, b.OS, b.Arch, b.Kernel)
}

func (a *app) versionCommand() *cobra.Command {
	var format report.Format
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and what it runs on",
		Args:  usage.Count(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if format == report.JSON {
				return report.WriteJSON(a.Stdout, thisBuild())
			}
			return a.printLines([]string{thisBuild().String()})
		},
	}
	usage.TextOrJSON(cmd, &format)
	usage.Renamed(cmd, "json", "format json")
	return cmd
}
