// Package parquet writes and reads flat tables as Parquet files. A Writer has the part of the format that
// banditsim's exports need (github.com/apache/parquet-format, version 2.11), a Reader somewhat more:
//
//   - columns at the top level, required or optional, of the types in [Type]: no lists, maps or nested groups;
//   - one page per column and row group, in version 1 of data pages, compressed with Zstandard;
//   - strings by a dictionary, other types in the encoding PLAIN; definition levels and indices in RLE, without
//     runs of packed bits, which Zstandard packs better;
//   - statistics of each row group: number of nulls, lowest and highest value (none with a NaN, or with strings of
//     more than 64 bytes);
//   - metadata: pairs of strings.
//
// A Writer writes no page index, no bloom filters, no checksums of pages, no encryption. The module readback has the tests: parquet-go
// and hyparquet read what this package wrote, and a Reader what parquet-go wrote.
package parquet

import "fmt"

// A Type is the type of a column's values. Its zero value is none.
type Type int

// The types, with the types of Parquet and of Go.
const (
	String  Type = iota + 1 // BYTE_ARRAY with the meaning UTF8; string
	Bool                    // BOOLEAN; bool
	Int32                   // INT32; int32
	Uint64                  // INT64 with the meaning UINT_64; uint64
	Float64                 // DOUBLE; float64

	// The types of files by other programs, which a Writer does not have.
	Int64   // INT64; int64
	Float32 // FLOAT; float32
)

func (t Type) String() string {
	if t < String || t > Float32 {
		return fmt.Sprintf("Type(%d)", int(t))
	}
	return [...]string{"string", "bool", "int32", "uint64", "float64", "int64", "float32"}[t-String]
}

// typeOf returns the type of the columns that have values like v, or 0.
func typeOf(v any) Type {
	switch v.(type) {
	case string:
		return String
	case bool:
		return Bool
	case int32:
		return Int32
	case uint64:
		return Uint64
	case float64:
		return Float64
	}
	return 0
}

// A Column is the declaration of a column.
type Column struct {
	Name     string
	Type     Type
	Nullable bool // whether nil, which stands for null, is a value
}

// A Pair is an entry of a file's metadata.
type Pair struct{ Key, Value string }

// A Schema is what a file says about itself.
type Schema struct {
	Name     string // name of the table
	Columns  []Column
	Metadata []Pair
}

// The numbers that parquet.thrift gives to the part of the format that is written.
const (
	encodingPlain, encodingRLE, encodingDictionary = 0, 3, 8
	pageData, pageDictionary                       = 0, 2
	codecZstd                                      = 6
	required, optional                             = 0, 1
)

// numbers returns the numbers of the physical type and of the meaning of its values, −1 for the plain meaning.
func (t Type) numbers() (physical, converted int) {
	switch t {
	case String:
		return 6, 0
	case Bool:
		return 0, -1
	case Int32:
		return 1, -1
	case Uint64:
		return 2, 14
	case Float64:
		return 5, -1
	}
	panic(fmt.Sprintf("parquet: no column has the type %v", t))
}
