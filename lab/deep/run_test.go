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

// experiment returns a run of four units, their function, whose results are squares, and the count of units that ran.
func experiment(dir string) (*Run[int], unitFunc[float64], *atomic.Int64) {
	var ran atomic.Int64
	r := &Run[int]{Dir: dir, Methods: []string{"a", "b", "c", "d"}, Seeds: []uint64{1}, Workers: 2}
	return r, func(_ context.Context, method string, _ uint64, _ posterior.Parallel) (float64, error) {
		ran.Add(1)
		return squares[slices.Index(r.Methods, method)], nil
	}, &ran
}

var squares = []float64{0, 1.0 / 3, 4.0 / 3, 3}

// TestResume: a failed run and an interrupted one keep what had ended, and the next one runs the rest.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	id := identity{5, "x"}
	r, run, _ := experiment(dir)
	r.Workers = 1
	must.Refuse(results(t.Context(), r, id, func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (float64, error) {
		if method == "c" {
			return 0, errors.New("out of luck")
		}
		return run(ctx, method, seed, parallel)
	}))(t, "c-1: out of luck")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := results(ctx, r, id, func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (float64, error) {
		cancel()
		return run(ctx, method, seed, parallel)
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
	r, run, ran := experiment(dir)
	var told []int
	r.Done = func(done, total int) { told = append(told, done, total) }
	got, err := results(t.Context(), r, id, run)
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
	r, run, ran := experiment(dir)
	must.Get(results(t.Context(), r, identity{5, "x"}, run))(t)
	ran.Store(0)
	for name, c := range map[string]struct {
		id   identity
		want string
	}{
		"steps": {identity{6, "x"}, "a-1.json: made with steps 5, this command has 6"},
		"data":  {identity{5, "y"}, `a-1.json: made with data "x", this command has "y"`},
	} {
		if _, err := results(t.Context(), r, c.id, run); err == nil || !strings.Contains(err.Error(), c.want) || ran.Load() > 0 {
			t.Errorf("%s: %v after %d units, want %q", name, err, ran.Load(), c.want)
		}
	}
	path := filepath.Join(dir, "units", "b-1.json")
	b := must.Get(os.ReadFile(path))(t)
	must.OK(t, os.WriteFile(path, b[:len(b)/2], 0o666))
	must.Refuse(results(t.Context(), r, identity{5, "x"}, run))(t, "b-1.json", "delete this file")
}
