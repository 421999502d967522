package export

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"banditsim/internal/parquet"
)

// readParquet reads the columns that the fields of R name in their tag, a pointer for one that may be null, into one R per row.
// What other programs read of such files is tested by internal/parquet/readback.
func readParquet[R any](t *testing.T, b []byte) []R {
	t.Helper()
	in, err := parquet.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	field := make(map[string]int)
	for i := range reflect.TypeFor[R]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[R]().Field(i).Tag.Get("parquet"), ",")
		field[name] = i
	}
	var rows []R
	values := make([]any, len(in.Columns()))
	for {
		err := in.Read(values)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var row R
		set := 0
		for k, c := range in.Columns() {
			i, ok := field[c.Name]
			if !ok {
				continue
			}
			set++
			to := reflect.ValueOf(&row).Elem().Field(i)
			if optional := to.Kind() == reflect.Pointer; optional != c.Nullable {
				t.Fatalf("column %s: a pointer %t, but nullable %t", c.Name, optional, c.Nullable)
			} else if values[k] == nil {
				continue
			} else if optional {
				to.Set(reflect.New(to.Type().Elem()))
				to = to.Elem()
			}
			to.Set(reflect.ValueOf(values[k]))
		}
		if set != len(field) {
			t.Fatalf("%d of the %d columns of %T", set, len(field), row)
		}
		rows = append(rows, row)
	}
	if int64(len(rows)) != in.Rows() {
		t.Fatalf("%d rows, the file says %d", len(rows), in.Rows())
	}
	return rows
}
