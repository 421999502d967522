package figure

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/results/compare"
)

// Kind is the form of the value of a key.
type Kind int

// The kinds.
const (
	Text   Kind = iota // a single value
	Switch             // true or false
	List               // list of names
	Map                // map from policies' labels to values
)

// A Key is an option under the name that it has in files; flags have hyphens for its underscores.
type Key struct {
	Name, Doc string
	Kind      Kind
	Values    []string // all values that there are; empty if they cannot be listed
	Pattern   string   // a regular expression of values for schemas, or ""

	set func(o *Options, policy, value string) error
}

// Keys returns all options.
func Keys() []Key {
	return []Key{
		{Name: "policies", Doc: "policies to show, in the order of a legend that is not at the ends of curves", Kind: List,
			set: func(o *Options, _, v string) error { o.Policies = append(o.Policies, v); return nil }},
		{Name: "label", Doc: "name of a policy in the figure: POLICY=TEXT", Kind: Map,
			set: func(o *Options, p, v string) error { put(&o.Labels, p, v); return nil }},
		{Name: "color", Doc: "color of a policy: POLICY=#RRGGBB", Kind: Map, Pattern: `^#[0-9a-fA-F]{6}$`, set: setColor},
		{Name: "line", Doc: "line of a policy: POLICY=solid, dashed, dotted, dashdot or longdash", Kind: Map, Values: names(Lines()),
			set: func(o *Options, p, v string) error {
				line, err := nearest.Parse("unknown line", v, Lines())
				put(&o.Lines, p, line)
				return err
			}},
		{Name: "metric", Doc: "regret to show: expected or realised (default expected)", Values: compare.MetricNames(),
			set: func(o *Options, _, v string) (err error) { o.Metric, err = compare.ParseMetric(v); return err }},
		choice("view", "what to show of the regret", compare.Views(), func(o *Options) *compare.View { return &o.View }),
		choice("band", "what to show of the seeds: an interval of the mean, 10 to 90 % of the seeds, every seed or nothing", compare.Bands(),
			func(o *Options) *compare.Band { return &o.Band }),
		choice("x", "horizontal axis", []X{Rounds, Pulls, Steps, Seconds}, func(o *Options) *X { return &o.X }),
		{Name: "log", Doc: "logarithmic axes: x, y or xy", Values: []string{"x", "y", "xy", "none"},
			set: func(o *Options, _, v string) error {
				_, err := nearest.Parse("unknown axes", v, []string{"x", "y", "xy", "none"})
				o.LogX, o.LogY = strings.Contains(v, "x"), strings.Contains(v, "y")
				return err
			}},
		{Name: "from_round", Doc: "first round to count regret from", Pattern: `^[0-9]+$`,
			set: func(o *Options, _, v string) error { return setRound(&o.From, v) }},
		{Name: "to_round", Doc: "last round to show (default the last)", Pattern: `^[0-9]+$`,
			set: func(o *Options, _, v string) error { return setRound(&o.To, v) }},
		choice("legend", "where the names of curves stand", []Legend{Auto, Right, Inside, Below, NoLegend}, func(o *Options) *Legend { return &o.Legend }),
		{Name: "facet", Doc: "a panel for each folder or setting: environment", Values: []string{"environment", "none"},
			set: func(o *Options, _, v string) error {
				_, err := nearest.Parse("unknown facet", v, []string{"environment", "none"})
				o.Facets = v == "environment"
				return err
			}},
		{Name: "columns", Doc: "panels in a row (default up to 3, as many as have room)", Pattern: `^[0-9]+$`,
			set: func(o *Options, _, v string) error { return setWhole(&o.Columns, v, "a number of columns") }},
		{Name: "width", Doc: "width of the figure: 84mm, 8.4cm, 3.3in or 240pt", Pattern: lengthPattern,
			set: func(o *Options, _, v string) error { return setLength(&o.Width, v) }},
		{Name: "height", Doc: "height of the figure, such as 60mm", Pattern: lengthPattern,
			set: func(o *Options, _, v string) error { return setLength(&o.Height, v) }},
		{Name: "font_size", Doc: "size of the letters of labels, such as 8pt (default 10pt)", Pattern: lengthPattern,
			set: func(o *Options, _, v string) error { return setLength(&o.FontSize, v) }},
		{Name: "title", Doc: "title (default: what the figure shows)",
			set: func(o *Options, _, v string) error { o.Title = v; return nil }},
		{Name: "xlabel", Doc: "text of the horizontal axis (default: what it counts)",
			set: func(o *Options, _, v string) error { o.XLabel = v; return nil }},
		{Name: "ylabel", Doc: "text of the vertical axis (default: what it shows)",
			set: func(o *Options, _, v string) error { o.YLabel = v; return nil }},
		{Name: "no_title", Doc: "no title and no name of the data, unless they are the replica", Kind: Switch,
			set: func(o *Options, _, v string) error { return setSwitch(&o.NoTitle, v) }},
		{Name: "no_caption", Doc: "no caption below", Kind: Switch,
			set: func(o *Options, _, v string) error { return setSwitch(&o.NoCaption, v) }},
	}
}

