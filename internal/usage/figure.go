package usage

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/internal/figure"
)

// Figure holds the flags of a figure: --style, and one for each of figure.Keys.
type Figure struct {
	style    string
	policies []string
	flags    map[string]*pflag.Flag // flags by the name of their figure.Key, except that of policies
	keys     []figure.Key           // keys whose flags were given as POLICY=VALUE; the method Name sets their options
}

// Add adds the flags to a command.
func (f *Figure) Add(cmd *cobra.Command) {
	f.flags = map[string]*pflag.Flag{}
	flags := cmd.Flags()
	Renamed(cmd, "log", "log-axes")
	flags.StringVar(&f.style, "style", "", "style file, or experiment file with a figure section: the same options")
	for _, k := range figure.Keys() {
		kind, parse := "string", func(string) error { return nil }
		switch {
		case k.Kind == figure.List:
			flags.StringSliceVar(&f.policies, k.Flag(), nil, k.Doc)
			continue
		case k.Kind == figure.Map:
			kind = "stringArray"
		case k.Kind == figure.Switch:
			kind = "bool"
		case k.Pattern == "^[0-9]+$":
			kind, parse = "int", func(s string) error { _, err := strconv.Atoi(s); return err }
		}
		f.flags[k.Name] = add(flags, k.Flag(), kind, "", k.Doc, parse)
		if k.Kind == figure.Switch {
			f.flags[k.Name].NoOptDefVal = "true"
		} else if k.Kind != figure.Map && len(k.Values) > 0 {
			CompleteValues(cmd, k.Flag(), k.Values...)
		}
	}
}

// termKeys lists the options that --term allows. With --term, width and height are in characters.
var termKeys = []string{"policies", "label", "metric", "view", "from_round", "to_round", "width", "height"}

// Options returns the options from --style and the flags, except those of the form POLICY=VALUE, which Name sets. If
// term is true, it ignores the flags width and height, and rejects flags that are not in termKeys.
func (f *Figure) Options(cmd *cobra.Command, p *Process, term bool) (figure.Options, error) {
	o := figure.DefaultOptions()
	if f.style != "" {
		var err error
		if o, err = figure.ReadFile(p.Path(f.style)); err != nil {
			return o, err
		}
	}
	f.keys = nil
	for _, k := range figure.Keys() {
		if !cmd.Flags().Changed(k.Flag()) {
			continue
		}
		switch {
		case term && !slices.Contains(termKeys, k.Name):
			return o, fmt.Errorf("--%s is of figures in files: leave out --term", k.Flag())
		case term && (k.Name == "width" || k.Name == "height"):
			continue
		case k.Kind == figure.Map:
			f.keys = append(f.keys, k)
			continue
		}
		values := f.policies
		if k.Kind == figure.List {
			o.Policies = nil // the flag replaces the list in the style
		} else {
			values = []string{f.flags[k.Name].Value.String()}
		}
		for _, v := range values {
			if err := k.Set(&o, "", v); err != nil {
				return o, fmt.Errorf("--%s: %w", k.Flag(), err)
			}
		}
	}
	return o, nil
}

// Foreign returns the flags on the command line that do not apply to the picture p. A style file may have keys for
// several pictures, so --style is returned only for Ranks, which uses no style.
func (f *Figure) Foreign(cmd *cobra.Command, p figure.Picture) (flags []string) {
	if f.style != "" && p == figure.Ranks {
		flags = []string{"--style"}
	}
	for _, k := range figure.Keys() {
		if !cmd.Flags().Changed(k.Flag()) {
			continue
		}
		switch {
		case !p.Has(k.Name):
			flags = append(flags, "--"+k.Flag())
		case k.Name == "log" && p == figure.Strip && strings.Contains(f.flags[k.Name].Value.String(), "y"):
			flags = append(flags, "--"+k.Flag()+" y")
		}
	}
	return flags
}

// Name sets the options given as POLICY=VALUE. labels must have those of all policies, because a label may contain "=".
func (f *Figure) Name(o *figure.Options, labels []string) error {
	for _, k := range f.keys {
		for _, text := range f.flags[k.Name].Value.(*value).texts {
			policy, value, ok := strings.Cut(text, "=")
			for _, label := range labels {
				if rest, is := strings.CutPrefix(text, label+"="); is && len(label) > len(policy) {
					policy, value = label, rest
				}
			}
			err := errors.New("want POLICY=VALUE")
			if ok {
				err = k.Set(o, policy, value)
			}
			if err != nil {
				return fmt.Errorf("--%s %s: %w", k.Flag(), text, err)
			}
		}
	}
	return nil
}
