package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
)

// TestWriterStreams: a row group leaves memory when it is full.
func TestWriterStreams(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, Schema{Name: "test", Columns: []Column{{Name: "text", Type: String}, {Name: "value", Type: Float64, Nullable: true}}})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range GroupRows + 1 {
		if err := w.Write([]any{"a", rng.Float64()}); err != nil { // does not compress
			t.Fatal(err)
		}
	}
	if b.Len() < 4*GroupRows {
		t.Errorf("a row group of %d rows is still held in memory: %d bytes are written", GroupRows, b.Len())
	}
}

// TestWrongRows: a value of another type would be written as other bytes of the same page.
func TestWrongRows(t *testing.T) {
	columns := []Column{{Name: "seed", Type: Uint64}, {Name: "regret", Type: Float64, Nullable: true}}
	for _, tt := range []struct {
		name, want string
		row        []any
	}{
		{"another type", "a int32 in column seed of type uint64", []any{int32(1), 0.5}},
		{"null", "a <nil> in column seed of type uint64", []any{nil, 0.5}},
		{"a type without a column", "a float32 in column regret of type float64", []any{uint64(1), float32(1)}},
		{"short", "a row of 1 values for 2 columns", []any{uint64(1)}},
		{"long", "a row of 3 values for 2 columns", []any{uint64(1), nil, nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, err := NewWriter(new(bytes.Buffer), Schema{Columns: columns})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, tt.want) {
					t.Errorf("panic %q, want one with %q", said, tt.want)
				}
			}()
			t.Errorf("no panic: %v", w.Write(tt.row))
		})
	}
}

func TestWrongSchemas(t *testing.T) {
	for want, columns := range map[string][]Column{
		"no columns":                    nil,
		`two columns are named "a"`:     {{Name: "a", Type: Bool}, {Name: "a", Type: Int32}},
		"column a has the type 0, want": {{Name: "a"}},
		"column a has the type 6, want": {{Name: "a", Type: Float64 + 1}},
	} {
		if _, err := NewWriter(new(bytes.Buffer), Schema{Columns: columns}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestBrokenPipe: every call returns the first error of the output, which a caller may ask for at the end alone.
func TestBrokenPipe(t *testing.T) {
	w, err := NewWriter(brokenPipe{}, Schema{Columns: []Column{{Name: "a", Type: Bool}}})
	if err != nil {
		t.Fatal(err)
	}
	for call, err := range map[string]error{"Write": w.Write([]any{true}), "Flush": w.Flush(), "Close": w.Close()} {
		if !errors.Is(err, syscall.EPIPE) {
			t.Errorf("%s: error %v, want EPIPE", call, err)
		}
	}
}
