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
	// Path has the points of a line over the map, from (−1, −1) at the lower left to (1, 1); the last one has a dot.
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
	pixels      = 6 // side of a cell in pixels, so that viewers do not blur cells
)

func (f *Heatmaps) rows() int { return (len(f.Maps) + heatColumns - 1) / heatColumns }

func (f *Heatmaps) columns() int { return min(len(f.Maps), heatColumns) }

func (f *Heatmaps) size() (w, h vg.Length) {
	columns := vg.Length(f.columns())
	w = max(2*margin+columns*heatSide+(columns-1)*heatGap+scaleGap+scaleWidth+scaleText, 560)
	return w, f.bodyHeight() + newFrame(f.Title, f.Subtitle, f.Captions).height(w)
}

func (f *Heatmaps) bodyHeight() vg.Length {
	rows := vg.Length(f.rows())
	return rows*(heatName+heatSide+heatBelow) + (rows-1)*heatGap
}

func (f *Heatmaps) draw(c draw.Canvas) {
	_, body := newFrame(f.Title, f.Subtitle, f.Captions).draw(c)
	area := body
	area.Max.X = area.Min.X + vg.Length(f.columns())*heatSide + vg.Length(f.columns()-1)*heatGap
	area.Min.Y = area.Max.Y - f.bodyHeight()
	colors := moreland.Kindlmann()
	colors.SetMin(0)
	colors.SetMax(1)
	centered := valueStyle
	centered.XAlign = text.XCenter
	for i, m := range f.Maps {
		t := tile(area, i, f.rows(), f.columns(), heatGap)
		t.FillText(labelStyle, vg.Point{X: t.Min.X, Y: t.Max.Y - heatName + 6}, m.Name)
		square := vg.Rectangle{Min: vg.Point{X: t.Min.X, Y: t.Max.Y - heatName - heatSide}, Max: vg.Point{X: t.Min.X + heatSide, Y: t.Max.Y - heatName}}
		t.DrawImage(square, f.image(m.Density, colors))
		drawPath(t, square, m.Path)
		t.FillText(centered, vg.Point{X: t.Min.X + heatSide/2, Y: square.Min.Y - 11}, m.Below)
	}
	f.drawScale(draw.Crop(body, area.Max.X-body.Min.X+scaleGap, 0, area.Min.Y-body.Min.Y, 0), colors)
}

func (f *Heatmaps) image(density []float64, colors colormap.ColorMap) image.Image {
	n := int(math.Round(math.Sqrt(float64(len(density)))))
	img := image.NewNRGBA(image.Rect(0, 0, n*pixels, n*pixels))
	for i, d := range density {
		c := colorAt(colors, d/f.Top)
		row, column := n-1-i/n, i%n // an image begins at the top
		for y := range pixels {
			for x := range pixels {
				img.Set(column*pixels+x, row*pixels+y, c)
			}
		}
	}
	return img
}

// drawPath draws a line over a map, and a border around the map, as its edge may be white; nothing for an empty path.
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

// colorAt returns the color at a part of the scale from 0 to 1; above 1, the color of its end.
func colorAt(colors colormap.ColorMap, part float64) color.Color {
	c, err := colors.At(min(part, 1))
	if err != nil { // below 0, or NaN
		return color.White
	}
	return c
}

func (f *Heatmaps) drawScale(c draw.Canvas, colors colormap.ColorMap) {
	const n = 2 * heatSide
	img := image.NewNRGBA(image.Rect(0, 0, 2*scaleWidth, n))
	for i := range n {
		for x := range 2 * scaleWidth {
			img.Set(x, n-1-i, colorAt(colors, (float64(i)+0.5)/n))
		}
	}
	top := c.Max.Y - heatName
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top - heatSide}, Max: vg.Point{X: c.Min.X + scaleWidth, Y: top}}, img)
	for _, t := range (ticks{n: 5}).Ticks(0, f.Top) {
		y := top - heatSide + heatSide*vg.Length(t.Value/f.Top)
		c.StrokeLine2(draw.LineStyle{Color: faded, Width: 0.75}, c.Min.X+scaleWidth, y, c.Min.X+scaleWidth+3, y)
		c.FillText(valueStyle, vg.Point{X: c.Min.X + scaleWidth + 6, Y: y - 3.3}, t.Label)
	}
	c.FillText(valueStyle, vg.Point{X: c.Min.X, Y: top + 6}, cmp.Or(f.Scale, "density"))
}
