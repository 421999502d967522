package tables

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"banditsim/internal/wholefile"
)

// writeNumbers writes v to dir as name.json and what csv writes as name.csv.
func writeNumbers(dir, name string, v any, csv func(io.Writer) error) (paths []string, err error) {
	path := filepath.Join(dir, name)
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("samplers: encode %s.json: %w", path, err)
	}
	if err := wholefile.Write(path+".json", append(b, '\n')); err != nil {
		return nil, err
	}
	return []string{path + ".json", path + ".csv"}, wholefile.WriteFunc(path+".csv", csv)
}
