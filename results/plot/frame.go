// Package plot draws regret by round as SVG, PNG, PDF or text for a terminal. It also draws panels, estimates with
// intervals, and heat maps for other packages. It is the only package that uses gonum/plot.
package plot

import (
	"fmt"
	"image/color"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditsim/internal/words"
)

// A Figure can be written to a file.
type Figure interface {
	// size returns the size of the canvas that draw needs.
	size() (w, h vg.Length)
	draw(draw.Canvas)
}

// margin is the margin of figures without a prescribed width, in points.
const margin = 16

// A frame is a white page with a title, a second line below it, and captions at the bottom. Empty parts take no room.
type frame struct {
	title, second string
	captions      []string
	font          vg.Length // size of labels
	margin        vg.Length
}

func newFrame(title, second string, captions []string) frame {
	return frame{title: title, second: second, captions: captions, font: 10, margin: margin}
}

func (f frame) titleStyle() text.Style   { return textStyle(1.5*f.font, ink) }
func (f frame) secondStyle() text.Style  { return textStyle(f.font, faded) }
func (f frame) captionStyle() text.Style { return textStyle(0.85*f.font, faded) }

func (f frame) captionLine() vg.Length { return 1.2 * f.font }

// text breaks title, second and captions into lines for a page of width w. above and below are the heights that they
// take above and below the body.
func (f frame) text(w vg.Length) (title, second, captions []string, above, below vg.Length) {
	w -= 2 * f.margin
	if f.title != "" {
		title = wrap(f.titleStyle(), f.title, w)
		above = 4.8*f.font + 1.8*f.font*vg.Length(len(title)-1)
	} else if f.second != "" {
		above = 2.4 * f.font
	}
	if f.second != "" {
		second = wrap(f.secondStyle(), f.second, w)
		above += 1.3 * f.font * vg.Length(len(second)-1)
	}
	for _, c := range f.captions {
		captions = append(captions, wrap(f.captionStyle(), c, w)...)
	}
	if len(captions) > 0 {
		below = f.captionLine()*vg.Length(len(captions)) + f.font
	}
	return title, second, captions, above, below
}

func (f frame) height(w vg.Length) vg.Length {
	_, _, _, above, below := f.text(w)
	return above + below + 2*f.margin
}

// draw draws f and returns the canvas within the margins, page, and its part between second line and captions, body.
func (f frame) draw(c draw.Canvas) (page, body draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	title, second, captions, above, below := f.text(c.Max.X - c.Min.X)
	c = draw.Crop(c, f.margin, -f.margin, f.margin, -f.margin)
	y := c.Max.Y + 0.1*f.font
	for i, line := range title {
		if y -= 1.6 * f.font; i > 0 {
			y -= 0.2 * f.font
		}
		c.FillText(f.titleStyle(), vg.Point{X: c.Min.X, Y: y}, line)
	}
	for i, line := range second {
		if y -= 1.6 * f.font; i > 0 {
			y += 0.3 * f.font
		}
		c.FillText(f.secondStyle(), vg.Point{X: c.Min.X, Y: y}, line)
	}
	for i, line := range captions {
		c.FillText(f.captionStyle(), vg.Point{X: c.Min.X, Y: c.Min.Y + f.captionLine()*vg.Length(len(captions)-1-i)}, line)
	}
	return c, draw.Crop(c, 0, 0, below, -above)
}

// wrap breaks s into lines no wider than width: between words, and within a word that is wider than a line.
func wrap(style text.Style, s string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if longer := strings.TrimSpace(line + " " + word); textWidth(style, longer) <= width {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = ""
		for _, r := range word {
			if line != "" && textWidth(style, line+string(r)) > width {
				lines = append(lines, line)
				line = ""
			}
			line += string(r)
		}
	}
	return append(lines, line)
}

// shorten returns s cut in the middle to a width, with an ellipsis.
func shorten(style text.Style, s string, width vg.Length) string {
	short := s
	for n := utf8.RuneCountInString(s) - 1; n > 0 && textWidth(style, short) > width; n-- {
		short = words.CutMiddle(s, n)
	}
	return short
}

// tile divides a canvas into rows × columns equal parts with gaps, and returns part i, row by row from the top left.
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
