package results

import (
	"fmt"
	"image"
	"image/color"

	colormap "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
	"banditsim/posterior/density"
	"banditsim/posterior/simulation"
)

// A heatFigure shows the truth and the density that each method found, on one
// colour scale.
type heatFigure struct {
	maps     []heatMap
	top      float64 // density at the end of the colour scale
	captions []string
}

// A heatMap is of n×n masses, row-major from the lower left.
type heatMap struct {
	name, below string
	mass        []float64
}

const (
	heatSide    = 128 // of a map
	heatGap     = 14
	heatName    = 18 // above a map
	heatBelow   = 16
	heatColumns = 5
	scaleGap    = 22
	scaleWidth  = 12
	scaleText   = 36
	pixels      = 6 // along a cell's side, so that cells stay sharp
)

func newHeatFigure(r *simulation.LandscapeResult) *heatFigure {
	truth := simulation.LandscapeTruth(simulation.GridSide)
	f := &heatFigure{maps: []heatMap{{"Truth", "", truth}}}
	for _, m := range r.Methods {
		last := m.Runs[0].Points[len(m.Runs[0].Points)-1]
		f.maps = append(f.maps, heatMap{m.Name, "KL " + words.Amount(last.Modes) + " · " + words.Amount(last.Grid), m.Runs[0].Grid})
	}
	highest := 0.0
	for _, p := range truth {
		highest = max(highest, p)
	}
	const cell = 2 * density.LandscapeBox / simulation.GridSide
	f.top = 1.25 * highest / (cell * cell)
	f.captions = []string{fmt.Sprintf("Density per unit area over [−2.5, 2.5]², 50×50 cells, on one scale; higher densities have the colour of its end. "+
		"The first of %s, at its end. Below: KL(truth‖estimate) of the 25 modes and KL(estimate‖truth) of the cells, in nats, of that repeat. "+
		"Samples of the contour methods are weighted by Ψ^ζ.", words.Count(r.Options.Repeats, "repeat"))}
	return f
}

func (f *heatFigure) rows() int { return (len(f.maps) + heatColumns - 1) / heatColumns }

func (f *heatFigure) columns() int { return min(len(f.maps), heatColumns) }

func (f *heatFigure) size() (w, h vg.Length) {
	columns := vg.Length(f.columns())
	w = max(2*margin+columns*heatSide+(columns-1)*heatGap+scaleGap+scaleWidth+scaleText, 560)
	return w, f.bodyHeight() + frameHeight(w, f.captions)
}

func (f *heatFigure) bodyHeight() vg.Length {
	rows := vg.Length(f.rows())
	return rows*(heatName+heatSide+heatBelow) + (rows-1)*heatGap
}

func (f *heatFigure) draw(c draw.Canvas) {
	_, body := drawFrame(c, "The density found by each method", "25 modes in a box (Deng et al., ICLR 2022)", dataStyle, f.captions)
	area := body
	area.Max.X = area.Min.X + vg.Length(f.columns())*heatSide + vg.Length(f.columns()-1)*heatGap
	area.Min.Y = area.Max.Y - f.bodyHeight()
	colours := moreland.Kindlmann()
	colours.SetMin(0)
	colours.SetMax(1)
	centred := valueStyle
	centred.XAlign = text.XCenter
	for i, m := range f.maps {
		t := tile(area, i, f.rows(), f.columns(), heatGap)
		t.FillText(labelStyle, vg.Point{X: t.Min.X, Y: t.Max.Y - heatName + 6}, m.name)
		square := vg.Rectangle{Min: vg.Point{X: t.Min.X, Y: t.Max.Y - heatName - heatSide}, Max: vg.Point{X: t.Min.X + heatSide, Y: t.Max.Y - heatName}}
		t.DrawImage(square, f.image(m.mass, colours))
		t.FillText(centred, vg.Point{X: t.Min.X + heatSide/2, Y: square.Min.Y - 11}, m.below)
	}
	f.drawScale(draw.Crop(body, area.Max.X-body.Min.X+scaleGap, 0, area.Min.Y-body.Min.Y, 0), colours)
}

// image is a map in pixels.
func (f *heatFigure) image(mass []float64, colours colormap.ColorMap) image.Image {
	const n = simulation.GridSide
	const cell = 2 * density.LandscapeBox / n
	img := image.NewNRGBA(image.Rect(0, 0, n*pixels, n*pixels))
	for i, p := range mass {
		c := colourAt(colours, p/(cell*cell)/f.top)
		row, column := n-1-i/n, i%n // an image begins at the top
		for y := range pixels {
			for x := range pixels {
				img.Set(column*pixels+x, row*pixels+y, c)
			}
		}
	}
	return img
}

// colourAt is the colour of a part of the scale; above 1 that of its end.
func colourAt(colours colormap.ColorMap, part float64) color.Color {
	c, err := colours.At(min(part, 1))
	if err != nil { // below 0, or NaN
		return color.White
	}
	return c
}

// drawScale draws the scale beside the first row of maps.
func (f *heatFigure) drawScale(c draw.Canvas, colours colormap.ColorMap) {
	const n = 2 * heatSide
	img := image.NewNRGBA(image.Rect(0, 0, 2*scaleWidth, n))
	for i := range n {
		for x := range 2 * scaleWidth {
			img.Set(x, n-1-i, colourAt(colours, (float64(i)+0.5)/n))
		}
	}
	top := c.Max.Y - heatName
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top - heatSide}, Max: vg.Point{X: c.Min.X + scaleWidth, Y: top}}, img)
	for _, t := range (ticks{n: 5}).Ticks(0, f.top) {
		y := top - heatSide + heatSide*vg.Length(t.Value/f.top)
		c.StrokeLine2(draw.LineStyle{Color: faded, Width: 0.75}, c.Min.X+scaleWidth, y, c.Min.X+scaleWidth+3, y)
		c.FillText(valueStyle, vg.Point{X: c.Min.X + scaleWidth + 6, Y: y - 3.3}, t.Label)
	}
	c.FillText(valueStyle, vg.Point{X: c.Min.X, Y: top + 6}, "density")
}
