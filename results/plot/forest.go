package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// A Forest is a figure of estimates with their intervals: one row per estimate, on a common axis.
type Forest struct {
	Title, Subtitle string
	Captions        []string
	Rows            []ForestRow
	Lines           []ForestLine

	Log bool // makes the axis logarithmic, and leaves out values of zero and below

	ranks int       // in a figure of ranks, the end of the axis, which begins at 1, with intervals as thick bars; else 0
	dot   vg.Length // radius of dots; 0 for 3.5
}

// A ForestRow is one estimate. An interval that is not finite is left out, and Mid is then a cross instead of a dot.
type ForestRow struct {
	Label          string
	Mid, Low, High float64
	Value          string // text at the right
	Look           Look
	Hollow         bool    // draws a hollow dot: no verdict depends on the estimate
	Strong         bool    // draws a thick line: a verdict depends on the interval
	Truth          float64 // true value, drawn as a mark; NaN for none
	Gap            bool    // leaves a gap above the row, which begins a group
	Heading        bool    // draws Label fainter, as the heading of the rows below
	// Marks has single values, such as one per seed, drawn as small dots. If it is not nil, Mid is a short vertical bar.
	Marks []float64
}

// A ForestLine is a value, such as a baseline's, drawn as a vertical line through all rows, with Name below them.
type ForestLine struct {
	Name string
	At   float64
	Look Look
}

const (
	forestRow  = 16
	forestGap  = 8
	forestAxis = 22 // height of the axis above the rows
	forestTick = 40 // smallest distance between two ticks, roughly
)

func (f *Forest) widths() (names, values vg.Length) {
	for _, r := range f.Rows {
		names = max(names, textWidth(labelStyle, words.Plain(r.Label)))
		values = max(values, valueStyle.Width(r.Value))
	}
	return names + 12, values + 10
}

func (f *Forest) height() vg.Length {
	h := forestAxis + f.linesHeight()
	for _, r := range f.Rows {
		if h += forestRow; r.Gap {
			h += forestGap
		}
	}
	return h
}

// linesHeight returns the height of the names of Lines, which are below the rows.
func (f *Forest) linesHeight() (h vg.Length) {
	for _, l := range f.Lines {
		if l.Name != "" {
			h += labelStep
		}
	}
	return h
}

func (f *Forest) size() (w, h vg.Length) {
	names, values := f.widths()
	w = plotWidth + 2*margin + names + values
	return w, f.height() + newFrame(f.Title, f.Subtitle, f.Captions).height(w)
}

