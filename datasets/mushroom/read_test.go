package mushroom

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadBadInput(t *testing.T) {
	short := edibleRow[:strings.LastIndexByte(edibleRow, ',')]
	tests := []struct {
		name, input, want string
	}{
		{"empty file", "", "f.data:1:1: no rows: the file is empty"},
		{"blank lines only", "\n\r\n\n", "f.data:1:1: no rows: the file is empty"},
		{"22 fields", edibleRow + "\n" + short + "\n", "f.data:2:44: 22 fields, want 23"},
		{"24 fields", edibleRow + ",g\n", "f.data:1:47: 24 fields, want 23"},
		{"comma at the end", edibleRow + ",\n", "f.data:1:47: 24 fields, want 23"},
		{"one word", "hello", "f.data:1:6: 1 fields, want 23"},
		{"header", "class" + strings.Repeat(",x", 22) + "\n" + edibleRow, `f.data:1:1: class: found "class", want e or p`},
		{"unknown class", "x" + edibleRow[1:], `f.data:1:1: class: found "x", want e or p`},
		{"empty class", edibleRow[1:], `f.data:1:1: class: found "", want e or p`},
		{"unknown letter", edibleRow + "\n" + with(edibleRow, "odor", "q"), `f.data:2:11: odor: found "q", want one of a l c y f m n p s`},
		{"letter of another attribute", with(edibleRow, "cap-shape", "g"), `f.data:1:3: cap-shape: found "g", want one of b c x f k s`},
		{"upper case", with(edibleRow, "habitat", "G"), `f.data:1:45: habitat: found "G"`},
		{"two letters", with(edibleRow, "cap-shape", "xx"), `f.data:1:3: cap-shape: found "xx"`},
		{"empty field", with(edibleRow, "cap-shape", ""), `f.data:1:3: cap-shape: found ""`},
		{"missing elsewhere than in stalk-root", with(edibleRow, "odor", "?"), `f.data:1:11: odor: found "?"`},
		{"NA", with(edibleRow, "odor", "NA"), `f.data:1:11: odor: found "NA"`},
		{"quotes", with(edibleRow, "odor", `"a"`), `f.data:1:11: odor: found "\"a\""`},
		{"blank", with(edibleRow, "odor", " a"), `f.data:1:11: odor: found " a"`},
		{"byte order mark", "\ufeff" + edibleRow, `f.data:1:1: class: found "\ufeffe"`},
		{"NUL", with(edibleRow, "odor", "\x00"), `found "\x00"`},
		{"long field", with(edibleRow, "odor", strings.Repeat("a", 1000)), `found "aaaaaaaaaaaaaaaaaaaa"…, want`},
		{"other separator", strings.ReplaceAll(edibleRow, ",", ";"), "f.data:1:46: 1 fields, want 23"},
		{"old Mac line ends", edibleRow + "\r" + edibleRow, "f.data:1:49: 45 fields, want 23"},
		{"blank line between rows", edibleRow + "\n\n\n" + edibleRow, "f.data:2:1: a blank line between rows"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(t.Context(), strings.NewReader(tt.input), "f.data")
			wantError(t, err, "mushroom: read: ", tt.want)
		})
	}
}

func TestReadGoodInput(t *testing.T) {
	two := edibleRow + "\n" + poisonousRow
	tests := []struct{ name, input string }{
		{"LF", two + "\n"},
		{"no line end at the end", two},
		{"CRLF", strings.ReplaceAll(two, "\n", "\r\n") + "\r\n"},
		{"CR at the end", two + "\r"},
		{"blank lines at the end", two + "\n\n\r\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := Read(t.Context(), strings.NewReader(tt.input), "test")
			if err != nil {
				t.Fatal(err)
			}
			if len(table.Rows) != 2 || table.Edible() != 1 || !table.Rows[0].Edible() || table.Rows[1].Edible() {
				t.Fatalf("rows %v", table.Rows)
			}
			if got := table.Rows[1].Values; got[0] != 'x' || got[4] != 'p' || got[21] != 'u' {
				t.Errorf("second row %q", got)
			}
			if want := fmt.Sprintf("%x", sha256.Sum256([]byte(tt.input))); table.IsUCI() || table.SHA256 != want {
				t.Errorf("SHA-256 %s, want %s; taken for UCI's: %v", table.SHA256, want, table.IsUCI())
			}
		})
	}
}

func TestReadStopsAtMaxSize(t *testing.T) {
	_, err := Read(t.Context(), endless{}, "f.data")
	wantError(t, err, "mushroom: read: f.data: more than 8388608 bytes")
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestReadStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := readerFunc(func(p []byte) (int, error) {
		cancel()
		return copy(p, edibleRow), nil
	})
	if _, err := Read(ctx, r, "f.data"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestReadPassesErrorsOn(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(edibleRow), readerFunc(func([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }))
	if _, err := Read(t.Context(), broken, "f.data"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v, want %v", err, io.ErrUnexpectedEOF)
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, UCIFile)
	if _, err := ReadFile(t.Context(), dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: error %v, want %v", err, os.ErrNotExist)
	}
	if err := os.WriteFile(path, []byte(edibleRow), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, dir} {
		table, err := Open(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Rows) != 1 {
			t.Errorf("%s: %d rows, want 1", p, len(table.Rows))
		}
	}
}

// TestUCI holds the embedded file to the published sum and counts (docs/environments.md).
func TestUCI(t *testing.T) {
	table, err := Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if !table.IsUCI() {
		t.Errorf("SHA-256 %s, want %s", table.SHA256, UCISHA256)
	}
	if len(table.Rows) != 8124 || table.Edible() != 4208 {
		t.Errorf("%d rows, %d edible; want 8124, 4208", len(table.Rows), table.Edible())
	}
	seen := map[Row]bool{}
	for _, r := range table.Rows {
		seen[r] = true
	}
	if len(seen) != len(table.Rows) {
		t.Errorf("%d different rows of %d", len(seen), len(table.Rows))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(edibleRow + "\n" + poisonousRow + "\r\n\n"))
	f.Add([]byte(with(edibleRow, "odor", "q")))
	f.Add([]byte(with(edibleRow, "odor", `"a`) + "\n" + `"` + edibleRow))
	f.Add([]byte("\r\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Read(t.Context(), bytes.NewReader(data), "fuzz")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "mushroom: read: fuzz:") {
				t.Errorf("error %q does not say where", err)
			}
			return
		}
		if len(table.Rows) == 0 {
			t.Fatal("no rows")
		}
		for i, row := range table.Rows {
			if row.Class != Edible && row.Class != Poisonous {
				t.Errorf("row %d: class %q", i, row.Class)
			}
			for a := range schema {
				if schema[a].Index(row.Values[a]) < 0 {
					t.Errorf("row %d: %s %q", i, schema[a].Name, row.Values[a])
				}
			}
		}
		for _, e := range []Encoding{OneHot, Ordinal} {
			if _, err := table.Encode(e); err != nil {
				t.Error(err)
			}
		}
	})
}
