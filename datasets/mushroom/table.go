package mushroom

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"banditsim/datasets"
	"banditsim/internal/words"
	"banditsim/internal/workdir"
)

const (
	uciSHA256 = "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e"
	uciFile   = "agaricus-lepiota.data"
	maxSize   = 8 << 20 // bytes of a file; UCI's has 373,704
)

// A row has the letters of a mushroom, the class first.
type row [numFields]byte

func (r *row) edible() bool { return r[0] == 'e' }

// A table is a checked file: at least one row, known letters only. It is read-only.
type table struct {
	rows   []row
	sha256 string
	seen   [numFields][256]bool // whether a letter occurs in a field
	edible int
}

func (t *table) isUCI() bool { return t.sha256 == uciSHA256 }

//go:embed data/agaricus-lepiota.data.gz
var uciGzip []byte

// uci reads the built-in file; data/README.md has its source and license.
var uci = sync.OnceValues(func() (*table, error) {
	text, err := datasets.Unpack(uciGzip)
	if err != nil {
		return nil, err
	}
	return parse(text, uciFile)
})

// open reads the file at path. If path is a folder, it reads uciFile in that folder; if path is "", the built-in file.
func open(ctx context.Context, path string) (t *table, err error) {
	if path == "" {
		t, err = uci()
	} else {
		path = workdir.Path(ctx, path)
		if info, _ := os.Stat(path); info != nil && info.IsDir() {
			path = filepath.Join(path, uciFile)
		}
		var text []byte
		if text, err = datasets.ReadFile(ctx, path, maxSize); err == nil {
			t, err = parse(text, path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("mushroom: read: %w", err)
	}
	return t, nil
}

// parse reads lines like those of the UCI file. They end in LF or CRLF, and blank lines may follow the last. Errors
// have the argument name, line and column, the value found and the values allowed.
func parse(text []byte, name string) (*table, error) {
	t := &table{sha256: fmt.Sprintf("%x", sha256.Sum256(text))}
	line, blank := 0, 0 // blank is the number of the first blank line
	for text := range strings.Lines(string(text)) {
		line++
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		switch {
		case text == "" && blank == 0:
			blank = line
		case text == "":
		case blank > 0:
			return nil, fmt.Errorf("%s:%d:1: a blank line between rows, want them at the end only", name, blank)
		default:
			row, column, err := parseRow(text)
			if err != nil {
				return nil, fmt.Errorf("%s:%d:%d: %w", name, line, column, err)
			}
			t.rows = append(t.rows, row)
			for a, letter := range row {
				t.seen[a][letter] = true
			}
			if row.edible() {
				t.edible++
			}
		}
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("%s:1:1: no rows: the file is empty", name)
	}
	return t, nil
}

// parseRow returns the letters of a line, or an error and its column, from 1.
func parseRow(text string) (r row, column int, err error) {
	fields := strings.Split(text, ",")
	if n := len(fields); n != numFields { // checked first, as a missing letter shifts all that follow
		column = len(strings.Join(fields[:min(n, numFields)], ",")) + 1
		if n > numFields {
			column++
		}
		return r, column, fmt.Errorf("%d fields, want %d: the class and %d attributes, no header", n, numFields, numFields-1)
	}
	column = 1
	for i, field := range fields {
		a := &schema[i]
		if len(field) != 1 || a.find(field[0]) < 0 {
			return r, column, fmt.Errorf("%s: found %q, want one of %s", a.name, words.Shorten(field, 20), strings.Join(strings.Split(a.letters, ""), " "))
		}
		r[i] = field[0]
		column += len(field) + 1
	}
	return r, 0, nil
}

// oneHot returns the contexts of all rows, one after another, with an element for each value of each attribute. groups
// has the number of each element's attribute, from 1. The UCI file's 117 letters come first, then the others in t.
func (t *table) oneHot() (contexts []float32, groups []int) {
	var element [numFields][256]int
	for _, inUCI := range []bool{true, false} {
		for a := 1; a < numFields; a++ {
			for i, letter := range []byte(schema[a].letters) {
				if occurs := i < schema[a].inUCI; occurs == inUCI && (occurs || t.seen[a][letter]) {
					element[a][letter] = len(groups)
					groups = append(groups, a)
				}
			}
		}
	}
	contexts = make([]float32, len(t.rows)*len(groups))
	for i := range t.rows {
		for a, letter := range t.rows[i][1:] {
			contexts[i*len(groups)+element[a+1][letter]] = 1
		}
	}
	return contexts, groups
}

// ordinal returns the contexts of all rows, one after another, with an element for each attribute: the index of its
// letter among those of the UCI file, followed by others in t, divided by the largest index. With one letter, it is 0.
func (t *table) ordinal() (contexts []float32) {
	var code [numFields][256]float32
	for a, attribute := range schema {
		var letters []byte
		for i, letter := range []byte(attribute.letters) {
			if i < attribute.inUCI || t.seen[a][letter] {
				letters = append(letters, letter)
			}
		}
		for i, letter := range letters[1:] {
			code[a][letter] = float32(i+1) / float32(len(letters)-1)
		}
	}
	for i := range t.rows {
		for a, letter := range t.rows[i][1:] {
			contexts = append(contexts, code[a+1][letter])
		}
	}
	return contexts
}
