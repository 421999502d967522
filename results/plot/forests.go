package plot

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Forests shows several measures of the same rows side by side, each on an axis of its own below its title. Labels are those of
// the first; values and lines are not shown.
type Forests struct {
	Title, Subtitle string
	Captions        []string
	Width           int // width of an axis, in points
	Forests         []Forest
}

const forestTitle = 18 // height

func (f *Forests) frame() frame { return newFrame(f.Title, f.Subtitle, f.Captions) }

func (f *Forests) size() (w, h vg.Length) {
	names, _ := f.Forests[0].widths()
	w = 2*margin + names + vg.Length(len(f.Forests)*(f.Width+panelGap))
	return w, forestTitle + f.Forests[0].height() + f.frame().height(w)
}

func (f *Forests) draw(c draw.Canvas) {
	_, body := f.frame().draw(c)
	names, _ := f.Forests[0].widths()
	rows := draw.Crop(body, 0, 0, 0, -forestTitle)
	for i, forest := range f.Forests {
		left := body.Min.X + names + vg.Length(i*(f.Width+panelGap))
		body.FillText(letters(11, ink), vg.Point{X: left, Y: body.Max.Y - 11}, forest.Title)
		forest.drawRows(rows, left, left+vg.Length(f.Width), i == 0)
	}
}
