package mushroom

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"fmt"
	"io"
	"sync"

	"banditsim/internal/workdir"
)

//go:embed data/agaricus-lepiota.data.gz
var uciGzip []byte

// UCI returns the table of the UCI file, which the program brings. Source and license are in data/README.md.
func UCI() (*Table, error) { return uci() }

// uci reads the file once for all callers: a Table is read-only.
var uci = sync.OnceValues(func() (*Table, error) {
	r, err := gzip.NewReader(bytes.NewReader(uciGzip))
	if err != nil {
		return nil, fmt.Errorf("mushroom: the embedded file: %w", err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("mushroom: the embedded file: %w", err)
	}
	t, err := parse(data, UCIFile)
	if err != nil {
		return nil, fmt.Errorf("mushroom: %w", err)
	}
	return t, nil
})

// Open returns the UCI file if path is "", and else the file at path, or UCIFile in the folder at path.
func Open(ctx context.Context, path string) (*Table, error) {
	if path == "" {
		return UCI()
	}
	return ReadFile(ctx, workdir.Path(ctx, path))
}
