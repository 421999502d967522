package plot

import (
	"cmp"
	"math"
	"slices"

	"banditsim/internal/figure"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

const (
	fewPolicies   = 8 // largest number of policies that are shown together, without families
	profileWidth  = 300
	profileHeight = 240 // smallest height
	profileRow    = 2   // panels in a row
	aggregateAxis = 150
	stripAxis     = 360
	stripAxes     = 180 // width of an axis if there are several in a row
	stripRow      = 3   // environments in a row
	axesGap       = 30
)

const scoreText = "Score of a trial: 1 − regret/(regret of acting uniformly); 1 is no regret, 0 acting uniformly. "

// A grouping has the families of the policies that a figure shows.
type grouping struct {
	families []figure.Family
	looks    map[string]Look
	o        *Options
}

// newGrouping groups policies by family; every policy must have one. Up to fewPolicies policies form one unnamed family
// and look as in the figure of regret. Of more, those of a family share a color, or differ in look if each is true.
func newGrouping(families []figure.Family, order, policies []string, each bool, o *Options) grouping {
	if len(policies) <= fewPolicies {
		return grouping{[]figure.Family{{Policies: policies}}, looks(o, order), o}
	}
	g := grouping{looks: make(map[string]Look), o: o}
	for i, f := range families {
		other := func(policy string) bool { return !slices.Contains(f.Policies, policy) }
		shown := figure.Family{Name: f.Name, Policies: slices.DeleteFunc(slices.Clone(policies), other)}
		if len(shown.Policies) == 0 {
			continue
		}
		g.families = append(g.families, shown)
		for p, look := range looks(o, f.Policies) {
			if g.looks[p] = look; !each && look.Own == nil {
				g.looks[p] = Look{Color: i % len(Palette())}
			}
		}
	}
	return g
}

// name returns the text for a policy.
func (g grouping) name(policy string) string {
	return words.Shorten(words.Plain(name(g.o, policy)), 40)
}

// family returns the name of a policy's family.
func (g grouping) family(policy string) string {
	i := slices.IndexFunc(g.families, func(f figure.Family) bool { return slices.Contains(f.Policies, policy) })
	return g.families[i].Name
}

// forest returns a forest with a row for each policy. If there are several families, the name of each is a row above
// its policies. The function row returns the row of a policy without Label, Look and Truth, which forest sets.
func (g grouping) forest(title string, row func(policy string) ForestRow) Forest {
	f := Forest{Title: title, dot: 2}
	nan := math.NaN()
	for i, family := range g.families {
		if len(g.families) > 1 {
			f.Rows = append(f.Rows, ForestRow{Label: family.Name, Heading: true, Gap: i > 0, Mid: nan, Low: nan, High: nan, Truth: nan})
		}
		for _, p := range family.Policies {
			r := row(p)
			r.Label, r.Look, r.Truth = g.name(p), g.looks[p], nan
			f.Rows = append(f.Rows, r)
		}
	}
	return f
}

// text returns the title, or that of the options, the second line and the captions. NoTitle and NoCaption empty them.
func (g grouping) text(title, second string, captions ...string) (string, string, []string) {
	if title = cmp.Or(words.Plain(g.o.Title), title); g.o.NoTitle {
		title, second = "", ""
	}
	if g.o.NoCaption {
		captions = nil
	}
	return title, second, captions
}

// Profiles returns a figure of performance profiles: by policy, the share of its trials with a score above each
// threshold. It has a panel for each family, or one if the policies are few. At least one environment must have scores.
// The argument order lists all policies of the folder, as results.Order does.
func Profiles(a *compare.Across, families []figure.Family, order []string, o *Options) Figure {
	policies := lists.Each(a.Policies, label)
	g := newGrouping(families, order, policies, true, o)
	thresholds, above := a.Profiles()
	f := &Panels{Width: profileWidth, Height: profileHeight}
	columns := min(cmp.Or(o.Columns, profileRow), len(g.families))
	f.Rows = (len(g.families) + columns - 1) / columns
	f.Title, f.Subtitle, f.Captions = g.text("Share of trials with a score above τ", environmentsText(a.Environments),
		scoreText+intervalText("Bands", a)+" Each holds for its τ alone. The higher a curve, the better.")
	for _, family := range g.families {
		p := Panel{Title: family.Name, X: "Score τ", Low: thresholds[0], High: 1, Also: []float64{0, 1}}
		for _, policy := range family.Policies {
			s := Series{Look: g.looks[policy]}
			for k, e := range above[slices.Index(policies, policy)] {
				s.Add(thresholds[k], e.Mean, e.Low, e.High)
			}
			p.Curves = append(p.Curves, s)
			p.Legend = append(p.Legend, LegendEntry{g.name(policy), s.Look})
		}
		f.Height = max(f.Height, len(p.Legend)*labelStep+panelTitle+labelStep)
		f.Panels = append(f.Panels, p)
	}
	return f
}

// Aggregates returns a figure of the interquartile mean and the optimality gap of the scores of each policy, and of its
// probability of improvement on the baseline, with their intervals, by family. The argument order is that of Profiles.
func Aggregates(a *compare.Across, families []figure.Family, order []string, o *Options) Figure {
	policies := lists.Each(a.Policies, label)
	g := newGrouping(families, order, policies, false, o)
	f := &Forests{Width: aggregateAxis, Gap: axesGap}
	add := func(title string, of func(compare.AcrossPolicy) stats.Estimate) {
		f.Forests = append(f.Forests, g.forest(title, func(policy string) ForestRow {
			e := of(a.Policies[slices.Index(policies, policy)])
			return ForestRow{Mid: e.Mean, Low: e.Low, High: e.High}
		}))
	}
	add("Interquartile mean", func(p compare.AcrossPolicy) stats.Estimate { return p.InterquartileMean })
	add("Optimality gap", func(p compare.AcrossPolicy) stats.Estimate { return p.OptimalityGap })
	add("P(better than "+words.Shorten(g.name(a.Baseline), 20)+")", func(p compare.AcrossPolicy) stats.Estimate { return p.Improvement })
	f.Forests[2].Lines = []ForestLine{{At: .5, Look: Look{Color: len(Palette()) - 1, Dash: 2}}}
	f.Title, f.Subtitle, f.Captions = g.text("Scores over "+words.Count(len(a.Environments), "environment"), environmentsText(a.Environments),
		scoreText+"Interquartile mean: of the middle half of all scores, the higher the better. Optimality gap: 1 − mean(min(score, 1)), the lower the better. P: probability that a trial has less regret than one of the baseline in the same environment, ties one half. Crosses have no interval, dots without a line one that they cover.",
		intervalText("Lines", a))
	return f
}

// Strips returns a figure with an axis for each set: for each policy, by family, every seed's regret and the median.
func Strips(sets []*results.Set, families []figure.Family, o *Options) Figure {
	var policies []string // those of the first set sorted by median, then those that only the second has, and so on
	summaries := lists.Each(sets, compare.Totals)
	for _, s := range summaries {
		more := slices.Clone(s.Policies)
		slices.SortStableFunc(more, func(p, q compare.PolicySummary) int {
			return cmp.Compare(p.Regret[o.Metric].Median, q.Regret[o.Metric].Median)
		})
		for _, p := range more {
			if !slices.Contains(policies, p.Policy) {
				policies = append(policies, p.Policy)
			}
		}
	}
	g := newGrouping(families, results.Order(sets), policies, false, o)
	f := &Forests{Width: stripAxis, Gap: axesGap, Columns: min(cmp.Or(o.Columns, stripRow), len(sets))}
	if f.Columns > 1 {
		f.Width = stripAxes
	}
	second, failed := dataNames(sets), 0
	if len(sets) > 1 {
		second = words.Count(len(sets), "environment")
	}
	for i, s := range summaries {
		title := ""
		if len(sets) > 1 {
			title = panelName(sets[i], sets)
		}
		for _, p := range s.Policies {
			failed += len(p.Failed)
		}
		f.Forests = append(f.Forests, g.forest(title, func(policy string) ForestRow {
			r := ForestRow{Mid: math.NaN(), Low: math.NaN(), High: math.NaN()}
			if i := slices.IndexFunc(s.Policies, func(p compare.PolicySummary) bool { return p.Policy == policy }); i >= 0 {
				of := s.Policies[i].Regret[o.Metric]
				r.Mid, r.Marks = float64(of.Median), of.BySeed
			}
			return r
		}))
		f.Forests[i].Log = o.LogX
	}
	caption := "Dots: cumulative " + o.Metric.String() + " regret of each seed; bars: the median."
	if o.LogX {
		caption += " Not shown: values that are not above zero."
	}
	if failed > 0 {
		caption += " " + words.Count(failed, "failed trial") + " left out."
	}
	f.Title, f.Subtitle, f.Captions = g.text("Cumulative "+o.Metric.String()+" regret of every seed", second, caption)
	return f
}

func label(p compare.AcrossPolicy) string { return p.Policy }

// intervalText describes the intervals in a figure of scores. The argument marks is what shows them, such as "Bands".
func intervalText(marks string, a *compare.Across) string {
	return marks + ": 95 % intervals over " + a.SeedsText() + " in each environment, by the stratified bootstrap; environments are fixed."
}

// Times returns a figure of regret against the time of a trial: a dot with its interval for each policy, and a line
// through the frontier (compare.Cost.Undominated). A policy is in the frontier if every other has more regret, more
// time, or the same of both. The legend begins with the frontier, from left to right. The other policies or, if there
// are many, their families follow. Policies of unknown time or regret are left out and named in a caption. If share is
// true, regret is in percent of the uniform policy's. The line below the title is second; order is that of Profiles.
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
