package table

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
)

//go:embed data/iris.csv
var irisCSV []byte

//go:embed data/digits.csv.gz
var digitsCSV []byte

// A shippedTable is a table that the program brings; see data/README.md for source and license.
type shippedTable struct {
	name string // the value of --data
	file string
	text []byte // as in the file
}

var shippedTables = []shippedTable{{"iris", "iris.csv", irisCSV}, {"digits", "digits.csv.gz", digitsCSV}}

// read returns the text, decompressed.
func (s shippedTable) read() ([]byte, error) {
	if !bytes.HasPrefix(s.text, []byte{0x1f, 0x8b}) {
		return s.text, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(s.text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Shipped returns the text of a table that the program brings, iris or digits.
func Shipped(name string) ([]byte, error) {
	s := findShipped(func(s shippedTable) bool { return s.name == name })
	if s == nil {
		return nil, fmt.Errorf("table: no table %q", name)
	}
	return s.read()
}

// findShipped returns the shipped table for which is holds, or nil.
func findShipped(is func(shippedTable) bool) *shippedTable {
	for i := range shippedTables {
		if is(shippedTables[i]) {
			return &shippedTables[i]
		}
	}
	return nil
}
