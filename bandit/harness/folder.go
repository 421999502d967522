package harness

import (
	"bytes"
	"cmp"
	"fmt"

	"banditsim/bandit/experiment"
	"banditsim/internal/flatjson"
	"banditsim/results"
)

// anotherFolder is the advice at the end of a FolderError of Run and Expect.
const anotherFolder = "choose another with --out"

// A FolderError reports that the output folder holds another experiment.
type FolderError struct{ error }

// checkFolder returns a *FolderError if the folder holds trials of another experiment: with another environment,
// protocol or results epoch, or with a policy that has the same label but other options. The error ends with the
// argument cure. Trials with other seeds, policies and variants are allowed; so are other environments, if both
// experiments have several. Unreadable files are ignored. The error for a missing folder wraps fs.ErrNotExist.
func checkFolder(dir string, plan *experiment.Plan, cure string) error {
	records, err := results.Heads(dir)
	if err != nil {
		return fmt.Errorf("harness: output folder %s: %w", dir, err)
	}
	for _, old := range records {
		if err := fits(plan, old); err != nil {
			return &FolderError{fmt.Errorf("the output folder holds another experiment: %s: %w: %s", old.Path, err, cure)}
		}
	}
	return nil
}

// fits returns an error if a recorded trial cannot be in the same folder as the trials of the plan.
func fits(plan *experiment.Plan, old results.Record) error {
	sidecar, _ := old.Sidecar() // zero if it cannot be read
	label := sidecar.Environment
	want := results.Identity{Epoch: results.Epoch, Policy: *old.Policy, Seed: old.Seed}
	if other, ok := sameLabel(plan, *old.Policy, cmp.Or(sidecar.Label, old.Policy.Name)); ok {
		want.Policy = other
	}
	// nearest is what the error compares with the trial: want in the environment of the plan that has the trial's label.
	// Without one, it is want in the trial's own environment or, if plan or trial has no labels, in the plan's first.
	var nearest results.Identity
	labeled := false
	for i, e := range plan.Environments {
		want.Environment, want.Protocol = e.Identity, e.Protocol
		if want.ID() == old.ID() {
			return nil
		}
		if same := e.Label != "" && e.Label == label; same || i == 0 {
			nearest, labeled = want, labeled || same
		}
	}
	if plan.Environments[0].Label != "" && label != "" && !labeled {
		want.Environment, want.Protocol = old.Environment, old.Protocol
		if nearest = want; want.ID() == old.ID() {
			return nil // the trial is on an environment that the plan does not have
		}
	}
	field, was, is := flatjson.FirstDifference(old.Identity(), nearest)
	return fmt.Errorf("%s is %s there and %s here", field, was, is)
}

// sameLabel returns the policy of the plan with the name and the options of old, whatever its label. If there is none,
// it returns the policy with the name of old and the given label, but other options. Without either, ok is false.
func sameLabel(plan *experiment.Plan, old results.Policy, label string) (like results.Policy, ok bool) {
	for _, r := range plan.Policies {
		switch {
		case r.Policy.Name != old.Name:
		case bytes.Equal(r.Policy.Options, old.Options):
			return old, true
		case r.Label == label:
			like, ok = r.Policy, true
		}
	}
	return like, ok
}