func (f *Forest) limits() (low, high float64) {
	if f.ranks > 0 {
		return 1, float64(f.ranks)
	}
	values := lists.Each(f.Lines, func(l ForestLine) float64 { return l.At })
	for _, r := range f.Rows {
		values = append(append(values, r.Mid, r.Low, r.High, r.Truth), r.Marks...)
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if f.shows(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case f.Log && low <= high:
		return low / 1.1, high * 1.1
	case f.Log:
		return 1, 10
	case !(low < 0 || high > 0): // no value, or zeros only
		return 0, 1
	}
	room := max((high-low)*0.04, math.Abs(high)*1e-6)
	return low - room, high + room
}

// shows reports whether the axis has a place for v.
func (f *Forest) shows(v float64) bool { return words.Finite(v) && !(f.Log && v <= 0) }

func (f *Forest) draw(c draw.Canvas) {
	_, body := newFrame(f.Title, f.Subtitle, f.Captions).draw(c)
	names, values := f.widths()
	f.drawRows(body, body.Min.X+names, body.Max.X-values, true)
}

// drawRows draws the rows into body. The axis is at the top of body, from the position left to the position right. If
// labels is set, the names of rows are drawn at the left edge of body.
func (f *Forest) drawRows(body draw.Canvas, left, right vg.Length, labels bool) {
	low, high := f.limits()
	scale, marks := func(v float64) float64 { return v }, ticks{n: min(max(int((right-left)/forestTick), 2), 8), minStep: float64(min(f.ranks, 1))}.Ticks
	if f.Log {
		scale, marks = math.Log, logTicks{}.Ticks
	}
	x := func(v float64) vg.Length {
		return left + (right-left)*vg.Length((scale(min(max(v, low), high))-scale(low))/(scale(high)-scale(low)))
	}
	top := body.Max.Y - forestAxis
	bottom := top - (f.height() - forestAxis - f.linesHeight())
	end := vg.Length(math.Inf(-1)) // right end of the last label
	for _, t := range marks(low, high) {
		half := textWidth(valueStyle, t.Label) / 2
		if t.Label == "" || t.Value < low || t.Value > high || x(t.Value)-half < end {
			continue
		}
		end = x(t.Value) + half + 2
		body.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.5}, x(t.Value), bottom, x(t.Value), top)
		body.FillText(valueStyle, vg.Point{X: x(t.Value) - valueStyle.Width(t.Label)/2, Y: top + 4}, t.Label)
	}
	for i, l := range f.Lines {
		style := l.Look.line()
		style.Width = 1
		body.StrokeLine2(style, x(l.At), bottom, x(l.At), top)
		if l.Name == "" {
			continue
		}
		y := bottom - vg.Length(labelStep*i) - labelStep
		body.StrokeLine2(style, left, y+3, left+swatch, y+3)
		body.FillText(valueStyle, vg.Point{X: left + swatch + 6, Y: y}, l.Name)
	}
	y := top + forestRow/2
	for _, r := range f.Rows {
		if r.Gap {
			y -= forestGap
		}
		y -= forestRow
		base := y - 0.33*labelStyle.Font.Size
		if style := labelStyle; labels {
			if r.Heading {
				style = textStyle(style.Font.Size, faded)
			}
			body.FillText(style, vg.Point{X: body.Min.X, Y: base}, words.Plain(r.Label))
		}
		f.drawEstimate(body, r, x, y)
		if words.Finite(r.Truth) {
			body.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.5}, x(r.Truth), y-5, x(r.Truth), y+5)
		}
		if r.Value != "" {
			body.FillText(valueStyle, vg.Point{X: right + 10, Y: base}, r.Value)
		}
	}
}

func (f *Forest) drawEstimate(body draw.Canvas, r ForestRow, x func(float64) vg.Length, y vg.Length) {
	style, radius := draw.LineStyle{Color: r.Look.color(), Width: 1.5}, cmp.Or(f.dot, 3.5)
	switch {
	case f.ranks > 0:
		style, radius = draw.LineStyle{Color: bandColor(r.Look, 1), Width: 8}, 3
	case r.Strong:
		style.Width = 3
	}
	bounded := words.Finite(r.Low) && words.Finite(r.High)
	if bounded {
		body.StrokeLine2(style, x(r.Low), y, x(r.High), y)
	}
	for _, v := range r.Marks {
		if f.shows(v) {
			body.DrawGlyph(draw.GlyphStyle{Color: faint(r.Look), Radius: 2.5, Shape: draw.CircleGlyph{}}, vg.Point{X: x(v), Y: y})
		}
	}
	if !f.shows(r.Mid) {
		return
	}
	at := vg.Point{X: x(r.Mid), Y: y}
	if r.Marks != nil {
		body.StrokeLine2(draw.LineStyle{Color: ink, Width: 2}, at.X, y-5, at.X, y+5)
		return
	}
	if !bounded && f.ranks == 0 {
		body.DrawGlyph(draw.GlyphStyle{Color: r.Look.color(), Radius: 3, Shape: draw.CrossGlyph{}}, at)
		return
	}
	body.DrawGlyph(draw.GlyphStyle{Color: r.Look.color(), Radius: radius, Shape: draw.CircleGlyph{}}, at)
	if r.Hollow {
		body.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: 2, Shape: draw.CircleGlyph{}}, at)
	}
}

