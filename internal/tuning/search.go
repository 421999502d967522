package tuning

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"banditsim/bandit/experiment"
	"banditsim/internal/tune"
	"banditsim/internal/words"
	"banditsim/results"
)

// Check returns an error if the experiment cannot be tuned: it has no section tune, has several
// environments, or has seeds on which its options were or will be chosen.
func Check(e experiment.Experiment) error {
	switch {
	case e.Tune == nil:
		return errors.New("the experiment has no section tune: see docs/tuning.md")
	case len(e.Environments) > 0:
		return fmt.Errorf("an experiment on one environment can be tuned, this one has %d: choose one with --environment", len(e.Environments))
	}
	var both []uint64
	for _, seed := range e.Seeds {
		if slices.Contains(e.Tune.Seeds, seed) {
			both = append(both, seed)
		} else if slices.Contains(e.TunedSeeds, seed) {
			return fmt.Errorf("seed %d is held out, but had a part in choosing the options that the experiment starts from (tuned_seeds): want other seeds", seed)
		}
	}
	if len(both) > 0 {
		slices.Sort(both)
		return e.Tune.SeedsAt.Wrap(fmt.Errorf("tune: seeds %s are among the experiment's seeds too, which are held out to judge what the search has found: want others", words.Ranges(both)))
	}
	return nil
}

// NewSearch returns the search of an experiment that Check accepts. plan is that experiment, resolved with the
// catalog.
func NewSearch(e experiment.Experiment, plan *experiment.Plan, c *experiment.Catalog) (*tune.Search, error) {
	var names []string
	for _, p := range plan.Policies {
		names = append(names, p.Label)
	}
	return tune.New(e.Tune, names, plan.Environments[0].Protocol, e.Seeds, func(s tune.Space, one tune.Configuration) (results.Policy, error) {
		e, err := e.Configured(c, []experiment.Variant{variant(s, one)})
		if err != nil {
			return results.Policy{}, err
		}
		policies, err := e.ResolvePolicies(c)
		if err != nil {
			return results.Policy{}, err
		}
		return policies[0].Policy, nil
	})
}

// variant returns a configuration of a space as a variant of a policy.
func variant(s tune.Space, c tune.Configuration) experiment.Variant {
	v := experiment.Variant{Policy: c.Policy, Name: c.Label()}
	for i, value := range c.Values {
		r := s.Ranges[i]
		v.Settings = append(v.Settings, experiment.Setting{Key: r.Option, Value: value, KeyAt: r.KeyAt, ValueAt: r.ValueAt})
	}
	return v
}

// A Folder runs stages and keeps their trials in folders: one for each number of rounds and one for the seeds held
// out. A trial with fewer rounds is not the beginning of a longer one, since a policy may plan for its number of
// rounds.
type Folder struct {
	Dir        string
	Experiment experiment.Experiment
	Search     *tune.Search
	Catalog    *experiment.Catalog
	// Execute runs the trials of a plan that are not in dir yet.
	Execute func(ctx context.Context, stage tune.Stage, plan *experiment.Plan, dir string) error
}

// Check builds the policies of the first rung, as Run does, to find values that they reject.
func (f *Folder) Check(ctx context.Context) error {
	_, err := f.plan(ctx, f.Search.First())
	return err
}

// plan returns the plan of a stage.
func (f *Folder) plan(ctx context.Context, stage tune.Stage) (*experiment.Plan, error) {
	e, err := f.Configured(stage.Configurations)
	if err != nil {
		return nil, err
	}
	e.Seeds = stage.Seeds
	e.Settings = append(e.Settings, experiment.Setting{Key: "protocol.rounds", Value: fmt.Sprint(stage.Rounds)})
	return e.Resolve(ctx, f.Catalog)
}

// Run runs a stage and returns its trials: it is the tune.Trials of the search.
func (f *Folder) Run(ctx context.Context, stage tune.Stage) (*results.Set, error) {
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
	return only(set, plan, stage), nil
}

// Configured returns the experiment with the given configurations as its policies. Its TunedSeeds include the seeds
// of the search.
func (f *Folder) Configured(list []tune.Configuration) (experiment.Experiment, error) {
	var all []experiment.Variant
	for _, c := range list {
		at := slices.IndexFunc(f.Search.Policies, func(s tune.Space) bool { return s.Policy == c.Policy })
		all = append(all, variant(f.Search.Policies[at], c))
	}
	e, err := f.Experiment.Configured(f.Catalog, all)
	e.TunedSeeds = slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.TunedSeeds, f.Search.Tune.Seeds))))
	return e, err
}

// only returns the trials of a stage, under its labels, from a set that may have other trials too.
func only(set *results.Set, plan *experiment.Plan, stage tune.Stage) *results.Set {
	part := *set
	part.Policies = nil
	for _, p := range plan.Policies {
		records := results.PolicyRecords{Label: p.Label, Policy: p.Policy}
		if there := set.FindPolicy(p.Policy); there != nil {
			records.Records = slices.DeleteFunc(slices.Clone(there.Records), func(rec results.Record) bool { return !slices.Contains(stage.Seeds, rec.Seed) })
		}
		part.Policies = append(part.Policies, records)
	}
	return &part
}
