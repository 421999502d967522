package plot

import (
	"cmp"
	"image"
	"image/color"
	"math"

	colormap "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heatmaps is a figure of square maps of densities, or of other values from 0 up, with a common color scale.
type Heatmaps struct {
	Title, Subtitle string
	Captions        []string
	Top             float64 // density at the end of the color scale; higher densities have the same color
	Scale           string  // title of the color scale; "" for density
	Maps            []Heatmap
}

// A Heatmap has n×n densities, row by row from the lower left.
type Heatmap struct {
	Name, Below string // texts above and below the map
	Density     []float64
	// Path has the points of a line over the map, whose lower left is (−1, −1) and upper right (1, 1). The last has a dot.
	Path [][2]float64
}

const (
	heatSide    = 128 // side of a map
	heatGap     = 14
	heatName    = 18 // height of the name above a map
	heatBelow   = 16
	heatColumns = 5
	scaleGap    = 22
	scaleWidth  = 12
	scaleText   = 36
	pixels      = 6 // side of a cell in pixels; with 1, viewers would blur cells
)

// grid returns the numbers of rows and columns of maps, and the width and height of all maps together.
func (f *Heatmaps) grid() (rows, columns int, w, h vg.Length) {
	rows, columns = (len(f.Maps)+heatColumns-1)/heatColumns, min(len(f.Maps), heatColumns)
	return rows, columns, vg.Length(columns*(heatSide+heatGap) - heatGap), vg.Length(rows*(heatName+heatSide+heatBelow+heatGap) - heatGap)
}

func (f *Heatmaps) size() (w, h vg.Length) {
	_, _, w, h = f.grid()
	w = max(2*margin+w+scaleGap+scaleWidth+scaleText, 560)
	return w, h + newFrame(f.Title, f.Subtitle, f.Captions).height(w)
}

func (f *Heatmaps) draw(c draw.Canvas) {
	_, area := newFrame(f.Title, f.Subtitle, f.Captions).draw(c)
	rows, columns, w, h := f.grid()
	area.Max.X, area.Min.Y = area.Min.X+w, area.Max.Y-h
	colors := moreland.Kindlmann()
	colors.SetMin(0)
	colors.SetMax(1)
	centered := valueStyle
	centered.XAlign = text.XCenter
	for i, m := range f.Maps {
		t := tile(area, i, rows, columns, heatGap)
		t.FillText(labelStyle, vg.Point{X: t.Min.X, Y: t.Max.Y - heatName + 6}, m.Name)
		square := vg.Rectangle{Min: vg.Point{X: t.Min.X, Y: t.Max.Y - heatName - heatSide}, Max: vg.Point{X: t.Min.X + heatSide, Y: t.Max.Y - heatName}}
		n := int(math.Round(math.Sqrt(float64(len(m.Density)))))
		density := func(x, y int) float64 { return m.Density[y/pixels*n+x/pixels] / f.Top }
		t.DrawImage(square, picture(colors, n*pixels, n*pixels, density))
		drawPath(t, square, m.Path)
		t.FillText(centered, vg.Point{X: t.Min.X + heatSide/2, Y: square.Min.Y - 11}, m.Below)
	}
	f.drawScale(area, vg.Point{X: area.Max.X + scaleGap, Y: area.Max.Y - heatName}, colors)
}

// picture returns an image of w×h pixels. The function place returns the place of a pixel on the color scale, from 0 to
// 1, where y is 0 at the bottom. Above 1 the color is that at 1; below 0 and for NaN it is white.
func picture(colors colormap.ColorMap, w, h int, place func(x, y int) float64) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		x, y := i%w, i/w
		c, err := colors.At(min(place(x, y), 1))
		if err != nil {
			c = color.White
		}
		img.Set(x, h-1-y, c) // an image begins at the top
	}
	return img
}

// drawPath draws a line over a map and a border around it, as its edge may be white. An empty path draws neither.
func drawPath(c draw.Canvas, square vg.Rectangle, path [][2]float64) {
	var line []vg.Point
	for _, p := range path {
		line = append(line, vg.Point{
			X: square.Min.X + vg.Length((p[0]+1)/2)*square.Size().X,
			Y: square.Min.Y + vg.Length((p[1]+1)/2)*square.Size().Y,
		})
	}
	if len(line) == 0 {
		return
	}
	c.StrokeLines(draw.LineStyle{Color: faded, Width: 0.5}, []vg.Point{
		square.Min, {X: square.Max.X, Y: square.Min.Y}, square.Max, {X: square.Min.X, Y: square.Max.Y}, square.Min,
	})
	// A light line over a wider dark one is visible on dark and on light parts of the map.
	c.StrokeLines(draw.LineStyle{Color: ink, Width: 2.4}, line)
	c.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: 3.4, Shape: draw.CircleGlyph{}}, line[len(line)-1])
	over := color.NRGBA{R: 0x56, G: 0xe0, B: 0xff, A: 0xff} // not a color of the scale
	c.StrokeLines(draw.LineStyle{Color: over, Width: 1}, line)
	c.DrawGlyph(draw.GlyphStyle{Color: over, Radius: 2.4, Shape: draw.CircleGlyph{}}, line[len(line)-1])
}

// drawScale draws the color scale with the given upper left corner.
func (f *Heatmaps) drawScale(c draw.Canvas, corner vg.Point, colors colormap.ColorMap) {
	const n = 2 * heatSide
	img := picture(colors, 2*scaleWidth, n, func(_, y int) float64 { return (float64(y) + 0.5) / n })
	foot, right := corner.Y-heatSide, corner.X+scaleWidth
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: corner.X, Y: foot}, Max: vg.Point{X: right, Y: corner.Y}}, img)
	for _, t := range (ticks{n: 5}).Ticks(0, f.Top) {
		y := foot + heatSide*vg.Length(t.Value/f.Top)
		c.StrokeLine2(draw.LineStyle{Color: faded, Width: 0.75}, right, y, right+3, y)
		c.FillText(valueStyle, vg.Point{X: right + 6, Y: y - 3.3}, t.Label)
	}
	c.FillText(valueStyle, vg.Point{X: corner.X, Y: corner.Y + 6}, cmp.Or(f.Scale, "density"))
}
