package mushroom

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// Two rows in the format of the file.
const (
	edibleRow    = "e,x,s,y,t,a,f,c,b,k,e,c,s,s,w,w,p,w,o,p,n,n,g"
	poisonousRow = "p,x,s,n,t,p,f,c,n,k,e,e,s,s,w,w,p,w,o,p,k,s,u"
)

// with returns a row with the letter of an attribute changed.
func with(row, attribute, letter string) string {
	fields := strings.Split(row, ",")
	for a := range schema {
		if schema[a].name == attribute {
			fields[a] = letter
		}
	}
	return strings.Join(fields, ",")
}

// read parses the given lines or, without any, the UCI file.
func read(t testing.TB, lines ...string) *table {
	t.Helper()
	text := strings.Join(lines, "\n")
	if text == "" {
		return must.Get(uci())(t)
	}
	return must.Get(parse([]byte(text), "test"))(t)
}

func TestReadBadInput(t *testing.T) {
	short := edibleRow[:strings.LastIndexByte(edibleRow, ',')]
	for _, c := range []struct{ name, input, want string }{
		{"empty file", "", "f.data:1:1: no rows: the file is empty"},
		{"blank lines only", "\n\r\n\n", "f.data:1:1: no rows: the file is empty"},
		{"22 fields", edibleRow + "\n" + short + "\n", "f.data:2:44: 22 fields, want 23"},
		{"24 fields", edibleRow + ",g\n", "f.data:1:47: 24 fields, want 23"},
		{"comma at the end", edibleRow + ",\n", "f.data:1:47: 24 fields, want 23"},
		{"one word", "hello", "f.data:1:6: 1 fields, want 23"},
		{"header", "class" + strings.Repeat(",x", 22) + "\n" + edibleRow, `f.data:1:1: class: found "class", want one of e p`},
		{"unknown class", "x" + edibleRow[1:], `f.data:1:1: class: found "x", want one of e p`},
		{"empty class", edibleRow[1:], `f.data:1:1: class: found "", want one of e p`},
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
		{"long field", with(edibleRow, "odor", strings.Repeat("a", 1000)), `found "aaaaaaaaaaaaaaaaa…", want`},
		{"other separator", strings.ReplaceAll(edibleRow, ",", ";"), "f.data:1:46: 1 fields, want 23"},
		{"old Mac line ends", edibleRow + "\r" + edibleRow, "f.data:1:49: 45 fields, want 23"},
		{"blank line between rows", edibleRow + "\n\n\n" + edibleRow, "f.data:2:1: a blank line between rows"},
	} {
		t.Run(c.name, func(t *testing.T) { must.Refuse(parse([]byte(c.input), "f.data"))(t, c.want) })
	}
}

func TestReadGoodInput(t *testing.T) {
	two := edibleRow + "\n" + poisonousRow
	for name, input := range map[string]string{
		"LF":                     two + "\n",
		"no line end at the end": two,
		"CRLF":                   strings.ReplaceAll(two, "\n", "\r\n") + "\r\n",
		"CR at the end":          two + "\r",
		"blank lines at the end": two + "\n\n\r\n\n",
	} {
		table := read(t, input)
		must.That(t, len(table.rows) == 2 && table.edible == 1 && table.rows[0].edible() && !table.rows[1].edible(),
			"%s: rows %v", name, table.rows)
		got := table.rows[1]
		must.That(t, got[1] == 'x' && got[5] == 'p' && got[22] == 'u', "%s: second row %q", name, got)
		if want := fmt.Sprintf("%x", sha256.Sum256([]byte(input))); table.isUCI() || table.sha256 != want {
			t.Errorf("%s: SHA-256 %s, want %s; taken for UCI's: %v", name, table.sha256, want, table.isUCI())
		}
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, uciFile)
	_, err := open(t.Context(), dir)
	must.That(t, errors.Is(err, os.ErrNotExist), "an empty folder: error %v, want %v", err, os.ErrNotExist)
	must.OK(t, os.WriteFile(path, []byte(edibleRow), 0o644))
	for _, p := range []string{path, dir} {
		table, err := open(t.Context(), p)
		must.That(t, err == nil && len(table.rows) == 1, "%s: %v, want 1 row; error %v", p, table, err)
	}
	must.OK(t, os.Truncate(path, maxSize+1))
	must.Refuse(open(t.Context(), path))(t, "has more than 8 MiB of text")
}

// TestUCI compares the embedded file with the published checksum and counts (docs/environments.md).
func TestUCI(t *testing.T) {
	table := read(t, "")
	must.That(t, table.isUCI() && len(table.rows) == 8124 && table.edible == 4208,
		"SHA-256 %s, %d rows, %d edible; want %s, 8124, 4208", table.sha256, len(table.rows), table.edible, uciSHA256)
	seen := map[row]bool{}
	for _, r := range table.rows {
		seen[r] = true
	}
	must.Equal(t, "different rows", len(seen), len(table.rows))
	// The UCI description has 126 values of attributes, of which 117 occur in the file.
	legal, occurring := 0, 0
	for a, field := range schema {
		for i, letter := range []byte(field.letters) {
			if seen := table.seen[a][letter]; field.names[i] == "" || field.find(letter) != i || seen != (i < field.inUCI) {
				t.Errorf("%s: value %d, %q %q, is nameless or there twice, or occurs: %v", field.name, i, letter, field.names[i], seen)
			}
		}
		legal, occurring = legal+len(field.letters), occurring+field.inUCI
	}
	must.That(t, legal == 126+2 && occurring == 117+2,
		"%d legal values and %d in the file, want 126 and 117, and the classes", legal, occurring)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(edibleRow + "\n" + poisonousRow + "\r\n\n"))
	f.Add([]byte(with(edibleRow, "odor", "q")))
	f.Add([]byte(with(edibleRow, "odor", `"a`) + "\n" + `"` + edibleRow))
	f.Add([]byte("\r\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := parse(data, "fuzz")
		if err != nil {
			must.That(t, strings.HasPrefix(err.Error(), "fuzz:"), "error %q does not say where", err)
			return
		}
		must.That(t, len(table.rows) != 0, "no rows")
		for i, row := range table.rows {
			for a, letter := range row {
				must.That(t, schema[a].find(letter) >= 0, "row %d: %s %q", i, schema[a].name, letter)
			}
		}
		newEnvironment(table, "onehot")
		newEnvironment(table, "ordinal")
	})
}
