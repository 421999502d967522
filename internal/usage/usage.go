// Package usage checks the arguments and flags of commands, and improves the errors of their parser.
package usage

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
	"banditsim/internal/workdir"
)

// Count accepts low to high arguments.
func Count(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		want := fmt.Sprint(low)
		if high > low {
			want = fmt.Sprintf("%d to %d", low, high)
		}
		if len(args) < low || len(args) > high {
			return fmt.Errorf("%s: %s, want %s: %s", cmd.Name(), words.Count(len(args), "argument"), want, cmd.UseLine())
		}
		return nil
	}
}

// OneOf accepts only arguments that are elements of known.
func OneOf(known []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		return nearest.Distinct("unknown argument", "argument", args, known)
	}
}

// FlagError adds the name of a similar flag, or the values allowed, to an error of the flag parser.
func FlagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		hint := nearest.Name(unknown.GetSpecifiedName(), known)
		if hint != "" {
			hint = fmt.Sprintf(" (did you mean --%s?)", hint)
		}
		return fmt.Errorf("%w%s: see %s --help", err, hint, cmd.CommandPath())
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	name, cause := "--"+invalid.GetFlag().Name, errors.Unwrap(err)
	switch kind := invalid.GetFlag().Value.Type(); {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%s %s: the number is too large", name, invalid.GetValue())
	case errors.Is(err, strconv.ErrSyntax):
		want := map[string]string{"int": "a whole number", "uint64": "a whole number, at least 0", "bool": "true or false"}[kind]
		return fmt.Errorf("%s %q: want %s", name, invalid.GetValue(), want)
	case strings.HasPrefix(cause.Error(), name+" "):
		return cause
	}
	return fmt.Errorf("%s: %w", name, cause)
}

// CheckList makes f, if it takes a list, refuse wrong CSV and values of several lines: pflag would read only the first.
func CheckList(f *pflag.Flag) {
	if slice, ok := f.Value.(pflag.SliceValue); ok && f.Value.Type() == "stringSlice" {
		f.Value, f.DefValue = list{f.Value, slice}, strings.TrimPrefix(f.DefValue, "[]") // the help shows [] for types that pflag does not know
	}
}

type list struct {
	pflag.Value
	pflag.SliceValue
}

func (l list) Set(s string) error {
	if lines, err := csv.NewReader(strings.NewReader(s)).ReadAll(); err != nil || len(lines) > 1 {
		return fmt.Errorf("%q: want names on one line, separated by commas; a name with a comma or a double quote stands in double quotes, "+
			`in which each of its own is doubled: "the ""third"", b"`, s)
	}
	return l.Value.Set(s)
}

// Without returns args without a flag, such as "--out", and its value.
func Without(args []string, flag string) []string {
	var rest []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == flag:
			i++
		case !strings.HasPrefix(args[i], flag+"="):
			rest = append(rest, args[i])
		}
	}
	return rest
}

// Group makes cmd a command with subcommands: alone it shows its help, and an unknown subcommand is an error.
func Group(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(subcommands...)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var known []string
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				known = append(known, c.Name())
			}
		}
		return fmt.Errorf("unknown command %q for %q%s: want one of %s",
			args[0], cmd.CommandPath(), nearest.DidYouMean(args[0], known), strings.Join(known, ", "))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// A Process is the environment of one command line. Several command lines can run concurrently in one operating system
// process, each in a folder of its own; signals reach all of them.
type Process struct {
	Args           []string // path of the program, then its arguments
	Dir            string   // folder that relative paths start from; "" is the working directory of the process
	Getenv         func(name string) string
	Stdin          io.Reader // nil for empty input
	Stdout, Stderr io.Writer
}

// Context returns a context with the folder and the environment variables of the process, for package workdir.
func (p *Process) Context() context.Context {
	return workdir.With(context.Background(), p.Dir, p.Getenv)
}

// Path returns path in the folder Dir; see workdir.Join.
func (p *Process) Path(path string) string { return workdir.Join(p.Dir, path) }

// Paths returns Path of each path.
func (p *Process) Paths(paths []string) []string { return lists.Each(paths, p.Path) }

// Program returns the name of this program.
func (p *Process) Program() string { return strings.TrimSuffix(filepath.Base(p.Args[0]), ".exe") }

// Line returns the name of this program and its arguments, unquoted.
func (p *Process) Line() []string { return append([]string{p.Program()}, p.Args[1:]...) }

// CommandLine returns the shell command that runs this program with args.
func (p *Process) CommandLine(args ...string) string {
	return words.CommandLine(append([]string{p.Program()}, args...))
}
