package plot

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// Parts of the PDFs that the library writes: an embedded font, the table of the places of objects, and the place of that table.
var (
	pdfFont     = regexp.MustCompile(`<</Length (\d+)\n/Filter /FlateDecode\n/Length1 (\d+)\n>>\nstream\n`)
	pdfFontName = regexp.MustCompile(`/(?:BaseFont|FontName) /`)
	pdfPlaces   = regexp.MustCompile(`(?m)^(\d{10}) 00000 n`)
	pdfStart    = regexp.MustCompile(`startxref\n(\d+)\n`)
)

// subsetFonts replaces the fonts of a PDF of the library by subsets with the glyphs in use.
func subsetFonts(b []byte, used map[int]bool) ([]byte, error) {
	for from := 0; ; {
		m := pdfFont.FindSubmatchIndex(b[from:])
		if m == nil {
			return nameSubset(b), nil
		}
		at, stream := from+m[0], from+m[1]
		length, err := strconv.Atoi(string(b[from+m[2] : from+m[3]]))
		if err != nil || stream+length > len(b) {
			return nil, errors.New("plot: the PDF has a font that ends beyond its end")
		}
		r, err := zlib.NewReader(bytes.NewReader(b[stream : stream+length]))
		if err != nil {
			return nil, fmt.Errorf("plot: font of a PDF: %w", err)
		}
		font, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("plot: font of a PDF: %w", err)
		}
		if font, err = subsetFont(font, used); err != nil {
			return nil, err
		}
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		if _, err := w.Write(font); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		object := fmt.Appendf(nil, "<</Length %d\n/Filter /FlateDecode\n/Length1 %d\n>>\nstream\n", packed.Len(), len(font))
		head := len(object)
		object = append(object, packed.Bytes()...)
		b = splice(b, at, stream+length, object)
		from = at + head + packed.Len()
	}
}

// nameSubset puts before the names of fonts the tag that says that they are subsets.
func nameSubset(b []byte) []byte {
	for from := 0; ; {
		m := pdfFontName.FindIndex(b[from:])
		if m == nil {
			return b
		}
		from += m[1]
		b = splice(b, from, from, []byte("FIGURE+"))
	}
}

// splice replaces a part of a PDF.
func splice(b []byte, from, to int, with []byte) []byte {
	return movePlaces(append(append(append([]byte{}, b[:from]...), with...), b[to:]...), from, len(with)-(to-from))
}

// movePlaces corrects the places in a PDF of what stands behind a part at which its length has changed.
func movePlaces(b []byte, at, by int) []byte {
	start := bytes.LastIndex(b, []byte("\nxref\n"))
	if start < 0 {
		return b
	}
	move := func(digits []byte, format string) []byte {
		n, err := strconv.Atoi(string(digits))
		if err != nil || n <= at {
			return digits
		}
		return fmt.Appendf(nil, format, n+by)
	}
	tail := pdfPlaces.ReplaceAllFunc(b[start:], func(line []byte) []byte {
		return append(move(line[:10], "%010d"), line[10:]...)
	})
	tail = pdfStart.ReplaceAllFunc(tail, func(line []byte) []byte {
		digits := bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("startxref\n")), []byte("\n"))
		return append(append([]byte("startxref\n"), move(digits, "%d")...), '\n')
	})
	return append(b[:start:start], tail...)
}
