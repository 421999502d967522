package tuning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"banditsim/bandit/experiment"
	"banditsim/internal/lists"
	"banditsim/internal/pool"
	"banditsim/internal/tune"
	"banditsim/internal/words"
	"banditsim/results"
)

// Check returns an error if the experiment cannot be tuned: it has no section tune, one of its seeds is among those
// of the search or of an earlier search, or it does not have the environments that the section names.
func Check(e experiment.Experiment) error {
	if e.Tune == nil {
		return errors.New("the experiment has no section tune: see docs/tuning.md")
	}
	known := environments(e)
	if e.Tune.Environments != nil && len(e.Tune.Environments) == 0 {
		return e.Tune.EnvironmentsAt.Wrap(errors.New("tune.environments is empty: name those of the search, or leave it out"))
	}
	for i, name := range e.Tune.Environments {
		switch {
		case !slices.Contains(known, name):
			return e.Tune.EnvironmentsAt.Wrap(fmt.Errorf("tune.environments: there is no %q among the environments of this run: want some of its list environments", name))
		case slices.Contains(e.Tune.Environments[:i], name):
			return e.Tune.EnvironmentsAt.Wrap(fmt.Errorf("tune.environments names %s twice", name))
		}
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

// environments returns the names of the environments, nil unless the experiment has several.
func environments(e experiment.Experiment) []string {
	return lists.Each(e.Environments, func(v experiment.EnvironmentVariant) string { return v.Name })
}

// NewSearch returns the search of an experiment that Check accepts; plan is the experiment resolved with the catalog c.
// Search.Judges are the environments that the section tune does not name, or all if it names all or none.
func NewSearch(e experiment.Experiment, plan *experiment.Plan, c *experiment.Catalog) (*tune.Search, error) {
	section := *e.Tune
	if section.Environments == nil {
		section.Environments = environments(e)
	}
	judges := slices.DeleteFunc(environments(e), func(name string) bool { return slices.Contains(section.Environments, name) })
	if len(judges) == 0 {
		judges = section.Environments
	}
	longest := plan.Environments[0].Protocol // the one with the longest burn-in
	for _, other := range plan.Environments {
		if other.Protocol.Rounds != longest.Rounds {
			return nil, fmt.Errorf("tune: %s has %d rounds and %s %d: want the same of all environments, such as by protocol.rounds", plan.Environments[0].Label, longest.Rounds, other.Label, other.Protocol.Rounds)
		}
		if other.Protocol.AfterBurnIn() > longest.AfterBurnIn() {
			longest = other.Protocol
		}
	}
	for _, cell := range plan.Cells {
		if section.Environments != nil && !(cell.Environment.UniformRegret > 0) {
			return nil, fmt.Errorf("tune: the regret of acting uniformly on %s is not known, which several environments are weighed by: leave it out", cell.EnvironmentLabel)
		}
	}
	names := lists.Each(plan.Policies, func(p experiment.NamedPolicy) string { return p.Label })
	s, err := tune.New(&section, names, longest, e.Seeds, func(s tune.Space, one tune.Configuration) (results.Policy, error) {
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
	if err == nil {
		s.Judges = judges
	}
	if err == nil && section.Minutes > 0 && !pool.HasMeter() {
		err = errors.New("tune.budget: this system has no clock of processor time: give the budget in trials, such as budget: 60")
	}
	return s, err
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
// out. A longer trial cannot continue one with fewer rounds, because a policy may depend on the number of rounds.
type Folder struct {
	Dir        string
	Experiment experiment.Experiment
	Search     *tune.Search
	Catalog    *experiment.Catalog
	// Execute runs the trials of a plan that are not in dir yet.
	Execute func(ctx context.Context, stage tune.Stage, plan *experiment.Plan, dir string) error
	// Sets are the trials of the stage that Run ran last, one set per environment.
	Sets []*results.Set
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
	e.Environments = slices.DeleteFunc(e.Environments, func(v experiment.EnvironmentVariant) bool { return !slices.Contains(stage.Environments, v.Name) })
	e.Settings = append(e.Settings, experiment.Setting{Key: "protocol.rounds", Value: fmt.Sprint(stage.Rounds)})
	return e.Resolve(ctx, f.Catalog)
}

// Run implements tune.Trials: it runs a stage and returns its trials. On several environments, it merges the trials of
// a configuration with the same seed into one: see relative.
func (f *Folder) Run(ctx context.Context, stage tune.Stage) (*results.Set, error) {
	plan, err := f.plan(ctx, stage)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(f.Dir, stage.Folder)
	if err := f.Execute(ctx, stage, plan, dir); err != nil {
		return nil, err
	}
	if len(stage.Environments) == 0 {
		set, err := results.Load(dir)
		if err != nil {
			return nil, err
		}
		f.Sets = []*results.Set{only(set, plan, stage)}
		return f.Sets[0], nil
	}
	sets, err := results.LoadMixed(dir)
	if err != nil {
		return nil, err
	}
	f.Sets = nil
	for _, e := range plan.Environments {
		at := slices.IndexFunc(sets, func(s *results.Set) bool { return s.Label == e.Label })
		if at < 0 {
			return nil, fmt.Errorf("tune: %s has no trials on %s", dir, e.Label)
		}
		f.Sets = append(f.Sets, only(sets[at], plan, stage))
	}
	return relative(f.Sets)
}

// Seconds returns the processor time of a configuration's trials in Run's latest stage, for tune.Search.Seconds.
func (f *Folder) Seconds(c tune.Configuration) (float64, error) {
	sum := 0.0
	for _, set := range f.Sets {
		for _, rec := range set.Find(c.Label()).Records {
			s, err := rec.Sidecar()
			if err != nil {
				return 0, fmt.Errorf("tune: the processor time of a trial is unknown: %w: delete the trial, or give the budget in trials", err)
			}
			if sum += s.ProcessorTime(); math.IsNaN(sum) {
				return 0, fmt.Errorf("tune: %s does not have the processor time of its trial, which an older version, another system or a child process ran: give the budget in trials", results.SidecarPath(rec.Path))
			}
		}
	}
	return sum, nil
}

// relative merges sets, one per environment, into one. Its regret is a percentage of the uniform policy's, averaged
// over the sets, so that environments have equal weight. A trial has failed if it failed in any set.
func relative(sets []*results.Set) (*results.Set, error) {
	mean := *sets[0]
	mean.Policies = nil
	for i, p := range sets[0].Policies {
		joint := results.PolicyRecords{Label: p.Label, Policy: p.Policy}
		for k, first := range p.Records {
			one := results.Record{Seed: first.Seed}
			for _, s := range sets {
				uniform, _ := s.Conditions.UniformRegret()
				list := s.Policies[i].Records
				switch {
				case k >= len(list) || list[k].Seed != first.Seed:
					return nil, fmt.Errorf("tune: there is no trial of %s on %s with seed %d", p.Label, s.Label, first.Seed)
				case list[k].Totals.Failure != nil:
					one.Totals.Failure = list[k].Totals.Failure
				}
				share := 100 / uniform / float64(len(sets))
				one.Totals.Expected += float64(share * list[k].Totals.Expected)
				one.Totals.Realised += float64(share * list[k].Totals.Realised)
			}
			joint.Records = append(joint.Records, one)
		}
		mean.Policies = append(mean.Policies, joint)
	}
	return &mean, nil
}

// Configured returns the experiment with the given configurations as policies and the search's seeds in TunedSeeds.
func (f *Folder) Configured(list []tune.Configuration) (experiment.Experiment, error) {
	e, err := f.Experiment.Configured(f.Catalog, lists.Each(list, func(c tune.Configuration) experiment.Variant {
		at := slices.IndexFunc(f.Search.Policies, func(s tune.Space) bool { return s.Policy == c.Policy })
		return variant(f.Search.Policies[at], c)
	}))
	e.TunedSeeds = slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.TunedSeeds, f.Search.Tune.Seeds))))
	return e, err
}

// only returns the trials of a stage, with the labels that its plan gives them, from a set that may have other trials.
func only(set *results.Set, plan *experiment.Plan, stage tune.Stage) *results.Set {
	part := *set
	part.Policies = lists.Each(plan.Policies, func(p experiment.NamedPolicy) results.PolicyRecords {
		records := results.PolicyRecords{Label: p.Label, Policy: p.Policy}
		if there := set.FindPolicy(p.Policy); there != nil {
			records.Records = slices.DeleteFunc(slices.Clone(there.Records), func(rec results.Record) bool { return !slices.Contains(stage.Seeds, rec.Seed) })
		}
		return records
	})
	return &part
}
