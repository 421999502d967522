package plot

import (
	"image/color"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// A pdfCanvas works around two defects of vgpdf: it reads strings as text in code page 1252, and
// the components of transparent colors as not multiplied by their opacity.
type pdfCanvas struct {
	*vgpdf.Canvas
}

var _ vg.Canvas = (*pdfCanvas)(nil)

func newPDFCanvas(w, h vg.Length) *pdfCanvas { return &pdfCanvas{vgpdf.New(w, h)} }

// FillString implements vg.Canvas.
func (c *pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	c.Canvas.FillString(f, at, cp1252(s))
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

// cp1252 encodes s in code page 1252, with a dash for the minus sign and a question mark for other
// characters that it lacks.
func cp1252(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range strings.ReplaceAll(s, "−", "–") {
		c, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c = '?'
		}
		b = append(b, c)
	}
	return string(b)
}
