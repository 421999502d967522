package plot

import (
	"math"
	"strings"

	"banditsim/results/compare"
)

// dots is a grid of characters that consist of dots: two by four in braille, or one. A character has the
// color of the last curve in it.
type dots struct {
	width, height int // in characters
	across, down  int // dots of a character
	glyphs        []glyph
	ascii         bool
}

// A glyph is a character of the grid.
type glyph struct {
	dots  byte // dots of the braille pattern; not 0 if there is one dot
	mark  byte // a letter on the curve, 0 for none
	curve int
}

func newDots(width, height int, ascii bool) *dots {
	c := &dots{width: width, height: height, across: 2, down: 4, glyphs: make([]glyph, width*height), ascii: ascii}
	if ascii {
		c.across, c.down = 1, 1
	}
	return c
}

// brailleDots are the bits of a pattern in the Unicode block U+2800, by column and row from the top.
var brailleDots = [2][4]byte{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

func (c *dots) dot(curve, x, y int) {
	glyph := &c.glyphs[y/c.down*c.width+x/c.across]
	glyph.dots |= brailleDots[x%c.across][y%c.down]
	glyph.curve = curve
}

// curve draws the means of curve i without gaps, from low at the bottom to high at the top.
func (c *dots) curve(i int, curve compare.Curve, low, high float64) {
	first, last := curve.Rounds[0], curve.Rounds[len(curve.Rounds)-1]
	columns, rows := c.width*c.across, c.height*c.down
	height := func(v float64) int {
		return int(math.Round((high - v) / (high - low) * float64(rows-1)))
	}
	k, before := 0, 0
	for x := range columns {
		// Interpolate between the two nearest points.
		round := float64(first) + float64(x)/float64(columns-1)*float64(last-first)
		for k+2 < len(curve.Rounds) && float64(curve.Rounds[k+1]) < round {
			k++
		}
		a, b := curve.Rounds[k], curve.Rounds[k+1]
		part := (round - float64(a)) / float64(b-a)
		y := height(curve.Regret[k].Mean*(1-part) + curve.Regret[k+1].Mean*part)
		if x == 0 {
			before = y
		}
		for between := min(y, before); between <= max(y, before); between++ {
			if between != before || y == before {
				c.dot(i, x, between)
			}
		}
		before = y
	}
}

// marksApart is the number of characters between two letters on a curve.
const marksApart = 16

// marks puts the letter of curve i of n on it, at other columns than those of the others.
func (c *dots) marks(i, n int, curve termCurve) {
	for x := (2*i + 1) * marksApart / (2 * n); x < c.width; x += marksApart {
		for y := range c.height {
			if glyph := &c.glyphs[y*c.width+x]; glyph.dots != 0 && glyph.curve == i {
				glyph.mark = curve.letter
				break
			}
		}
	}
}

// line returns line y from the top, in the curves' colors.
func (c *dots) line(y int, curves []termCurve) string {
	var b strings.Builder
	for _, glyph := range c.glyphs[y*c.width : (y+1)*c.width] {
		curve := curves[glyph.curve]
		switch {
		case glyph.dots == 0:
			b.WriteByte(' ')
		case glyph.mark != 0:
			b.WriteString(paint(string(glyph.mark), curve.color))
		case c.ascii:
			b.WriteString(paint(string(curve.letter), curve.color))
		default:
			b.WriteString(paint(string(rune(0x2800+int(glyph.dots))), curve.color))
		}
	}
	return b.String()
}
