package tuning

import (
	"fmt"
	"strings"

	"banditsim/internal/tune"
	"banditsim/internal/words"
	"banditsim/results/plot"
)

// Plot writes a figure of the regret of all configurations of a policy against each option.
func Plot(path string, r *tune.Result, f *tune.Found) error { return plot.Write(path, figure(r, f)) }

func figure(r *tune.Result, f *tune.Found) *plot.Panels {
	panels := &plot.Panels{
		Title:    "Regret of " + words.Plain(f.Policy) + " against its options",
		Subtitle: fmt.Sprintf("%s on the seeds of the search, %s", words.Count(len(f.Configurations), "configuration"), words.Ranges(r.Tune.Seeds)),
		Captions: []string{caption(r, f)},
		Rows:     (len(f.Ranges) + 2) / 3, Width: 240, Height: 220,
	}
	for k, rung := range r.Rungs {
		panels.Legend = append(panels.Legend, plot.LegendEntry{Name: fmt.Sprintf("%s rounds, %s", words.Int(rung.Rounds), words.Count(rung.Seeds, "seed")), Look: look(k)})
	}
	positive := true
	ring, ringed := lowest(f)
	for i, v := range f.Ranges {
		p := plot.Panel{Title: "Mean " + r.Tune.Metric.String() + " regret" + unit(r.Tune), X: v.Option, Low: v.Low, High: v.High, Log: [2]bool{v.Kind == tune.Log, false}}
		for _, value := range v.Values {
			p.Names = append(p.Names, strings.Trim(value, "[]"))
		}
		for k, scored := range f.Rungs {
			points := plot.Series{Look: look(k)}
			for _, c := range scored {
				e := tune.Estimate(c.Regret)
				if c.Number == 0 || e.N == 0 {
					continue // number 0, the untuned configuration, has no values in the ranges
				}
				x := tune.Number(v, c.Values[i])
				points.X, points.Mid = append(points.X, x), append(points.Mid, e.Mean)
				positive = positive && e.Mean > 0
				if k == ring && c.Number == ringed {
					p.Marked = append(p.Marked, plot.Series{Look: look(k), X: []float64{x}, Mid: []float64{e.Mean}})
				}
			}
			p.Points = append(p.Points, points)
		}
		panels.Panels = append(panels.Panels, p)
	}
	for i := range panels.Panels {
		panels.Panels[i].Log[1] = positive
	}
	return panels
}

// lowest returns the rung and number of the configuration to mark with a ring: the best or, if that is number 0, which
// has no place in the figure, the best of the others in the latest rung that any reached; without others, number is 0.
func lowest(f *tune.Found) (rung, number int) {
	if f.Best.Number != 0 {
		return len(f.Rungs) - 1, f.Best.Number
	}
	for _, n := range f.Neighbors(1) {
		rung, number = n.Rung, n.Number
	}
	return rung, number
}

func caption(r *tune.Result, f *tune.Found) string {
	ring := "best"
	if f.Best.Number == 0 {
		ring = "lowest of those that came furthest. The untuned configuration, which has no place in the ranges, is lower: " + tune.Estimate(f.Best.Regret).String()
	}
	return "A dot is the mean " + r.Tune.Metric.String() + " regret of a configuration in a rung; the ring is the " + ring + ". Trials that failed are left out."
}

// look returns the color and the dashes of rung k, from 0.
func look(k int) plot.Look {
	n := len(plot.Palette())
	return plot.Look{Color: k % n, Dash: k / n % len(plot.Dashes())}
}
