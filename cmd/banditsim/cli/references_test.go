package cli_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
)

var (
	goPathPattern = regexp.MustCompile("`([\\w./-]+\\.go)`")
	testPattern   = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")
	declaration   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// TestPagesReferToWhatExists checks the Go files and the names of tests in the pages. A Go
// file is given by its path from the root or by the end of it.
func TestPagesReferToWhatExists(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../../..")
	var files, pages []string
	tests := map[string]bool{}
	must.OK(t, fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "out" || d.Name() == "node_modules" || len(p) > 1 && p[0] == '.' && p != ".ci"):
			return fs.SkipDir
		case strings.HasSuffix(p, ".go"):
			files = append(files, "/"+p)
		case strings.HasSuffix(p, ".md") && d.Name() != "summary.md" && d.Name() != "comparison.md":
			pages = append(pages, p)
		}
		if strings.HasSuffix(p, "_test.go") {
			b, err := fs.ReadFile(root, p)
			if err != nil {
				return err
			}
			for _, m := range declaration.FindAllSubmatch(b, -1) {
				tests[string(m[1])] = true
			}
		}
		return nil
	}))
	for _, page := range pages {
		text := doc(t, page)
		for _, m := range goPathPattern.FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc(files, func(file string) bool { return strings.HasSuffix(file, "/"+m[1]) }) {
				t.Errorf("%s names %s: there is no such file", page, m[1])
			}
		}
		for _, m := range testPattern.FindAllStringSubmatch(text, -1) {
			if !tests[m[1]] {
				t.Errorf("%s names %s: there is no such test", page, m[1])
			}
		}
	}
}
