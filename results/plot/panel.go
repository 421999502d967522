package plot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/figure"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// A regretPanel is the plot of one set.
type regretPanel struct {
	title  string // title above the plot, "" for none
	font   vg.Length
	curves []Series
	seeds  [][]Series   // [curve][seed]: the lines of single seeds, with SeedsBand only
	labels []curveLabel // from the top down
	burnIn float64      // end of burn-in on the horizontal axis; 0 if it is not drawn
	x      string       // title of the horizontal axis
	step   float64      // smallest distance between ticks of the horizontal axis
	y      []string     // titles of the vertical axis, the longest first; the first that fits is drawn
	log    [2]bool      // reports whether the horizontal and the vertical axis are logarithmic
	inside bool         // reports whether the legend is inside the plot
}

// A curveLabel is the entry of a curve in the legend.
type curveLabel struct {
	look      Look
	end       float64 // last value of the curve
	policy    string  // label of the policy
	name, num string  // name of the policy and the number in end, as shown
}

// newRegretPanel returns the panel of a set. If the horizontal axis shows gradient steps, it leaves out the policies
// that do none, and returns their names.
func newRegretPanel(set *results.Set, o *Options, styles map[string]Look) (*regretPanel, []string, error) {
	points := 500 // more would not be visible
	if o.Band == compare.BootstrapTBand {
		points = 100 // bootstrap intervals take long to compute
	}
	all, err := compare.Curves(set, compare.CurveOptions{Metric: o.Metric, View: o.View, Band: o.Band, From: o.From, To: o.To, Points: points, Log: o.LogX})
	if err != nil {
		return nil, nil, err
	}
	f := &regretPanel{font: vg.Length(o.FontSize), log: [2]bool{o.LogX, o.LogY}, y: yLabels(o), step: 1}
	if o.X == figure.Seconds {
		f.step = 0 // ticks may be at fractions of a second
	}
	protocol := set.Conditions.Protocol
	var without []string
	for _, c := range all {
		axis, err := newXAxis(set, o.X, c.Policy)
		if errors.Is(err, errNoSteps) {
			without = append(without, words.Plain(name(o, c.Policy)))
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("plot: %s in %s: %w", words.Plain(c.Policy), o.X, err)
		}
		f.x = axis.label
		s := Series{Look: styles[c.Policy]}
		for k, e := range c.Regret {
			if o.Metric.NonNegative {
				e.Low = max(e.Low, 0)
			}
			s.Add(axis.at(c.Rounds[k]), e.Mean, e.Low, e.High)
		}
		f.curves = append(f.curves, s)
		seeds := lists.Each(c.BySeed, func(v []float64) Series { return Series{Look: s.Look, X: s.X, Mid: v} })
		f.seeds = append(f.seeds, seeds)
		f.labels = append(f.labels, curveLabel{s.Look, c.End().Mean, c.Policy, words.Shorten(words.Plain(name(o, c.Policy)), 400), words.Amount(c.End().Mean)})
		// If the axis shows steps or seconds, burn-in ends at a different place for each policy, and is not drawn.
		if end := protocol.AfterBurnIn() - 1; protocol.BurnIn > 0 && end >= o.From && end < min(protocol.Rounds, o.To) && (o.X == figure.Rounds || o.X == figure.Pulls) {
			f.burnIn = axis.at(end)
		}
	}
	if len(f.curves) == 0 {
		return nil, nil, errors.New("plot: no policy does gradient steps, so that there is no axis of them: choose rounds, pulls or seconds")
	}
	if o.XLabel != "" {
		f.x = words.Plain(o.XLabel)
	}
	slices.SortStableFunc(f.labels, func(a, b curveLabel) int { return cmp.Compare(b.end, a.end) })
	return f, without, nil
}

func yLabels(o *Options) []string {
	if o.YLabel != "" {
		return []string{words.Plain(o.YLabel)}
	}
	since := ""
	if o.From > 1 && o.View != compare.Window {
		since = " since round " + words.Int(o.From)
	}
	metric := o.Metric.String()
	what, short := "Cumulative "+metric+" regret", strings.ToUpper(metric[:1])+metric[1:]+" regret"
	if o.View != compare.Cumulative {
		what, short = "Mean "+metric+" regret of a round", short+" of a round"
	}
	if o.View == compare.Window {
		what += " in a window"
	} else if o.View == compare.Rate && since == "" {
		what += " so far"
	}
	list := []string{what + since + " (units of reward)", what + since, short + since, "Regret" + since}
	if since != "" {
		list = append(list, "Since"+strings.TrimPrefix(since, " since"))
	}
	return append(list, "Regret")
}

