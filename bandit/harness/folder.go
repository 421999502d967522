package harness

import (
	"bytes"
	"fmt"

	"banditsim/bandit/experiment"
	"banditsim/internal/flatjson"
	"banditsim/results"
)

// anotherFolder is the advice at the end of a FolderError of Run and Expect.
const anotherFolder = "choose another with --out"

// A FolderError reports that the output folder holds another experiment.
type FolderError struct{ error }

// checkFolder returns a *FolderError if the output folder holds trials of another experiment: with another
// environment, protocol or results epoch, or with a policy that has the same label but other options. Trials with
// other seeds, policies and variants are allowed; so are other environments, if both experiments have several.
// Unreadable files are ignored. The text of the error ends with the advice in cure.
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
	like := results.Identity{Epoch: results.Epoch, Policy: *old.Policy, Seed: old.Seed}
	if other, ok := sameLabel(plan, old); ok {
		like.Policy = other
	}
	label := ""
	if s, err := old.Sidecar(); err == nil {
		label = s.Environment
	}
	var nearest results.Identity // with the environment of that label or, if there is none, the first environment
	labeled := false
	for i, e := range plan.Environments {
		like.Environment, like.Protocol = e.Identity, e.Protocol
		if like.ID() == old.ID() {
			return nil
		}
		if same := e.Label != "" && e.Label == label; same || i == 0 {
			nearest, labeled = like, labeled || same
		}
	}
	if plan.Environments[0].Label != "" && label != "" && !labeled {
		like.Environment, like.Protocol = old.Environment, old.Protocol
		if nearest = like; like.ID() == old.ID() {
			return nil // the trial is on an environment that the plan does not have
		}
	}
	field, was, is := flatjson.FirstDifference(old.Identity(), nearest)
	return fmt.Errorf("%s is %s there and %s here", field, was, is)
}

// sameLabel returns the plan's policy with the name and options of a recorded trial's or, if there is none, with its
// name and label. The label of a trial whose sidecar has none is the name of its policy.
func sameLabel(plan *experiment.Plan, rec results.Record) (results.Policy, bool) {
	old := *rec.Policy
	var sameName []experiment.NamedPolicy
	for _, r := range plan.Policies {
		if r.Policy.Name == old.Name {
			sameName = append(sameName, r)
		}
		if r.Policy.Name == old.Name && bytes.Equal(r.Policy.Options, old.Options) {
			return old, true // whatever its label
		}
	}
	if len(sameName) == 0 {
		return results.Policy{}, false
	}
	label := old.Name
	if s, err := rec.Sidecar(); err == nil && s.Label != "" {
		label = s.Label
	}
	for _, r := range sameName {
		if r.Label == label {
			return r.Policy, true
		}
	}
	return results.Policy{}, false
}
