package plot

import (
	"fmt"
	"slices"

	"banditsim/internal/figure"
	"banditsim/results"
	"banditsim/results/compare"
)

// Options of a figure of regret.
type Options = figure.Options

// DefaultOptions returns the options of a figure of cumulative expected regret by round, with t-intervals.
func DefaultOptions() Options { return figure.DefaultOptions() }

// Bounds of the points of a curve: more would not be visible, or take long.
const (
	maxPoints          = 500
	maxBootstrapPoints = 100
)

// curves returns the curves of a set that o asks for.
func curves(set *results.Set, o *Options) ([]compare.Curve, error) {
	c := compare.CurveOptions{Metric: o.Metric, View: o.View, Band: o.Band, From: o.From, To: o.To, Points: maxPoints, Log: o.LogX}
	if o.Band == compare.BootstrapTBand {
		c.Points = maxBootstrapPoints
	}
	return compare.Curves(set, c)
}

// name returns the name of a policy in a figure.
func name(o *Options, policy string) string {
	if l, ok := o.Labels[policy]; ok {
		return l
	}
	return policy
}

// looks returns the looks of policies, in their order. Where a policy's own color is that of the palette
// which another would have, the two trade places.
func looks(o *Options, policies []string) map[string]Look {
	all := make(map[string]Look)
	for i, p := range policies {
		l := Look{Color: i % len(Palette()), Dash: i % len(Dashes())}
		if c, ok := o.Colors[p]; ok {
			l.Own = (*uint32)(&c)
		}
		if line, ok := o.Lines[p]; ok {
			l.Dash = slices.Index(figure.Lines(), line)
		}
		all[p] = l
	}
	for i, p := range policies {
		for _, q := range policies {
			if l := all[p]; l.Own == nil && all[q].Own != nil && *all[q].Own == Palette()[i%len(Palette())].Figure {
				l.Color = all[q].Color
				all[p] = l
			}
		}
	}
	return all
}

// checkSets returns an error unless the sets can be in one figure.
func checkSets(sets []*results.Set, o *Options) error {
	if len(sets) > 1 && !o.Facets {
		return fmt.Errorf("plot: %d settings in one figure: want a panel for each (facet environment)", len(sets))
	}
	return nil
}
