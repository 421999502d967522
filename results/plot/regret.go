package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Measures in points.
const (
	plotWidth  = 500
	plotHeight = 330 // at least
	leader     = 22  // from a curve's end to its label
	swatch     = 24  // the piece of line in a label
	labelStep  = 16  // from label to label
	maxLabel   = 230
)

// A figure is a plot with its title, its labels at the curves' ends and its caption.
// Nothing lies on the curves but the axes' grid behind them.
type regretFigure struct {
	title    []string
	warning  string // in the title, for stand-in data
	captions []string
	metric   *compare.Metric
	curves   []compare.Curve
	labels   []curveLabel
	burnIn   int // the round in which burn-in ends, 0 if it is not drawn
	plot     *plot.Plot
}

// A curveLabel stands at a curve's right end.
type curveLabel struct {
	curve      int
	name, last string
	nameWidth  vg.Length
	lastWidth  vg.Length
}

var (
	warningStyle = letters(10, alert)
	labelStyle   = letters(10, ink)
	valueStyle   = letters(10, faded)
)

func newRegretFigure(set *results.Set, curves []compare.Curve, o Options) *regretFigure {
	f := &regretFigure{metric: o.Metric, curves: curves}
	title := fmt.Sprintf("Cumulative %s regret by round", o.Metric)
	if o.From > 1 {
		title += ", from round " + words.Int(o.From)
	}
	f.title = []string{title}
	data := set.Conditions.DataName()
	if set.Conditions.Environment.Data.Replica {
		f.warning = data
	} else {
		f.title = append(f.title, data)
	}
	f.captions = captions(set, curves, o)
	p := set.Conditions.Protocol
	// Rounds before this one have pulls at random.
	if end := p.AfterBurnIn() - 1; p.BurnIn > 0 && end >= o.From && end < p.Rounds {
		f.burnIn = end
	}
	for i, c := range curves {
		l := curveLabel{curve: i, name: words.Shorten(words.Plain(c.Policy), 400), last: words.Amount(c.End().Mean)}
		for labelStyle.Width(l.name) > maxLabel {
			l.name = words.Shorten(l.name, len(strings.TrimSuffix(l.name, "…"))-1)
		}
		l.nameWidth, l.lastWidth = labelStyle.Width(l.name), valueStyle.Width(l.last)
		f.labels = append(f.labels, l)
	}
	// From the top down.
	slices.SortStableFunc(f.labels, func(a, b curveLabel) int {
		return cmp.Compare(curves[b.curve].End().Mean, curves[a.curve].End().Mean)
	})
	f.plot = axes(curves, set.Conditions, o)
	f.plot.Add(grid{}, f)
	return f
}

// captions say of what kind the curves are, over which seeds, with which interval and protocol.
func captions(set *results.Set, curves []compare.Curve, o Options) []string {
	s := compare.Summarise(set)
	seeds, interval := s.SeedsText()
	if interval {
		seeds = "Mean over " + seeds + "; bands: 95 % t-interval at each round. "
	} else {
		seeds = strings.ToUpper(seeds[:1]) + seeds[1:] + ": no interval. "
	}
	if o.From > 1 {
		seeds += fmt.Sprintf("Regret before round %s does not count. ", words.Int(o.From))
	}
	lines := []string{
		strings.TrimSpace(seeds + o.Metric.About),
		strings.ToUpper(set.Conditions.ProtocolName()[:1]) + set.Conditions.ProtocolName()[1:] + ". Numbers at the right: regret after the last round.",
	}
	if d := set.Conditions.Environment.Data; d.SHA256 != "" {
		lines[1] += fmt.Sprintf(" SHA-256 of the data: %.12s…", d.SHA256)
	}
	return append(lines, leftOut(set)...)
}

func (f *regretFigure) labelWidth() (name, last vg.Length) {
	for _, l := range f.labels {
		name, last = max(name, l.nameWidth), max(last, l.lastWidth)
	}
	return name, last
}

// right is the width of the column of labels.
func (f *regretFigure) right() vg.Length {
	name, last := f.labelWidth()
	return leader + swatch + 6 + name + 12 + last
}

func (f *regretFigure) size() (w, h vg.Length) {
	w = max(margin+plotWidth+f.right()+margin, 640)
	return w, max(plotHeight, vg.Length(len(f.labels)+3)*labelStep) + frameHeight(w, f.captions)
}

// draw draws the figure on a canvas of its size.
func (f *regretFigure) draw(c draw.Canvas) {
	second, style := f.warning, warningStyle
	if f.warning == "" {
		second, style = f.title[1], dataStyle
	}
	c, body := drawFrame(c, f.title[0], second, style, f.captions)
	area := draw.Crop(body, 0, -f.right(), 0, 0)
	f.plot.Draw(area)
	f.drawLabels(c, f.plot.DataCanvas(area))
}

// drawLabels draws each curve's label to the right of the data, on the height of its end or
// as near as the others let it, and a line that leads to it.
func (f *regretFigure) drawLabels(c, data draw.Canvas) {
	_, ty := f.plot.Transforms(&data)
	at := make([]vg.Length, len(f.labels))
	for i, l := range f.labels {
		at[i] = ty(f.curves[l.curve].End().Mean)
	}
	placed := spread(at, labelStep, data.Min.Y, data.Max.Y)
	for i, l := range f.labels {
		style := lineStyle(l.curve)
		x, y := data.Max.X, placed[i]
		lead := draw.LineStyle{Color: style.Color, Width: 0.5}
		c.StrokeLine2(lead, x+2, at[i], x+leader-3, y)
		x += leader
		c.StrokeLine2(style, x, y, x+swatch, y)
		x += swatch + 6
		baseline := y - 0.33*labelStyle.Font.Size
		c.FillText(labelStyle, vg.Point{X: x, Y: baseline}, l.name)
		name, last := f.labelWidth()
		c.FillText(valueStyle, vg.Point{X: x + name + 12 + last - l.lastWidth, Y: baseline}, l.last)
	}
}

// spread moves positions, sorted from high to low, as little as needed (in the sense
// of squares) for neighbours to be step apart, within low and high as far as there is room.
func spread(at []vg.Length, step, low, high vg.Length) []vg.Length {
	// Groups of labels that touch, each around the mean of what its members want.
	type block struct {
		sum vg.Length // of the wishes for the block's first
		n   int
	}
	first := func(b block) vg.Length {
		top := high
		return max(min(b.sum/vg.Length(b.n), top), low+step*vg.Length(b.n-1))
	}
	var blocks []block
	for _, y := range at {
		b := block{y, 1}
		for len(blocks) > 0 {
			above := blocks[len(blocks)-1]
			if first(above)-step*vg.Length(above.n) >= first(b) {
				break
			}
			// The lower block's first stands above.n steps below the upper's.
			b = block{above.sum + b.sum + step*vg.Length(above.n*b.n), above.n + b.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	var placed []vg.Length
	for _, b := range blocks {
		y := first(b)
		for i := range b.n {
			placed = append(placed, y-step*vg.Length(i))
		}
	}
	return placed
}
