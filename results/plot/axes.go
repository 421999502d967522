package plot

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

// styleAxes sets the style of the axes of a plot with labels of a size.
func styleAxes(p *plot.Plot, size vg.Length) {
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.LineStyle = draw.LineStyle{Color: faded, Width: 0.75}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = 4
		a.Tick.Label.Color, a.Tick.Label.Font = faded, letters(0.9*size, faded).Font
		a.Label.TextStyle.Color, a.Label.TextStyle.Font = ink, letters(size, ink).Font
		a.Label.Padding = 4
	}
}

// ticks marks about n round numbers, at least least apart.
type ticks struct {
	n     int
	least float64
}

// Ticks implements plot.Ticker.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	step := words.NiceStep(max((high-low)/float64(t.n), t.least))
	var marks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high; i++ {
		v := i*step + 0 // + 0 makes −0 zero
		marks = append(marks, plot.Tick{Value: v, Label: words.Tick(v, step)})
	}
	return marks
}

// A plotter draws on the canvas of a plot's data.
type plotter func(c draw.Canvas, p *plot.Plot)

// Plot implements plot.Plotter.
func (f plotter) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// grid draws horizontal lines at the ticks with numbers.
func grid(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if t.IsMinor() {
			continue
		}
		style := draw.LineStyle{Color: rule, Width: 0.5}
		if t.Value == 0 {
			style.Color = faded // values can be negative
		}
		c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
	}
}

// logTicks marks powers of ten, at most 8 with a number, and 2 and 5 times or 3 times them if there are few;
// other multiples get a tick without a number.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	labeled := map[int]bool{1: true}
	if decades := math.Log10(high / low); decades < 1.5 {
		labeled[2], labeled[5] = true, true
	} else if decades < 2.5 {
		labeled[3] = true
	}
	every := math.Ceil(math.Log10(high/low) / 8)
	var marks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if labeled[m] && math.Mod(e, max(every, 1)) == 0 {
				t.Label = words.Tick(v, v)
			}
			marks = append(marks, t)
		}
	}
	return marks
}

// A valueRange is a range of positive numbers.
type valueRange struct{ low, high float64 }

func newRange() valueRange { return valueRange{math.Inf(1), 0} }

func (r *valueRange) add(v float64) {
	if v > 0 && words.Finite(v) {
		r.low, r.high = min(r.low, v), max(r.high, v)
	}
}

// logAxis makes an axis logarithmic, from low/room to high·room, or from 0.1 to 10 if there are no
// numbers.
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
