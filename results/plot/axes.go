package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

func styleAxes(p *plot.Plot, size vg.Length) {
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.LineStyle = draw.LineStyle{Color: faded, Width: 0.75}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = 4
		a.Tick.Label.Color, a.Tick.Label.Font = faded, textStyle(0.9*size, faded).Font
		a.Label.TextStyle.Color, a.Label.TextStyle.Font = ink, textStyle(size, ink).Font
		a.Label.Padding = 4
	}
}

// ticks places about n ticks at round numbers that are at least minStep apart.
type ticks struct {
	n       int
	minStep float64
}

func (t ticks) Ticks(low, high float64) []plot.Tick {
	step := words.NiceStep(max((high-low)/float64(t.n), t.minStep))
	var marks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high; i++ {
		v := i*step + 0 // + 0 makes −0 zero
		marks = append(marks, plot.Tick{Value: v, Label: words.Tick(v, step)})
	}
	return marks
}

// A plotter is a function that implements plot.Plotter. c is the part of the canvas between the axes.
type plotter func(c draw.Canvas, p *plot.Plot)

func (f plotter) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

func grid(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if t.IsMinor() {
			continue
		}
		style := draw.LineStyle{Color: rule, Width: 0.5}
		if t.Value == 0 {
			style.Color = faded // darker than the other lines, as values below it are negative
		}
		c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
	}
}

// logTicks places ticks at the powers of ten and at their multiples by 2 to 9. At most 9 powers of ten have a label. On
// an axis of fewer than 2.5 decades the multiples by 3 have labels too, or below 1.5 decades those by 2 and 5. Where
// fewer than two labels would result, ticks are at evenly spaced numbers instead.
type logTicks struct{}

func (logTicks) Ticks(low, high float64) []plot.Tick {
	labeled := map[int]bool{1: true}
	if decades := math.Log10(high / low); decades < 1.5 {
		labeled[2], labeled[5] = true, true
	} else if decades < 2.5 {
		labeled[3] = true
	}
	every := math.Ceil(math.Log10(high/low) / 8)
	var marks []plot.Tick
	labels := 0
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if labeled[m] && math.Mod(e, max(every, 1)) == 0 {
				t.Label = words.Tick(v, v)
				labels++
			}
			marks = append(marks, t)
		}
	}
	if labels < 2 {
		return ticks{n: 5}.Ticks(low, high)
	}
	return marks
}

// A valueRange is the range of the positive finite numbers that were added to it.
type valueRange struct{ low, high float64 }

func newRange() valueRange { return valueRange{math.Inf(1), 0} }

func (r *valueRange) add(v float64) {
	if v > 0 && words.Finite(v) {
		r.low, r.high = min(r.low, v), max(r.high, v)
	}
}

// logAxis makes an axis logarithmic, from r.low/room to r.high·room. If both are the same number v, the axis goes from
// v/2 to 2v. If no number was added to r, it goes from 0.1 to 10.
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

// A Series has the points (X, Mid) of a curve, and their intervals from Low to High, which are NaN for a point without
// an interval. Low and High are empty if no point has an interval.
type Series struct {
	Look              Look
	X, Mid, Low, High []float64
}

// Add appends a point with an interval.
func (s *Series) Add(x, mid, low, high float64) {
	s.X, s.Mid, s.Low, s.High = append(s.X, x), append(s.Mid, mid), append(s.Low, low), append(s.High, high)
}

// place returns a function that maps data to points of c. It moves data above, below or left of the plot to its edge.
func place(c draw.Canvas, p *plot.Plot) func(x, y float64) vg.Point {
	tx, ty := p.Transforms(&c)
	return func(x, y float64) vg.Point {
		return vg.Point{X: tx(max(x, p.X.Min)), Y: ty(min(max(y, p.Y.Min), p.Y.Max))}
	}
}

// onAxis reports whether an axis has a place for v: a logarithmic axis has none for v ≤ 0.
func onAxis(a *plot.Axis, v float64) bool {
	_, log := a.Scale.(plot.LogScale)
	return !log || v > 0
}

// drawBands draws the bands of curves with gaps where a point has no interval.
func drawBands(c draw.Canvas, p *plot.Plot, curves []Series) {
	at := place(c, p)
	for _, s := range curves {
		var upper, lower []vg.Point
		fill := func() {
			slices.Reverse(lower)
			if band := append(upper, lower...); len(band) > 2 {
				c.FillPolygon(bandColor(s.Look, len(curves)), band)
			} else if len(s.X) == 1 {
				c.StrokeLines(draw.LineStyle{Color: bandColor(s.Look, len(curves)), Width: 4}, band)
			}
			upper, lower = nil, nil
		}
		for i, high := range s.High {
			if math.IsNaN(high) {
				fill()
			} else if onAxis(&p.X, s.X[i]) && onAxis(&p.Y, high) {
				upper, lower = append(upper, at(s.X[i], high)), append(lower, at(s.X[i], s.Low[i]))
			}
		}
		fill()
	}
}

func drawLines(c draw.Canvas, p *plot.Plot, curves []Series) {
	for _, s := range curves {
		drawLine(c, p, s, s.Look.line())
	}
}

// drawLine draws the line of a curve, interrupted where a logarithmic axis has no place for a point. A point without
// neighbors is a dot, as a line would not show it.
func drawLine(c draw.Canvas, p *plot.Plot, s Series, style draw.LineStyle) {
	at := place(c, p)
	var line []vg.Point
	for i, x := range s.X {
		shown := onAxis(&p.X, x) && onAxis(&p.Y, s.Mid[i])
		if shown {
			line = append(line, at(x, s.Mid[i]))
		}
		if shown && i < len(s.X)-1 {
			continue
		}
		if len(line) == 1 {
			c.DrawGlyph(draw.GlyphStyle{Color: style.Color, Radius: 1.5 * style.Width, Shape: draw.CircleGlyph{}}, line[0])
		}
		c.StrokeLines(style, line)
		line = nil
	}
}
