package mushroom

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"banditsim/internal/wholefile"
)

// maxSize bounds the bytes of a data file; UCI's has 373,704.
const maxSize = 8 << 20

// Read reads a table in the format of the UCI file. Line ends may be LF or CRLF, and blank lines
// may follow the last row. Errors give name, line and column; both count from 1, the column in
// bytes. It returns the error of ctx when ctx ends.
func Read(ctx context.Context, r io.Reader, name string) (*Table, error) {
	t, err := read(ctx, r, name)
	if err != nil {
		return nil, fmt.Errorf("mushroom: read: %w", err)
	}
	return t, nil
}

// ReadFile reads a file, or UCIFile in a folder, as Read does.
func ReadFile(ctx context.Context, path string) (*Table, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("mushroom: read: %w", err)
	}
	if info.IsDir() {
		path = filepath.Join(path, UCIFile)
	}
	f, _, err := wholefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("mushroom: read: %w", err)
	}
	defer f.Close()
	return Read(ctx, f, path)
}

func read(ctx context.Context, r io.Reader, name string) (*Table, error) {
	data, err := readAll(ctx, r, maxSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return parse(data, name)
}

// parse reads and checks the bytes line by line, since gota keeps no line numbers.
func parse(data []byte, name string) (*Table, error) {
	rows, err := check(data, name)
	if err != nil {
		return nil, err
	}
	h := sha256.Sum256(data)
	return &Table{Rows: rows, SHA256: hex.EncodeToString(h[:])}, nil
}

// readAll reads at most limit bytes and checks ctx before each read.
func readAll(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(wholefile.WithContext(ctx, r), limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("more than %d bytes", limit)
	}
	return data, nil
}
