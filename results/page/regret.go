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

// regretSums accumulates the curves of one metric, seed by seed.
type regretSums struct {
	all, after *cumulative
	windows    *perWindow
}

func newRegretSums(a *axes) *regretSums {
	return &regretSums{newCumulative(a.All), newCumulative(a.After), newPerWindow(a.Windows)}
}

// add adds the regret of the next round.
func (r *regretSums) add(round int, v float64) {
	r.all.add(round, v)
	r.after.add(round, v)
	r.windows.add(round, v)
}

// endTrial ends the rounds of a seed.
func (r *regretSums) endTrial() {
	r.all.endTrial()
	r.after.endTrial()
	r.windows.endTrial()
}

func (r *regretSums) result() regret {
	out := regret{All: newBand(r.all.points), Window: newBand(r.windows.points)}
	if len(r.after.marks) > 0 {
		b := newBand(r.after.points)
		out.After = &b
	}
	return out
}

// cumulative accumulates the sum of all rounds after marks[0] at every mark: points[mark][seed].
// Without marks it does nothing.
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
	if len(c.marks) == 0 || round <= c.marks[0] {
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

// perWindow accumulates the mean of a round in each window: points[window][seed].
type perWindow struct {
	windows windows
	points  [][]float64
	sums    []float64
}

func newPerWindow(w windows) *perWindow {
	return &perWindow{windows: w, points: make([][]float64, w.N), sums: make([]float64, w.N)}
}

func (p *perWindow) add(round int, v float64) { p.sums[p.windows.index(round)] += v }

func (p *perWindow) endTrial() {
	for i, sum := range p.sums {
		p.points[i] = append(p.points[i], sum/float64(p.windows.length(i)))
	}
	clear(p.sums)
}
