package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/internal/nearest"
	"banditsim/internal/optiontree"
	"banditsim/internal/place"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// A Tune is the section of an experiment file that 'banditsim tune' searches by (package internal/tune). The
// seeds of the experiment itself are held out: the search does not see them.
type Tune struct {
	Seeds     []uint64 // that the search sees
	Budget    int      // budget of each policy, in trials of all rounds
	Halving   *Halving // nil: random search
	Objective Objective
	Metric    *compare.Metric
	Draw      uint64 // seed of the draws
	Ranges    []Range

	seedsAt, halvingAt place.Place // places in a file
}

// DefaultTune returns a section without seeds, budget and ranges: random search for the lowest mean expected
// regret, with draw 1.
func DefaultTune() Tune { return Tune{Objective: Mean, Metric: compare.Expected(), Draw: 1} }

// Halving is successive halving: the search begins with short trials on few seeds; every rung keeps one
// configuration of Eta and gives it Eta times as much.
type Halving struct {
	Eta    int // at least 2
	Rounds int // rounds of the trials of the first rung, at least
	Seeds  int // seeds of the first rung, at least
}

// An Objective is what the search minimizes over the seeds.
type Objective string

// The objectives.
const (
	Mean  Objective = "mean"
	Worst Objective = "worst" // the regret of the worst seed
)

// parseObjective returns the objective with the given name.
func parseObjective(name string) (Objective, error) {
	return nearest.Parse("unknown objective", name, []Objective{Mean, Worst})
}

// A Range has the values of an option among which the search chooses.
type Range struct {
	Policy string // its name in the experiment
	Option string // path, as in the settings of a variant
	Kind   RangeKind
	Low    float64 // unless it is a choice
	High   float64
	Values []string // values of a choice, as in settings

	key, value place.Place // places in a file
}

// A RangeKind says which values are as likely as others.
type RangeKind string

// The kinds of ranges. Log and Linear are of numbers, with all logarithms or all numbers alike.
const (
	Log    RangeKind = "log"
	Linear RangeKind = "linear"
	Int    RangeKind = "int"    // whole numbers
	Choice RangeKind = "choice" // a list of any values
)

var rangeKinds = []RangeKind{Log, Linear, Int, Choice}

// Setting returns the option with a value. Errors about it give the place of the range.
func (r Range) Setting(value string) Setting {
	return Setting{Key: r.Option, Value: value, keyAt: r.key, valueAt: r.value}
}

// String returns the range as in a file: "log 1e-05 to 0.1".
func (r Range) String() string {
	if r.Kind == Choice {
		return "choice of " + strings.Join(r.Values, ", ")
	}
	return fmt.Sprintf("%s %g to %g", r.Kind, r.Low, r.High)
}

// CheckTune returns an error if the experiment cannot be tuned: it has no section tune, has several
// environments, or has seeds on which its options were or will be chosen.
func (e Experiment) CheckTune() error {
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
		return e.Tune.seedsAt.Wrap(fmt.Errorf("tune: seeds %s are among the experiment's seeds too, which are held out to judge what the search has found: want others", words.Ranges(both)))
	}
	return nil
}

// WrongHalving adds the place of the section halving to an error.
func (t *Tune) WrongHalving(err error) error { return t.halvingAt.Wrap(err) }

// A Configuration is a policy of an experiment with some options changed.
type Configuration struct {
	Policy   string    // its name in the experiment
	Name     string    // its own
	Settings []Setting // the last to be applied; their keys have no scope
}

// Configured returns the experiment on these configurations alone, without thresholds and figure. Settings of
// policies, by name or by all, are those of the configurations now.
func (e Experiment) Configured(c *Catalog, list []Configuration) (Experiment, error) {
	chosen, err := e.chosen()
	if err != nil {
		return e, err
	}
	sorted, err := e.sortSettings(chosen)
	if err != nil {
		return e, err
	}
	e = e.clone()
	e.Policies, e.Variants, e.Thresholds, e.Figure, e.Tune = nil, nil, nil, nil, nil
	e.Settings = slices.DeleteFunc(e.Settings, func(s Setting) bool {
		scope := s.scope()
		return scope != scopeProtocol && scope != scopeEnvironment
	})
	for _, configuration := range list {
		at := slices.IndexFunc(chosen, func(v Variant) bool { return v.Name == configuration.Policy })
		if at < 0 {
			return e, notHere("policy", configuration.Policy, variantNames(chosen))
		}
		v := chosen[at]
		settings, err := e.ofPolicy(c, v, sorted[scopeAll])
		if err != nil {
			return e, err
		}
		settings = append(settings, v.Settings...)
		for _, s := range sorted[v.Name] {
			settings = append(settings, s.unscoped())
		}
		v.Name, v.Settings, v.family = configuration.Name, append(settings, configuration.Settings...), ""
		e.Policies, e.Variants = append(e.Policies, v.Name), append(e.Variants, v)
	}
	return e, nil
}

// ofPolicy returns those `all.` settings that the variant's policy has options for, without their scope.
func (e Experiment) ofPolicy(c *Catalog, v Variant, all []Setting) ([]Setting, error) {
	kind, err := c.policyOf(v)
	if err != nil {
		return nil, err
	}
	if kind == nil {
		return nil, v.at.Wrap(unknown("policy", v.Policy, names(c.Policies())))
	}
	defaults, err := c.profileDefaults(e.Profile, kind)
	if err != nil {
		return nil, err
	}
	var list []Setting
	for _, s := range all {
		if _, err := kind.set(defaults, s); !errors.Is(err, optiontree.ErrUnknownKey) {
			s.general = true
			list = append(list, s.unscoped())
		}
	}
	return list, nil
}

// ResolvePolicy returns the policy of a configuration with its options.
func (e Experiment) ResolvePolicy(c *Catalog, one Configuration) (results.Policy, error) {
	e, err := e.Configured(c, []Configuration{one})
	if err != nil {
		return results.Policy{}, err
	}
	r, err := e.resolveNames(c)
	if err != nil {
		return results.Policy{}, err
	}
	return results.Policy{Name: r.policies[0].Policy, Options: r.policies[0].options}, nil
}
