// Package jsonl reads files of lines of JSON.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxLine bounds a line in bytes, so that a damaged file cannot exhaust the memory of a reader.
const MaxLine = 16 << 20

// ErrCut is the error of a file that ends before its last line.
var ErrCut = errors.New("the file is cut off: its closing lines are missing")

// Lines reads lines of bounded length and counts them.
type Lines struct {
	s *bufio.Scanner
	N int // number of the line last read, from 1
}

// NewLines returns a reader of lines that reads into buffer.
func NewLines(r io.Reader, buffer []byte) *Lines {
	s := bufio.NewScanner(r)
	s.Buffer(buffer, MaxLine)
	s.Split(func(data []byte, atEOF bool) (advance int, line []byte, err error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i+1], nil
		}
		if atEOF && len(data) > 0 {
			return 0, nil, ErrCut
		}
		return 0, nil, nil
	})
	return &Lines{s: s}
}

// Next returns the next line with its newline, valid until the next call. The error is io.EOF at the
// end, and ErrCut if the last line has no newline.
func (l *Lines) Next() ([]byte, error) {
	l.N++
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

var errLong = fmt.Errorf("longer than %d bytes: this is not a trial file", MaxLine)

// DecodeStrict reads one JSON value. Unknown fields, and anything after the value, are errors.
func DecodeStrict(b []byte, v any) error {
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
