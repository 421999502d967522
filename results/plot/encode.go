package plot

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"banditsim/internal/wholefile"
)

// Write writes a figure in the format of path's ending: .svg, .png or .pdf. The same figure gives the same bytes.
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

// CheckPath returns an error unless path has an ending that Write supports.
func CheckPath(path string) error {
	_, err := encoder(path)
	return err
}

func encoder(path string) (func(Figure) ([]byte, error), error) {
	ending := strings.ToLower(filepath.Ext(path))
	encode := map[string]func(Figure) ([]byte, error){".svg": SVG, ".png": encodePNG, ".pdf": encodePDF}[ending]
	if encode == nil {
		return nil, fmt.Errorf("plot %s: unknown ending %q, want .svg, .png or .pdf", path, ending)
	}
	return encode, nil
}

// SVG returns a figure as SVG.
func SVG(f Figure) ([]byte, error) {
	b, err := encoded(f, vgsvg.New(f.size()))
	// gonum labels PNG images as JPEG.
	b = bytes.ReplaceAll(b, []byte("data:image/jpg;base64,"), []byte("data:image/png;base64,"))
	// Computers without Liberation Sans use the first of the other fonts that they have. Arimo has the same widths.
	return bytes.ReplaceAll(b, []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;")), err
}

func encodePNG(f Figure) ([]byte, error) {
	w, h := f.size()
	return encoded(f, vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))})
}

func encodePDF(f Figure) ([]byte, error) { return encoded(f, newPDFCanvas(f.size())) }

// encoded draws a figure on c and returns what c writes.
func encoded(f Figure, c vg.CanvasWriterTo) ([]byte, error) {
	f.draw(draw.New(c))
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	return b.Bytes(), err
}

// dejaVu has the widths of the characters from the space to ~ in DejaVu Sans, in thousandths of the font size. DejaVu
// Sans is the widest common font that programs use when the fonts named in an SVG are not installed.
var dejaVu = [...]vg.Length{
	318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
	1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
	603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
	500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
	635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
}

// textWidth returns the width of s in the figure's font or in DejaVu Sans, whichever is wider.
func textWidth(style text.Style, s string) vg.Length {
	sum := vg.Length(0)
	for _, r := range s {
		switch {
		case r < ' ':
		case r <= '~':
			sum += dejaVu[r-' ']
		case r == '±' || r == '×' || r == '÷' || r == '−':
			sum += 838
		case r == '–':
			sum += 500
		case r < 0x2000: // a letter of almost any alphabet
			sum += 660
		default: // such as an em dash, an arrow or a Chinese character
			sum += 1000
		}
	}
	return max(style.Width(s), sum/1000*style.Font.Size)
}
