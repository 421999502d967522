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

// sizes returns the sizes of the project whose files, *.go and go.mod, are under root: lines of Go without tests and generated code, by
// top folder of the main module, of the main module, of other modules and in all; lines of tests; and the numbers of exported
// identifiers and packages of the main module and of dependencies of its command.
func sizes(root fs.FS, files []string) ([]row, error) {
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
		kind, main := kindOf(file, b), inMain(file, files)
		lines := float64(bytes.Count(b, []byte("\n")))
		switch {
		case kind == generated:
		case kind == test:
			count["lines of tests"] += lines
		case !main:
			count["lines of other modules"] += lines
		default:
			count["lines in "+top(file)] += lines
			count["lines of the main module"] += lines
		}
		if kind != generated && kind != test {
			count["lines in all"] += lines
		}
		if main && kind != test && !strings.Contains(file, "/testdata/") {
			packages[path.Dir(file)] = true
			n, err := exported(file, b)
			if err != nil {
				return nil, err
			}
			count["exported identifiers"] += float64(n)
		}
	}
	count["packages"] = float64(len(packages))
	deps, err := output("go", "list", "-deps", "./cmd/banditsim")
	if err != nil {
		return nil, err
	}
	count["dependencies of the command"] = float64(len(strings.Fields(deps)))
	var rows []row
	for name, value := range count {
		rows = append(rows, row{name, value})
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	return rows, nil
}

// The kinds of Go files.
const (
	code = iota
	test
	generated
)

// kindOf returns the kind of a Go file with the given text.
func kindOf(file string, text []byte) int {
	switch {
	case strings.HasSuffix(file, "_test.go"):
		return test
	case bytes.HasPrefix(text, []byte("// Code generated")) || bytes.Contains(text, []byte("\n// Code generated")):
		return generated
	}
	return code
}

// inMain reports whether a file belongs to the main module: no folder of its path has a go.mod among files.
func inMain(file string, files []string) bool {
	return !slices.ContainsFunc(files, func(f string) bool {
		dir, name := path.Split(f)
		return name == "go.mod" && dir != "" && strings.HasPrefix(file, dir)
	})
}

// top returns the first folder of a path.
func top(file string) string {
	first, _, _ := strings.Cut(file, "/")
	return first
}

// exported returns the number of a file's identifiers that other modules can use: exported ones at the top level, and exported methods
// of exported types.
func exported(file string, text []byte) (n int, err error) {
	if slices.Contains(strings.Split(file, "/"), "internal") {
		return 0, nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil || f.Name.Name == "main" {
		return 0, err
	}
	count := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				n++
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(strings.TrimLeft(types.ExprString(d.Recv.List[0].Type), "*(")) {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					count(s.Name)
				case *ast.ValueSpec:
					count(s.Names...)
				}
			}
		}
	}
	return n, nil
}
