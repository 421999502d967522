package harness

import (
	"fmt"
	"slices"

	"banditsim/results"
)

// A FolderError is why the output folder does not fit the experiment.
type FolderError struct{ Err error }

func (e *FolderError) Error() string { return e.Err.Error() }
func (e *FolderError) Unwrap() error { return e.Err }

// checkFolder refuses an output folder that holds trials of another
// experiment: another environment, protocol or results epoch, or a policy
// of the same name with other options. More seeds and policies are welcome.
// Files that cannot be read are left to whoever needs them.
func checkFolder(dir string, plan *Plan) error {
	paths, err := results.TrialFiles(dir)
	if err != nil {
		return fmt.Errorf("harness: output folder %s: %w", dir, err)
	}
	for _, path := range paths {
		old, err := results.ReadTrial(path)
		if err != nil {
			continue
		}
		if err := plan.fits(old.Identity); err != nil {
			return &FolderError{fmt.Errorf("the output folder holds another experiment: %s: %w: choose another with --out", path, err)}
		}
	}
	return nil
}

// fits returns an error if the trial cannot stand in one folder with the plan's.
func (p *Plan) fits(old results.Identity) error {
	like := p.Trials[0].Identity
	i := slices.IndexFunc(p.Trials, func(t Trial) bool { return t.Policy.Name == old.Policy.Name })
	if i >= 0 {
		like = p.Trials[i].Identity
	} else {
		like.Policy = old.Policy
	}
	like.Seed = old.Seed
	if like.ID() == old.ID() {
		return nil
	}
	field, was, is := results.FirstDifference(old, like)
	return fmt.Errorf("%s is %s there and %s here", field, was, is)
}
