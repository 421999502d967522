package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// Options of a figure of regret.
type Options struct {
	Metric *compare.Metric
	From   int // the first round that counts, from 1
}

// maxPoints bounds the points of a curve; more would not be visible.
const maxPoints = 500

// Regret draws the cumulative regret of every policy by round to path, whose ending is .svg, .png or
// .pdf. The same set gives the same bytes.
func Regret(path string, set *results.Set, o Options) error {
	encode, err := encoder(path)
	if err != nil {
		return err
	}
	curves, err := compare.Curves(set, o.Metric, o.From, maxPoints)
	if err != nil {
		return err
	}
	return writeFigure(path, newRegretFigure(set, curves, o), encode)
}

// Lengths in points.
const (
	plotWidth  = 500
	plotHeight = 330 // at least
	leader     = 22  // from a curve's end to its label
	swatch     = 24  // the piece of line in a label
	labelStep  = 16  // from label to label
	maxLabel   = 230
)

// A regretFigure is a plot with a title, labels at the curves' ends and a caption. Nothing is drawn over
// the curves.
type regretFigure struct {
	title, second string // lines
	secondStyle   text.Style
	captions      []string
	curves        []Series
	labels        []curveLabel // from the top down
	nameWidth     vg.Length    // of the widest
	endWidth      vg.Length
	burnIn        int // the round in which burn-in ends, 0 if it is not drawn
	plot          *plot.Plot
}

// A curveLabel stands at the right end of a curve.
type curveLabel struct {
	look      Look
	end       float64
	name, num string
}

var (
	labelStyle = letters(10, ink)
	valueStyle = letters(10, faded)
)

func newRegretFigure(set *results.Set, curves []compare.Curve, o Options) *regretFigure {
	f := &regretFigure{title: fmt.Sprintf("Cumulative %s regret by round", o.Metric), second: set.Conditions.DataName(), secondStyle: dataStyle}
	if o.From > 1 {
		f.title += ", from round " + words.Int(o.From)
	}
	if set.Conditions.Environment.Data.Replica {
		f.secondStyle = letters(10, alert)
	}
	f.captions = captions(set, o)
	p := set.Conditions.Protocol
	// Rounds up to this one have random pulls.
	if end := p.AfterBurnIn() - 1; p.BurnIn > 0 && end >= o.From && end < p.Rounds {
		f.burnIn = end
	}
	for i, c := range curves {
		s := Series{Look: Look{Color: i % len(Palette), Dash: i % len(Dashes)}}
		for k, e := range c.Regret {
			s.X, s.Mid = append(s.X, float64(c.Rounds[k])), append(s.Mid, e.Mean)
			if e.HasInterval() {
				low := e.Low
				if o.Metric.NonNegative {
					low = max(low, 0)
				}
				s.Low, s.High = append(s.Low, low), append(s.High, e.High)
			}
		}
		f.curves = append(f.curves, s)
		l := curveLabel{look: s.Look, end: c.End().Mean, name: words.Shorten(words.Plain(c.Policy), 400), num: words.Amount(c.End().Mean)}
		for labelStyle.Width(l.name) > maxLabel {
			l.name = words.Shorten(l.name, len(strings.TrimSuffix(l.name, "…"))-1)
		}
		f.nameWidth, f.endWidth = max(f.nameWidth, labelStyle.Width(l.name)), max(f.endWidth, valueStyle.Width(l.num))
		f.labels = append(f.labels, l)
	}
	slices.SortStableFunc(f.labels, func(a, b curveLabel) int { return cmp.Compare(b.end, a.end) })
	f.plot = f.axes()
	f.plot.X.Label.Text = "Round of " + words.Count(p.Pulls, "pull")
	f.plot.Y.Label.Text = "Cumulative " + o.Metric.Name + " regret (units of reward)"
	f.plot.Add(grid{}, f)
	return f
}

// axes returns a plot whose axes hold all curves, with zero.
func (f *regretFigure) axes() *plot.Plot {
	p := plot.New()
	x := f.curves[0].X
	p.X.Min, p.X.Max = x[0], x[len(x)-1]
	low, high := 0.0, 0.0
	for _, s := range f.curves {
		for _, v := range slices.Concat(s.Mid, s.Low, s.High) {
			low, high = min(low, v), max(high, v)
		}
	}
	room := (high - low) / 40
	if low < 0 {
		low -= room
	}
	p.Y.Min, p.Y.Max = low, high+room
	if room == 0 { // no regret
		p.Y.Max = 1
	}
	styleAxes(p)
	p.X.Tick.Marker = ticks{n: 7, least: 1}
	p.Y.Tick.Marker = ticks{n: 7}
	return p
}

