package readback

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"banditsim/internal/parquet"
)

// TestHyparquet: hyparquet, which shares no code with parquet-go, reads the same.
func TestHyparquet(t *testing.T) {
	if _, err := os.Stat("node_modules/hyparquet"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("hyparquet is not installed: run 'npm ci' in internal/parquet/readback: %v", err)
		}
		t.Skip("hyparquet is not installed: run 'npm ci' in internal/parquet/readback")
	}
	for name, w := range tables() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.parquet")
			if err := os.WriteFile(path, w.write(t), 0o600); err != nil {
				t.Fatal(err)
			}
			node := exec.Command("node", "read.mjs", path)
			node.Stderr = t.Output()
			out, err := node.Output()
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Name     string
				Columns  []string
				Rows     [][]string
				Groups   []int
				Metadata []parquet.Pair
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if got.Name != w.Name || !slices.Equal(got.Metadata, w.Metadata) {
				t.Errorf("table %q, metadata %.80v; want %q, %.80v", got.Name, got.Metadata, w.Name, w.Metadata)
			}
			for k, c := range w.Columns {
				if got.Columns[k] != c.Name {
					t.Errorf("column %d is %q, want %q", k, got.Columns[k], c.Name)
				}
			}
			if n := len(w.groups); len(got.Groups) < n || !slices.Equal(got.Groups[:n], w.groups) {
				t.Errorf("row groups of %d rows, want %d first", got.Groups, w.groups)
			}
			sameRows(t, w, got.Rows)
		})
	}
}
