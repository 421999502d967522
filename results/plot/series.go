package plot

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Series has points, with an interval of Low to High each unless these are empty.
type Series struct {
	Look              Look
	X, Mid, Low, High []float64
}

// Add appends a point with an interval.
func (s *Series) Add(x, mid, low, high float64) {
	s.X, s.Mid, s.Low, s.High = append(s.X, x), append(s.Mid, mid), append(s.Low, low), append(s.High, high)
}

// place returns a function from data to the canvas; values beyond the axes are moved onto them.
func place(c draw.Canvas, p *plot.Plot) func(x, y float64) vg.Point {
	tx, ty := p.Transforms(&c)
	return func(x, y float64) vg.Point {
		return vg.Point{X: tx(max(x, p.X.Min)), Y: ty(min(max(y, p.Y.Min), p.Y.Max))}
	}
}

// onAxis reports whether an axis has a place for v: a logarithmic one has none for what is not above zero.
func onAxis(a *plot.Axis, v float64) bool {
	_, log := a.Scale.(plot.LogScale)
	return !log || v > 0
}

// drawBands draws the intervals of curves.
func drawBands(c draw.Canvas, p *plot.Plot, curves []Series) {
	at := place(c, p)
	for _, s := range curves {
		var band []vg.Point
		for i, high := range s.High {
			if onAxis(&p.X, s.X[i]) && onAxis(&p.Y, high) {
				band = append(band, at(s.X[i], high))
			}
		}
		for i := len(s.Low) - 1; i >= 0; i-- {
			if onAxis(&p.X, s.X[i]) && onAxis(&p.Y, s.High[i]) {
				band = append(band, at(s.X[i], s.Low[i]))
			}
		}
		if len(band) > 2 {
			c.FillPolygon(bandColor(s.Look, len(curves)), band)
		}
	}
}

// drawLines draws the lines of curves, in pieces where a logarithmic axis has no place for a point.
func drawLines(c draw.Canvas, p *plot.Plot, curves []Series) {
	for _, s := range curves {
		drawLine(c, p, s, s.Look.line())
	}
}

func drawLine(c draw.Canvas, p *plot.Plot, s Series, style draw.LineStyle) {
	at := place(c, p)
	var line []vg.Point
	for i, x := range s.X {
		if onAxis(&p.X, x) && onAxis(&p.Y, s.Mid[i]) {
			line = append(line, at(x, s.Mid[i]))
			continue
		}
		c.StrokeLines(style, line)
		line = nil
	}
	c.StrokeLines(style, line)
}
