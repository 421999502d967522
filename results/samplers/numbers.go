package samplers

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"banditsim/internal/wholefile"
	"banditsim/results/report"
)

// writeNumbers writes v to dir as name.json and s as name.csv.
func writeNumbers(dir, name string, v any, s report.Sheet) (paths []string, err error) {
	path := filepath.Join(dir, name)
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("samplers: encode %s.json: %w", path, err)
	}
	if err := wholefile.Write(path+".json", append(b, '\n')); err != nil {
		return nil, err
	}
	return []string{path + ".json", path + ".csv"}, wholefile.WriteFunc(path+".csv", s.CSV)
}
