package plot

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// bandColor returns the color of the intervals of one of n curves.
func bandColor(l Look, n int) color.Color {
	c := l.color()
	c.A = uint8(0x26 * 8 / max(n, 8)) // all of several overlapping bands are visible, and many stay light
	return c
}

// faint returns the color of a seed's curve.
func faint(l Look) color.Color {
	c := l.color()
	c.A = 0x60
	return c
}

var (
	ink   = rgb(0x222222)
	faded = rgb(0x5f5f5f)
	rule  = rgb(0xe4e4e4)
)

// Styles of labels in figures of panels and maps.
var (
	labelStyle = letters(10, ink)
	valueStyle = letters(10, faded)
)

const labelStep = 16 // from label to label

// letters returns a text style, aligned to the left and to the baseline.
func letters(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}
