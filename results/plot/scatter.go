package plot

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

// A ScatterPanel shows points. Those that are not finite, or not positive on a logarithmic axis, are left out.
type ScatterPanel struct {
	Title string // what the vertical axis shows
	X     string // what the horizontal axis shows
	Log   [2]bool
	Names []string // names of the values 0, 1, … of the horizontal axis, if it is not of numbers
	Low   float64  // ends of the horizontal axis, unless there are names
	High  float64
	Also  []float64 // values that the vertical axis holds too, such as those of another panel
	// Points are drawn as dots, Marked with a ring around them.
	Points, Marked []Series
}

func (s ScatterPanel) title() string { return s.Title }

func (s ScatterPanel) plot() *plot.Plot {
	p := plot.New()
	p.X.Label.Text = s.X
	styleAxes(p, 10)
	ys := newRange()
	low, high := math.Inf(1), math.Inf(-1)
	for _, points := range append([]Series{{Mid: s.Also}}, s.Points...) {
		for _, y := range points.Mid {
			ys.add(y)
			if words.Finite(y) {
				low, high = min(low, y), max(high, y)
			}
		}
	}
	switch {
	case s.Log[1]:
		ys.logAxis(&p.Y, 1.15)
	case low < high:
		room := (high - low) / 20
		p.Y.Min, p.Y.Max = low-room, high+room
		p.Y.Tick.Marker = ticks{n: 6}
	default: // no point, or all at one height
		p.Y.Min, p.Y.Max = min(low, 0), max(high, 1)
		p.Y.Tick.Marker = ticks{n: 6}
	}
	switch room := (s.High - s.Low) / 40; {
	case s.Names != nil:
		var marks []plot.Tick
		for i, name := range s.Names {
			marks = append(marks, plot.Tick{Value: float64(i), Label: words.Shorten(words.Plain(name), 12)})
		}
		p.X.Min, p.X.Max, p.X.Tick.Marker = -0.5, float64(len(s.Names))-0.5, plot.ConstantTicks(marks)
	case s.Log[0]:
		xs := valueRange{s.Low, s.High}
		xs.logAxis(&p.X, math.Pow(s.High/s.Low, 1./40))
	default:
		p.X.Min, p.X.Max = s.Low-room, s.High+room
		p.X.Tick.Marker = ticks{n: 5}
	}
	p.Add(plotter(grid), plotter(s.drawData))
	return p
}

// drawData draws the data.
func (s ScatterPanel) drawData(c draw.Canvas, p *plot.Plot) {
	at := place(c, p)
	glyphs := func(all []Series, radius vg.Length, shape draw.GlyphDrawer) {
		for _, points := range all {
			style := draw.GlyphStyle{Color: points.Look.color(), Radius: radius, Shape: shape}
			for i, x := range points.X {
				if y := points.Mid[i]; words.Finite(y) && onAxis(&p.X, x) && onAxis(&p.Y, y) {
					c.DrawGlyph(style, at(x, y))
				}
			}
		}
	}
	glyphs(s.Points, 2, draw.CircleGlyph{})
	glyphs(s.Marked, 5, draw.RingGlyph{})
}
