package table

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"banditsim/datasets"
	"banditsim/internal/nearest"
	"banditsim/internal/workdir"
)

// Bounds of a file, so that a file that is no table does not fill the memory.
const (
	maxBytes   = 512 << 20 // size in bytes of the text
	maxRow     = 16 << 20  // size in bytes of the text of a row
	maxColumns = 10_000
)

// maxCells is the largest number of cells in the columns in use. Tests lower it.
var maxCells = 50_000_000

// A cell is a value of the file with its place: line and column from 1, the column in bytes.
type cell struct {
	text         string
	line, column int
}

func (c cell) missing() bool { return c.text == "" || c.text == "?" || c.text == "NA" }

// A source is the text of a file in one of the formats.
type source struct {
	file    string // name of the file, for errors
	format  string
	header  bool // the first line of CSV has the names of columns
	columns []column
	count   int    // number of the rows, once they were read
	warning string // warning about the header, or ""
	target  int    // index of the column of classes if the options name none
	// rows yields each row as its cells, one per column, which are valid until the next row. rows ends after an error.
	rows iter.Seq2[[]cell, error]
}

func at(file string, line, column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", file, line, column, fmt.Errorf(format, args...))
}

//go:embed data/iris.csv
var irisCSV []byte

//go:embed data/digits.csv.gz
var digitsCSV []byte

// shipped has the built-in tables by their value of --data; see data/README.md for source and license.
var shipped = map[string][]byte{"iris": irisCSV, "digits": digitsCSV}

// Shipped returns the text of a built-in table, iris or digits.
func Shipped(name string) ([]byte, error) { return datasets.Unpack(shipped[name]) }

// readFile returns the text of a file. If there is no such file, the error ends with cure.
func readFile(ctx context.Context, path, cure string) ([]byte, error) {
	path = workdir.Path(ctx, path)
	text, err := datasets.ReadFile(ctx, path, maxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		var beside []string
		entries, _ := os.ReadDir(filepath.Dir(path)) // after an error there is nothing to suggest
		for _, e := range entries {
			beside = append(beside, e.Name())
		}
		return nil, fmt.Errorf("%w%s: %s", err, nearest.DidYouMean(filepath.Base(path), beside), cure)
	}
	return text, err
}

// checkText returns the text without a byte order mark. If there are no line feeds, carriage returns become line feeds.
// checkText returns an error if the text is empty or not UTF-8.
func checkText(file string, b []byte) ([]byte, error) {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return nil, at(file, 1, 1, "the text is UTF-16: save it as UTF-8")
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if body := bytes.TrimRight(b, "\r\n"); bytes.IndexByte(body, '\n') < 0 { // some old programs end lines in carriage returns alone
		b = bytes.ReplaceAll(body, []byte{'\r'}, []byte{'\n'})
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, at(file, 1, 1, "the file is empty: want a row for each example")
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		line, column := position(b, i)
		return nil, at(file, line, column, "a zero byte: is this a table? Save UTF-16 as UTF-8, and a workbook as CSV")
	}
	if !utf8.Valid(b) {
		i := 0
		for r, size := utf8.DecodeRune(b); r != utf8.RuneError || size != 1; r, size = utf8.DecodeRune(b[i:]) {
			i += size
		}
		line, column := position(b, i)
		return nil, at(file, line, column, "the text is not UTF-8 here: save it as UTF-8")
	}
	return b, nil
}

// position returns the line and the column of byte i, both from 1.
func position(b []byte, i int) (line, column int) {
	return 1 + bytes.Count(b[:i], []byte{'\n'}), i - bytes.LastIndexByte(b[:i], '\n')
}

// checkLines returns an error if a line is longer than a row may be.
func checkLines(file string, b []byte) error {
	line := 0
	for text := range bytes.Lines(b) {
		if line++; len(text) > maxRow {
			return at(file, line, 1, "the line has more than %d MiB: is this a table?", maxRow>>20)
		}
	}
	return nil
}

// formats maps the endings of file names to values of the option format.
var formats = map[string]string{
	".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".arff": "arff", ".libsvm": "libsvm", ".svm": "libsvm", ".svmlight": "libsvm",
}

func formatOf(file string) string {
	return formats[filepath.Ext(strings.TrimSuffix(strings.ToLower(file), ".gz"))]
}

// openSource returns the source in b, whose rows are not read yet. If the option format is auto, it finds the format.
func openSource(file string, b []byte, o Options) (s *source, err error) {
	if b, err = checkText(file, b); err != nil {
		return nil, err
	}
	format := o.Format
	if format == "auto" {
		format = cmp.Or(formatOf(file), firstFormat(b))
	}
	switch format {
	case "csv":
		s, err = openCSV(file, b, 0, o.Header)
	case "tsv":
		s, err = openCSV(file, b, '\t', o.Header)
	case "arff":
		s, err = openARFF(file, b)
	case "libsvm":
		s, err = openLibsvm(file, b)
	}
	if err != nil {
		return nil, err
	}
	s.file, s.format = file, format
	return s, nil
}

// firstFormat returns the format of a file by its first line.
func firstFormat(b []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b[:min(len(b), 1<<20)])), "\n")
	switch {
	case strings.HasPrefix(line, "%"), len(line) > 9 && strings.EqualFold(line[:9], "@relation"):
		return "arff"
	case isLibsvm(line):
		return "libsvm"
	}
	return "csv"
}
