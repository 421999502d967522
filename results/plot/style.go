package plot

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bandColor returns the color of bands in a plot of n curves. Many bands are more transparent, so that all are visible.
func bandColor(l Look, n int) color.Color {
	c := l.color()
	c.A = uint8(0x26 * 8 / max(n, 8))
	return c
}

// faint returns the color of marks of single seeds.
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
	labelStyle = textStyle(10, ink)
	valueStyle = textStyle(10, faded)
)

const labelStep = 16 // distance between the baselines of successive labels

// textStyle returns the style of text that is placed by the left end of its baseline.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}

// A Color is a color of curves as 0xRRGGBB: one for figures, and two with more contrast for light and dark HTML pages.
type Color struct{ Figure, Light, Dark uint32 }

// Palette returns seven of the eight colors of Okabe and Ito (2008), which color-blind readers can distinguish. The
// eighth, yellow, is too faint for a line on white.
func Palette() []Color {
	return []Color{
		{0x0072b2, 0x0072b2, 0x5aa9e6}, // blue
		{0xd55e00, 0xd55e00, 0xff8f4d}, // vermilion
		{0x009e73, 0x009e73, 0x33c99a}, // bluish green
		{0xcc79a7, 0xbf6597, 0xe79cc4}, // reddish purple
		{0xe69f00, 0xc48600, 0xf5bd3f}, // orange
		{0x56b4e9, 0x3f9fd8, 0xa5dcff}, // sky blue
		{0x000000, 0x000000, 0xf4f4f4}, // black
	}
}

// Dashes returns the patterns of lines as lengths of strokes and gaps in points, so that curves differ even without
// color. More patterns would be hard to distinguish; with seven colors these make 35 styles.
func Dashes() [][]float64 { return [][]float64{nil, {6, 2}, {2, 1.5}, {8, 2, 2, 2}, {11, 2.5}} }

// A Look is the color and the line pattern of a curve, as indices of Palette and Dashes. Own, if not nil, is a color as
// 0xRRGGBB that replaces the palette's.
type Look struct {
	Color, Dash int
	Own         *uint32
}

func (l Look) color() color.NRGBA {
	if l.Own != nil {
		return rgb(*l.Own)
	}
	return rgb(Palette()[l.Color].Figure)
}

func (l Look) line() draw.LineStyle {
	style := draw.LineStyle{Color: l.color(), Width: 1.5}
	for _, d := range Dashes()[l.Dash] {
		style.Dashes = append(style.Dashes, vg.Length(d))
	}
	return style
}

func rgb(c uint32) color.NRGBA { return color.NRGBA{byte(c >> 16), byte(c >> 8), byte(c), 0xff} }
