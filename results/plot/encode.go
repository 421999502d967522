package plot

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
	"banditsim/results"
	"banditsim/results/compare"
)

// PlotOptions say what Plot draws.
type Options struct {
	Metric *compare.Metric // Expected or Realised
	From   int             // the first round that counts, from 1
}

// maxPoints bounds the points of a curve: more are not seen.
const maxPoints = 500

// Plot draws cumulative regret by round, a curve a policy, to path, whose ending says
// the form: .svg, .png or .pdf. The same set gives the same bytes.
func Regret(path string, set *results.Set, o Options) error {
	encode, err := encoder(path)
	if err != nil {
		return err
	}
	curves, err := compare.Curves(set, o.Metric, o.From, maxPoints)
	if err != nil {
		return err
	}
	return writeFigure(path, newRegretFigure(set, curves, o), encode)
}

func writeFigure(path string, f Figure, encode func(Figure) ([]byte, error)) error {
	b, err := encode(f)
	if err != nil {
		return fmt.Errorf("plot %s: %w", path, err)
	}
	return wholefile.Write(path, b)
}

// WriteSVG writes a figure to path.
func WriteSVG(path string, f Figure) error { return writeFigure(path, f, encodeSVG) }

// CheckPlotPath returns an error unless Plot can write files with path's ending.
func CheckPath(path string) error {
	_, err := encoder(path)
	return err
}

func encoder(path string) (func(Figure) ([]byte, error), error) {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".svg":
		return encodeSVG, nil
	case ".png":
		return encodePNG, nil
	case ".pdf":
		return encodePDF, nil
	default:
		return nil, fmt.Errorf("plot %s: unknown ending %q, want .svg, .png or .pdf", path, ending)
	}
}

func encodeSVG(f Figure) ([]byte, error) {
	w, h := f.size()
	c := vgsvg.New(w, h)
	f.draw(draw.New(c))
	b, err := encoded(c)
	// The library writes PNGs and calls them JPEGs.
	b = bytes.ReplaceAll(b, []byte("data:image/jpg;base64,"), []byte("data:image/png;base64,"))
	// Where the font is not installed, take one of the same widths.
	return bytes.ReplaceAll(b, []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;")), err
}

func encodePNG(f Figure) ([]byte, error) {
	w, h := f.size()
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))
	f.draw(draw.New(c))
	return encoded(vgimg.PngCanvas{Canvas: c})
}

// pdfDate is when a PDF says that it was made and changed.
var pdfDate = regexp.MustCompile(`\(D:\d{14}\)`)

func encodePDF(f Figure) ([]byte, error) {
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
