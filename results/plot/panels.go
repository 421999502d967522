package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

// Panels is a figure of several panels in rows, with one legend for all or one for each.
type Panels struct {
	Title, Subtitle string
	Captions        []string
	Rows            int
	Width, Height   int // width and height of a panel, in points
	Panels          []Panel
	Legend          []LegendEntry // for all panels; must be empty if a panel has its own
}

// A Panel shows series on the same axes. Dots and rings that are not finite are left out. On a logarithmic axis, points
// of curves at 0 and below are left out, and without Bins such dots and rings too. Bands are cut off at the axes.
type Panel struct {
	Title string  // title of the vertical axis
	X     string  // title of the horizontal axis
	Log   [2]bool // reports for the horizontal and for the vertical axis whether it is logarithmic
	// Low and High are the ends of the horizontal axis. A logarithmic axis has those of the series if both are 0.
	Low, High float64
	// Names, if not nil, has the labels of the values 0, 1, … of a horizontal axis that shows named things.
	Names   []string
	Bins    bool      // reports whether the horizontal axis shows bins, numbered from 1
	FromLow bool      // extends a logarithmic vertical axis to the lower ends of intervals
	Also    []float64 // further values that the vertical axis must include, such as those of another panel

	Across []Across      // lines behind the other series
	Curves []Series      // lines with bands
	Steps  []Series      // short horizontal lines
	Points []Series      // dots with intervals
	Marked []Series      // rings
	Legend []LegendEntry // right of the panel
}

// An Across is a horizontal line with a band over the first Bins bins.
type Across struct {
	Mid, Low, High float64
	Bins           int
	Look           Look
}

// A LegendEntry is a line of the legend.
type LegendEntry struct {
	Name string
	Look Look
}

const (
	panelGap   = 20
	panelTitle = 24 // height of the title of a panel
	legendGap  = 18
)

func (f *Panels) columns() int { return (len(f.Panels) + f.Rows - 1) / f.Rows }

// side returns the width of the common legend, or 0 if panels have their own legends.
func (f *Panels) side() vg.Length {
	if f.own() > 0 {
		return 0
	}
	return legendWidth(f.Legend)
}

// own returns the largest width of the panels' own legends, or 0 if there are none.
func (f *Panels) own() (w vg.Length) {
	for _, p := range f.Panels {
		if len(p.Legend) > 0 {
			w = max(w, legendWidth(p.Legend))
		}
	}
	return w
}

func legendWidth(entries []LegendEntry) vg.Length {
	w := vg.Length(0)
	for _, e := range entries {
		w = max(w, textWidth(labelStyle, e.Name))
	}
	return legendGap + swatch + 6 + w
}

func (f *Panels) size() (w, h vg.Length) {
	w = 2*margin + vg.Length(f.columns())*(vg.Length(f.Width+panelGap)+f.own()) + f.side()
	return w, vg.Length(f.Rows*f.Height+(f.Rows-1)*panelGap) + newFrame(f.Title, f.Subtitle, f.Captions).height(w)
}

func (f *Panels) draw(c draw.Canvas) {
	_, body := newFrame(f.Title, f.Subtitle, f.Captions).draw(c)
	area := draw.Crop(body, 0, -f.side(), 0, 0)
	for i, p := range f.Panels {
		t := tile(area, i, f.Rows, f.columns(), panelGap)
		style := textStyle(11, ink)
		t.FillText(style, vg.Point{X: t.Min.X, Y: t.Max.Y - style.Font.Size}, p.Title)
		p.plot().Draw(draw.Crop(t, 0, -f.own(), 0, -panelTitle))
		drawLegend(t, p.Legend, t.Max.X-f.own())
	}
	drawLegend(body, f.Legend, area.Max.X)
}

// drawLegend draws entries into body, right of a panel that ends at x.
func drawLegend(body draw.Canvas, entries []LegendEntry, x vg.Length) {
	x, y := x+legendGap, body.Max.Y-panelTitle-labelStep
	for _, e := range entries {
		body.StrokeLine2(e.Look.line(), x, y, x+swatch, y)
		body.FillText(labelStyle, vg.Point{X: x + swatch + 6, Y: y - 0.33*labelStyle.Font.Size}, e.Name)
		y -= labelStep
	}
}

