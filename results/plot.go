package results

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"banditsim/internal/wholefile"
)

// PlotOptions say what Plot draws.
type PlotOptions struct {
	Metric Metric // Expected or Realised
	From   int    // the first round that counts, from 1
}

// maxPoints bounds the points of a curve: more are not seen.
const maxPoints = 500

// Plot draws cumulative regret by round, a curve a policy, to path, whose ending says
// the form: .svg, .png or .pdf. The same set gives the same bytes.
func Plot(path string, set *Set, o PlotOptions) error {
	encode, err := encoder(path)
	if err != nil {
		return err
	}
	curves, err := Curves(set, o.Metric, o.From, maxPoints)
	if err != nil {
		return err
	}
	return writeDrawing(path, newFigure(set, curves, o), encode)
}

func writeDrawing(path string, d drawing, encode func(drawing) ([]byte, error)) error {
	b, err := encode(d)
	if err != nil {
		return fmt.Errorf("results: plot %s: %w", path, err)
	}
	return wholefile.Write(path, b)
}

// CheckPlotPath returns an error unless Plot can write files with path's ending.
func CheckPlotPath(path string) error {
	_, err := encoder(path)
	return err
}

func encoder(path string) (func(drawing) ([]byte, error), error) {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".svg":
		return encodeSVG, nil
	case ".png":
		return encodePNG, nil
	case ".pdf":
		return encodePDF, nil
	default:
		return nil, fmt.Errorf("results: plot %s: unknown ending %q, want .svg, .png or .pdf", path, ending)
	}
}

func encodeSVG(f drawing) ([]byte, error) {
	w, h := f.size()
	c := vgsvg.New(w, h)
	f.draw(draw.New(c))
	b, err := encoded(c)
	// The library writes PNGs and calls them JPEGs.
	b = bytes.ReplaceAll(b, []byte("data:image/jpg;base64,"), []byte("data:image/png;base64,"))
	// Where the font is not installed, take one of the same widths.
	return bytes.ReplaceAll(b, []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;")), err
}

func encodePNG(f drawing) ([]byte, error) {
	w, h := f.size()
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))
	f.draw(draw.New(c))
	return encoded(vgimg.PngCanvas{Canvas: c})
}

// pdfDate is when a PDF says that it was made and changed.
var pdfDate = regexp.MustCompile(`\(D:\d{14}\)`)

func encodePDF(f drawing) ([]byte, error) {
	w, h := f.size()
	c := newPDFCanvas(w, h)
	f.draw(draw.NewCanvas(c, w, h))
	b, err := encoded(c)
	// The clock must not show in the bytes. The length stays: the file holds offsets.
	return pdfDate.ReplaceAll(b, []byte("(D:20000101000000)")), err
}

func encoded(c io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	return b.Bytes(), err
}
