// Package usage checks the arguments and flags of commands, and improves the errors of their parser.
package usage

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/internal/check"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
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

// OneOf accepts only arguments in a list.
func OneOf(known []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		for _, arg := range args {
			if !slices.Contains(known, arg) {
				return fmt.Errorf("unknown argument %q%s: want one of %s", arg, nearest.DidYouMean(arg, known), strings.Join(known, ", "))
			}
		}
		return nil
	}
}

// FlagError adds the similar flag, or the values allowed, to an error of the flag parser.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		hint := ""
		if near := nearest.Name(unknown.GetSpecifiedName(), known); near != "" {
			hint = fmt.Sprintf(" (did you mean --%s?)", near)
		}
		return fmt.Errorf("%w%s: see %s --help", err, hint, cmd.CommandPath())
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		want := map[string]string{"int": "a whole number", "uint64": "a whole number, at least 0"}[invalid.GetFlag().Value.Type()]
		switch {
		case invalid.GetFlag().Value.Type() == "float":
			return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, errors.Unwrap(err))
		case want == "":
		case errors.Is(err, strconv.ErrRange):
			return fmt.Errorf("--%s %s: the number is too large", invalid.GetFlag().Name, invalid.GetValue())
		default:
			return fmt.Errorf("--%s %q: want %s", invalid.GetFlag().Name, invalid.GetValue(), want)
		}
	}
	return err
}

// NoEmpty returns an error if a flag has an empty value, such as that of an unset shell
// variable: it would select the default.
func NoEmpty(cmd *cobra.Command) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); v == "" || v == "[]" {
			err = errors.Join(err, fmt.Errorf("--%s: the value is empty: leave the flag out for the default", f.Name))
		}
	})
	return err
}

// A Real is the value of a flag with a number, which is read as in --set.
type Real float64

func (f *Real) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }
func (f *Real) Type() string   { return "float" }

func (f *Real) Set(text string) error {
	v, err := check.ParseFloat(text)
	*f = Real(v)
	return err
}

// Without returns args without a flag and its value.
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
