package usage

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/internal/workdir"
)

// A Process is what a command line gets from the process that runs it. Several command lines can run in one process side by
// side, each in a folder of its own; signals reach all of them.
type Process struct {
	Args           []string // the name of the program and its arguments
	Dir            string   // folder that relative paths start from; "" is the working directory of the process
	Getenv         func(name string) string
	Stdin          io.Reader // nil: it is empty
	Stdout, Stderr io.Writer
}

// Context returns a context for work in the folder of the process.
func (p *Process) Context() context.Context {
	return workdir.With(context.Background(), p.Dir, p.Getenv)
}

// Path returns the path by which this process opens what path names on the command line.
func (p *Process) Path(path string) string { return workdir.Join(p.Dir, path) }

// Paths returns Path of each of the paths.
func (p *Process) Paths(paths []string) []string { return lists.Each(paths, p.Path) }

// Program returns the name of this program.
func (p *Process) Program() string { return strings.TrimSuffix(filepath.Base(p.Args[0]), ".exe") }

// Line returns the arguments with the name of this program, as they came from the shell.
func (p *Process) Line() []string { return append([]string{p.Program()}, p.Args[1:]...) }

// CommandLine returns a command of this program as it is typed into a shell.
func (p *Process) CommandLine(args ...string) string {
	return words.CommandLine(append([]string{p.Program()}, args...))
}
