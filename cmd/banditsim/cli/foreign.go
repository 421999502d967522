package cli

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"

	"banditsim/bandit/experiment"
	"banditsim/internal/words"
	"banditsim/results"
)

// foreignBuild returns the SHA-256 of this program if its main package lies outside this module, else "". Such a
// program may have policies, posteriors and environments of its own, and the identity of a trial has only their names
// and options, not their code.
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

// otherBuilds returns a warning if dir already has trials of the plan that another build of this program made: they
// are kept, although the code from outside this module may have changed since. It returns "" if there are none, or if
// build is "".
func otherBuilds(plan *experiment.Plan, dir, build string) string {
	if build == "" {
		return ""
	}
	n, first := 0, ""
	for _, cell := range plan.Cells {
		path := filepath.Join(dir, results.TrialsDir, cell.FileName())
		if s, err := (results.Record{Path: path}).Sidecar(); err == nil && s.Build != build {
			if n++; first == "" {
				first = cell.FullLabel()
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %s, the first of %s, were made by another build of this program and are kept as they are: if a policy, posterior or environment of yours has changed since, delete them or name another folder with --out",
		words.Count(n, "trial"), dir, words.Plain(first))
}
