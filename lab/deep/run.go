package deep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"banditsim/internal/flatjson"
	"banditsim/internal/nearest"
	"banditsim/internal/pool"
	"banditsim/internal/wholefile"
	"banditsim/posterior"
)

// A Run is one run of an experiment with options O: each method on each seed. One method on one seed is a unit.
type Run[O any] struct {
	Options O
	Images  *Data     // all images, for training and held out
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
	Images *Data  `json:"data"`
}

// An Identity is what the results of all units in one folder depend on.
type Identity[O any] struct {
	Experiment string    `json:"experiment"`
	Format     int       `json:"format"`
	Data       *Data     `json:"data"`
	Outside    []Outside `json:"outside,omitempty"`
	Options    O         `json:"options"`
}

// A Result has the records of all methods, seed by seed. They depend on method, seed, options and images alone.
type Result[O, R any] struct {
	Identity Identity[O] `json:"identity"`
	Records  []R         `json:"records"`
}

// CheckMethods returns an error unless the methods are known and each is named once. No names stand for all.
func (r *Run[O]) CheckMethods(known []string) error {
	if len(r.Methods) == 0 {
		r.Methods = known
	}
	return nearest.Distinct("unknown method", "method", r.Methods, known)
}

// A unitFunc returns the result of a method on a seed. parallel runs loops on idle workers.
type unitFunc[R any] func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (R, error)

// A keptUnit is the content of a unit's file.
type keptUnit[I, R any] struct {
	Identity I `json:"identity"`
	Result   R `json:"result"`
}

// play runs the units of an experiment that have no file yet, r.Workers of them at a time, and returns the records of
// all. Units are seed by seed. The record of each is written to a file as soon as it has ended, so that after an
// interruption the same command runs only those that are left. A file with another identity is an error. encoding/json
// must keep records unchanged. r.Done is also called at the start.
func play[O, R any](ctx context.Context, r *Run[O], experiment string, format int, run unitFunc[R]) (*Result[O, R], error) {
	folder := filepath.Join(r.Dir, "units")
	if err := wholefile.MakeFolder(folder); err != nil {
		return nil, err
	}
	all := &Result[O, R]{Records: make([]R, len(r.Seeds)*len(r.Methods))}
	all.Identity = Identity[O]{experiment, format, r.Images, r.Outside, r.Options}
	unit := func(i int) (method string, seed uint64, name, path string) {
		method, seed = r.Methods[i%len(r.Methods)], r.Seeds[i/len(r.Methods)]
		name = fmt.Sprintf("%s-%d", method, seed)
		return method, seed, name, filepath.Join(folder, name+".json")
	}
	var left []int
	for i := range all.Records {
		_, _, _, path := unit(i)
		there, err := read(path, all.Identity, &all.Records[i])
		if err != nil {
			return nil, err
		}
		if !there {
			left = append(left, i)
		}
	}
	kept := len(all.Records) - len(left)
	p := pool.Pool{Workers: r.Workers}
	if r.Done != nil {
		r.Done(kept, len(all.Records))
		p.Done = func(n, _ int) { r.Done(kept+n, len(all.Records)) }
	}
	return all, p.Run(ctx, len(left), func(k int) error {
		method, seed, name, path := unit(left[k])
		record, err := run(ctx, method, seed, p.Parallel)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all.Records[left[k]] = record
		b, err := json.Marshal(keptUnit[Identity[O], R]{all.Identity, record})
		if err != nil {
			return fmt.Errorf("%s: encode: %w", path, err)
		}
		return wholefile.Write(path, append(b, '\n'))
	})
}

// read reads a unit's file into record. It reports false if there is no file.
func read[I, R any](path string, identity I, record *R) (there bool, err error) {
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
	*record = f.Result
	return true, nil
}
