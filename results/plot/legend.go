package plot

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lengths in points.
const (
	leader = 22 // distance from a curve's end to its label
	swatch = 24 // length of the sample line beside a name
	nudge  = 6  // distance from a sample line to the name
)

// legendStyle has the sizes of a legend.
type legendStyle struct {
	font vg.Length
	room vg.Length // largest width of a name; longer names are shortened
}

func (l legendStyle) step() vg.Length { return 1.6 * l.font }

func (l legendStyle) fit(name string) string {
	return shorten(textStyle(l.font, ink), name, l.room)
}

func (l legendStyle) widths(labels []curveLabel) (name, num vg.Length) {
	style := textStyle(l.font, ink)
	for _, c := range labels {
		name, num = max(name, textWidth(style, l.fit(c.name))), max(num, textWidth(style, c.num))
	}
	return name, num
}

// entry draws a sample line from (x, y) to the right, and a name after it.
func (l legendStyle) entry(c draw.Canvas, label curveLabel, x, y vg.Length) {
	c.StrokeLine2(label.look.line(), x, y, x+swatch, y)
	c.FillText(textStyle(l.font, ink), vg.Point{X: x + (swatch + nudge), Y: y - 0.33*l.font}, l.fit(label.name))
}

func (l legendStyle) column(c draw.Canvas, labels []curveLabel, x, y vg.Length) {
	for i, label := range labels {
		l.entry(c, label, x, y-l.step()*(vg.Length(i)+0.5))
	}
}

// columns returns the number, at least 1, and the width of the columns of a legend in an area of width w.
func (l legendStyle) columns(labels []curveLabel, w vg.Length) (n int, width vg.Length) {
	name, _ := l.widths(labels)
	width = swatch + nudge + name + 2*nudge
	return min(max(int(w/width), 1), max(len(labels), 1)), width
}

func (l legendStyle) below(c draw.Canvas, labels []curveLabel) {
	columns, width := l.columns(labels, c.Max.X-c.Min.X)
	left := c.Min.X + max(0, (c.Max.X-c.Min.X-vg.Length(columns)*width)/2)
	for i, label := range labels {
		l.entry(c, label, left+width*vg.Length(i%columns), c.Max.Y-l.step()*(vg.Length(i/columns)+0.5))
	}
}

// ends draws each curve's label to the right of the plot, as near to the height of the curve's end as the other labels
// allow, and a thin line from the end to the label.
func (l legendStyle) ends(c, data draw.Canvas, p *plot.Plot, labels []curveLabel) {
	at := make([]vg.Length, len(labels))
	place := place(data, p)
	for i, label := range labels {
		end := label.end
		if !onAxis(&p.Y, end) {
			end = p.Y.Min
		}
		at[i] = place(p.X.Max, end).Y
	}
	placed := spread(at, l.step(), data.Min.Y, data.Max.Y)
	name, _ := l.widths(labels)
	value, num := textStyle(l.font, faded), vg.Length(0) // num is the width of the widest number
	for _, label := range labels {
		num = max(num, value.Width(label.num))
	}
	for i, label := range labels {
		x, y := data.Max.X, placed[i]
		c.StrokeLine2(draw.LineStyle{Color: label.look.color(), Width: 0.5}, x+2, at[i], x+leader-3, y)
		x += leader
		l.entry(c, label, x, y)
		c.FillText(value, vg.Point{X: x + swatch + nudge + name + 2*nudge + num - value.Width(label.num), Y: y - 0.33*l.font}, label.num)
	}
}

// drawInside draws the legend into the corner of the plot where it hides the fewest points of curves.
func (f *regretPanel) drawInside(c draw.Canvas, p *plot.Plot) {
	l := legendStyle{f.font, (c.Max.X - c.Min.X) / 2}
	name, _ := l.widths(f.labels)
	const gap = 4
	w, h := swatch+nudge+name+2*gap, l.step()*vg.Length(len(f.labels))+gap
	at := place(c, p)
	var best vg.Rectangle
	fewest := -1
	for corner := range 4 { // the first is the top left, where rising curves leave room
		low := vg.Point{X: c.Min.X + gap, Y: c.Max.Y - gap - h}
		if corner%2 == 1 {
			low.X = c.Max.X - gap - w
		}
		if corner/2 == 1 {
			low.Y = c.Min.Y + gap
		}
		r := draw.Canvas{Rectangle: vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: w, Y: h})}}
		hits := 0
		for _, s := range f.curves {
			for i, x := range s.X {
				if onAxis(&p.X, x) && onAxis(&p.Y, s.Mid[i]) && r.Contains(at(x, s.Mid[i])) {
					hits++
				}
			}
		}
		if fewest < 0 || hits < fewest {
			best, fewest = r.Rectangle, hits
		}
	}
	c.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xd8})
	c.Fill(best.Path())
	l.column(c, f.labels, best.Min.X+gap, best.Max.Y-gap/2)
}

// spread moves the positions of labels, sorted from high to low, so that neighbors are at least step apart and, if
// there is room, all are between low and high. It minimizes the sum of the squared moves.
func spread(at []vg.Length, step, low, high vg.Length) []vg.Length {
	// A block is a row of n labels that are step apart. For each of them there is a position of the block's first label at
	// which that label would not be moved; sum is the sum of these n positions.
	type block struct {
		sum vg.Length
		n   int
	}
	first := func(b block) vg.Length { // position of the first label
		return max(min(b.sum/vg.Length(b.n), high), low+step*vg.Length(b.n-1))
	}
	var blocks []block
	for _, y := range at {
		b := block{y, 1}
		for len(blocks) > 0 {
			above := blocks[len(blocks)-1]
			if first(above)-step*vg.Length(above.n) >= first(b) {
				break
			}
			// The first label of the merged block is above.n steps higher than that of b. Each position in b.sum grows by this.
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
