package plot

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"banditsim/internal/lists"
)

// A pdfCanvas draws a figure as PDF. It replaces gonum's vgpdf, which lacks characters beyond code page 1252, embeds
// whole fonts, and draws transparent colors wrongly. Its origin is the lower left, as in vg; fpdf's is the upper left.
type pdfCanvas struct {
	doc    *fpdf.Fpdf
	w, h   vg.Length
	widths []vg.Length     // stack of line widths, for Push and Pop
	fonts  map[string]bool // names of the fonts that were added to doc
	images int             // number of images in doc
	err    error           // error of a font or an image, for WriteTo
}

var _ vg.CanvasWriterTo = (*pdfCanvas)(nil)

func newPDFCanvas(w, h vg.Length) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	// Sorting and fixed dates give the same bytes for the same figure.
	doc.SetCatalogSort(true)
	doc.SetCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.SetModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	c := &pdfCanvas{doc: doc, w: w, h: h, widths: make([]vg.Length, 1), fonts: make(map[string]bool)}
	vg.Initialize(c)
	return c
}

func (c *pdfCanvas) at(p vg.Point) (x, y float64) { return p.X.Points(), (c.h - p.Y).Points() }

func (c *pdfCanvas) Size() (w, h vg.Length) { return c.w, c.h }

func (c *pdfCanvas) SetLineWidth(w vg.Length) {
	c.widths[len(c.widths)-1] = w
	c.doc.SetLineWidth(w.Points())
}

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.doc.SetDashPattern(lists.Each(pattern, vg.Length.Points), offset.Points())
}

func (c *pdfCanvas) SetColor(of color.Color) {
	if of == nil {
		of = color.Black
	}
	n := color.NRGBAModel.Convert(of).(color.NRGBA)
	r, g, b := int(n.R), int(n.G), int(n.B)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	c.doc.SetAlpha(float64(n.A)/255, "Normal")
}

func (c *pdfCanvas) Rotate(radians float64) {
	c.doc.TransformRotate(radians*180/math.Pi, 0, c.h.Points())
}

func (c *pdfCanvas) Translate(by vg.Point) { c.doc.TransformTranslate(by.X.Points(), -by.Y.Points()) }

func (c *pdfCanvas) Scale(x, y float64) { c.doc.TransformScale(100*x, 100*y, 0, c.h.Points()) }

func (c *pdfCanvas) Push() {
	c.widths = append(c.widths, c.widths[len(c.widths)-1])
	c.doc.TransformBegin()
}

func (c *pdfCanvas) Pop() {
	c.widths = c.widths[:len(c.widths)-1]
	c.doc.TransformEnd()
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	if c.widths[len(c.widths)-1] > 0 {
		c.path(p, "D")
	}
}

func (c *pdfCanvas) Fill(p vg.Path) { c.path(p, "F") }

func (c *pdfCanvas) path(path vg.Path, how string) {
	for _, part := range path {
		x, y := c.at(part.Pos)
		switch part.Type {
		case vg.MoveComp:
			c.doc.MoveTo(x, y)
		case vg.LineComp:
			c.doc.LineTo(x, y)
		case vg.ArcComp:
			from, r := part.Start*180/math.Pi, part.Radius.Points()
			c.doc.ArcTo(x, y, r, r, 0, from, from+part.Angle*180/math.Pi)
		case vg.CurveComp: // a Bézier curve with one or two control points
			x0, y0 := c.at(part.Control[0])
			if len(part.Control) == 1 {
				c.doc.CurveTo(x0, y0, x, y)
				continue
			}
			x1, y1 := c.at(part.Control[1])
			c.doc.CurveBezierCubicTo(x0, y0, x1, y1, x, y)
		case vg.CloseComp:
			c.doc.ClosePath()
		}
	}
	c.doc.DrawPath(how)
}

func (c *pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	if !c.fonts[f.Name()] {
		c.fonts[f.Name()] = true
		var b bytes.Buffer
		if _, err := f.Face.WriteSourceTo(nil, &b); err != nil {
			c.err = err
		}
		c.doc.AddUTF8FontFromBytes(f.Name(), "", b.Bytes())
	}
	c.doc.SetFont(f.Name(), "", f.Font.Size.Points())
	x, y := c.at(at)
	c.doc.Text(x, y, strings.Map(func(r rune) rune {
		if r > 0xffff { // neither fpdf nor the font has such characters
			return '\ufffd'
		}
		return r
	}, s))
}

func (c *pdfCanvas) DrawImage(in vg.Rectangle, of image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, of); err != nil {
		c.err = err
		return
	}
	c.images++
	name, options := strconv.Itoa(c.images), fpdf.ImageOptions{ImageType: "png"}
	c.doc.RegisterImageOptionsReader(name, options, &b)
	x, y := c.at(vg.Point{X: in.Min.X, Y: in.Max.Y})
	c.doc.ImageOptions(name, x, y, in.Size().X.Points(), in.Size().Y.Points(), false, options, 0, "")
}

// WriteTo implements io.WriterTo. Nothing can be drawn afterwards.
func (c *pdfCanvas) WriteTo(w io.Writer) (int64, error) {
	if c.err != nil {
		return 0, c.err
	}
	var b bytes.Buffer
	if err := c.doc.Output(&b); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
