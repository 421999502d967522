package deep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"banditsim/internal/must"
	"banditsim/posterior"
)

type steps struct {
	Steps int `json:"steps"`
}

// experiment returns a run with four units, a unitFunc that returns the elements of squares, and a counter of its calls.
func experiment(dir string) (*Run[steps], unitFunc[float64], *atomic.Int64) {
	var ran atomic.Int64
	r := &Run[steps]{Dir: dir, Images: &Data{}, Options: steps{5}, Methods: []string{"a", "b", "c", "d"}, Seeds: []uint64{1}, Workers: 2}
	return r, func(_ context.Context, method string, _ uint64, _ posterior.Parallel) (float64, error) {
		ran.Add(1)
		return squares[slices.Index(r.Methods, method)], nil
	}, &ran
}

var squares = []float64{0, 1.0 / 3, 4.0 / 3, 3}

// TestResume checks that a failed or interrupted run keeps the results of finished units, and that the next run does only the rest.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	r, run, _ := experiment(dir)
	r.Workers = 1
	must.Refuse(play(t.Context(), r, "squares", 1, func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (float64, error) {
		if method == "c" {
			return 0, errors.New("out of luck")
		}
		return run(ctx, method, seed, parallel)
	}))(t, "c-1: out of luck")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := play(ctx, r, "squares", 1, func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (float64, error) {
		cancel()
		return run(ctx, method, seed, parallel)
	})
	must.Hold(t, errors.Is(err, context.Canceled), "error %v, want that of the context", err)
	r, run, ran := experiment(dir)
	var told []int
	r.Done = func(done, total int) { told = append(told, done, total) }
	must.Equal(t, "records", must.Get(play(t.Context(), r, "squares", 1, run))(t).Records, squares)
	must.That(t, ran.Load() == 1 && slices.Equal(told, []int{3, 4, 4, 4}),
		"%d units ran, progress %v, want the last alone", ran.Load(), told)
}

// TestRefuses checks the errors for units with other settings and for truncated files. They name the file and the remedy.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	r, run, ran := experiment(dir)
	must.Get(play(t.Context(), r, "squares", 1, run))(t)
	ran.Store(0)
	for want, change := range map[string]func(r *Run[steps]){
		"a-1.json: made with options.steps 5, this command has 6":     func(r *Run[steps]) { r.Options.Steps = 6 },
		`a-1.json: made with data.name "", this command has "digits"`: func(r *Run[steps]) { r.Images = &Data{Name: "digits"} },
	} {
		r, _, _ := experiment(dir)
		change(r)
		must.Refuse(play(t.Context(), r, "squares", 1, run))(t, want)
	}
	must.Equal(t, "units that ran", ran.Load(), 0)
	path := filepath.Join(dir, "units", "b-1.json")
	b := must.Get(os.ReadFile(path))(t)
	must.OK(t, os.WriteFile(path, b[:len(b)/2], 0o666))
	must.Refuse(play(t.Context(), r, "squares", 1, run))(t, "b-1.json", "delete this file")
}
