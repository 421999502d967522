package plot

import (
	"math"
	"strings"

	"banditsim/results/compare"
)

// A canvas is a grid of characters that are made of dots: two by four in braille, else
// one. A character has the colour of the curve that was there last.
type dots struct {
	width, height   int // in characters
	across, down    int // dots a character
	glyphs          []glyph
	plainCharacters bool
}

// A glyph is a character of a canvas.
type glyph struct {
	dots  byte // of the braille pattern; any, where there is one dot
	mark  byte // a letter that stands on the curve, 0 for none
	curve int
}

func newDots(width, height int, ascii bool) *dots {
	c := &dots{width: width, height: height, across: 2, down: 4, glyphs: make([]glyph, width*height), plainCharacters: ascii}
	if ascii {
		c.across, c.down = 1, 1
	}
	return c
}

// brailleDots are the bits of the pattern, by column and by row from the top (Unicode,
// block U+2800).
var brailleDots = [2][4]byte{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

func (c *dots) dot(curve, x, y int) {
	glyph := &c.glyphs[y/c.down*c.width+x/c.across]
	glyph.dots |= brailleDots[x%c.across][y%c.down]
	glyph.curve = curve
}

// curve draws the means of a curve, without gaps; regret goes from low at the bottom to high.
func (c *dots) curve(i int, curve compare.Curve, low, high float64) {
	first, last := curve.Rounds[0], curve.Rounds[len(curve.Rounds)-1]
	columns, rows := c.width*c.across, c.height*c.down
	height := func(v float64) int {
		return int(math.Round((high - v) / (high - low) * float64(rows-1)))
	}
	k, before := 0, 0
	for x := range columns {
		// The regret at this column's round, between the two nearest points.
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

// marks puts a curve's letter on it, at other places than the others' of n.
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

// line is one line of characters, in the curves' colours.
func (c *dots) line(y int, curves []termCurve) string {
	var b strings.Builder
	for _, glyph := range c.glyphs[y*c.width : (y+1)*c.width] {
		s := " "
		switch {
		case glyph.dots == 0:
		case glyph.mark != 0:
			s = string(glyph.mark)
		case c.plainCharacters:
			s = string(curves[glyph.curve].letter)
		default:
			s = string(rune(0x2800 + int(glyph.dots)))
		}
		if s != " " {
			s = paint(s, curves[glyph.curve].color)
		}
		b.WriteString(s)
	}
	return b.String()
}
