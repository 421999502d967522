// Package figure says what a figure of regret looks like: the options that flags, figure sections of
// experiment files and style files have in common. Package plot draws it.
package figure

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"banditsim/internal/nearest"
	"banditsim/results"
	"banditsim/results/compare"
)

// Options of a figure of regret. DefaultOptions returns those of `banditsim plot`.
type Options struct {
	Metric   *compare.Metric
	View     compare.View
	Band     compare.Band
	X        X
	From, To int // rounds that count, from 1; To may be compare.LastRound
	// LogX and LogY make an axis logarithmic. What is not above zero is left out.
	LogX, LogY bool
	Legend     Legend
	// Facets draws a panel for each of several sets; without it more than one is an error.
	Facets bool

	// Columns is the number of panels in a row; 0: up to three, as many as have room.
	Columns int

	// Policies are the labels of the policies shown, in the order of a legend that is not at the ends of curves; none: all.
	Policies []string
	// Labels, Colors and Lines, by the policies' labels, take the place of those that a figure has by itself.
	Labels map[string]string
	Colors map[string]Color
	Lines  map[string]Line

	// Width and Height are those of the whole figure in points; 0: what the contents need.
	Width, Height float64
	FontSize      float64 // size of labels, in points; titles are larger, captions smaller
	Title         string  // "": one that names what is shown
	// NoTitle leaves out the title and the name of the data, unless these are the replica's.
	NoTitle   bool
	NoCaption bool
	// XLabel and YLabel take the place of the texts of the axes.
	XLabel, YLabel string
}

// DefaultOptions returns the options of a figure of cumulative expected regret by round, with t-intervals.
func DefaultOptions() Options {
	return Options{Metric: compare.Expected(), View: compare.Cumulative, Band: compare.TBand, X: Rounds,
		From: 1, To: compare.LastRound, Legend: Auto, FontSize: 10}
}

// X is what the horizontal axis counts.
type X string

// The horizontal axes.
const (
	Rounds  X = "rounds"
	Pulls   X = "pulls"
	Steps   X = "steps"   // gradient steps of all chains, from the policies' options
	Seconds X = "seconds" // wall time: the mean of the trials' times, in proportion to the rounds
)

// Legend is where the names of curves stand.
type Legend string

// The legends.
const (
	Auto     Legend = "auto"  // Right where the size of the figure leaves room for it, else Below; beside panels of a figure with a width, Below if it can
	Right    Legend = "right" // at the ends of curves
	Inside   Legend = "inside"
	Below    Legend = "below"
	NoLegend Legend = "none"
)

// Line is a pattern of dashes.
type Line string

// Lines returns all patterns, in the order of plot.Dashes.
func Lines() []Line { return []Line{"solid", "dashed", "dotted", "dashdot", "longdash"} }

// Color is a color as 0xRRGGBB.
type Color uint32

// Limits of the size of a figure and of its text, in points.
const (
	MinSide, MaxSide = 40, 14400
	MinFont, MaxFont = 4, 72
	MaxColumns       = 20 // number of columns of panels
)

// Validate returns an error that names the first option out of range. Rounds are checked against a set
// when the figure is drawn.
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

// Select returns the sets with the policies that o shows, in its order. A policy that none of them has is an error.
func (o *Options) Select(sets []*results.Set) ([]*results.Set, error) {
	if err := o.CheckLabels(results.Labels(sets)); err != nil {
		return nil, err
	}
	return results.Select(sets, o.Policies)
}

// Restrict returns the options without what they say of policies that are not among labels, such as those of
// an experiment that were not run.
func (o *Options) Restrict(labels []string) Options {
	r := *o
	other := func(label string) bool { return !slices.Contains(labels, label) }
	r.Policies = slices.DeleteFunc(slices.Clone(o.Policies), other)
	r.Labels, r.Colors, r.Lines = restrict(o.Labels, other), restrict(o.Colors, other), restrict(o.Lines, other)
	return r
}

func restrict[V any](m map[string]V, other func(string) bool) map[string]V {
	m = maps.Clone(m)
	maps.DeleteFunc(m, func(label string, _ V) bool { return other(label) })
	return m
}

// CheckLabels returns an error if o gives a label, color or line to a policy that is not among known.
func (o *Options) CheckLabels(known []string) error {
	for _, names := range [][]string{keys(o.Labels), keys(o.Colors), keys(o.Lines)} {
		for _, name := range names {
			if !slices.Contains(known, name) {
				return nearest.Unknown("figure: unknown policy", name, known)
			}
		}
	}
	return nil
}
