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

// A Run is one run of an experiment with options O: methods on seeds.
type Run[O any] struct {
	Options O
	Images  Named // all, of which those for training and those held out are drawn
	Methods []string
	Seeds   []uint64
	Dir     string // where the units are kept
	Workers int
	// Done, if not nil, is called with the number of units that have ended and of all.
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

// results runs the units that are not kept yet and returns the records of all, seed by seed.
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

// units are the independent parts of a long experiment. The result of each is kept in a file as soon as there is one, so that
// the same command goes on where an interrupted or killed one ended.
type units[R any] struct {
	// Dir is the folder of the files, one for each unit: NAME.json.
	Dir string
	// Identity is what all units share and their results depend on, such as options and sums of data. It is encoded as
	// JSON. A unit that was kept under another one is an error.
	Identity any
	// Names are those of the units, each a file name without its end.
	Names []string
	// Run returns the result of a unit, which survives encoding/json. parallel runs loops on workers that are idle.
	Run func(ctx context.Context, i int, parallel posterior.Parallel) (R, error)
}

// Results runs the units that are not kept yet, workers of them at a time, and returns the results of all in the order of
// Names. done, if not nil, is called with the number of units that have ended and of all, first with those that were kept.
// After an error or the end of ctx, the units that had ended stay kept.
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

// read reads the result of a unit; there is false if there is none.
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
