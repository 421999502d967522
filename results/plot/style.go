package plot

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Seven of the eight colours of Okabe and Ito (2008), which the colour-blind can tell
// apart; the eighth, yellow, is too faint for a line on white.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x00, 0x00, 0x00, 0xff}, // black
}

// Dashes in points, so that curves differ without their colours too. There are
// as many as are told apart at a glance; with seven colours that makes 35 styles.
var dashes = [][]vg.Length{
	nil,
	{6, 2},
	{2, 1.5},
	{8, 2, 2, 2},
	{11, 2.5},
}

// lineStyle is that of curve i.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i%len(palette)], Width: 1.5, Dashes: dashes[i%len(dashes)]}
}

// bandColor is that of the interval of curve i of n.
func bandColor(i, n int) color.Color {
	c := palette[i%len(palette)]
	c.A = uint8(0x26 * 8 / max(n, 8)) // bands that overlap are all seen, and many stay light
	return c
}

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	faded = color.NRGBA{0x5f, 0x5f, 0x5f, 0xff}
	rule  = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
	alert = color.NRGBA{0xb0, 0x3a, 0x00, 0xff}
)

// letters is a text style, left and baseline aligned.
func letters(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}
