package cli

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/internal/kernel"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
)

// next is the version of the next release, which is at the top of CHANGELOG.md.
const next = "0.1.0"

// build describes this program and machine.
type build struct {
	Version  string `json:"version"`  // version of the tag that the program was built from, else next + "-dev"
	Revision string `json:"revision"` // 12 digits, then "+modified" if the source was changed; "" if not recorded
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Kernel   string `json:"kernel"` // the arithmetic kernel in use
	Epoch    int    `json:"results_epoch"`
	Schema   int    `json:"schema"` // version of the format of trial files
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

// tagged matches the version of a build from a tag. Other builds have a pseudo-version, with a date and a revision.
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

// foreignBuild returns this program's SHA-256 if its main package is outside this module, else "". Such a program may
// have its own policies, posteriors and environments, of which a trial's identity has names and options, not code.
func foreignBuild() (string, error) {
	info, ok := debug.ReadBuildInfo()
	if own := strings.TrimSuffix(reflect.TypeFor[results.Sidecar]().PkgPath(), "/results"); !ok || info.Main.Path == own || info.Main.Path == "" {
		return "", nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read this program: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b)), nil
}

// otherBuilds returns a warning if dir has trials of the plan that another build of this program made. They are kept,
// although the program's own code may have changed since. The argument build is the result of foreignBuild; if it is
// "", or if there are no such trials, otherBuilds returns "".
func otherBuilds(plan *experiment.Plan, dir, build string) string {
	if build == "" {
		return ""
	}
	var others []string // labels of their cells
	for _, cell := range plan.Cells {
		path := filepath.Join(dir, results.TrialsDir, cell.FileName())
		if s, err := (results.Record{Path: path}).Sidecar(); err == nil && s.Build != build {
			others = append(others, cell.FullLabel())
		}
	}
	if others == nil {
		return ""
	}
	return fmt.Sprintf("%s in %s, the first of %s, were made by another build of this program and are kept as they are: if a policy, posterior or environment of yours has changed since, delete them or name another folder with --out",
		words.Count(len(others), "trial"), dir, words.Plain(others[0]))
}