// Forests is a figure of several measures of the same rows side by side. Each Forest has its own axis below its title.
// Only the leftmost have the labels of the rows. A Forest here must have no Value in its rows and no Name in its Lines,
// as there is no room; its Subtitle and Captions are not shown.
type Forests struct {
	Title, Subtitle string
	Captions        []string
	Width           int // width of an axis, in points
	Columns         int // number of axes side by side; 0 for all
	Gap             int // room right of an axis, in points; 0 for 20
	Forests         []Forest
}

const (
	forestTitle = 18 // height
	forestsGap  = 20 // between rows of axes
)

func (f *Forests) size() (w, h vg.Length) {
	names, _ := f.Forests[0].widths()
	columns, row := f.grid()
	w = 2*margin + names + vg.Length(columns*(f.Width+cmp.Or(f.Gap, panelGap)))
	return w, vg.Length((len(f.Forests)+columns-1)/columns)*row - forestsGap + newFrame(f.Title, f.Subtitle, f.Captions).height(w)
}

// grid returns the number of axes in a row and the height of a row with the gap below it.
func (f *Forests) grid() (columns int, height vg.Length) {
	return cmp.Or(f.Columns, len(f.Forests)), f.title() + f.Forests[0].height() + forestsGap
}

// title returns the height of the titles of the axes.
func (f *Forests) title() vg.Length {
	if f.Forests[0].Title == "" {
		return 0
	}
	return forestTitle
}

func (f *Forests) draw(c draw.Canvas) {
	_, body := newFrame(f.Title, f.Subtitle, f.Captions).draw(c)
	names, _ := f.Forests[0].widths()
	columns, row := f.grid()
	for i, forest := range f.Forests {
		left, above := body.Min.X+names+vg.Length(i%columns*(f.Width+cmp.Or(f.Gap, panelGap))), vg.Length(i/columns)*row
		body.FillText(textStyle(11, ink), vg.Point{X: left, Y: body.Max.Y - above - 11}, forest.Title)
		forest.drawRows(draw.Crop(body, 0, 0, 0, -above-f.title()), left, left+vg.Length(f.Width), i%columns == 0)
	}
}

// Ranks returns a figure of the mean ranks of policies over environments (Demšar 2006, figure 1), one row per policy.
// Bars extend by half the critical difference to both sides. Policies whose bars do not overlap differ significantly.
func Ranks(a *compare.Across) Figure {
	f := &Forest{
		Title:    "Mean rank over " + words.Count(len(a.Environments), "environment"),
		Subtitle: environmentsText(a.Environments),
		Captions: []string{fmt.Sprintf("Rank 1 is the lowest mean %s regret in an environment. Friedman's test that all rank alike: %s.", a.Metric, a.Friedman)},
		ranks:    max(len(a.Policies), 2),
	}
	half := float64(a.CriticalDifference) / 2
	if words.Finite(half) {
		f.Captions = append(f.Captions, fmt.Sprintf("Bars: half of Nemenyi's critical difference, %.2f, to both sides. Two policies differ at level %v, all pairs together, if their bars do not overlap.", 2*half, stats.Significance))
	}
	for _, p := range a.Policies {
		f.Rows = append(f.Rows, ForestRow{Label: words.CutMiddle(p.Policy, 40), Mid: p.MeanRank, Low: p.MeanRank - half, High: p.MeanRank + half,
			Value: strconv.FormatFloat(p.MeanRank, 'f', 2, 64), Truth: math.NaN()})
	}
	return f
}

// environmentsText lists as many environment names as fit into 80 bytes, at least one, and the number of the others.
func environmentsText(list []compare.AcrossEnvironment) string {
	text := ""
	for i, e := range list {
		next := words.Plain(e.Label)
		if i > 0 {
			next = text + ", " + next
		}
		if i > 0 && len(next) > 80 {
			return text + fmt.Sprintf(" and %d more", len(list)-i)
		}
		text = next
	}
	return text
}
