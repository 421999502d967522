package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// errCut is the error of a file that ends before its last line.
var errCut = errors.New("the file is cut off: its closing lines are missing")

// lines reads lines of bounded length and counts them.
type lines struct {
	r    *bufio.Reader
	n    int    // number of the line last read, from 1
	long []byte // a line longer than r's buffer
}

func newLines(r io.Reader) *lines {
	return &lines{r: bufio.NewReaderSize(r, 1<<16)}
}

// next returns the next line with its newline, valid until the next call. It
// returns io.EOF at the end, and errCut if the last line has no newline.
func (l *lines) next() ([]byte, error) {
	l.n++
	line, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		l.long = l.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(l.long)+len(line) > maxLine {
				return nil, errLong
			}
			l.long = append(l.long, line...)
			line, err = l.r.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	switch {
	case len(line) > maxLine:
		return nil, errLong
	case errors.Is(err, io.EOF) && len(line) > 0:
		return nil, errCut
	}
	return line, err
}

var errLong = fmt.Errorf("longer than %d bytes: this is not a trial file", maxLine)

// decodeStrict reads one JSON value. Unknown fields, and anything after the value, are errors.
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
