package builtin_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// eachFile calls f with every Go file in folders, except tests.
func eachFile(t *testing.T, folders []string, f func(name string, file *ast.File)) {
	t.Helper()
	root := os.DirFS("../../..")
	set := token.NewFileSet()
	for _, dir := range folders {
		must.OK(t, fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			src, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(set, name, src, parser.ParseComments)
			if err == nil {
				f(name, file)
			}
			return err
		}))
	}
}

// TestNoGlobals checks that no package but main has exported variables, except errors that callers compare with: an
// importer could change a variable, and with it the next catalog or table.
func TestNoGlobals(t *testing.T) {
	t.Parallel()
	seen := make(map[string]int) // exported errors by top folder
	eachFile(t, []string{"."}, func(name string, file *ast.File) {
		if file.Name.Name == "main" {
			return
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					switch {
					case strings.HasPrefix(id.Name, "Err"):
						top, _, _ := strings.Cut(name, "/")
						seen[top]++
					case id.IsExported():
						t.Errorf("%s: any importer can change %s.%s: want a function that returns it", name, path.Base(path.Dir(name)), id.Name)
					}
				}
			}
		}
	})
	for _, top := range []string{"bandit", "results", "internal"} {
		must.That(t, seen[top] != 0, "no exported error seen in %s: the test looks at the wrong files", top)
	}
}
