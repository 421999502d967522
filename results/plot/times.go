package plot

import (
	"cmp"
	"slices"

	"banditsim/internal/figure"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results/compare"
)

// Times returns a figure of regret against the time of a trial: a dot with its interval for each policy, and a line through the
// frontier, the policies that no other beats in both. The legend begins with the policies of the frontier, from left to right.
// The others follow or, if there are many policies, their families. A caption names the policies that are left out, as their time
// or regret is unknown. If share is true, regret is in percent of that of the uniform policy. second is the line below the title.
// order has all policies of the folder.
func Times(costs []compare.Cost, share bool, second string, families []figure.Family, order []string, o *Options) Figure {
	var without []string
	costs = slices.DeleteFunc(slices.Clone(costs), func(c compare.Cost) bool {
		left := !(c.Seconds > 0) || !words.Finite(c.Regret.Mean)
		if left {
			without = append(without, words.Plain(name(o, c.Policy)))
		}
		return left
	})
	slices.SortFunc(costs, func(a, b compare.Cost) int { return cmp.Compare(a.Seconds, b.Seconds) })
	g := newGrouping(families, order, lists.Each(costs, func(c compare.Cost) string { return c.Policy }), false, o)
	clock, caption := "Wall", "The sidecars of some trials do not have processor time; wall time depends on the load of the machine."
	if len(costs) > 0 && costs[0].Processor {
		clock, caption = "Processor", "Processor time is that of all goroutines of a trial. It depends on the machine."
	}
	p := Panel{Title: "Cumulative " + o.Metric.String() + " regret", X: clock + " time of a trial (s)", Log: [2]bool{true, false}}
	if share {
		p.Title = "Mean " + o.Metric.String() + " regret, % of uniform"
	}
	frontier := Series{Look: Look{Color: len(Palette()) - 1, Dash: 1}}
	var best, others []LegendEntry
	for _, c := range costs {
		x, look := float64(c.Seconds), g.looks[c.Policy]
		look.Dash = 0
		s := Series{Look: look, X: []float64{x}, Mid: []float64{c.Regret.Mean}}
		if c.Regret.HasInterval() {
			s.Low, s.High = []float64{c.Regret.Low}, []float64{c.Regret.High}
			p.Also = append(p.Also, c.Regret.Low, c.Regret.High)
		}
		p.Points = append(p.Points, s)
		if entry := (LegendEntry{g.name(c.Policy), look}); !c.Undominated {
			if len(g.families) > 1 {
				entry.Name = g.family(c.Policy)
			}
			if !slices.Contains(others, entry) {
				others = append(others, entry)
			}
		} else {
			if n := len(frontier.X); n > 0 { // a step: first right, then down
				frontier.X, frontier.Mid = append(frontier.X, x), append(frontier.Mid, frontier.Mid[n-1])
			}
			frontier.X, frontier.Mid = append(frontier.X, x), append(frontier.Mid, c.Regret.Mean)
			best = append(best, entry)
		}
	}
	first := LegendEntry{"no policy has less of both: the next " + words.Count(len(best), "name") + ", left to right", frontier.Look}
	p.Legend = slices.Concat([]LegendEntry{first}, best, others)
	if n := len(frontier.X); n > 0 {
		p.Low, p.High = frontier.X[0]/1.5, 1.5*float64(costs[len(costs)-1].Seconds) // no dot on the edge
		frontier.X, frontier.Mid = append(frontier.X, p.High), append(frontier.Mid, frontier.Mid[n-1])
	}
	p.Curves = []Series{frontier}
	f := &Panels{Width: stripAxis, Height: max(profileHeight, (len(p.Legend)+2)*labelStep), Rows: 1, Panels: []Panel{p}}
	captions := append([]string{"Dots: means over the seeds; lines: 95 % intervals. " + caption}, notShown("their time or regret is unknown", without)...)
	f.Title, f.Subtitle, f.Captions = g.text("Regret against the time of a trial", second, captions...)
	return f
}
