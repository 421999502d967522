package plot

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// Ranks returns a figure of the mean ranks of policies over environments, each with half of the critical
// difference to both sides: two policies differ if their bars do not overlap (Demšar 2006, figure 1, a row
// for each policy).
func Ranks(a *compare.Across) Figure { return newRankFigure(a) }

type rankFigure struct {
	*compare.Across
	frame
	nameWidth vg.Length
}

const (
	rankRow  = 16 // height of a policy's row
	rankAxis = 22 // height of the axis above the rows
)

func newRankFigure(a *compare.Across) *rankFigure {
	f := &rankFigure{Across: a, frame: newFrame("Mean rank over "+words.Count(len(a.Environments), "environment"), environmentsText(a.Environments), []string{
		fmt.Sprintf("Rank 1 is the lowest mean %s regret in an environment. Friedman's test that all rank alike: %s.", a.Metric, a.Friedman),
	})}
	if words.Finite(float64(a.CriticalDifference)) {
		f.captions = append(f.captions, fmt.Sprintf("Bars: half of Nemenyi's critical difference, %.2f, to both sides. Two policies differ at level %v, all pairs together, if their bars do not overlap.", float64(a.CriticalDifference), stats.Significance))
	}
	for _, p := range a.Policies {
		f.nameWidth = max(f.nameWidth, wide(labelStyle, words.Plain(words.Shorten(p.Policy, 40))))
	}
	return f
}

func (f *rankFigure) size() (w, h vg.Length) {
	w = plotWidth + 2*margin + f.nameWidth
	return w, vg.Length(len(f.Policies)*rankRow+rankAxis) + f.frame.height(w)
}

func (f *rankFigure) draw(c draw.Canvas) {
	_, body := f.frame.draw(c)
	left, right := body.Min.X+f.nameWidth+12, body.Max.X-40
	last := max(float64(len(f.Policies)), 2)
	x := func(rank float64) vg.Length {
		return left + (right-left)*vg.Length((min(max(rank, 1), last)-1)/(last-1))
	}
	top, bottom := body.Max.Y-rankAxis, body.Max.Y-rankAxis-vg.Length(len(f.Policies)*rankRow)
	for i, t := range (ticks{8, 1}).Ticks(0, last) {
		switch {
		case i == 0:
			t.Value, t.Label = 1, "1" // there is no rank 0
		case t.Value == 1:
			continue
		}
		body.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.5}, x(t.Value), bottom, x(t.Value), top)
		body.FillText(valueStyle, vg.Point{X: x(t.Value) - valueStyle.Width(t.Label)/2, Y: top + 4}, t.Label)
	}
	half := float64(f.CriticalDifference) / 2
	for i, p := range f.Policies {
		y := top - vg.Length(i*rankRow) - rankRow/2
		base := y - 0.33*labelStyle.Font.Size
		body.FillText(labelStyle, vg.Point{X: body.Min.X, Y: base}, words.Plain(words.Shorten(p.Policy, 40)))
		if !math.IsNaN(half) {
			body.StrokeLine2(draw.LineStyle{Color: bandColor(Look{}, 1), Width: 8}, x(p.MeanRank-half), y, x(p.MeanRank+half), y)
		}
		body.DrawGlyph(draw.GlyphStyle{Color: rgb(Palette()[0].Figure), Radius: 3, Shape: draw.CircleGlyph{}}, vg.Point{X: x(p.MeanRank), Y: y})
		body.FillText(valueStyle, vg.Point{X: right + 10, Y: base}, strconv.FormatFloat(p.MeanRank, 'f', 2, 64))
	}
}

// environmentsText names the environments, as many as fit a line.
func environmentsText(list []compare.AcrossEnvironment) string {
	text := ""
	for i, e := range list {
		next := words.Plain(e.Label)
		if i > 0 {
			next = text + ", " + next
		}
		if len(next) > 80 {
			return text + fmt.Sprintf(" and %d more", len(list)-i)
		}
		text = next
	}
	return text
}
