package merge

import (
	"bytes"
	"fmt"

	"banditsim/internal/flatjson"
	"banditsim/results"
)

// An ExperimentError is the error for a trial of another experiment than the trials before it.
type ExperimentError struct{ error }

// An experiment has the common properties of the trials checked so far.
type experiment struct {
	settings map[string]results.Record // first trial of each environment, by the environment's name in sidecars
	bare     *results.Record           // first trial without a label in its sidecar, if no trial with a label came before it; else nil
	policies map[string]results.Policy // policies by label and name of the environment
}

// check returns an *ExperimentError if a trial is of another experiment than those checked before. The trial must have
// the conditions of the first trial of its environment; if its sidecar has no label, those of any environment will do.
func (e *experiment) check(rec results.Record) error {
	sidecar, _ := rec.Sidecar()  // zero if it cannot be read: trials may lack a sidecar
	label := sidecar.Environment // "" in an experiment on one environment
	like, ok := e.settings[label]
	if sidecar.Label == "" {
		for _, other := range e.settings {
			if alike(rec, other) {
				return nil
			}
			like, ok = other, true
		}
		if !ok && e.bare == nil {
			e.bare = &rec
			return nil
		}
		if !ok {
			like, ok = *e.bare, true
		}
	}
	_, unnamed := e.settings[""] // a trial of an experiment on one environment was checked
	if !ok && len(e.settings) > 0 && (label == "" || unnamed) {
		return &ExperimentError{fmt.Errorf("merge: %s is of another experiment: one of them is on several environments", rec.Path)}
	}
	if !ok {
		like = rec
		if e.bare != nil && label == "" {
			like = *e.bare
		}
		e.settings[label] = like
	}
	if !alike(rec, like) {
		field, is, was := flatjson.FirstDifference(rec.Conditions, like.Conditions)
		return &ExperimentError{fmt.Errorf("merge: %s is of another experiment: %s is %s there and %s in %s", rec.Path, field, is, was, like.Path)}
	}
	if sidecar.Label == "" {
		return nil
	}
	policy, ok := e.policies[sidecar.Label+"\x00"+label]
	if !ok {
		e.policies[sidecar.Label+"\x00"+label] = *rec.Policy
	} else if policy.Name != rec.Policy.Name || !bytes.Equal(policy.Options, rec.Policy.Options) {
		other := rec.Identity()
		other.Policy = policy
		field, is, was := flatjson.FirstDifference(rec.Identity(), other)
		return &ExperimentError{fmt.Errorf("merge: %s is of another experiment: %s of %s is %s there and %s elsewhere", rec.Path, field, sidecar.Label, is, was)}
	}
	return nil
}

// alike reports whether two trials have the same conditions.
func alike(a, b results.Record) bool {
	i := a.Identity()
	i.Policy, i.Seed = *b.Policy, b.Seed
	return i.ID() == b.ID()
}
