// Package figure defines the options of figures of regret, for flags, experiment files and style files.
package figure

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/results"
	"banditsim/results/compare"
)

// Options are the options of a figure. DefaultOptions returns the defaults of `banditsim plot`.
type Options struct {
	Picture  Picture
	Metric   *compare.Metric
	View     compare.View
	Band     compare.Band
	X        X
	From, To int // first and last round that count, from 1; To may be compare.LastRound
	// LogX and LogY make an axis logarithmic. Values that are not above zero are left out.
	LogX, LogY bool
	Legend     Legend
	// Facets draws a panel for each set. A figure of Regret of several sets needs it.
	Facets bool
	// Columns is the number of panels in a row; 0 for as many as fit, up to three.
	Columns int

	// Baseline is the label of the policy that Aggregate compares the others with, or "" for the one that ranks first.
	Baseline string
	// Policies has the labels of policies to show; empty for all. Legends have this order, except at the ends of curves.
	Policies []string
	// Labels, Colors and Lines map labels of policies to the names, colors and lines that replace the defaults.
	Labels map[string]string
	Colors map[string]Color
	Lines  map[string]Line

	// Width and Height are the size of the whole figure in points; 0 for the size that the contents need.
	Width, Height float64
	FontSize      float64 // size of labels in points; titles are larger, captions smaller
	Title         string  // title; "" for one that describes the figure
	// NoTitle leaves out the title and the name of the data.
	NoTitle   bool
	NoCaption bool
	// XLabel and YLabel replace the titles of the axes.
	XLabel, YLabel string
}

// DefaultOptions returns the options of a figure of cumulative expected regret by round, with t-intervals.
func DefaultOptions() Options {
	return Options{Picture: ByData, Metric: compare.Expected(), View: compare.Cumulative, Band: compare.TBand, X: Rounds,
		From: 1, To: compare.LastRound, Legend: Auto, FontSize: 10}
}

// Picture is what a figure shows.
type Picture string

// The pictures.
const (
	ByData    Picture = "auto"      // Regret for one environment or with Facets, else Ranks
	Regret    Picture = "regret"    // regret by round
	Ranks     Picture = "ranks"     // mean ranks over environments
	Profile   Picture = "profile"   // shares of trials with a score above each threshold, a panel for each Family
	Aggregate Picture = "aggregate" // interquartile mean and optimality gap of the scores, and probability of improvement
	Strip     Picture = "strip"     // the regret of every seed
	Time      Picture = "time"      // mean regret against the mean time of a trial
)

// Pictures returns all pictures.
func Pictures() []Picture { return []Picture{ByData, Regret, Ranks, Profile, Aggregate, Strip, Time} }

// Of returns p or, if p is ByData, the picture for the given number of environments and Options.Facets.
func (p Picture) Of(environments int, facets bool) Picture {
	switch {
	case p != ByData:
		return p
	case environments == 1 || facets:
		return Regret
	}
	return Ranks
}

// Has reports whether the Key with the given name applies to p.
func (p Picture) Has(key string) bool {
	switch all := []string{"kind", "metric", "policies", "label", "color", "title", "no_title", "no_caption"}; p {
	case ByData, Regret:
		return key != "baseline"
	case Ranks:
		return slices.Contains(all[:2], key)
	case Time:
		return slices.Contains(all, key)
	case Aggregate:
		return key == "baseline" || slices.Contains(all, key)
	case Profile:
		return key == "line" || key == "columns" || slices.Contains(all, key)
	default:
		return key == "log" || key == "columns" || slices.Contains(all, key)
	}
}

// A Family is a group of policies, by their labels.
type Family struct {
	Name     string
	Policies []string
}

// X is the quantity on the horizontal axis.
type X string

// The horizontal axes.
const (
	Rounds  X = "rounds"
	Pulls   X = "pulls"
	Steps   X = "steps"   // gradient steps of all chains, computed from the policies' options
	Seconds X = "seconds" // wall time: the mean time of the trials, spread evenly over the rounds
)

// Legend is the position of the names of curves.
type Legend string

// The legends.
const (
	// Auto is Right if there is room for it, else Below. With several panels and Width set, Below is tried first.
	Auto     Legend = "auto"
	Right    Legend = "right"  // at the ends of curves or, with several panels, right of the panels
	Inside   Legend = "inside" // in the plot
	Below    Legend = "below"  // below the plot
	NoLegend Legend = "none"
)

// Line is a pattern of dashes.
type Line string

// Lines returns all patterns, in the order of plot.Dashes.
func Lines() []Line { return []Line{"solid", "dashed", "dotted", "dashdot", "longdash"} }

// Color is a color as 0xRRGGBB.
type Color uint32

// Limits of the width and height of a figure and of its font size, in points, and of the number of panels in a row.
const (
	MinSide, MaxSide = 40, 14400
	MinFont, MaxFont = 4, 72
	MaxColumns       = 20
)

