package table

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"banditsim/internal/nearest"
	"banditsim/internal/workdir"

	"banditsim/internal/wholefile"
)

// A cell is a value of the file with its place: line and column from 1, the column in bytes.
type cell struct {
	text         string
	line, column int
}

// missing reports whether the cell has no value.
func (c cell) missing() bool { return c.text == "" || c.text == "?" || c.text == "NA" }

// A source is the text of a file in one of the formats.
type source struct {
	file    string // its name, for errors
	format  string
	header  bool // a line of CSV with the names of columns
	columns []declaration
	warning string // about the header
	target  int    // index of the column of classes, unless the options name another
	atLeast int    // rows that a fast pass over the text found
	// rows calls f for every row. Cells, as many as columns, are valid during the call.
	rows func(f func([]cell) error) error
}

// A declaration is what a format says of a column.
type declaration struct {
	name         string
	kind         string   // "numeric", "categorical", or "" to be found by content
	values       []string // values of a category, if the format lists them
	line, column int      // place of the name; 0 if the file does not have it
}

// at returns an error about a place of the file.
func at(file string, line, column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", file, line, column, fmt.Errorf(format, args...))
}

// filesBeside returns the names of the files in the folder of path.
func filesBeside(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil // there is nothing to suggest
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// readFile reads the text of a file, decompressed. A size that is too large is found before anything is kept.
func readFile(ctx context.Context, path string) ([]byte, error) {
	path = workdir.Path(ctx, path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder, want a file", path)
	}
	f, info, err := wholefile.Open(path) // a pipe or a device could be waited for without end
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w%s: --data wants the path of a table, iris or digits", err, nearest.DidYouMean(filepath.Base(path), filesBeside(path)))
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var magic [2]byte
	n, err := f.ReadAt(magic[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var r io.Reader = wholefile.WithContext(ctx, f)
	size := info.Size()
	if n == 2 && magic == [2]byte{0x1f, 0x8b} {
		if size, err = inflatedSize(ctx, f); err != nil {
			return nil, fmt.Errorf("%s: decompress: %w", path, err)
		}
		if r, err = gzip.NewReader(r); err != nil {
			return nil, fmt.Errorf("%s: decompress: %w", path, err)
		}
	}
	tooLarge := fmt.Errorf("%s has more than %d MiB of text: take a sample of its rows", path, maxBytes>>20)
	if size > maxBytes {
		return nil, tooLarge
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // ReadFrom asks for room beyond the end
	switch _, err := b.ReadFrom(io.LimitReader(r, maxBytes+1)); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case b.Len() > maxBytes:
		return nil, tooLarge // it has grown
	}
	return b.Bytes(), nil
}

// inflatedSize returns the size of a gzip file's content, at most maxBytes + 1, and leaves the file at its begin. It is
// counted: what the file says of it is wrong if the file was cut, or has several members.
func inflatedSize(ctx context.Context, f *os.File) (int64, error) {
	r, err := gzip.NewReader(wholefile.WithContext(ctx, f))
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, maxBytes+1))
	if err != nil {
		return 0, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return n, err
}

// checkText returns the text without a byte order mark, and an error unless it is UTF-8.
func checkText(file string, b []byte) ([]byte, error) {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(b, []byte(mark)) {
			return nil, at(file, 1, 1, "the text is UTF-16: save it as UTF-8")
		}
	}
	b = carriageReturns(bytes.TrimPrefix(b, []byte("\ufeff")))
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, at(file, 1, 1, "the file is empty: want a row for each example")
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		line, column := position(b, i)
		return nil, at(file, line, column, "a zero byte: is this a table? If it is UTF-16, save it as UTF-8")
	}
	if !utf8.Valid(b) {
		i := 0
		for {
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		line, column := position(b, i)
		return nil, at(file, line, column, "the text is not UTF-8 here: save it as UTF-8")
	}
	return b, nil
}

// carriageReturns returns a text of which no line but the last ends in a line feed, and some in a carriage return alone,
// as old programs write it, with line feeds for these.
func carriageReturns(b []byte) []byte {
	body := bytes.TrimRight(b, "\r\n")
	if bytes.IndexByte(body, '\n') >= 0 || bytes.IndexByte(body, '\r') < 0 {
		return b
	}
	return bytes.ReplaceAll(body, []byte{'\r'}, []byte{'\n'})
}

// position returns the line and the column of a byte.
func position(b []byte, i int) (line, column int) {
	return 1 + bytes.Count(b[:i], []byte{'\n'}), i - bytes.LastIndexByte(b[:i], '\n')
}

// hash returns the SHA-256 of a text.
func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// formats are the values of the option, without auto.
var formats = map[string]func(file string, b []byte, o Options) (*source, error){
	"csv":    func(file string, b []byte, o Options) (*source, error) { return openCSV(file, b, 0, o) },
	"tsv":    func(file string, b []byte, o Options) (*source, error) { return openCSV(file, b, '\t', o) },
	"arff":   func(file string, b []byte, _ Options) (*source, error) { return openARFF(file, b) },
	"libsvm": openLibsvm,
}

// openSource finds the format, if it is auto, and reads what comes before the rows.
func openSource(file string, b []byte, o Options) (*source, error) {
	b, err := checkText(file, b)
	if err != nil {
		return nil, err
	}
	format := o.Format
	if format == "auto" {
		format = findFormat(file, b)
	}
	s, err := formats[format](file, b, o)
	if err != nil {
		return nil, err
	}
	s.file, s.format = file, format
	return s, nil
}

// formatOf returns the format of a file by the end of its name, or "".
func formatOf(file string) string {
	name := strings.TrimSuffix(strings.ToLower(file), ".gz")
	switch filepath.Ext(name) {
	case ".csv":
		return "csv"
	case ".tsv", ".tab":
		return "tsv"
	case ".arff":
		return "arff"
	case ".libsvm", ".svm", ".svmlight":
		return "libsvm"
	}
	return ""
}

// findFormat returns the format of a file: by the end of its name, else by its first line.
func findFormat(file string, b []byte) string {
	if format := formatOf(file); format != "" {
		return format
	}
	for line := range strings.Lines(string(b[:min(len(b), 1<<20)])) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "%"), len(line) > 9 && strings.EqualFold(line[:9], "@relation"):
			return "arff"
		case isLibsvm(line):
			return "libsvm"
		default:
			return "csv"
		}
	}
	return "csv"
}
