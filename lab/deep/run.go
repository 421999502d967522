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
	Images  Named // all images, for training and held out
	Methods []string
	Seeds   []uint64
	Dir     string // folder for the results of units
	Workers int    // units that run at a time
	// Done, if not nil, is called with the number of units that have ended and the number of all.
	Done func(done, total int)
}

// checkMethods returns an error unless the methods are known and each is named once.
func (r *Run[O]) checkMethods(known []string) error {
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

// A unitFunc returns the record of a method on a seed.
type unitFunc[R any] func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (R, error)

// results runs the units that have no file yet and returns the records of all, seed by seed.
func results[O, R any](ctx context.Context, r *Run[O], identity any, run unitFunc[R]) ([]R, error) {
	e := units[R]{Dir: filepath.Join(r.Dir, "units"), Identity: identity}
	for _, seed := range r.Seeds {
		for _, method := range r.Methods {
			e.Names = append(e.Names, fmt.Sprintf("%s-%d", method, seed))
		}
	}
	e.Run = func(ctx context.Context, i int, parallel posterior.Parallel) (R, error) {
		return run(ctx, r.Methods[i%len(r.Methods)], r.Seeds[i/len(r.Methods)], parallel)
	}
	return e.Results(ctx, r.Workers, r.Done)
}

// units are the independent parts of a long experiment. The result of each is written to a file as soon as it has ended, so that
// after an interruption the same command runs only those that are left.
type units[R any] struct {
	// Dir is the folder of the files, one for each unit: NAME.json.
	Dir string
	// Identity is what all results depend on, such as options and checksums of data. It is encoded as JSON in each file. A file with
	// another identity is an error.
	Identity any
	// Names are the names of the units: file names without .json.
	Names []string
	// Run returns the result of unit i, which encoding/json must keep unchanged. parallel runs loops on idle workers.
	Run func(ctx context.Context, i int, parallel posterior.Parallel) (R, error)
}

// Results runs the units that have no file yet, workers of them at a time, and returns the results of all in the order of Names.
// done, if not nil, is called with the number of units that have ended and the number of all: at the start, and after each unit.
// The files of the units that have ended remain after an error or the end of ctx.
func (e *units[R]) Results(ctx context.Context, workers int, done func(done, total int)) ([]R, error) {
	if err := wholefile.MakeFolder(e.Dir); err != nil {
		return nil, err
	}
	results := make([]R, len(e.Names))
	var left []int
	for i := range e.Names {
		there, err := e.read(i, &results[i])
		if err != nil {
			return nil, err
		}
		if !there {
			left = append(left, i)
		}
	}
	kept := len(e.Names) - len(left)
	p := pool.Pool{Workers: workers}
	if done != nil {
		done(kept, len(e.Names))
		p.Done = func(n, _ int) { done(kept+n, len(e.Names)) }
	}
	err := p.Run(ctx, len(left), func(k int) error {
		i := left[k]
		r, err := e.Run(ctx, i, p.Parallel)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Names[i], err)
		}
		results[i] = r
		b, err := json.Marshal(unit[any, R]{e.Identity, r})
		if err != nil {
			return fmt.Errorf("%s: encode: %w", e.path(i), err)
		}
		return wholefile.Write(e.path(i), append(b, '\n'))
	})
	return results, err
}

// A unit is the content of its file.
type unit[I, R any] struct {
	Identity I `json:"identity"`
	Result   R `json:"result"`
}

func (e *units[R]) path(i int) string { return filepath.Join(e.Dir, e.Names[i]+".json") }

// read reads the result of unit i into r. It reports false if the unit has no file.
func (e *units[R]) read(i int, r *R) (there bool, err error) {
	b, err := wholefile.ReadFile(e.path(i))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var f unit[json.RawMessage, R]
	if err := json.Unmarshal(b, &f); err != nil {
		return false, fmt.Errorf("%s: %w: delete this file, and the same command makes it anew", e.path(i), err)
	}
	if len(flatjson.Changed(f.Identity, e.Identity)) > 0 {
		field, was, now := flatjson.FirstDifference(f.Identity, e.Identity)
		return false, fmt.Errorf("%s: made with %s %s, this command has %s: choose another folder, or the same settings", e.path(i), field, was, now)
	}
	*r = f.Result
	return true, nil
}
