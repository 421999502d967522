package results

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds a line in bytes, so that a damaged file cannot exhaust the memory of a reader.
const maxLine = 16 << 20

// errCut is the error for a file that ends before its last line.
var errCut = errors.New("the file is cut off: its closing lines are missing")

// A lineReader reads lines of bounded length and counts them.
type lineReader struct {
	s *bufio.Scanner
	n int // number of the line last read, from 1
}

// newLines returns a reader of the lines of r. It uses buffer, and allocates a larger one for lines that do not fit.
func newLines(r io.Reader, buffer []byte) *lineReader {
	s := bufio.NewScanner(r)
	s.Buffer(buffer, maxLine)
	s.Split(func(data []byte, atEOF bool) (advance int, line []byte, err error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i+1], nil
		}
		if atEOF && len(data) > 0 {
			return 0, nil, errCut
		}
		return 0, nil, nil
	})
	return &lineReader{s: s}
}

// next returns the next line with its newline, valid until the next call. The error is io.EOF at the end of the file,
// errCut if the last line has no newline, and errLong if a line is longer than maxLine.
func (l *lineReader) next() ([]byte, error) {
	l.n++
	switch {
	case l.s.Scan():
		return l.s.Bytes(), nil
	case errors.Is(l.s.Err(), bufio.ErrTooLong):
		return nil, errLong
	case l.s.Err() != nil:
		return nil, l.s.Err()
	}
	return nil, io.EOF
}

var errLong = fmt.Errorf("longer than %d bytes: this is not a trial file", maxLine)

// decodeHeader decodes line, the first line of a file, into v, as decodeStrict does. Before that it checks the version
// of the file, which is in the field named key: it must be want, as other versions may have other fields. The argument
// fileKind, such as "trial file", is for the error of a line without a version.
func decodeHeader(line []byte, fileKind, key string, want int, v any) error {
	var fields map[string]json.RawMessage
	var version int
	if json.Unmarshal(line, &fields) != nil || json.Unmarshal(fields[key], &version) != nil {
		return fmt.Errorf("no header: this is not a %s, or its beginning is damaged", fileKind)
	}
	if version != want {
		return fmt.Errorf("%s version %d, this program reads version %d: read it with the program that wrote it", key, version, want)
	}
	if err := decodeStrict(line, v); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	return nil
}

// decodeStrict decodes b, a single JSON value, into v. Unknown fields, and anything after the value, are errors.
func decodeStrict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the JSON is cut off")
		}
		return err
	}
	// Decoder.More misses a stray '}' or ']'.
	if err := d.Decode(new(json.RawMessage)); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON")
	}
	return nil
}

// sumLine returns the last line of a trial file or checkpoint, where sum is the SHA-256 of all bytes before it.
func sumLine(sum []byte) []byte { return fmt.Appendf(nil, "{\"sha256\":\"%x\"}\n", sum) }

// parseSumLine is the inverse of sumLine. ok reports whether line has that form.
func parseSumLine(line []byte) (sum [sha256.Size]byte, ok bool) {
	const before = len(`{"sha256":"`)
	if len(line) == len(sumLine(sum[:])) {
		hex.Decode(sum[:], line[before:before+hex.EncodedLen(len(sum))]) // the comparison below finds any error
	}
	return sum, bytes.Equal(line, sumLine(sum[:]))
}
