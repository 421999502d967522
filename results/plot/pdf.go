package plot

import (
	"image/color"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// A pdfCanvas works around two defects of vgpdf: it reads strings as text in code page 1252 and has no other characters, and
// the components of transparent colors as not multiplied by their opacity.
type pdfCanvas struct {
	*vgpdf.Canvas
	used map[int]bool // glyphs of the embedded font
}

var _ vg.Canvas = (*pdfCanvas)(nil)

func newPDFCanvas(w, h vg.Length) *pdfCanvas { return &pdfCanvas{vgpdf.New(w, h), make(map[int]bool)} }

// FillString implements vg.Canvas. Characters that the code page lacks are drawn as outlines.
func (c *pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	for s != "" {
		n, outline := len(s), false
		for i, r := range s {
			if _, ok := cp1252(r); i == 0 {
				outline = !ok
			} else if ok == outline {
				n = i
				break
			}
		}
		run := s[:n]
		if outline {
			c.fillOutlines(f, at, run)
		} else {
			encoded := make([]byte, 0, n)
			var buffer sfnt.Buffer
			for _, r := range run {
				b, _ := cp1252(r)
				encoded = append(encoded, b)
				if glyph, err := f.Face.GlyphIndex(&buffer, charmap.Windows1252.DecodeByte(b)); err == nil {
					c.used[int(glyph)] = true
				}
			}
			c.Canvas.FillString(f, at, string(encoded))
		}
		at.X += f.Width(run)
		s = s[n:]
	}
}

// fillOutlines draws the outlines of characters; one that the font lacks has that of the font for those.
func (c *pdfCanvas) fillOutlines(f font.Face, at vg.Point, s string) {
	var b sfnt.Buffer
	units := f.Face.UnitsPerEm()
	point := func(p fixed.Point26_6) vg.Point { // the library's y grows downwards
		scale := f.Font.Size / vg.Length(units)
		return at.Add(vg.Point{X: scale * vg.Length(p.X) / 64, Y: -scale * vg.Length(p.Y) / 64})
	}
	for _, r := range s {
		glyph, err := f.Face.GlyphIndex(&b, r)
		if err != nil {
			continue // a damaged font, and this one is embedded
		}
		segments, err := f.Face.LoadGlyph(&b, glyph, fixed.I(int(units)), nil)
		if err != nil {
			continue
		}
		var path vg.Path
		for i, segment := range segments {
			to := segment.Args
			switch segment.Op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					path.Close()
				}
				path.Move(point(to[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(point(to[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(to[0]), point(to[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(to[0]), point(to[1]), point(to[2]))
			}
		}
		if len(path) > 0 {
			path.Close()
			c.Fill(path)
		}
		at.X += f.Width(string(r))
	}
}

// SetColor implements vg.Canvas.
func (c *pdfCanvas) SetColor(clr color.Color) {
	n := color.NRGBAModel.Convert(clr).(color.NRGBA)
	c.Canvas.SetColor(straight(n))
}

// A straight color does not multiply its components by its opacity.
type straight color.NRGBA

// RGBA implements color.Color.
func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// cp1252 encodes a character in code page 1252, the minus sign as a dash, and reports whether it has it.
func cp1252(r rune) (byte, bool) {
	if r == '−' {
		r = '–'
	}
	return charmap.Windows1252.EncodeRune(r)
}