func (f *Panel) plot() *plot.Plot {
	p := plot.New()
	p.X.Label.Text = f.X
	styleAxes(p, 10)
	xs, ys := newRange(), newRange()
	low, high := math.Inf(1), math.Inf(-1)
	bins := 0
	for _, s := range slices.Concat(f.Curves, f.Steps, f.Points, []Series{{Mid: f.Also}}) {
		bins = max(bins, len(s.Mid))
		for _, x := range s.X {
			xs.add(x)
		}
		for _, y := range s.Mid {
			ys.add(y)
			if words.Finite(y) {
				low, high = min(low, y), max(high, y)
			}
		}
		for i := range s.High {
			ys.add(s.High[i])
			if f.FromLow {
				ys.add(s.Low[i])
			}
		}
	}
	f.scaleX(&p.X, xs, bins)
	p.Y.Tick.Marker = ticks{n: 6}
	switch {
	case f.Log[1] && f.Bins:
		ys.logAxis(&p.Y, 1.3)
	case f.Log[1]:
		ys.logAxis(&p.Y, 1.15)
	case f.Bins:
		p.Y.Min, p.Y.Max = 0, 1.05*ys.high
	case low < high:
		room := (high - low) / 20
		p.Y.Min, p.Y.Max = low-room, high+room
	default: // no point, or all points at the same height
		p.Y.Min, p.Y.Max = min(low, 0), max(high, 1)
	}
	p.Add(plotter(grid), plotter(f.drawData))
	return p
}

func (f *Panel) scaleX(a *plot.Axis, xs valueRange, bins int) {
	switch room := (f.High - f.Low) / 40; {
	case f.Bins:
		a.Min, a.Max, a.Tick.Marker = 0.5, float64(bins)+0.5, ticks{n: bins, minStep: 1}
	case f.Names != nil:
		var marks []plot.Tick
		for i, name := range f.Names {
			marks = append(marks, plot.Tick{Value: float64(i), Label: words.Shorten(words.Plain(name), 12)})
		}
		a.Min, a.Max, a.Tick.Marker = -0.5, float64(len(f.Names))-0.5, plot.ConstantTicks(marks)
	case f.Log[0] && f.High == 0:
		xs.logAxis(a, 1)
	case f.Log[0]:
		xs = valueRange{f.Low, f.High}
		xs.logAxis(a, math.Pow(f.High/f.Low, 1./40))
	default:
		a.Min, a.Max, a.Tick.Marker = f.Low-room, f.High+room, ticks{n: 5}
	}
}

func (f *Panel) drawData(c draw.Canvas, p *plot.Plot) {
	at := place(c, p)
	for _, l := range f.Across {
		left, right := 0.5, float64(l.Bins)+0.5
		if l.Low < l.High {
			c.FillPolygon(bandColor(l.Look, 1), []vg.Point{at(left, l.Low), at(right, l.Low), at(right, l.High), at(left, l.High)})
		}
		if words.Finite(l.Mid) {
			c.StrokeLines(l.Look.line(), []vg.Point{at(left, l.Mid), at(right, l.Mid)})
		}
	}
	drawBands(c, p, f.Curves)
	drawLines(c, p, f.Curves)
	for _, s := range f.Steps {
		for i, x := range s.X {
			c.StrokeLines(s.Look.line(), []vg.Point{at(x-0.4, s.Mid[i]), at(x+0.4, s.Mid[i])})
		}
	}
	glyphs := func(all []Series, radius vg.Length, shape draw.GlyphDrawer) {
		for _, s := range all {
			for i, x := range s.X {
				y := s.Mid[i]
				if !words.Finite(y) || !f.Bins && !(onAxis(&p.X, x) && onAxis(&p.Y, y)) {
					continue
				}
				if len(s.Low) > 0 && s.Low[i] < s.High[i] {
					c.StrokeLines(s.Look.line(), []vg.Point{at(x, s.Low[i]), at(x, s.High[i])})
				}
				c.DrawGlyph(draw.GlyphStyle{Color: s.Look.color(), Radius: radius, Shape: shape}, at(x, y))
			}
		}
	}
	radius := vg.Length(2)
	if f.Bins {
		radius = 2.5
	}
	glyphs(f.Points, radius, draw.CircleGlyph{})
	glyphs(f.Marked, 5, draw.RingGlyph{})
}
