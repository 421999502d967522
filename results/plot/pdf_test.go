package plot

import (
	"bytes"
	"path/filepath"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results"
)

// A PDF has the glyphs that it uses alone, and those beyond code page 1252 too, as text.
func TestPDF(t *testing.T) {
	o := DefaultOptions()
	o.Title = "Größe ± 1, ε → 0, \U0001f344"
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := Regret(path, []*results.Set{resultstest.Trials(t, []string{"a", "b", "c"}, 2, 30, nil)}, o); err != nil {
		t.Fatal(err)
	}
	b := resultstest.ReadFile(t, path)
	if len(b) > 60_000 {
		t.Errorf("%d bytes, want at most 60,000", len(b))
	}
	if !bytes.HasPrefix(b, []byte("%PDF-")) || !bytes.HasSuffix(b, []byte("%%EOF\n")) || !bytes.Contains(b, []byte("/ToUnicode")) {
		t.Errorf("no PDF with a map to Unicode: %.20q … %q", b, b[len(b)-20:])
	}
}
