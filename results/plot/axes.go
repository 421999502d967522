package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// axes returns a plot without curves whose axes hold them all.
func axes(curves []compare.Curve, setting results.Conditions, o Options) *plot.Plot {
	p := plot.New()
	first := curves[0].Rounds
	p.X.Min, p.X.Max = float64(first[0]), float64(first[len(first)-1])
	low, high := 0.0, 0.0
	for _, c := range curves {
		for _, e := range c.Regret {
			low, high = min(low, e.Mean), max(high, e.Mean)
			if e.HasInterval() {
				low, high = min(low, floor(o.Metric, e.Low)), max(high, e.High)
			}
		}
	}
	room := (high - low) / 40
	if low < 0 {
		low -= room
	}
	p.Y.Min, p.Y.Max = low, high+room
	if room == 0 { // no regret at all
		p.Y.Max = 1
	}
	p.X.Label.Text = "Round of " + words.Count(setting.Protocol.Pulls, "pull")
	p.Y.Label.Text = "Cumulative " + o.Metric.Name + " regret (units of reward)"
	styleAxes(p)
	p.X.Tick.Marker = ticks{n: 7, least: 1} // there is no half round
	p.Y.Tick.Marker = ticks{n: 7}
	return p
}

// styleAxes gives the axes the look that all plots share.
func styleAxes(p *plot.Plot) {
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.LineStyle = draw.LineStyle{Color: faded, Width: 0.75}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = 4
		a.Tick.Label.Color, a.Tick.Label.Font = faded, letters(9, faded).Font
		a.Label.TextStyle.Color, a.Label.TextStyle.Font = ink, letters(10, ink).Font
		a.Label.Padding = 4
	}
}

// floor returns the lower end of an interval, at least zero if regret cannot be negative.
func floor(m *compare.Metric, low float64) float64 {
	if m.NonNegative {
		return max(low, 0)
	}
	return low
}

// ticks marks round numbers, at most n or so, at least least apart.
type ticks struct {
	n     int
	least float64
}

// Ticks implements plot.Ticker.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	step := NiceStep(max((high-low)/float64(t.n), t.least))
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var marks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high; i++ {
		v := i*step + 0 // + 0 makes −0 zero
		marks = append(marks, plot.Tick{Value: v, Label: words.Group(strconv.FormatFloat(v, 'f', digits, 64))})
	}
	return marks
}

// niceStep is 1, 2 or 5 times a power of ten, at least step.
func NiceStep(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= step {
			return m * power
		}
	}
	return 10 * power
}

// grid is of horizontal lines at the ticks with numbers.
type grid struct{}

// Plot implements plot.Plotter.
func (grid) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if t.IsMinor() {
			continue
		}
		style := draw.LineStyle{Color: rule, Width: 0.5}
		if t.Value == 0 {
			style.Color = faded // regret can be negative
		}
		c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
	}
}

// Plot implements plot.Plotter: bands first, then the end of burn-in, then the curves.
func (f *regretFigure) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for i, curve := range f.curves {
		if !curve.End().HasInterval() {
			continue
		}
		var band []vg.Point
		for k, e := range curve.Regret {
			band = append(band, vg.Point{X: tx(float64(curve.Rounds[k])), Y: ty(e.High)})
		}
		for k := len(curve.Regret) - 1; k >= 0; k-- {
			band = append(band, vg.Point{X: tx(float64(curve.Rounds[k])), Y: ty(floor(f.metric, curve.Regret[k].Low))})
		}
		c.FillPolygon(bandColor(i, len(f.curves)), band)
	}
	if f.burnIn > 0 {
		f.drawBurnIn(c, tx(float64(f.burnIn)), ty(0))
	}
	for i, curve := range f.curves {
		var line []vg.Point
		for k, e := range curve.Regret {
			line = append(line, vg.Point{X: tx(float64(curve.Rounds[k])), Y: ty(e.Mean)})
		}
		c.StrokeLines(lineStyle(i), line)
	}
}

// drawBurnIn draws a thin line and its name on the line of zero, where curves that rise
// from there leave room.
func (f *regretFigure) drawBurnIn(c draw.Canvas, x, zero vg.Length) {
	c.StrokeLine2(draw.LineStyle{Color: faded, Width: 0.5, Dashes: []vg.Length{1.5, 1.5}}, x, c.Min.Y, x, c.Max.Y)
	style := letters(8.5, faded)
	at := vg.Point{X: x + 4, Y: zero + 5}
	if x > c.Center().X { // the room is on the left or, near the start, on the right
		style.XAlign = text.XRight
		at.X = x - 4
	}
	c.FillText(style, at, "burn-in ends")
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
