package experiment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
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
	Doc         string // description in one line, for lists of experiments
	Title       string // title of HTML pages, or ""
	Notes       string // paragraphs of HTML pages, separated by empty lines; or ""
	Environment string // a name in the catalog; "" if there are Environments
	Data        string // source of the data of Environment
	// Environments, if any, replace Environment. Each policy runs on each of them, with each seed.
	Environments []EnvironmentVariant
	Profile      string // name of a profile in the catalog, or "" for the policies' own defaults
	Protocol     bandit.Protocol
	// FollowRows makes Resolve choose Protocol.Rounds and Last so that a trial uses all of the environment's data. It
	// has no effect if the data do not end, or if a setting gives the rounds.
	FollowRows bool
	Policies   []string  // names of Variants, of sweeps, or of policies in the catalog
	Variants   []Variant // policies with settings
	Seeds      []uint64
	// TunedSeeds are the seeds on which the settings were chosen. Tables warn that regret on them is too optimistic.
	TunedSeeds []uint64
	Settings   []Setting // applied in order
	Thresholds []compare.Threshold
	Figure     *figure.Options // appearance of the regret plot; nil for figure.DefaultOptions; read-only
	Tune       *tune.Section   // the search of 'banditsim tune', or nil; Resolve ignores it

	plugins                         []EnvironmentVariant // child processes that SelectEnvironments may name
	leftOut                         []EnvironmentVariant // environments of the experiment that SelectEnvironments removed
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

// A Plan is a resolved experiment: names are looked up, options complete and data loaded.
type Plan struct {
	Name         string
	Title, Notes string               // title and paragraphs of HTML pages
	Environments []PlannedEnvironment // at least one
	Cells        []Cell               // ordered by seed, so that an interrupted run has all policies on its first seeds
	Policies     []NamedPolicy        // all of the experiment, even if Shard or Select removed their cells
	Thresholds   []compare.Threshold  // with policies named by their labels
	Figure       *figure.Options      // appearance of the regret plot; nil for figure.DefaultOptions
}

// A PlannedEnvironment is an environment of a plan, with the protocol of its trials.
type PlannedEnvironment struct {
	Label    string // its name if the experiment has several environments, else ""
	World    *datasets.World
	Identity results.Environment
	All      json.RawMessage // all options; Identity.Options leaves out some that are zero
	Protocol bandit.Protocol
	spec     bandit.Spec
}

// A NamedPolicy is a policy with its options.
type NamedPolicy struct {
	Label  string         // its name in the experiment
	Policy results.Policy // the policy's part of a trial's identity; Game.Plan sets it from the label
	New    func(policy.Setup) (bandit.Policy, error)
	All    json.RawMessage // all options; Policy.Options leaves out some that are zero
	Set    []string        // keys of the options that a file or the command line sets, without scopes
}

// A Cell is a trial that can be run: one policy on one environment with one seed.
type Cell struct {
	results.Identity
	Label string // name of the policy in the experiment
	// EnvironmentLabel is the name of the environment if the experiment has several, else "".
	EnvironmentLabel string
	// EnvironmentOrder is the position of the environment, from 1, if the experiment has several, else 0.
	EnvironmentOrder int
	NewPolicy        func(policy.Setup) (bandit.Policy, error)
	TunedSeeds       []uint64 // seeds on which the settings were chosen
	// Cost is the expected cost of the trial, positive, in a unit that all cells of the plan share: multiplications and
	// additions, or seconds if SetCosts was called. In the plan of a Game it is 1.
	Cost  float64
	world *datasets.World
}

// FullLabel returns the label of the policy, such as "LinUCB", or "LinUCB on wheel" with several environments.
func (c Cell) FullLabel() string {
	if c.EnvironmentLabel == "" {
		return c.Label
	}
	return c.Label + " on " + c.EnvironmentLabel
}

// Chains returns the number of chains that can run in parallel: 1 for a policy without chains.
func (c Cell) Chains() int {
	var o struct {
		Posterior struct {
			Chains int `json:"chains"`
		} `json:"posterior"`
	}
	if err := json.Unmarshal(c.Policy.Options, &o); err != nil {
		return 1 // the options have no posterior with chains
	}
	return max(o.Posterior.Chains, 1)
}

