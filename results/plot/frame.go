package plot

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure can be written to a file.
type Figure interface {
	// size returns the size of the canvas that draw needs.
	size() (w, h vg.Length)
	draw(draw.Canvas)
}

// Lengths of a frame, in points.
const (
	margin      = 16
	captionLine = 12
	captionGap  = 10 // above the caption
	titleHeight = 48
)

var (
	titleStyle   = letters(15, ink)
	dataStyle    = letters(10, faded)
	captionStyle = letters(8.5, faded)
)

// frameHeight returns the height of the frame of a figure of width w.
func frameHeight(w vg.Length, captions []string) vg.Length {
	return titleHeight + captionGap + captionLine*vg.Length(len(wrapAll(captions, w-2*margin))) + 2*margin
}

// drawFrame draws the white page of a figure, its title with a second line, and the captions below.
// It returns the canvas within the margins, and the free part of it.
func drawFrame(c draw.Canvas, title, second string, secondStyle text.Style, captions []string) (page, body draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	y := c.Max.Y - titleStyle.Font.Size
	c.FillText(titleStyle, vg.Point{X: c.Min.X, Y: y}, title)
	c.FillText(secondStyle, vg.Point{X: c.Min.X, Y: y - 16}, second)
	lines := wrapAll(captions, c.Max.X-c.Min.X)
	for i, line := range lines {
		c.FillText(captionStyle, vg.Point{X: c.Min.X, Y: c.Min.Y + captionLine*vg.Length(len(lines)-1-i)}, line)
	}
	return c, draw.Crop(c, 0, 0, captionLine*vg.Length(len(lines))+captionGap, -titleHeight)
}

// wrapAll returns the lines of captions.
func wrapAll(captions []string, width vg.Length) []string {
	var lines []string
	for _, c := range captions {
		lines = append(lines, wrap(captionStyle, c, width)...)
	}
	return lines
}

// wrap breaks s into lines no wider than width, between words.
func wrap(style text.Style, s string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if longer := strings.TrimSpace(line + " " + word); line == "" || style.Width(longer) <= width {
			line = longer
			continue
		}
		lines = append(lines, line)
		line = word
	}
	return append(lines, line)
}

// tile returns part i, row by row from the top left, of rows × columns equal parts of
// a canvas, gap apart.
func tile(c draw.Canvas, i, rows, columns int, gap vg.Length) draw.Canvas {
	if i >= rows*columns {
		panic(fmt.Sprintf("plot: tile %d of %d×%d", i, rows, columns))
	}
	w := (c.Max.X - c.Min.X - gap*vg.Length(columns-1)) / vg.Length(columns)
	h := (c.Max.Y - c.Min.Y - gap*vg.Length(rows-1)) / vg.Length(rows)
	left, top := (w+gap)*vg.Length(i%columns), (h+gap)*vg.Length(i/columns)
	size := c.Max.Sub(c.Min)
	return draw.Crop(c, left, left+w-size.X, size.Y-top-h, -top)
}