// Validate returns an error that names the first option out of range. It cannot check From and To without trials.
func (o *Options) Validate() error {
	for _, side := range []struct {
		name  string
		value float64
	}{{"width", o.Width}, {"height", o.Height}} {
		if side.value != 0 && !(side.value >= MinSide && side.value <= MaxSide) {
			return fmt.Errorf("figure: %s %g pt, want %d to %d pt (14 mm to 5 m)", side.name, side.value, MinSide, MaxSide)
		}
	}
	switch {
	case o.Columns < 0 || o.Columns > MaxColumns:
		return fmt.Errorf("figure: %d columns, want 1 to %d", o.Columns, MaxColumns)
	case !slices.Contains(Pictures(), o.Picture):
		return fmt.Errorf("figure: kind %q, want auto, regret, ranks, profile, aggregate, strip or time", o.Picture)
	case !(o.FontSize >= MinFont && o.FontSize <= MaxFont):
		return fmt.Errorf("figure: font size %g pt, want %d to %d", o.FontSize, MinFont, MaxFont)
	case !slices.Contains([]X{Rounds, Pulls, Steps, Seconds}, o.X):
		return fmt.Errorf("figure: horizontal axis %q, want rounds, pulls, steps or seconds", o.X)
	case !slices.Contains([]Legend{Auto, Right, Inside, Below, NoLegend}, o.Legend):
		return fmt.Errorf("figure: legend %q, want auto, right, inside, below or none", o.Legend)
	case o.NoTitle && o.Title != "":
		return errors.New("figure: a title and no title: choose one")
	}
	return nil
}

// Select returns sets with only the policies of o.Policies, in its order. An unknown policy in the options is an error.
func (o *Options) Select(sets []*results.Set) ([]*results.Set, error) {
	if err := o.CheckLabels(results.Labels(sets)); err != nil {
		return nil, err
	}
	return results.Select(sets, o.Policies)
}

// Restrict returns a copy of the options with only the policies in labels, such as those that an experiment ran.
func (o *Options) Restrict(labels []string) Options {
	r := *o
	other := func(label string) bool { return !slices.Contains(labels, label) }
	r.Policies = slices.DeleteFunc(slices.Clone(o.Policies), other)
	if other(r.Baseline) {
		r.Baseline = ""
	}
	r.Labels, r.Colors, r.Lines = restrict(o.Labels, other), restrict(o.Colors, other), restrict(o.Lines, other)
	return r
}

func restrict[V any](m map[string]V, other func(string) bool) map[string]V {
	m = maps.Clone(m)
	maps.DeleteFunc(m, func(label string, _ V) bool { return other(label) })
	return m
}

// CheckLabels returns an error if o has a label, color or line for a policy that is not in known.
func (o *Options) CheckLabels(known []string) error {
	for _, name := range slices.Concat(keys(o.Labels), keys(o.Colors), keys(o.Lines)) {
		if !slices.Contains(known, name) {
			return nearest.Unknown("figure: unknown policy", name, known)
		}
	}
	return nil
}

// Kind is the form of a key's value.
type Kind int

const (
	Text   Kind = iota // a single value
	Switch             // true or false
	List               // list of names
	Map                // map from policies' labels to values
)

// A Key is an option as it appears in files and, with hyphens in place of underscores, as a flag.
type Key struct {
	Name, Doc string
	Kind      Kind
	Values    []string // all allowed values; empty if they cannot be listed
	Pattern   string   // regular expression of allowed values for schemas, or ""

	set func(o *Options, policy, value string) error
}

// Keys returns all options.
func Keys() []Key {
	return []Key{
		choice("kind", "what the figure shows; auto: regret of one environment, ranks over several", Pictures(), func(o *Options) *Picture { return &o.Picture }),
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
		{Name: "baseline", Doc: "policy that the kind aggregate compares the others with (default the one that ranks first)",
			set: func(o *Options, _, v string) error { o.Baseline = v; return nil }},
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
			set: func(o *Options, _, v string) error { return setWhole(&o.From, v, "the number of a round") }},
		{Name: "to_round", Doc: "last round to show (default the last)", Pattern: `^[0-9]+$`,
			set: func(o *Options, _, v string) error { return setWhole(&o.To, v, "the number of a round") }},
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
		{Name: "no_title", Doc: "no title and no name of the data", Kind: Switch,
			set: func(o *Options, _, v string) error { return setSwitch(&o.NoTitle, v) }},
		{Name: "no_caption", Doc: "no caption below", Kind: Switch,
			set: func(o *Options, _, v string) error { return setSwitch(&o.NoCaption, v) }},
	}
}

// Flag returns the name of the key's flag.
func (k Key) Flag() string {
	if k.Name == "log" { // --log names a file in other commands
		return "log-axes"
	}
	return strings.ReplaceAll(k.Name, "_", "-")
}

// Set sets the option in o, or appends value to a List. For a Map, policy is the policy's label; otherwise it is "".
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
	return lists.Each(values, func(v S) string { return string(v) })
}

func put[V any](m *map[string]V, key string, v V) {
	*m = maps.Clone(*m) // copies of the options share the map, which must not change
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[key] = v
}

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

// pointsOf has the size of each unit of length in points, which are 1/72 inch.
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
