package export

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// parquetGroupRows is the number of rows of a row group, which is held in memory.
const parquetGroupRows = 1 << 16

// parquetRows writes rows as flat Parquet, compressed with Zstandard.
type parquetRows struct {
	out     *parquet.GenericWriter[any]
	columns []column
	row     parquet.Row
}

func newParquetRows(w io.Writer, name string, columns []column) (*parquetRows, error) {
	root := parquetColumns{Group: parquet.Group{}, columns: columns}
	for _, c := range columns {
		root.Group[c.name] = c.parquet()
	}
	return &parquetRows{
		out: parquet.NewGenericWriter[any](w, parquet.NewSchema(name, root), parquet.Compression(&parquet.Zstd),
			parquet.MaxRowsPerRowGroup(parquetGroupRows),
			parquet.KeyValueMetadata("banditsim.export_schema", strconv.Itoa(schema))),
		columns: columns,
	}, nil
}

// parquetColumns is a group whose fields are in the order of columns, not of their names.
type parquetColumns struct {
	parquet.Group
	columns []column
}

// Fields implements parquet.Node.
func (g parquetColumns) Fields() []parquet.Field {
	fields := g.Group.Fields()
	place := func(f parquet.Field) int {
		return slices.IndexFunc(g.columns, func(c column) bool { return c.name == f.Name() })
	}
	slices.SortFunc(fields, func(a, b parquet.Field) int { return cmp.Compare(place(a), place(b)) })
	return fields
}

func (c column) parquet() parquet.Node {
	var node parquet.Node
	switch c.zero.(type) {
	case string:
		node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary) // one value for each trial
	case bool:
		node = parquet.Leaf(parquet.BooleanType)
	case int32:
		node = parquet.Int(32)
	case uint64:
		node = parquet.Uint(64)
	case float64:
		node = parquet.Leaf(parquet.DoubleType)
	}
	if c.nullable {
		node = parquet.Optional(node)
	}
	return node
}

func (p *parquetRows) write(row []any) error {
	p.row = p.row[:0]
	for i, v := range row {
		defined := 0 // definition level: 1 for a value in a nullable column
		if p.columns[i].nullable && v != nil {
			defined = 1
		}
		p.row = append(p.row, parquet.ValueOf(v).Level(0, defined, i))
	}
	_, err := p.out.WriteRows([]parquet.Row{p.row})
	return err
}

func (p *parquetRows) close() error { return p.out.Close() }
