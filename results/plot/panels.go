package plot

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

// Panels is a figure of several panels in rows, with one legend for all.
type Panels struct {
	Title, Subtitle string
	Captions        []string
	Rows            int
	Width, Height   int // width and height of a panel, in points
	Panels          []Panel
	Legend          []LegendEntry
}

// A Panel is a CurvePanel or a BinPanel.
type Panel interface {
	title() string
	plot() *plot.Plot
}

// A LegendEntry is a line of the legend.
type LegendEntry struct {
	Name string
	Look Look
}

const (
	panelGap   = 20
	panelTitle = 24 // height
	legendGap  = 18
)

func (f *Panels) columns() int { return (len(f.Panels) + f.Rows - 1) / f.Rows }

// side returns the width of the legend with the gap before it.
func (f *Panels) side() vg.Length {
	w := vg.Length(0)
	for _, e := range f.Legend {
		w = max(w, wide(labelStyle, e.Name))
	}
	return legendGap + swatch + 6 + w
}

func (f *Panels) size() (w, h vg.Length) {
	w = 2*margin + vg.Length(f.columns()*(f.Width+panelGap)) + f.side()
	return w, vg.Length(f.Rows*f.Height+(f.Rows-1)*panelGap) + newFrame(f.Title, f.Subtitle, f.Captions).height(w)
}

func (f *Panels) draw(c draw.Canvas) {
	_, body := newFrame(f.Title, f.Subtitle, f.Captions).draw(c)
	area := draw.Crop(body, 0, -f.side(), 0, 0)
	for i, p := range f.Panels {
		t := tile(area, i, f.Rows, f.columns(), panelGap)
		style := letters(11, ink)
		t.FillText(style, vg.Point{X: t.Min.X, Y: t.Max.Y - style.Font.Size}, p.title())
		p.plot().Draw(draw.Crop(t, 0, 0, 0, -panelTitle))
	}
	x, y := area.Max.X+legendGap, body.Max.Y-panelTitle-labelStep
	for _, e := range f.Legend {
		body.StrokeLine2(e.Look.line(), x, y, x+swatch, y)
		body.FillText(labelStyle, vg.Point{X: x + swatch + 6, Y: y - 0.33*labelStyle.Font.Size}, e.Name)
		y -= labelStep
	}
}

// A CurvePanel shows curves with bands on logarithmic axes. Points that are not positive are left out,
// and bands are cut off at the axis.
type CurvePanel struct {
	Title  string // what the vertical axis shows
	X      string // what the horizontal axis shows
	Curves []Series
}

func (p CurvePanel) title() string { return p.Title }

func (p CurvePanel) plot() *plot.Plot {
	l := plot.New()
	l.X.Label.Text = p.X
	styleAxes(l, 10)
	xs, ys := newRange(), newRange()
	for _, c := range p.Curves {
		for i, x := range c.X {
			xs.add(x)
			ys.add(c.Mid[i])
			ys.add(c.High[i])
		}
	}
	xs.logAxis(&l.X, 1)
	ys.logAxis(&l.Y, 1.15)
	l.Add(plotter(grid), plotter(p.drawData))
	return l
}

// drawData draws the data: bands first, then curves.
func (p CurvePanel) drawData(c draw.Canvas, l *plot.Plot) {
	drawBands(c, l, p.Curves)
	drawLines(c, l, p.Curves)
}

// A BinPanel shows values by bin, from 1, with intervals.
type BinPanel struct {
	Title   string
	Log     bool // vertical axis
	FromLow bool // the axis holds the lower ends of intervals too
	Marks   []BinMarks
	Lines   []BinLine
}

// BinMarks are points with intervals, or short lines without.
type BinMarks struct {
	Series
	Wide bool // lines
}

// A BinLine lies across the first bins, with a band.
type BinLine struct {
	Mid, Low, High float64
	Bins           int
	Look           Look
}

func (b BinPanel) title() string { return b.Title }

func (b BinPanel) plot() *plot.Plot {
	p := plot.New()
	styleAxes(p, 10)
	p.X.Label.Text = "Energy bin"
	n, ys := 0, newRange()
	for _, m := range b.Marks {
		n = max(n, len(m.Mid))
		for i := range m.Mid {
			ys.add(m.Mid[i])
			ys.add(m.High[i])
			if b.FromLow {
				ys.add(m.Low[i])
			}
		}
	}
	p.X.Min, p.X.Max = 0.5, float64(n)+0.5
	p.X.Tick.Marker = ticks{n: n, least: 1}
	if b.Log {
		ys.logAxis(&p.Y, 1.3)
	} else {
		p.Y.Min, p.Y.Max = 0, 1.05*ys.high
		p.Y.Tick.Marker = ticks{n: 6}
	}
	p.Add(plotter(grid), plotter(b.drawData))
	return p
}

// drawData draws the data.
func (b BinPanel) drawData(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	y := func(v float64) vg.Length { return ty(min(max(v, p.Y.Min), p.Y.Max)) }
	for _, l := range b.Lines {
		left, right := tx(0.5), tx(float64(l.Bins)+0.5)
		if l.Low < l.High {
			c.FillPolygon(bandColor(l.Look, 1), []vg.Point{{X: left, Y: y(l.Low)}, {X: right, Y: y(l.Low)}, {X: right, Y: y(l.High)}, {X: left, Y: y(l.High)}})
		}
		if words.Finite(l.Mid) {
			c.StrokeLine2(l.Look.line(), left, y(l.Mid), right, y(l.Mid))
		}
	}
	for _, m := range b.Marks {
		line := m.Look.line()
		for i, mid := range m.Mid {
			x := tx(m.X[i])
			switch {
			case !words.Finite(mid):
			case m.Wide:
				c.StrokeLine2(line, tx(m.X[i]-0.4), y(mid), tx(m.X[i]+0.4), y(mid))
			default:
				if m.Low[i] < m.High[i] {
					c.StrokeLine2(line, x, y(m.Low[i]), x, y(m.High[i]))
				}
				c.DrawGlyph(draw.GlyphStyle{Color: line.Color, Radius: 2.5, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y(mid)})
			}
		}
	}
}