// captions returns the kind of regret, the seeds, the interval, the protocol and the trials left out.
func captions(set *results.Set, o Options) []string {
	seeds, interval := compare.Totals(set).SeedsText()
	if interval {
		seeds = "Mean over " + seeds + "; bands: 95 % t-interval at each round. "
	} else {
		seeds = strings.ToUpper(seeds[:1]) + seeds[1:] + ": no interval. "
	}
	if o.From > 1 {
		seeds += fmt.Sprintf("Regret before round %s does not count. ", words.Int(o.From))
	}
	protocol := set.Conditions.ProtocolName()
	lines := []string{seeds + o.Metric.About, strings.ToUpper(protocol[:1]) + protocol[1:] + ". Numbers at the right: regret after the last round."}
	if d := set.Conditions.Environment.Data; d.SHA256 != "" {
		lines[1] += fmt.Sprintf(" SHA-256 of the data: %.12s…", d.SHA256)
	}
	return append(lines, leftOut(set)...)
}

// right returns the width of the column of labels.
func (f *regretFigure) right() vg.Length { return leader + swatch + 6 + f.nameWidth + 12 + f.endWidth }

func (f *regretFigure) size() (w, h vg.Length) {
	w = max(margin+plotWidth+f.right()+margin, 640)
	return w, max(plotHeight, vg.Length(len(f.labels)+3)*labelStep) + frameHeight(w, f.captions)
}

func (f *regretFigure) draw(c draw.Canvas) {
	c, body := drawFrame(c, f.title, f.second, f.secondStyle, f.captions)
	area := draw.Crop(body, 0, -f.right(), 0, 0)
	f.plot.Draw(area)
	f.drawLabels(c, f.plot.DataCanvas(area))
}

// Plot implements plot.Plotter: bands first, then the end of burn-in, then the curves.
func (f *regretFigure) Plot(c draw.Canvas, p *plot.Plot) {
	drawBands(c, p, f.curves)
	if f.burnIn > 0 {
		f.drawBurnIn(c, place(c, p)(float64(f.burnIn), 0))
	}
	drawLines(c, p, f.curves)
}

// drawBurnIn draws a thin line at the end of burn-in, and its name at zero, where rising curves leave
// room.
func (f *regretFigure) drawBurnIn(c draw.Canvas, at vg.Point) {
	c.StrokeLine2(draw.LineStyle{Color: faded, Width: 0.5, Dashes: []vg.Length{1.5, 1.5}}, at.X, c.Min.Y, at.X, c.Max.Y)
	style, gap := letters(8.5, faded), vg.Length(4)
	if at.X > c.Center().X { // the room is on the left or, near the start, on the right
		style.XAlign, gap = text.XRight, -gap
	}
	c.FillText(style, at.Add(vg.Point{X: gap, Y: 5}), "burn-in ends")
}

// drawLabels draws each curve's label to the right of the data, as near to the height of its end as
// the other labels allow, and a line that leads to it.
func (f *regretFigure) drawLabels(c, data draw.Canvas) {
	_, ty := f.plot.Transforms(&data)
	at := make([]vg.Length, len(f.labels))
	for i, l := range f.labels {
		at[i] = ty(l.end)
	}
	placed := spread(at, labelStep, data.Min.Y, data.Max.Y)
	for i, l := range f.labels {
		style := l.look.line()
		x, y := data.Max.X, placed[i]
		c.StrokeLine2(draw.LineStyle{Color: style.Color, Width: 0.5}, x+2, at[i], x+leader-3, y)
		x += leader
		c.StrokeLine2(style, x, y, x+swatch, y)
		x += swatch + 6
		baseline := y - 0.33*labelStyle.Font.Size
		c.FillText(labelStyle, vg.Point{X: x, Y: baseline}, l.name)
		c.FillText(valueStyle, vg.Point{X: x + f.nameWidth + 12 + f.endWidth - valueStyle.Width(l.num), Y: baseline}, l.num)
	}
}

// spread moves positions, sorted from high to low, so that neighbors are step apart and, if there is
// room, within low and high. The sum of the squares of the moves is the least possible.
func spread(at []vg.Length, step, low, high vg.Length) []vg.Length {
	// A block is a run of labels without gaps, around the mean of the positions that they want.
	type block struct {
		sum vg.Length // of the positions that its members want for its first
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
