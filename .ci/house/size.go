package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// sizes measures the project whose files, *.go and go.mod, are under root. It counts lines of Go without tests and
// generated code: in each top folder of the main module, in the main module, in other modules, and in all. It also
// counts lines of tests, exported identifiers and packages of the main module, and dependencies of its command.
func sizes(root fs.FS, files []string) (map[string]float64, error) {
	count := map[string]float64{}
	packages := map[string]bool{}
	for _, file := range files {
		if path.Base(file) == "go.mod" {
			continue
		}
		b, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, b, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		lines, main := float64(bytes.Count(b, []byte("\n"))), inMain(file, files)
		if strings.HasSuffix(file, "_test.go") {
			count["lines of tests"] += lines
			continue
		}
		if main && !strings.Contains(file, "/testdata/") {
			packages[path.Dir(file)] = true
			count["exported identifiers"] += float64(exported(file, f))
		}
		if ast.IsGenerated(f) {
			continue
		}
		count["lines in all"] += lines
		if main {
			top, _, _ := strings.Cut(file, "/")
			count["lines in "+top] += lines
			count["lines of the main module"] += lines
		} else {
			count["lines of other modules"] += lines
		}
	}
	count["packages"] = float64(len(packages))
	deps, err := output("go", "list", "-deps", "./cmd/banditsim")
	if err != nil {
		return nil, err
	}
	count["dependencies of the command"] = float64(len(strings.Fields(deps)))
	return count, nil
}

// inMain reports whether a file belongs to the main module: no folder of its path has a go.mod among files.
func inMain(file string, files []string) bool {
	return !slices.ContainsFunc(files, func(f string) bool {
		dir, name := path.Split(f)
		return name == "go.mod" && dir != "" && strings.HasPrefix(file, dir)
	})
}

// exported returns the number of identifiers in a file that other modules can use: exported top-level identifiers, and
// exported methods of exported types. It removes other declarations from f.
func exported(file string, f *ast.File) (n int) {
	if f.Name.Name == "main" || slices.Contains(strings.Split(file, "/"), "internal") {
		return 0
	}
	ast.FileExports(f)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(strings.TrimLeft(types.ExprString(d.Recv.List[0].Type), "*(")) {
				n++
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					n++
				case *ast.ValueSpec:
					n += len(s.Names)
				}
			}
		}
	}
	return n
}
