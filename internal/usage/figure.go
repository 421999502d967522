package usage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/internal/figure"
)

// Figure has the flags of a figure, one for each of figure.Keys.
type Figure struct {
	style    string
	text     map[string]*string
	switches map[string]*bool
	lists    map[string]*[]string // values of List and Map flags
	keys     []figure.Key         // keys of Map flags, whose values wait for the policies' labels
}

// Add adds the flags to a command.
func (f *Figure) Add(cmd *cobra.Command) {
	f.text, f.switches, f.lists = map[string]*string{}, map[string]*bool{}, map[string]*[]string{}
	flags := cmd.Flags()
	Renamed(cmd, "log", "log-axes")
	flags.StringVar(&f.style, "style", "", "style file, or experiment file with a figure section: the same options")
	for _, k := range figure.Keys() {
		name := k.Flag()
		switch k.Kind {
		case figure.Switch:
			f.switches[k.Name] = flags.Bool(name, false, k.Doc)
		case figure.List:
			f.lists[k.Name] = flags.StringSlice(name, nil, k.Doc)
		case figure.Map:
			f.lists[k.Name] = flags.StringArray(name, nil, k.Doc)
		default:
			f.text[k.Name] = flags.String(name, "", k.Doc)
			if len(k.Values) > 0 {
				CompleteValues(cmd, name, k.Values...)
			}
		}
	}
}

// A renamed flag of an earlier version is an error that names the present one.
type renamed struct{ now string }

func (r renamed) Set(string) error { return fmt.Errorf("it is --%s now", r.now) }
func (r renamed) String() string   { return "" }
func (r renamed) Type() string     { return "string" }

// Renamed declares that a flag has another name now.
func Renamed(cmd *cobra.Command, old, now string) {
	cmd.Flags().Var(renamed{now}, old, "now --"+now)
	if err := cmd.Flags().MarkHidden(old); err != nil {
		panic(err) // the flag was added above
	}
}

// termKeys are the options of figures that --term has too; --width and --height are in characters there.
var termKeys = []string{"policies", "label", "metric", "view", "from_round", "to_round", "width", "height"}

// Options returns the options that --style and the flags give, but for those by policy; see Name.
func (f *Figure) Options(cmd *cobra.Command, p *Process, term bool) (figure.Options, error) {
	o := figure.DefaultOptions()
	if f.style != "" {
		var err error
		if o, err = experiment.ReadFigure(p.Path(f.style)); err != nil {
			return o, err
		}
	}
	f.keys = nil
	for _, k := range figure.Keys() {
		if !cmd.Flags().Changed(k.Flag()) {
			continue
		}
		if term && !slices.Contains(termKeys, k.Name) {
			return o, fmt.Errorf("--%s is of figures in files: leave out --term", k.Flag())
		}
		if term && (k.Name == "width" || k.Name == "height") {
			continue
		}
		var values []string
		switch k.Kind {
		case figure.Map:
			f.keys = append(f.keys, k)
			continue
		case figure.Switch:
			values = []string{fmt.Sprint(*f.switches[k.Name])}
		case figure.List:
			values, o.Policies = *f.lists[k.Name], nil // in place of those of the style
		default:
			values = []string{*f.text[k.Name]}
		}
		for _, v := range values {
			if err := k.Set(&o, "", v); err != nil {
				return o, fmt.Errorf("--%s: %w", k.Flag(), err)
			}
		}
	}
	return o, nil
}

// Changed reports whether a flag asks for something of a figure of curves, which ranks do not have.
func (f *Figure) Changed(cmd *cobra.Command) bool {
	return f.style != "" || slices.ContainsFunc(figure.Keys(), func(k figure.Key) bool { return k.Name != "metric" && cmd.Flags().Changed(k.Flag()) })
}

// Name sets the options by policy: a label, which may contain =, up to a =, and a value.
func (f *Figure) Name(o *figure.Options, labels []string) error {
	for _, k := range f.keys {
		for _, text := range *f.lists[k.Name] {
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
