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

// A Run is a run of an experiment with options O: each method on each seed. One method on one seed is called a unit.
type Run[O any] struct {
	Options O
	Images  *Data     // training and held-out images
	Outside []Outside // images that belong to none of the classes; only for Uncertainty
	Methods []string
	Seeds   []uint64
	Dir     string // folder for the results of units
	Workers int    // number of units that run at a time
	// Done, if not nil, gets the numbers of finished and all units at the start and after each unit. Calls do not overlap.
	Done func(done, total int)
}

// Outside is a set of images that belong to none of the classes.
type Outside struct {
	Set    string `json:"set"`
	Images *Data  `json:"data"`
}

// An Identity has the inputs on which the results of all units in a folder depend.
type Identity[O any] struct {
	Experiment string    `json:"experiment"`
	Format     int       `json:"format"`
	Data       *Data     `json:"data"`
	Outside    []Outside `json:"outside,omitempty"`
	Options    O         `json:"options"`
}

// A Result has the records of all units, seed by seed. A record depends only on method, seed, options and images.
type Result[O, R any] struct {
	Identity Identity[O] `json:"identity"`
	Records  []R         `json:"records"`
}

// CheckMethods returns an error if a method is unknown or named twice. An empty r.Methods is set to all known methods.
func (r *Run[O]) CheckMethods(known []string) error {
	if len(r.Methods) == 0 {
		r.Methods = known
	}
	return nearest.Distinct("unknown method", "method", r.Methods, known)
}

// A unitFunc returns the result of a method on a seed. It may use parallel to run loops on idle workers.
type unitFunc[R any] func(ctx context.Context, method string, seed uint64, parallel posterior.Parallel) (R, error)

// A keptUnit is the content of a unit's file.
type keptUnit[I, R any] struct {
	Identity I `json:"identity"`
	Result   R `json:"result"`
}

// play returns the records of all units of an experiment, seed by seed. It runs units that have no file yet, r.Workers
// at a time, and writes the record of each unit to a file as soon as the unit has finished. After an
// interruption the same command runs only the remaining units. A file with another identity is an error. Records must
// survive encoding to JSON and back unchanged.
func play[O, R any](ctx context.Context, r *Run[O], experiment string, format int, run unitFunc[R]) (*Result[O, R], error) {
	folder := filepath.Join(r.Dir, "units")
	if err := wholefile.MakeFolder(folder); err != nil {
		return nil, err
	}
	all := &Result[O, R]{Records: make([]R, len(r.Seeds)*len(r.Methods))}
	all.Identity = Identity[O]{experiment, format, r.Images, r.Outside, r.Options}
	unit := func(i int) (method string, seed uint64, path string) {
		method, seed = r.Methods[i%len(r.Methods)], r.Seeds[i/len(r.Methods)]
		return method, seed, filepath.Join(folder, fmt.Sprintf("%s-%d.json", method, seed))
	}
	var left []int
	for i := range all.Records {
		_, _, path := unit(i)
		if err := read(path, all.Identity, &all.Records[i]); errors.Is(err, fs.ErrNotExist) {
			left = append(left, i)
		} else if err != nil {
			return nil, err
		}
	}
	kept := len(all.Records) - len(left)
	p := pool.Pool{Workers: r.Workers}
	if r.Done != nil {
		r.Done(kept, len(all.Records))
		p.Done = func(n, _ int) { r.Done(kept+n, len(all.Records)) }
	}
	return all, p.Run(ctx, len(left), func(k int) error {
		method, seed, path := unit(left[k])
		record, err := run(ctx, method, seed, p.Parallel)
		if err != nil {
			return fmt.Errorf("%s-%d: %w", method, seed, err)
		}
		all.Records[left[k]] = record
		b, err := json.Marshal(keptUnit[Identity[O], R]{all.Identity, record})
		if err != nil {
			return fmt.Errorf("%s-%d: %w: %w: a lower learning_rate is needed", method, seed, posterior.ErrDiverged, err) // a NaN has no JSON
		}
		return wholefile.Write(path, append(b, '\n'))
	})
}

// read reads a unit's file into record. The error is fs.ErrNotExist if there is no file.
func read[I, R any](path string, identity I, record *R) error {
	b, err := wholefile.ReadFile(path)
	if err != nil {
		return err
	}
	var f keptUnit[json.RawMessage, R]
	if err := json.Unmarshal(b, &f); err != nil {
		return fmt.Errorf("%s: %w: delete this file, and the same command makes it anew", path, err)
	}
	if len(flatjson.Changed(f.Identity, identity)) > 0 {
		field, was, now := flatjson.FirstDifference(f.Identity, identity)
		return fmt.Errorf("%s: made with %s %s, this command has %s: choose another folder, or the same settings", path, field, was, now)
	}
	*record = f.Result
	return nil
}
