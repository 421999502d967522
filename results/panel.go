package results

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

// A panel is a plot of curves with bands, one of several in a figure.
type panel struct {
	title  string // what the vertical axis shows
	x      string // what the horizontal axis shows
	curves []panelCurve
}

// A panelCurve has a band of low to high.
type panelCurve struct {
	look              look
	x, mid, low, high []float64
}

// A look is a colour of the palette and a kind of dashes, by their indices.
type look struct{ colour, dash int }

func (l look) line() draw.LineStyle {
	return draw.LineStyle{Color: palette[l.colour], Width: 1.5, Dashes: dashes[l.dash]}
}

// logPlot returns the panel on logarithmic axes, which hold all its curves. Bands are cut off
// where nothing positive is left to show.
func (p panel) logPlot() *plot.Plot {
	l := plot.New()
	l.X.Label.Text = p.x
	styleAxes(l)
	xs, ys := newRange(), newRange()
	for _, c := range p.curves {
		for i, x := range c.x {
			xs.add(x)
			ys.add(c.mid[i])
			ys.add(c.high[i])
		}
	}
	xs.logAxis(&l.X, 1)
	ys.logAxis(&l.Y, 1.15)
	l.Add(grid{}, p)
	return l
}

// A valueRange holds positive numbers.
type valueRange struct{ low, high float64 }

func newRange() valueRange { return valueRange{math.Inf(1), 0} }

func (r *valueRange) add(v float64) {
	if v > 0 && words.Finite(v) {
		r.low, r.high = min(r.low, v), max(r.high, v)
	}
}

// logAxis makes an axis logarithmic and as long as the range, with room at both ends; where there are
// no numbers it is from .1 to 10.
func (r *valueRange) logAxis(a *plot.Axis, room float64) {
	a.Min, a.Max = r.low/room, r.high*room
	switch {
	case r.high == 0:
		a.Min, a.Max = 0.1, 10
	case a.Min == a.Max:
		a.Min, a.Max = a.Min/2, a.Max*2
	}
	a.Scale, a.Tick.Marker = plot.LogScale{}, logTicks{}
}

// Plot implements plot.Plotter: bands first, then curves.
func (p panel) Plot(c draw.Canvas, l *plot.Plot) {
	tx, ty := l.Transforms(&c)
	at := func(x, y float64) vg.Point {
		return vg.Point{X: tx(max(x, l.X.Min)), Y: ty(min(max(y, l.Y.Min), l.Y.Max))}
	}
	for _, curve := range p.curves {
		var band []vg.Point
		for i, x := range curve.x {
			band = append(band, at(x, curve.high[i]))
		}
		for i := len(curve.x) - 1; i >= 0; i-- {
			band = append(band, at(curve.x[i], curve.low[i]))
		}
		if len(band) > 2 {
			c.FillPolygon(bandColor(curve.look.colour, len(p.curves)), band)
		}
	}
	for _, curve := range p.curves {
		var line []vg.Point
		for i, x := range curve.x {
			line = append(line, at(x, curve.mid[i]))
		}
		c.StrokeLines(curve.look.line(), line)
	}
}

// logTicks marks powers of ten, and 2 and 5 times them where there are few; the others get
// a tick without a number.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	labelled := map[int]bool{1: true}
	if decades := math.Log10(high / low); decades < 1.5 {
		labelled[2], labelled[5] = true, true
	} else if decades < 2.5 {
		labelled[3] = true
	}
	var marks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if labelled[m] {
				t.Label = words.AmountTo(v, max(0, -int(e)))
			}
			marks = append(marks, t)
		}
	}
	return marks
}

// panelTitle is the height of a panel's title.
const panelTitle = 24

// drawTitled draws a plot with a title above it.
func drawTitled(c draw.Canvas, title string, p *plot.Plot) {
	style := letters(11, ink)
	c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y - style.Font.Size}, title)
	p.Draw(draw.Crop(c, 0, 0, 0, -panelTitle))
}

// drawLegend lists names under each other from the top of a canvas, with their lines.
func drawLegend(c draw.Canvas, names []string, looks []look) {
	y := c.Max.Y - labelStep
	for i, name := range names {
		c.StrokeLine2(looks[i].line(), c.Min.X, y, c.Min.X+swatch, y)
		c.FillText(labelStyle, vg.Point{X: c.Min.X + swatch + 6, Y: y - 0.33*labelStyle.Font.Size}, name)
		y -= labelStep
	}
}

// legendWidth is what drawLegend needs.
func legendWidth(names []string) (w vg.Length) {
	for _, name := range names {
		w = max(w, labelStyle.Width(name))
	}
	return swatch + 6 + w
}

// tile returns cell i, row by row from the top left, of rows × columns equal parts of
// a canvas, gap apart.
func tile(c draw.Canvas, i, rows, columns int, gap vg.Length) draw.Canvas {
	if i >= rows*columns {
		panic(fmt.Sprintf("results: tile %d of %d×%d", i, rows, columns))
	}
	w := (c.Max.X - c.Min.X - gap*vg.Length(columns-1)) / vg.Length(columns)
	h := (c.Max.Y - c.Min.Y - gap*vg.Length(rows-1)) / vg.Length(rows)
	left, top := (w+gap)*vg.Length(i%columns), (h+gap)*vg.Length(i/columns)
	size := c.Max.Sub(c.Min)
	return draw.Crop(c, left, left+w-size.X, size.Y-top-h, -top)
}
