package usage

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/report"
)

// A value is a pflag.Value that parses each string it is set to.
type value struct {
	kind  string // type shown in help
	texts []string
	parse func(text string) error
}

func (v *value) String() string {
	if v == nil || len(v.texts) == 0 {
		return ""
	}
	return v.texts[len(v.texts)-1]
}

func (v *value) Type() string { return v.kind }

// GetSlice returns all values of a flag that may be given several times.
func (v *value) GetSlice() []string { return v.texts }

func (v *value) Set(text string) error {
	if text == "" {
		return errEmpty
	}
	v.texts = append(v.texts, text)
	return v.parse(text)
}

// Parsed adds a flag whose parsed value is stored in *p. The initial *p is the default, which help shows as text.
func Parsed[T any](flags *pflag.FlagSet, p *T, name, text, usage string, parse func(string) (T, error)) {
	add(flags, name, "string", text, usage, func(s string) (err error) {
		*p, err = parse(s)
		return err
	})
}

// List adds a flag that may be given several times. Each value is parsed and appended to *p.
func List[T any](flags *pflag.FlagSet, p *[]T, name, usage string, parse func(string) (T, error)) {
	add(flags, name, "stringArray", "", usage, func(s string) error {
		v, err := parse(s)
		*p = append(*p, v)
		return err
	})
}

// Whole adds a flag for an integer from low to high. The initial *p is the default, which may be outside the range.
func Whole(flags *pflag.FlagSet, p *int, name string, low, high int, usage string) {
	add(flags, name, "int", strconv.Itoa(*p), usage, func(s string) error {
		n, err := strconv.Atoi(s)
		if err == nil && (n < low || n > high) {
			err = fmt.Errorf("%s, want %d to %d", s, low, high)
		}
		*p = n
		return err
	})
}

// Real adds a flag for a number, which is parsed as in --set. The initial *p is the default.
func Real(flags *pflag.FlagSet, p *float64, name, usage string) {
	add(flags, name, "float", strconv.FormatFloat(*p, 'g', -1, 64), usage, func(s string) (err error) {
		*p, err = check.ParseFloat(s)
		return err
	})
}

func add(flags *pflag.FlagSet, name, kind, text, usage string, parse func(string) error) *pflag.Flag {
	short := map[string]string{"format": "o"}[name]
	f := flags.VarPF(&value{kind: kind, parse: parse}, name, short, usage)
	f.DefValue = text
	return f
}

// Workers adds --workers, the number of workers. The initial *p is the default.
func Workers(cmd *cobra.Command, p *int, usage string) {
	Whole(cmd.Flags(), p, "workers", 1, 10_000, usage) // no machine has so many processors, and each worker takes memory
}

// Quiet adds --quiet, which disables the display of progress.
func Quiet(cmd *cobra.Command, p *bool) {
	cmd.Flags().BoolVar(p, "quiet", false, "no progress on stderr")
}

// Format adds --format, the format of tables, by default text.
func Format(cmd *cobra.Command, p *report.Format) {
	*p = report.Text
	format(cmd, p, "format of the output: table, md, tex, csv or json", report.ParseFormat, report.Text, report.Markdown, report.LaTeX, report.CSV, report.JSON)
}

// TextOrJSON adds --format for commands that print either text, the default, or JSON.
func TextOrJSON(cmd *cobra.Command, p *report.Format) {
	*p = report.Text
	both := []report.Format{report.Text, report.JSON}
	format(cmd, p, "format of the output: table or json", func(s string) (report.Format, error) { return nearest.Parse("unknown format", s, both) }, both...)
}

func format(cmd *cobra.Command, p *report.Format, usage string, parse func(string) (report.Format, error), all ...report.Format) {
	Parsed(cmd.Flags(), p, "format", string(*p), usage, parse)
	CompleteValues(cmd, "format", all...)
}

// needs is the annotation of a flag in which Needs stores the name of the flag that it needs.
const needs = "needs"

// Needs declares that a flag may be given only together with the flag named by the argument other. Check enforces this.
func Needs(cmd *cobra.Command, flag, other string) {
	if err := cmd.Flags().SetAnnotation(flag, needs, []string{other}); err != nil {
		panic(err) // there is no such flag
	}
}

// errEmpty is the error for an empty value, such as an unset shell variable, which would silently select the default.
var errEmpty = errors.New("the value is empty: leave the flag out for the default")

// Check returns an error if a flag has an empty value, or is given without the flag that it needs.
func Check(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); v == "" || v == "[]" {
			err = errors.Join(err, fmt.Errorf("--%s: %w", f.Name, errEmpty))
		}
		if other := f.Annotations[needs]; other != nil && !cmd.Flags().Changed(other[0]) {
			err = errors.Join(err, fmt.Errorf("--%s goes with --%s only", f.Name, other[0]))
		}
	})
	return err
}

// Rename maps former names of flags to the present ones, so that old command lines work.
func Rename(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "output" {
		name = "format"
	}
	return pflag.NormalizedName(name)
}

// Renamed adds a hidden flag under its former name. It is always rejected, with an error that gives the present name.
func Renamed(cmd *cobra.Command, old, now string) {
	f := add(cmd.Flags(), old, "string", "", "", func(string) error { return errors.New("it is --" + now + " now") })
	f.NoOptDefVal, f.Hidden = "now", true // reject the flag without a value too
}

// Complete sets the function that completes a flag's value.
func Complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}

// CompleteValues completes a flag's value from a list.
func CompleteValues[S ~string](cmd *cobra.Command, flag string, values ...S) {
	list := lists.Each(values, func(v S) cobra.Completion { return string(v) })
	Complete(cmd, flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
}

// Required declares flags that must be given.
func Required(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		if err := cmd.MarkFlagRequired(flag); err != nil {
			panic(err) // there is no such flag
		}
	}
}