// draw draws the plot with its axes on c, and returns the plot and the part of c between the axes.
func (f *regretPanel) draw(c draw.Canvas) (*plot.Plot, draw.Canvas) {
	if f.burnIn > 0 {
		c.Max.Y -= 1.2 * f.font // room for nameBurnIn
	}
	p := f.plot(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)
	// gonum misplaces the titles of logarithmic axes, so these are drawn here.
	x, y := p.X.Label.Text, p.Y.Label.Text
	if f.log[0] {
		p.X.Label.Text = ""
		c.Min.Y += 1.6 * f.font
	}
	if f.log[1] {
		p.Y.Label.Text = ""
		c.Min.X += 1.6 * f.font
	}
	p.Draw(c)
	data := p.DataCanvas(c)
	if f.burnIn > 0 {
		f.nameBurnIn(c, data, place(data, p)(f.burnIn, p.Y.Min).X)
	}
	style := p.X.Label.TextStyle
	style.XAlign, style.YAlign = text.XCenter, text.YBottom
	if f.log[0] {
		c.FillText(style, vg.Point{X: data.Center().X, Y: c.Min.Y - 1.2*f.font}, x)
	}
	if f.log[1] {
		style.Rotation = math.Pi / 2
		c.FillText(style, vg.Point{X: c.Min.X - 0.6*f.font, Y: data.Center().Y}, y)
	}
	return p, data
}

func (f *regretPanel) plot(w, h vg.Length) *plot.Plot {
	p := plot.New()
	styleAxes(p, f.font)
	f.scale(p)
	p.X.Label.Text = f.x
	for _, p.Y.Label.Text = range f.y {
		if textWidth(p.Y.Label.TextStyle, p.Y.Label.Text) <= h-4*f.font {
			break
		}
	}
	if !f.log[0] {
		p.X.Tick.Marker = ticks{n: f.count(w, 7), minStep: f.step}
	}
	if !f.log[1] {
		p.Y.Tick.Marker = ticks{n: f.count(h, 3)}
	}
	p.Add(plotter(grid), plotter(f.drawData))
	return p
}

// count returns the number of ticks, 2 to 7, on an axis of length l. A tick needs room for the given number of letters.
func (f *regretPanel) count(l vg.Length, letters float64) int {
	return min(max(int(float64(l)/(letters*float64(f.font))), 2), 7)
}

// scale sets the ranges of the axes so that all curves fit. A linear vertical axis includes zero.
func (f *regretPanel) scale(p *plot.Plot) {
	xs, ys := newRange(), newRange()
	low, high := 0.0, 0.0
	p.X.Min, p.X.Max = math.Inf(1), math.Inf(-1)
	for i, s := range f.curves {
		for k, x := range s.X {
			p.X.Min, p.X.Max = min(p.X.Min, x), max(p.X.Max, x)
			xs.add(x)
			if !f.log[0] || x > 0 {
				ys.add(s.Mid[k])
				ys.add(s.High[k])
			}
		}
		all := slices.Concat(s.Mid, s.Low, s.High)
		for _, seed := range f.seeds[i] {
			all = append(all, seed.Mid...)
			for _, v := range seed.Mid {
				ys.add(v)
			}
		}
		for _, v := range all {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	room := (high - low) / 40
	if low < 0 {
		low -= room
	}
	p.Y.Min, p.Y.Max = low, high+room
	if room == 0 { // no regret
		p.Y.Max = 1
	}
	if f.log[0] {
		xs.logAxis(&p.X, 1)
	} else if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = p.X.Min-0.5, p.X.Max+0.5
	}
	if f.log[1] {
		ys.logAxis(&p.Y, 1.15)
	}
}

// drawData draws bands, then the lines of single seeds, then the end of burn-in, then curves, then a legend inside.
func (f *regretPanel) drawData(c draw.Canvas, p *plot.Plot) {
	drawBands(c, p, f.curves)
	for _, seeds := range f.seeds {
		for _, s := range seeds {
			style := s.Look.line()
			style.Width, style.Dashes, style.Color = 0.5, nil, faint(s.Look)
			drawLine(c, p, s, style)
		}
	}
	if f.burnIn > 0 {
		x := place(c, p)(f.burnIn, p.Y.Min).X
		c.StrokeLine2(draw.LineStyle{Color: faded, Width: 0.5, Dashes: []vg.Length{1.5, 1.5}}, x, c.Min.Y, x, c.Max.Y)
	}
	drawLines(c, p, f.curves)
	if f.inside {
		f.drawInside(c, p)
	}
}

// nameBurnIn writes a text above the plot, at x, where burn-in ends. Inside the plot, curves could cross the text.
func (f *regretPanel) nameBurnIn(c, data draw.Canvas, x vg.Length) {
	const name = "burn-in ends"
	style := textStyle(0.85*f.font, faded)
	if x+textWidth(style, name) > c.Max.X {
		style.XAlign = text.XRight
	}
	c.FillText(style, vg.Point{X: x, Y: data.Max.Y + 0.2*f.font}, name)
}
