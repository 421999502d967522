package plot

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"banditsim/internal/wholefile"
)

// Write writes a figure to path in the format of its ending: .svg, .png or .pdf. The same figure gives the same bytes.
func Write(path string, f Figure) error {
	encode, err := encoder(path)
	if err != nil {
		return err
	}
	b, err := encode(f)
	if err != nil {
		return fmt.Errorf("plot %s: %w", path, err)
	}
	return wholefile.Write(path, b)
}

// SVG returns a figure as SVG.
func SVG(f Figure) ([]byte, error) { return encodeSVG(f) }

// CheckPath returns an error unless Write can write files with the ending of path.
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
	// The library labels PNGs as JPEGs.
	b = bytes.ReplaceAll(b, []byte("data:image/jpg;base64,"), []byte("data:image/png;base64,"))
	// If the font is not installed, one of the same widths.
	return bytes.ReplaceAll(b, []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;")), err
}

func encodePNG(f Figure) ([]byte, error) {
	w, h := f.size()
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))
	f.draw(draw.New(c))
	return encoded(vgimg.PngCanvas{Canvas: c})
}

func encodePDF(f Figure) ([]byte, error) {
	w, h := f.size()
	c := newPDFCanvas(w, h)
	f.draw(draw.NewCanvas(c, w, h))
	return encoded(c)
}

func encoded(c io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	return b.Bytes(), err
}
