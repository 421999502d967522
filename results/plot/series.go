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

// drawBands draws the intervals of curves.
func drawBands(c draw.Canvas, p *plot.Plot, curves []Series) {
	at := place(c, p)
	for _, s := range curves {
		var band []vg.Point
		for i, high := range s.High {
			band = append(band, at(s.X[i], high))
		}
		for i := len(s.Low) - 1; i >= 0; i-- {
			band = append(band, at(s.X[i], s.Low[i]))
		}
		if len(band) > 2 {
			c.FillPolygon(bandColor(s.Look.Color, len(curves)), band)
		}
	}
}

// drawLines draws the lines of curves.
func drawLines(c draw.Canvas, p *plot.Plot, curves []Series) {
	at := place(c, p)
	for _, s := range curves {
		var line []vg.Point
		for i, x := range s.X {
			line = append(line, at(x, s.Mid[i]))
		}
		c.StrokeLines(s.Look.line(), line)
	}
}