// Flag returns the name of the key as a flag.
func (k Key) Flag() string {
	if k.Name == "log" { // --log is a file in other verbs
		return "log-axes"
	}
	return strings.ReplaceAll(k.Name, "_", "-")
}

// Set sets the option in o. The policy is that of a Map, else "". A List is appended to.
func (k Key) Set(o *Options, policy, value string) error {
	if err := k.set(o, policy, value); err != nil {
		return err
	}
	return o.Validate()
}

func choice[S ~string](name, doc string, values []S, of func(*Options) *S) Key {
	return Key{Name: name, Doc: doc + ": " + strings.Join(names(values[:len(values)-1]), ", ") + " or " + string(values[len(values)-1]) + " (default " + string(values[0]) + ")", Values: names(values),
		set: func(o *Options, _, v string) (err error) {
			*of(o), err = nearest.Parse("unknown "+name, v, values)
			return err
		}}
}

func names[S ~string](values []S) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

func put[V any](m *map[string]V, key string, v V) {
	*m = maps.Clone(*m) // options are copied
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[key] = v
}

// keys returns the keys of m in order.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func setColor(o *Options, policy, v string) error {
	rgb, ok := strings.CutPrefix(v, "#")
	n, err := strconv.ParseUint(rgb, 16, 24)
	if !ok || err != nil || len(rgb) != 6 {
		return fmt.Errorf("color %q, want #RRGGBB, such as #0072B2", v)
	}
	put(&o.Colors, policy, Color(n))
	return nil
}

func setRound(to *int, v string) error { return setWhole(to, v, "the number of a round") }

func setWhole(to *int, v, what string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return fmt.Errorf("%q, want %s", v, what)
	}
	*to = n
	return nil
}

func setSwitch(to *bool, v string) error {
	if v != "true" && v != "false" {
		return fmt.Errorf("%q, want true or false", v)
	}
	*to = v == "true"
	return nil
}

const lengthPattern = `^[0-9]+(\.[0-9]+)?(mm|cm|in|pt)$`

// pointsOf has the units of lengths in points of 1/72 inch.
var pointsOf = map[string]float64{"mm": 72 / 25.4, "cm": 720 / 25.4, "in": 72, "pt": 1}

func setLength(to *float64, v string) error {
	if len(v) > 2 {
		n, err := strconv.ParseFloat(v[:len(v)-2], 64)
		if unit := pointsOf[v[len(v)-2:]]; err == nil && unit > 0 && n > 0 {
			*to = n * unit
			return nil
		}
	}
	return fmt.Errorf("%q, want a length such as 84mm, 8.4cm, 3.3in or 240pt", v)
}
