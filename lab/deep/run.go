package deep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"banditsim/internal/flatjson"
	"banditsim/internal/nearest"
	"banditsim/internal/pool"
	"banditsim/internal/wholefile"
	"banditsim/posterior"
)

// A Run is one run of an experiment with options O: each method on each seed. One method on one seed is a unit.
type Run[O any] struct {
	Options O
	Images  Named     // all images, for training and held out
	Outside []Outside // images that belong to none of the classes, for Uncertainty
	Methods []string
	Seeds   []uint64
	Dir     string // folder for the results of units
	Workers int    // units that run at a time
	// Done, if not nil, is called with the number of units that have ended and the number of all.
	Done func(done, total int)
}

// Outside is a set of images that belong to none of the classes.
type Outside struct {
	Set    string `json:"set"`
	Images Named  `json:"data"`
}

// An Identity is what the results of all units in one folder depend on.
type Identity[O any] struct {
	Experiment string    `json:"experiment"`
	Format     int       `json:"format"`
	Data       Named     `json:"data"`
	Outside    []Outside `json:"outside,omitempty"`
	Options    O         `json:"options"`
}

// A Result has the records of all methods, seed by seed. They depend on method, seed, options and images alone.
type Result[O, R any] struct {
	Identity Identity[O] `json:"identity"`
	Records  []R         `json:"records"`
}

// play runs the units of an experiment.
func play[O, R any](ctx context.Context, r *Run[O], experiment string, format int, run unitFunc[R]) (*Result[O, R], error) {
	id := Identity[O]{experiment, format, r.Images, r.Outside, r.Options}
	records, err := results(ctx, r, id, run)
	return &Result[O, R]{id, records}, err
}

// CheckMethods returns an error unless the methods are known and each is named once.
func (r *Run[O]) CheckMethods(known []string) error {
	for i, name := range r.Methods {
		if _, err := nearest.Parse("unknown method", name, known); err != nil {
			return err
		}
		if slices.Contains(r.Methods[:i], name) {
			return fmt.Errorf("method %s is named twice", name)
		}
	}
	return nil
}

// A unitFunc returns the result of a method on a seed. parallel runs loops on idle workers.
type unitFunc[R any] func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (R, error)

// unit returns method and seed of unit i, and its name. Units are seed by seed.
func (r *Run[O]) unit(i int) (method string, seed uint64, name string) {
	method, seed = r.Methods[i%len(r.Methods)], r.Seeds[i/len(r.Methods)]
	return method, seed, fmt.Sprintf("%s-%d", method, seed)
}

// path returns the path of unit i's file.
func (r *Run[O]) path(i int) string {
	_, _, name := r.unit(i)
	return filepath.Join(r.Dir, "units", name+".json")
}

// A keptUnit is the content of a unit's file.
type keptUnit[I, R any] struct {
	Identity I `json:"identity"`
	Result   R `json:"result"`
}

// results runs the units that have no file yet, r.Workers of them at a time, and returns the results of all. The result of each is
// written to a file as soon as it has ended, so that after an interruption the same command runs only those that are left.
//
// identity is what all results depend on, such as options and checksums of data. It is encoded as JSON in each file; a file with
// another identity is an error. encoding/json must keep results unchanged. r.Done is also called at the start.
func results[O, R any](ctx context.Context, r *Run[O], identity any, run unitFunc[R]) ([]R, error) {
	if err := wholefile.MakeFolder(filepath.Join(r.Dir, "units")); err != nil {
		return nil, err
	}
	results := make([]R, len(r.Seeds)*len(r.Methods))
	var left []int
	for i := range results {
		there, err := read(r.path(i), identity, &results[i])
		if err != nil {
			return nil, err
		}
		if !there {
			left = append(left, i)
		}
	}
	kept := len(results) - len(left)
	p := pool.Pool{Workers: r.Workers}
	if r.Done != nil {
		r.Done(kept, len(results))
		p.Done = func(n, _ int) { r.Done(kept+n, len(results)) }
	}
	err := p.Run(ctx, len(left), func(k int) error {
		i := left[k]
		method, seed, name := r.unit(i)
		result, err := run(ctx, method, seed, p.Parallel)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		results[i] = result
		b, err := json.Marshal(keptUnit[any, R]{identity, result})
		if err != nil {
			return fmt.Errorf("%s: encode: %w", r.path(i), err)
		}
		return wholefile.Write(r.path(i), append(b, '\n'))
	})
	return results, err
}

// read reads a unit's file into result. It reports false if there is no file.
func read[R any](path string, identity any, result *R) (there bool, err error) {
	b, err := wholefile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var f keptUnit[json.RawMessage, R]
	if err := json.Unmarshal(b, &f); err != nil {
		return false, fmt.Errorf("%s: %w: delete this file, and the same command makes it anew", path, err)
	}
	if len(flatjson.Changed(f.Identity, identity)) > 0 {
		field, was, now := flatjson.FirstDifference(f.Identity, identity)
		return false, fmt.Errorf("%s: made with %s %s, this command has %s: choose another folder, or the same settings", path, field, was, now)
	}
	*result = f.Result
	return true, nil
}
