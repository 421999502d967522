package cli

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
	"banditsim/posterior/simulation"
	"banditsim/results/compare"
	"banditsim/results/report"
)

// group makes cmd a command with subcommands only: without one it shows its help, and an unknown
// one is an error.
func group(cmd *cobra.Command) *cobra.Command {
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
	cmd.RunE = failing(func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	return cmd
}

// argCount accepts low to high arguments.
func argCount(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		want := fmt.Sprint(low)
		if high > low {
			want = fmt.Sprintf("%d to %d", low, high)
		}
		if len(args) < low || len(args) > high {
			return fmt.Errorf("%s: %d arguments, want %s: %s", cmd.Name(), len(args), want, cmd.UseLine())
		}
		return nil
	}
}

// oneOfArgs accepts only arguments in a list.
func oneOfArgs(known []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		for _, arg := range args {
			if !slices.Contains(known, arg) {
				return fmt.Errorf("unknown argument %q%s: want one of %s", arg, nearest.DidYouMean(arg, known), strings.Join(known, ", "))
			}
		}
		return nil
	}
}

// flagError adds the similar flag, or the values allowed, to an error of the flag parser.
func flagError(cmd *cobra.Command, err error) error {
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

// rangeError replaces the option in a range error by the flag of its name, if there is one.
func rangeError(cmd *cobra.Command, err error) error {
	var out *simulation.RangeError
	if !errors.As(err, &out) {
		return err
	}
	flag := strings.ReplaceAll(out.Option, "_", "-")
	if cmd.Flags().Lookup(flag) == nil {
		return err
	}
	return fmt.Errorf("--%s %v: want %s", flag, out.Value, out.Want)
}

// maxWorkers is above the processors of any machine; each worker has its memory.
const maxWorkers = 10_000

// checkWorkers returns an error if --workers is out of range.
func checkWorkers(n int) error {
	if n < 1 || n > maxWorkers {
		return fmt.Errorf("--workers %d: want 1 to %d", n, maxWorkers)
	}
	return nil
}

// noEmptyFlags returns an error if a flag has an empty value, such as that of an unset shell
// variable: it would select the default.
func noEmptyFlags(cmd *cobra.Command) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); v == "" || v == "[]" {
			err = errors.Join(err, fmt.Errorf("--%s: the value is empty: leave the flag out for the default", f.Name))
		}
	})
	return err
}

func formatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVarP(format, "output", "o", string(report.Text), "format of the output: table, md, csv or json")
	completeValues(cmd, "output", report.Text, report.Markdown, report.CSV, report.JSON)
}

func wideFlag(cmd *cobra.Command, wide *bool) {
	cmd.Flags().BoolVar(wide, "wide", false, "show all columns, on a narrow terminal too")
}

// tableFormat returns the format that --output and --wide select.
func tableFormat(name string, wide bool) (report.Format, error) {
	f, err := report.ParseFormat(name)
	if err == nil && wide {
		if f != report.Text {
			return f, fmt.Errorf("--wide is of tables on a terminal: leave it out, -o %s has all columns", name)
		}
		f = report.Wide
	}
	return f, err
}

func metricFlag(cmd *cobra.Command, metric *string) {
	cmd.Flags().StringVar(metric, "metric", compare.Expected.Name, "kind of regret: "+strings.Join(compare.MetricNames(), " or "))
	completeValues(cmd, "metric", compare.MetricNames()...)
}

// A realFlag is a number that is read as in --set.
type realFlag float64

func (f *realFlag) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }
func (f *realFlag) Type() string   { return "float" }

func (f *realFlag) Set(text string) error {
	v, err := check.ParseFloat(text)
	*f = realFlag(v)
	return err
}
