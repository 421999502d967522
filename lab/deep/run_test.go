package deep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"banditsim/internal/must"
	"banditsim/posterior"
)

type identity struct {
	Steps int    `json:"steps"`
	Data  string `json:"data"`
}

// experiment returns one of four units with squares as results, and the count of units that ran.
func experiment(dir string, id identity) (*units[float64], *atomic.Int64) {
	var ran atomic.Int64
	return &units[float64]{Dir: dir, Identity: id, Names: []string{"a", "b", "c", "d"},
		Run: func(_ context.Context, i int, _ posterior.Parallel) (float64, error) {
			ran.Add(1)
			return float64(i*i) / 3, nil
		}}, &ran
}

var squares = []float64{0, 1.0 / 3, 4.0 / 3, 3}

// TestResume: a failed run and an interrupted one keep what had ended, and the next one runs the rest.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	e, _ := experiment(dir, identity{5, "x"})
	run := e.Run
	e.Run = func(ctx context.Context, i int, parallel posterior.Parallel) (float64, error) {
		if i == 2 {
			return 0, errors.New("out of luck")
		}
		return run(ctx, i, parallel)
	}
	must.Refuse(e.Results(t.Context(), 1, nil))(t, "c: out of luck")
	ctx, cancel := context.WithCancel(t.Context())
	e.Run = func(ctx context.Context, i int, parallel posterior.Parallel) (float64, error) {
		cancel()
		return run(ctx, i, parallel)
	}
	if _, err := e.Results(ctx, 1, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
	e, ran := experiment(dir, identity{5, "x"})
	var told []int
	got, err := e.Results(t.Context(), 2, func(done, total int) { told = append(told, done, total) })
	if err != nil || !slices.Equal(got, squares) {
		t.Errorf("%v, %v, want %v", got, err, squares)
	}
	if ran.Load() != 1 || !slices.Equal(told, []int{3, 4, 4, 4}) {
		t.Errorf("%d units ran, progress %v, want the last alone", ran.Load(), told)
	}
}

// TestRefuses: units of other settings and files that are not whole are errors that name the file and the cure.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	e, _ := experiment(dir, identity{5, "x"})
	must.Get(e.Results(t.Context(), 2, nil))(t)
	for name, c := range map[string]struct {
		id   identity
		want string
	}{
		"steps": {identity{6, "x"}, "a.json: made with steps 5, this command has 6"},
		"data":  {identity{5, "y"}, `a.json: made with data "x", this command has "y"`},
	} {
		e, ran := experiment(dir, c.id)
		if _, err := e.Results(t.Context(), 2, nil); err == nil || !strings.Contains(err.Error(), c.want) || ran.Load() > 0 {
			t.Errorf("%s: %v after %d units, want %q", name, err, ran.Load(), c.want)
		}
	}
	path := filepath.Join(dir, "b.json")
	b := must.Get(os.ReadFile(path))(t)
	must.OK(t, os.WriteFile(path, b[:len(b)/2], 0o666))
	e, _ = experiment(dir, identity{5, "x"})
	must.Refuse(e.Results(t.Context(), 2, nil))(t, "b.json", "delete this file")
}
