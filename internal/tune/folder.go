package tune

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"banditsim/bandit/experiment"
	"banditsim/results"
)

// A Folder runs stages into folders of trial files, one for each number of rounds and one for the seeds held
// out: those with fewer rounds are trials of their own and not beginnings of longer ones, since a policy may
// plan for the number of rounds that it has.
type Folder struct {
	Dir        string
	Experiment experiment.Experiment
	Search     *Search
	Catalog    *experiment.Catalog
	// Execute runs the trials of a plan that are not in dir yet.
	Execute func(ctx context.Context, stage Stage, plan *experiment.Plan, dir string) error
}

var _ Trials = (*Folder)(nil)

// Check builds the policies of the first rung, as Run does, so that values which they refuse are found.
func (f *Folder) Check(ctx context.Context) error {
	var all []Configuration
	for _, p := range f.Search.Policies {
		if len(p.Ranges) > 0 {
			all = append(all, p.Configurations...)
		}
	}
	_, err := f.plan(ctx, f.Search.stage(0, all))
	return err
}

// plan resolves a stage.
func (f *Folder) plan(ctx context.Context, stage Stage) (*experiment.Plan, error) {
	e, err := f.Configured(stage.Configurations)
	if err != nil {
		return nil, err
	}
	e.Seeds = stage.Seeds
	e.Settings = append(e.Settings, experiment.Setting{Key: "protocol.rounds", Value: fmt.Sprint(stage.Rounds)})
	return e.Resolve(ctx, f.Catalog)
}

// Run implements Trials.
func (f *Folder) Run(ctx context.Context, stage Stage) (*results.Set, error) {
	plan, err := f.plan(ctx, stage)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(f.Dir, stage.Folder)
	if err := f.Execute(ctx, stage, plan, dir); err != nil {
		return nil, err
	}
	set, err := results.Load(dir)
	if err != nil {
		return nil, err
	}
	return only(set, plan, stage)
}

// Configured returns the experiment on some configurations, with the seeds of the search among those that tuned
// it.
func (f *Folder) Configured(list []Configuration) (experiment.Experiment, error) {
	var all []experiment.Configuration
	for _, c := range list {
		at := slices.IndexFunc(f.Search.Policies, func(s Space) bool { return s.Policy == c.Policy })
		all = append(all, f.Search.Policies[at].configured(c))
	}
	e, err := f.Experiment.Configured(f.Catalog, all)
	e.TunedSeeds = slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.TunedSeeds, f.Search.Tune.Seeds))))
	return e, err
}

// only returns the trials of the stage out of a folder that may have more, under the labels of the stage.
func only(set *results.Set, plan *experiment.Plan, stage Stage) (*results.Set, error) {
	there := map[string]results.PolicyRecords{}
	for _, p := range set.Policies {
		key, err := json.Marshal(p.Policy)
		if err != nil {
			return nil, err
		}
		there[string(key)] = p
	}
	part := *set
	part.Policies = nil
	for _, p := range plan.Policies {
		key, err := json.Marshal(p.Policy)
		if err != nil {
			return nil, err
		}
		records := there[string(key)]
		records.Label, records.Policy = p.Label, p.Policy
		records.Records = slices.DeleteFunc(slices.Clone(records.Records), func(rec results.Record) bool { return !slices.Contains(stage.Seeds, rec.Seed) })
		part.Policies = append(part.Policies, records)
	}
	return &part, nil
}
