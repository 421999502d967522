package page

import "banditsim/results/stats"

func newBand(points [][]float64) band {
	var b band
	for _, seeds := range points {
		e := stats.NewEstimate(seeds)
		b.Mean = append(b.Mean, e.Mean)
		if len(seeds) > 1 {
			b.Half = append(b.Half, e.Half())
		}
	}
	return b
}

// regretOf gathers one kind of regret, seed by seed.
type regretOf struct {
	all, after *cumulative
	windows    *perWindow
}

func newRegretOf(a *axes) *regretOf {
	r := &regretOf{all: newCumulative(a.All), windows: newPerWindow(a.Windows)}
	if a.After != nil {
		r.after = newCumulative(a.After)
	}
	return r
}

// add takes the regret of one round, in order.
func (r *regretOf) add(round int, v float64) {
	r.all.add(round, v)
	if r.after != nil {
		r.after.add(round, v)
	}
	r.windows.add(round, v)
}

// endTrial is to be called after the last round of each seed.
func (r *regretOf) endTrial() {
	r.all.endTrial()
	if r.after != nil {
		r.after.endTrial()
	}
	r.windows.endTrial()
}

func (r *regretOf) result() regret {
	out := regret{All: newBand(r.all.points), Window: newBand(r.windows.points)}
	if r.after != nil {
		b := newBand(r.after.points)
		out.After = &b
	}
	return out
}

// cumulative is the sum of what follows round marks[0], at every mark: [mark][seed].
type cumulative struct {
	marks  []int
	points [][]float64
	total  float64
	next   int
}

func newCumulative(marks []int) *cumulative {
	return &cumulative{marks: marks, points: make([][]float64, len(marks))}
}

func (c *cumulative) add(round int, v float64) {
	if round <= c.marks[0] {
		return
	}
	if c.next == 0 {
		c.points[0] = append(c.points[0], 0)
		c.next = 1
	}
	c.total += v
	if round == c.marks[c.next] {
		c.points[c.next] = append(c.points[c.next], c.total)
		c.next++
	}
}

func (c *cumulative) endTrial() { c.total, c.next = 0, 0 }

// perWindow is a round's mean over each window: [window][seed].
type perWindow struct {
	windows windows
	points  [][]float64
	sums    []float64
}

func newPerWindow(w windows) *perWindow {
	return &perWindow{windows: w, points: make([][]float64, w.N), sums: make([]float64, w.N)}
}

func (p *perWindow) add(round int, v float64) { p.sums[p.windows.of(round)] += v }

func (p *perWindow) endTrial() {
	for i, sum := range p.sums {
		p.points[i] = append(p.points[i], sum/float64(p.windows.length(i)))
	}
	clear(p.sums)
}
