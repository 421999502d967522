package logged

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"banditsim/internal/parquet"
)

// parquetCells are the rows of a Parquet file; null is an empty cell.
type parquetCells struct {
	in    *parquet.Reader
	row   []any
	cells []string
}

func fromParquet(in io.Reader) (cells, error) {
	f := in.(*os.File) // open returns no other for a file that begins as Parquet
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := parquet.NewReader(f, info.Size())
	if err != nil {
		return nil, err
	}
	n := len(r.Columns())
	return &parquetCells{in: r, row: make([]any, n), cells: make([]string, n)}, nil
}

// parquetHeader returns the names of the columns.
func parquetHeader(path string) ([]string, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	c, err := fromParquet(in)
	if err != nil {
		return nil, fmt.Errorf("log %s: %w", path, err)
	}
	var names []string
	for _, column := range c.(*parquetCells).in.Columns() {
		names = append(names, column.Name)
	}
	return names, nil
}

// Read returns the next row.
func (c *parquetCells) Read() ([]string, error) {
	if err := c.in.Read(c.row); err != nil {
		return nil, err
	}
	for i, v := range c.row {
		switch v := v.(type) {
		case nil:
			c.cells[i] = ""
		case string:
			c.cells[i] = v
		case float64:
			c.cells[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case float32:
			c.cells[i] = strconv.FormatFloat(float64(v), 'g', -1, 32)
		default:
			c.cells[i] = fmt.Sprint(v)
		}
	}
	return c.cells, nil
}
