package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A node is a value of Thrift's compact protocol as it was read.
type node struct {
	number   int64         // boolean (1 is true), integer
	text     []byte        // binary
	elements []node        // list
	fields   map[int]*node // struct
}

// at returns a field of a struct, nil if it is not there. It may be called on nil.
func (n *node) at(field int) *node {
	if n == nil {
		return nil
	}
	return n.fields[field]
}

// int returns the integer of a field, or other if it is not there.
func (n *node) int(field int, other int64) int64 {
	if f := n.at(field); f != nil {
		return f.number
	}
	return other
}

// list returns the elements of a field that is a list.
func (n *node) list(field int) []node {
	if f := n.at(field); f != nil {
		return f.elements
	}
	return nil
}

// maxDepth bounds structs within structs; those of Parquet are fewer than ten.
const maxDepth = 32

// A thriftReader reads nodes from the front of b.
type thriftReader struct{ b []byte }

var errThrift = errors.New("damaged metadata")

func (t *thriftReader) byte() (byte, error) {
	if len(t.b) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	c := t.b[0]
	t.b = t.b[1:]
	return c, nil
}

func (t *thriftReader) varint() (int64, error) {
	v, n := binary.Varint(t.b)
	if n <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	t.b = t.b[n:]
	return v, nil
}

func (t *thriftReader) length() (int, error) {
	v, n := binary.Uvarint(t.b)
	if n <= 0 || v > uint64(len(t.b)-n) { // an element has at least a byte
		return 0, io.ErrUnexpectedEOF
	}
	t.b = t.b[n:]
	return int(v), nil
}

// structure reads a struct.
func (t *thriftReader) structure(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errThrift
	}
	s := &node{fields: make(map[int]*node)}
	number := 0
	for {
		head, err := t.byte()
		if err != nil {
			return nil, err
		}
		kind := int(head & 15)
		if kind == 0 {
			return s, nil
		}
		if step := int(head >> 4); step > 0 {
			number += step
		} else {
			v, err := t.varint()
			if err != nil {
				return nil, err
			}
			number = int(v)
		}
		f := &node{number: 2 - int64(kind)} // field with a boolean, whose value is its kind
		if kind > 2 {
			if f, err = t.value(kind, depth); err != nil {
				return nil, err
			}
		}
		s.fields[number] = f
	}
}

// value reads a value that is not a boolean field.
func (t *thriftReader) value(kind, depth int) (*node, error) {
	switch kind {
	case 1, 2, 3: // lists of booleans, or a byte
		c, err := t.byte()
		return &node{number: int64(int8(c))}, err
	case 4, thriftInt32, thriftInt64:
		v, err := t.varint()
		return &node{number: v}, err
	case 7: // double, which is not used
		if len(t.b) < 8 {
			return nil, io.ErrUnexpectedEOF
		}
		t.b = t.b[8:]
		return &node{}, nil
	case thriftBinary:
		n, err := t.length()
		if err != nil {
			return nil, err
		}
		f := &node{text: t.b[:n]}
		t.b = t.b[n:]
		return f, nil
	case thriftList, 10: // or a set
		head, err := t.byte()
		if err != nil {
			return nil, err
		}
		n := int(head >> 4)
		if n == 15 {
			if n, err = t.length(); err != nil {
				return nil, err
			}
		}
		f := &node{}
		for range n {
			e, err := t.value(int(head&15), depth+1)
			if err != nil {
				return nil, err
			}
			f.elements = append(f.elements, *e)
		}
		return f, nil
	case thriftStruct:
		return t.structure(depth + 1)
	}
	return nil, fmt.Errorf("%w: a field of kind %d", errThrift, kind)
}
