package results

import (
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

// varianceFigure shows θ of both methods by bin, the same relative to the truth, and
// the ratio of the variances.
type varianceFigure struct {
	summary  *VarianceSummary
	captions []string
}

const (
	varianceWidth  = 290 // of a panel
	varianceHeight = 270
)

// The looks of the figure's marks.
var (
	manyLook   = look{0, 0}
	oneLook    = look{1, 0}
	truthLook  = look{6, 0}
	atStepLook = look{5, 0}
	theoryLook = look{2, 1}
	pooledLook = look{3, 0}
	ratioLook  = look{4, 0}
)

func newVarianceFigure(s *VarianceSummary) *varianceFigure {
	o := s.Options
	atStep := ""
	if s.atStepBins() > 0 {
		atStep = fmt.Sprintf("; %s: that of the chain of this step, for bins that have one", s.atStep())
	}
	return &varianceFigure{s, []string{fmt.Sprintf(
		"Mean and two standard deviations over %s at the end of the runs; %s evaluations of the gradient each; ε = %g. Truth: the fixed point θ* at the limit of small steps%s. "+
			"Right: variance of θ of the one chain over that of the interacting ones, with 95 %% bootstrap intervals; pooled: geometric mean of bins 1–%d: "+
			"rarer ones are visited too rarely for a ratio that one can trust.",
		words.Count(o.Repeats, "repeat"), words.Int(o.Steps*o.Chains), o.LearningRate, atStep, PooledBins)}}
}

func (f *varianceFigure) size() (w, h vg.Length) {
	names, _ := f.legend()
	w = 2*margin + 3*(varianceWidth+klGap) + legendGap + legendWidth(names)
	return w, varianceHeight + frameHeight(w, f.captions)
}

func (f *varianceFigure) legend() (names []string, looks []look) {
	many, one := f.summary.names()
	names, looks = []string{"truth"}, []look{truthLook}
	if f.summary.atStepBins() > 0 {
		names, looks = append(names, f.summary.atStep()), append(looks, atStepLook)
	}
	return append(names, many, one, fmt.Sprintf("theory: %.2f", f.summary.Theory), "pooled: "+words.Amount(f.summary.Pooled.Value)),
		append(looks, manyLook, oneLook, theoryLook, pooledLook)
}

func (f *varianceFigure) draw(c draw.Canvas) {
	_, body := drawFrame(c, "Many interacting chains or one long one: the variance of θ",
		"Mixture .4 N(−6, 1) + .6 N(4, 1), ζ = .9 (Deng et al., ICLR 2022)", dataStyle, f.captions)
	names, looks := f.legend()
	side := legendGap + legendWidth(names)
	area := draw.Crop(body, 0, -side, 0, 0)
	for i, p := range []binPanel{f.theta(), f.relative(), f.ratio()} {
		drawTitled(tile(area, i, 1, 3, klGap), p.title, p.plot())
	}
	drawLegend(draw.Crop(body, area.Max.X-body.Min.X+legendGap, 0, 0, -panelTitle), names, looks)
}

// theta is θ by bin, on a logarithmic axis.
func (f *varianceFigure) theta() binPanel {
	p := binPanel{title: "θ by energy bin", log: true}
	truth := binMarks{look: truthLook, wide: true}
	many, one := binMarks{look: manyLook, offset: -0.14}, binMarks{look: oneLook, offset: 0.14}
	for _, b := range f.summary.Bins {
		truth.add(b.Truth, b.Truth, b.Truth)
		many.spread(b.Interacting, 1)
		one.spread(b.Single, 1)
	}
	p.marks = []binMarks{truth, many, one}
	return p
}

// relative is θ/θ*, with that of the finite step.
func (f *varianceFigure) relative() binPanel {
	p := binPanel{title: "θ relative to the truth"}
	atStep := binMarks{look: atStepLook, wide: true}
	many, one := binMarks{look: manyLook, offset: -0.14}, binMarks{look: oneLook, offset: 0.14}
	for _, b := range f.summary.Bins {
		if b.AtStep != nil {
			atStep.add(*b.AtStep/b.Truth, *b.AtStep/b.Truth, *b.AtStep/b.Truth)
		}
		many.spread(b.Interacting, b.Truth)
		one.spread(b.Single, b.Truth)
	}
	p.marks = []binMarks{atStep, many, one}
	p.lines = []binLine{{1, 1, 1, len(f.summary.Bins), truthLook}}
	return p
}

// ratio is that of the variances.
func (f *varianceFigure) ratio() binPanel {
	s := f.summary
	p := binPanel{title: "Variance of the one chain / of the many", log: true, fromLow: true}
	marks := binMarks{look: ratioLook}
	for _, b := range s.Bins {
		marks.add(b.Ratio.Value, b.Ratio.Low, b.Ratio.High)
	}
	p.marks = []binMarks{marks}
	p.lines = []binLine{
		{s.Pooled.Value, s.Pooled.Low, s.Pooled.High, PooledBins, pooledLook},
		{s.Theory, s.Theory, s.Theory, len(s.Bins), theoryLook},
	}
	return p
}

// A binPanel shows values by bin, above 0.
type binPanel struct {
	title   string
	log     bool
	fromLow bool // the lower ends of bars set the axis too
	marks   []binMarks
	lines   []binLine
}

// binMarks are points with bars, one a bin.
type binMarks struct {
	look           look
	offset         float64 // to the right, in bins
	wide           bool    // short lines in place of points
	mid, low, high []float64
}

func (m *binMarks) add(mid, low, high float64) {
	m.mid, m.low, m.high = append(m.mid, mid), append(m.low, low), append(m.high, high)
}

// spread adds a mean and two standard deviations, in a unit.
func (m *binMarks) spread(s Spread, unit float64) {
	m.add(s.Mean/unit, (s.Mean-2*s.SD)/unit, (s.Mean+2*s.SD)/unit)
}

// A binLine lies across the first bins, with a band.
type binLine struct {
	mid, low, high float64
	bins           int
	look           look
}

func (b binPanel) plot() *plot.Plot {
	p := plot.New()
	styleAxes(p)
	p.X.Label.Text = "Energy bin"
	n, ys := 0, newRange()
	for _, m := range b.marks {
		n = max(n, len(m.mid))
		for i := range m.mid {
			ys.add(m.mid[i])
			ys.add(m.high[i])
			if b.fromLow {
				ys.add(m.low[i])
			}
		}
	}
	p.X.Min, p.X.Max = 0.5, float64(n)+0.5
	p.X.Tick.Marker = ticks{n: n, least: 1}
	if b.log {
		ys.logAxis(&p.Y, 1.3)
	} else {
		p.Y.Min, p.Y.Max = 0, 1.05*ys.high
		p.Y.Tick.Marker = ticks{n: 6}
	}
	p.Add(grid{}, b)
	return p
}

// Plot implements plot.Plotter.
func (b binPanel) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	y := func(v float64) vg.Length { return ty(min(max(v, p.Y.Min), p.Y.Max)) }
	for _, l := range b.lines {
		left, right := tx(0.5), tx(float64(l.bins)+0.5)
		if l.low < l.high {
			c.FillPolygon(bandColor(l.look.colour, 1), []vg.Point{{X: left, Y: y(l.low)}, {X: right, Y: y(l.low)}, {X: right, Y: y(l.high)}, {X: left, Y: y(l.high)}})
		}
		if words.Finite(l.mid) {
			c.StrokeLine2(l.look.line(), left, y(l.mid), right, y(l.mid))
		}
	}
	for _, m := range b.marks {
		line := m.look.line()
		for i, mid := range m.mid {
			x := tx(float64(i+1) + m.offset)
			switch {
			case !words.Finite(mid):
			case m.wide:
				c.StrokeLine2(line, tx(float64(i+1)-0.4), y(mid), tx(float64(i+1)+0.4), y(mid))
			default:
				if m.low[i] < m.high[i] {
					c.StrokeLine2(line, x, y(m.low[i]), x, y(m.high[i]))
				}
				c.DrawGlyph(draw.GlyphStyle{Color: line.Color, Radius: 2.5, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y(mid)})
			}
		}
	}
}

// PlotVariance draws the figure of the experiment to dir, variance.svg, and returns its path.
func PlotVariance(dir string, s *VarianceSummary) (string, error) {
	path := filepath.Join(dir, "variance.svg")
	return path, writeDrawing(path, newVarianceFigure(s), encodeSVG)
}