// NewTrial builds the trial and its policy on random streams from the seed. If parallel is nil, chains run one by one.
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

// maxTrials is the largest number of trials in a plan.
const maxTrials = 1_000_000

// checkSeeds returns an error if seeds or policies are missing, a seed occurs twice, or the plan would be too large.
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
	if n := len(seeds) * policies; n > maxTrials { // no overflow: both lists are far shorter than 2³¹
		return fmt.Errorf("%d policies on %d seeds are %d trials, want at most %d", policies, len(seeds), n, maxTrials)
	}
	return nil
}

// Judge compares sets of trials, one for each environment, with the plan's thresholds. A threshold that names an
// environment is for the set with this label, any other for the first. Policies match by name and options, not label.
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

// A Game is an experiment made of Go values rather than of names in a catalog.
type Game struct {
	Name        string                                           // name of the environment, in tables and trial identities
	Environment func(*stream.Stream) (bandit.Environment, error) // makes the environment, for Plan and for each trial
	Policies    []NamedPolicy                                    // Label also names the policy in trial identities
	Protocol    bandit.Protocol
	Seeds       []uint64
}

// WithDefaults returns a policy with the default options of its kind; its label is the name of the kind.
func WithDefaults[O any](k policy.Kind[O]) NamedPolicy {
	return NamedPolicy{Label: k.Name, New: func(s policy.Setup) (bandit.Policy, error) { return k.Build(k.Defaults(), s) }}
}

// Plan returns the plan of the game: one trial per policy and seed. The identity of a trial contains the names of
// environment and policy but not their code, so trials keep their IDs when the code behind a name changes.
func (g Game) Plan() (plan *Plan, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("experiment: game: %w", err)
		}
	}()
	if err := checkSeeds(g.Seeds, len(g.Policies)); err != nil {
		return nil, err
	}
	if g.Environment == nil {
		return nil, errors.New("the game has no Environment: want a function that makes it")
	}
	if err := g.Protocol.Validate(); err != nil {
		return nil, err
	}
	environment, err := identify(g.Name, nil, nil, &datasets.World{New: g.Environment})
	if err != nil {
		return nil, err
	}
	environment.Protocol = g.Protocol
	policies := slices.Clone(g.Policies)
	for i, p := range policies {
		switch {
		case p.New == nil:
			return nil, fmt.Errorf("policy %s: New is nil", p.Label)
		case slices.ContainsFunc(policies[:i], func(q NamedPolicy) bool { return q.Label == p.Label }):
			return nil, fmt.Errorf("policy %s is named twice", p.Label)
		}
		if err := checkVariantName(p.Label); err != nil {
			return nil, err
		}
		policies[i].Policy = results.Policy{Name: p.Label, Options: []byte("{}")}
	}
	environments := []PlannedEnvironment{environment}
	return &Plan{Name: g.Name, Environments: environments, Policies: policies, Cells: cellsOf(environment, policies, g.Seeds)}, nil
}

// identify returns the planned environment of w, without Label and Protocol. Its identity has the options w.Options or,
// if they are nil, the argument options; all becomes its field All.
func identify(name string, options, all json.RawMessage, w *datasets.World) (PlannedEnvironment, error) {
	env, err := w.New(stream.Root(0))
	if err != nil {
		return PlannedEnvironment{}, err
	}
	spec := env.Spec()
	if err := cmp.Or(check.UTF8("name", name), spec.Validate()); err != nil { // checked here, before a policy is built for the spec
		return PlannedEnvironment{}, fmt.Errorf("the environment has %w", err)
	}
	if w.Options != nil {
		options = w.Options
	}
	identity := results.Environment{Name: name, Options: options, Data: w.Data, Arms: spec.Arms, UniformRegret: results.Number(spec.UniformRegret)}
	if w.Passes > 1 {
		identity.Rows = w.Rows
	}
	return PlannedEnvironment{World: w, Identity: identity, All: all, spec: spec}, nil
}
