package plot

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"banditsim/results"
	"banditsim/results/internal/resultstest"
)

// A PDF has the outlines of the glyphs that it uses alone, and its table has the places of all objects.
func TestPDFSubset(t *testing.T) {
	o := DefaultOptions()
	o.Title = "Größe ± 1"
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := Regret(path, []*results.Set{resultstest.Trials(t, []string{"a", "b", "c"}, 2, 30, nil)}, o); err != nil {
		t.Fatal(err)
	}
	b := resultstest.ReadFile(t, path)
	if len(b) > 60_000 {
		t.Errorf("%d bytes, want at most 60,000", len(b))
	}
	places := regexp.MustCompile(`(?m)^(\d{10}) 00000 n`).FindAllSubmatch(b[bytes.LastIndex(b, []byte("\nxref\n")):], -1)
	if len(places) < 5 {
		t.Fatalf("%d objects", len(places))
	}
	for i, m := range places {
		at, _ := strconv.Atoi(string(m[1]))
		if want := fmt.Appendf(nil, "%d 0 obj", i+1); !bytes.HasPrefix(b[at:], want) {
			t.Errorf("at %d: %q, want %q", at, b[at:at+10], want)
		}
	}
	start, _ := strconv.Atoi(string(pdfStart.FindSubmatch(b)[1]))
	if !bytes.HasPrefix(b[start:], []byte("xref\n")) {
		t.Errorf("startxref leads to %q", b[start:start+8])
	}
	if n := bytes.Count(b, []byte("/FIGURE+")); n != 2 {
		t.Errorf("%d names of a subset, want those of a font and its descriptor", n)
	}
	m := pdfFont.FindSubmatchIndex(b)
	if m == nil {
		t.Fatal("no font")
	}
	length, _ := strconv.Atoi(string(b[m[2]:m[3]]))
	if !bytes.HasPrefix(b[m[1]+length:], []byte("\nendstream")) {
		t.Errorf("after the font: %q", b[m[1]+length:][:12])
	}
	z, err := zlib.NewReader(bytes.NewReader(b[m[1] : m[1]+length]))
	if err != nil {
		t.Fatal(err)
	}
	subset, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if sum := fontSum(append(subset, make([]byte, -len(subset)&3)...)); sum != 0xb1b0afba {
		t.Errorf("the font sums to %x", sum)
	}
	font, err := sfnt.Parse(subset)
	if err != nil {
		t.Fatal(err)
	}
	var buffer sfnt.Buffer
	for r, used := range map[rune]bool{'a': true, 'R': true, '0': true, 'ö': true, '±': true, 'Q': false, 'z': false, 'Ж': false} {
		glyph, err := font.GlyphIndex(&buffer, r)
		if err != nil || glyph == 0 {
			t.Fatalf("%c: glyph %d, %v", r, glyph, err)
		}
		outline, err := font.LoadGlyph(&buffer, glyph, fixed.I(1000), nil)
		if err != nil || len(outline) > 0 != used {
			t.Errorf("%c: %d segments, %v; used %v", r, len(outline), err, used)
		}
	}
}

// Fonts that are cut off are an error.
func TestSubsetOfDamagedFonts(t *testing.T) {
	for _, font := range [][]byte{nil, []byte("OTTO and more than twelve"), {0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0}} {
		if _, err := subsetFont(font, nil); err == nil {
			t.Errorf("%q: no error", font)
		}
	}
}
