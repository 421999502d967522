package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/figure"
	"banditsim/internal/place"
	"banditsim/internal/tune"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
	"banditsim/results/compare"
)

// An Experiment describes what to run. Resolve turns it into a Plan.
type Experiment struct {
	Name        string
	Doc         string // one line, for lists
	Title       string // title of pages, or ""
	Notes       string // on pages, or "": paragraphs with an empty line between
	Environment string // a name in the catalog, unless there are Environments
	Data        string // source of its data
	// Environments are those of an experiment on several, each with all policies and seeds.
	Environments []EnvironmentVariant
	Profile      string // a name in the catalog: defaults of the policies; "": those of their kinds
	Protocol     bandit.Protocol
	// FollowRows: where the environment's data end, Protocol.Rounds and Last are such that a trial meets all of them.
	FollowRows bool
	Policies   []string  // names of Variants, of sweeps, or of policies in the catalog
	Variants   []Variant // policies with settings
	Seeds      []uint64
	// TunedSeeds had a part in choosing the settings: regret on them flatters the policies. Tables warn
	// of them.
	TunedSeeds []uint64
	Settings   []Setting // applied in order
	Thresholds []compare.Threshold
	// Figure is what the plot of the run looks like; nil: as figure.DefaultOptions. It is not changed.
	Figure *figure.Options
	// Tune is what to search for; nil: nothing. Resolve does not look at it.
	Tune *tune.Section

	plugins                         []EnvironmentVariant // that SelectEnvironments may name besides
	environmentAt, dataAt, figureAt place.Place          // places in a file
}

func (e Experiment) clone() Experiment {
	e.Policies = slices.Clone(e.Policies)
	e.Environments = slices.Clone(e.Environments)
	for i := range e.Environments {
		v := &e.Environments[i]
		v.Settings, v.Protocol = slices.Clone(v.Settings), slices.Clone(v.Protocol)
	}
	e.Variants = slices.Clone(e.Variants)
	for i := range e.Variants {
		e.Variants[i].Settings = slices.Clone(e.Variants[i].Settings)
	}
	e.Seeds, e.TunedSeeds = slices.Clone(e.Seeds), slices.Clone(e.TunedSeeds)
	e.Settings, e.Thresholds = slices.Clone(e.Settings), slices.Clone(e.Thresholds)
	return e
}

// A Plan is a resolved experiment: names looked up, options complete, data loaded.
type Plan struct {
	Name         string
	Title, Notes string               // as the experiment's
	Environments []PlannedEnvironment // at least one
	Cells        []Cell               // seed by seed, so that the results of an interrupted run can be compared
	Policies     []NamedPolicy        // including those of other shards
	Thresholds   []compare.Threshold  // their policies are labels
	Figure       *figure.Options      // as the experiment's
}

// A PlannedEnvironment is an environment of a plan, with the protocol of its trials.
type PlannedEnvironment struct {
	Label    string // its name in an experiment on several, else ""
	World    *datasets.World
	Identity results.Environment
	Protocol bandit.Protocol
}

// A NamedPolicy is a policy with its options.
type NamedPolicy struct {
	Label  string         // its name in the experiment
	Policy results.Policy // its part of the identity of trials; a Game makes it of the label
	New    func(policy.Setup) (bandit.Policy, error)
}

// A Cell is one policy with one seed: a trial that can be run.
type Cell struct {
	results.Identity
	Label string // name of the policy in the experiment
	// EnvironmentLabel is the name of the environment in an experiment on several, else "".
	EnvironmentLabel string
	// EnvironmentOrder is the environment's place in the list of an experiment on several, from 1, else 0.
	EnvironmentOrder int
	NewPolicy        func(policy.Setup) (bandit.Policy, error)
	// TunedSeeds are the experiment's.
	TunedSeeds []uint64
	// Cost is the expected cost of the trial, positive, in a unit that all cells of the plan share:
	// multiplications and additions, or seconds of earlier trials.
	Cost  float64
	world *datasets.World
}

// FullLabel returns the label of the policy, in an experiment on several environments with that of the
// environment: "LinUCB on wheel".
func (c Cell) FullLabel() string {
	if c.EnvironmentLabel == "" {
		return c.Label
	}
	return c.Label + " on " + c.EnvironmentLabel
}

// Chains returns the number of chains that can run side by side: 1 for a policy without any.
func (c Cell) Chains() int {
	var o struct {
		Posterior struct {
			Chains int `json:"chains"`
		} `json:"posterior"`
	}
	if err := json.Unmarshal(c.Policy.Options, &o); err != nil {
		return 1 // options of another form
	}
	return max(o.Posterior.Chains, 1)
}

// NewTrial builds the trial and its policy on the streams of the cell's seed. If parallel is nil
// chains run in turn.
func (c Cell) NewTrial(parallel posterior.Parallel, to bandit.Recorder) (*bandit.Trial, bandit.Policy, error) {
	environment, own, burnIn := stream.Trial(c.Seed)
	env, err := c.world.New(environment)
	if err != nil {
		return nil, nil, err
	}
	policy, err := c.NewPolicy(policy.Setup{Spec: env.Spec(), Protocol: c.Protocol, Stream: own, Parallel: parallel})
	if err != nil {
		return nil, nil, fmt.Errorf("policy %s: %w", c.Label, err)
	}
	trial, err := bandit.NewTrial(env, policy, c.Protocol, burnIn, to)
	return trial, policy, err
}

// cellsOf returns the trials of policies on an environment, seed by seed.
func cellsOf(env PlannedEnvironment, policies []NamedPolicy, seeds []uint64) []Cell {
	var list []Cell
	for _, seed := range seeds {
		for _, p := range policies {
			list = append(list, Cell{
				Identity: results.Identity{Epoch: results.Epoch, Policy: p.Policy, Environment: env.Identity, Protocol: env.Protocol, Seed: seed},
				Label:    p.Label, EnvironmentLabel: env.Label, NewPolicy: p.New, Cost: 1, world: env.World,
			})
		}
	}
	return list
}

// maxTrials bounds a plan.
const maxTrials = 1_000_000

// checkSeeds returns an error if a seed occurs twice or the plan would be too large.
func checkSeeds(seeds []uint64, policies int) error {
	if len(seeds) == 0 || policies == 0 {
		return errors.New("an experiment needs at least one seed and one policy")
	}
	seen := map[uint64]bool{}
	for _, seed := range seeds {
		if seen[seed] {
			return fmt.Errorf("seed %d occurs twice", seed)
		}
		seen[seed] = true
	}
	if n := len(seeds) * policies; n > maxTrials { // both have bounds of their own
		return fmt.Errorf("%d policies on %d seeds are %d trials, want at most %d", policies, len(seeds), n, maxTrials)
	}
	return nil
}

// Judge compares the trials of a folder with the plan's thresholds: those of the first set, or of the
// environment of a threshold. Policies are found by name and options, not by label.
func (p *Plan) Judge(sets []*results.Set) []compare.Judgment {
	var list []compare.Judgment
	for _, t := range p.Thresholds {
		at := 0
		if t.Environment != "" {
			at = slices.IndexFunc(sets, func(s *results.Set) bool { return s.Label == t.Environment })
		}
		if at < 0 {
			list = append(list, compare.Judgment{Threshold: t, Why: "there is no trial on this environment"})
			continue
		}
		list = append(list, t.Judge(sets[at], func(name string) *results.PolicyRecords {
			for _, r := range p.Policies {
				if r.Label == name {
					return sets[at].FindPolicy(r.Policy)
				}
			}
			return nil
		}))
	}
	return list
}
