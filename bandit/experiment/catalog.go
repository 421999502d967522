// Package experiment describes experiments: grids of policies × seeds on one environment.
//
// A Catalog holds what there is to run. An Experiment says what of it to run; Resolve turns
// it into a Plan of cells, each with an identity that determines its numbers. Package
// harness runs a plan.
package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/datasets"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
	"banditsim/posterior/verify/contract"
	"banditsim/results"
)

// A Catalog holds the environments, posteriors and policies that can be named
// on the command line and in experiments. Names are registered once: a second
// registration is an error. Fill it before use; it is then safe for concurrent reads.
type Catalog struct {
	policies     []policyEntry
	posteriors   []Entry
	contracts    []contract.Posterior
	samplers     []sgmcmc.Method
	environments []environmentEntry
	presets      []Experiment
	profiles     []profile
	fieldDocs    map[string]string // see DescribeFields
}

// An Entry is a name with a line about it.
type Entry struct{ Name, Doc string }

type policyEntry struct {
	Entry
	options  reflect.Type    // for the schema
	defaults json.RawMessage // all options
	// normalize decodes options strictly and encodes them again, in the order of the type's
	// fields and without those that are zero and tagged omitzero.
	normalize func(json.RawMessage) (json.RawMessage, error)
	// build decodes the options strictly and builds the policy.
	build func(options json.RawMessage, setup policy.Setup) (bandit.Policy, error)
}

type environmentEntry struct {
	Entry
	options   reflect.Type // for the schema
	defaults  json.RawMessage
	normalize func(json.RawMessage) (json.RawMessage, error)
	open      func(ctx context.Context, options json.RawMessage, data string) (*datasets.World, error)
	rows      func(context.Context, results.Environment) (*datasets.Rows, error) // or nil
}

// AddPolicy registers a policy.
func AddPolicy[O any](c *Catalog, k policy.Kind[O]) error {
	if err := c.free(k.Name); err != nil {
		return err
	}
	defaults, err := encode(k.Defaults())
	if err != nil {
		return fmt.Errorf("experiment: register %s: %w", k.Name, err)
	}
	c.policies = append(c.policies, policyEntry{
		Entry:     Entry{k.Name, k.Doc},
		options:   reflect.TypeFor[O](),
		defaults:  defaults,
		normalize: normalize[O],
		build: func(options json.RawMessage, setup policy.Setup) (bandit.Policy, error) {
			var o O
			if err := decodeStrict(options, &o); err != nil {
				return nil, err
			}
			return k.New(o, setup)
		},
	})
	return nil
}

// AddPosterior registers a posterior, and the policy of its name that does Thompson sampling
// over it. 'sampler verify' checks its contract and its claims.
func AddPosterior[O any](c *Catalog, k posterior.Kind[O]) error {
	if k.Claims.Rounds < 1 {
		return fmt.Errorf("experiment: register %s: Claims.Rounds is %d, want at least 1: the training rounds in which it learns", k.Name, k.Claims.Rounds)
	}
	if err := AddPolicy(c, policy.ThompsonKind(k)); err != nil {
		return err
	}
	c.posteriors = append(c.posteriors, Entry{k.Name, k.Doc})
	c.contracts = append(c.contracts, contract.Of(k))
	return nil
}

// AddEnvironment registers an environment.
func AddEnvironment[O any](c *Catalog, k datasets.Kind[O]) error {
	if err := checkName(k.Name); err != nil {
		return err
	}
	if c.environment(k.Name) != nil {
		return fmt.Errorf("experiment: register: there is an environment %q already", k.Name)
	}
	defaults, err := encode(k.Defaults())
	if err != nil {
		return fmt.Errorf("experiment: register %s: %w", k.Name, err)
	}
	c.environments = append(c.environments, environmentEntry{
		Entry:     Entry{k.Name, k.Doc},
		options:   reflect.TypeFor[O](),
		defaults:  defaults,
		normalize: normalize[O],
		open: func(ctx context.Context, options json.RawMessage, data string) (*datasets.World, error) {
			var o O
			if err := decodeStrict(options, &o); err != nil {
				return nil, err
			}
			return k.Open(ctx, o, data)
		},
		rows: k.Rows,
	})
	return nil
}

// Rows describes the rows of the data that recorded trials ran on. It returns nil for an
// environment that is not in the catalog or whose rows are not described.
func (c *Catalog) Rows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	entry := c.environment(e.Name)
	if entry == nil || entry.rows == nil {
		return nil, nil
	}
	return entry.rows(ctx, e)
}

// AddPreset registers an experiment under its name.
func (c *Catalog) AddPreset(e Experiment) error {
	if err := checkName(e.Name); err != nil {
		return err
	}
	if _, err := c.Preset(e.Name); err == nil {
		return fmt.Errorf("experiment: register: there is a preset %q already", e.Name)
	}
	c.presets = append(c.presets, e.clone())
	return nil
}

// checkName returns an error if a name cannot be typed where names are: in lists
// with commas, in keys with dots, in the paths of folders.
func checkName(name string) error {
	if name == "" || strings.ContainsAny(name, ".,=/\\ \t\r\n") {
		return fmt.Errorf("experiment: register: %q is no name: want letters, digits, '-' and '_', without blanks", name)
	}
	return nil
}

// free returns an error if a policy of that name exists, or if the name cannot be
// one or means something else in a setting's key.
func (c *Catalog) free(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if slices.Contains(reservedScopes, name) {
		return fmt.Errorf("experiment: register: %q is not free as a name: it stands for something else in --set", name)
	}
	if c.policy(name) != nil {
		return fmt.Errorf("experiment: register: there is a policy %q already", name)
	}
	return nil
}

// Policies lists what can be named in --policies.
func (c *Catalog) Policies() []Entry {
	var list []Entry
	for _, p := range c.policies {
		list = append(list, p.Entry)
	}
	return list
}

// Posteriors lists the posteriors, each also the Thompson policy of its name.
func (c *Catalog) Posteriors() []Entry { return c.posteriors }

// Environments lists the environments.
func (c *Catalog) Environments() []Entry {
	var list []Entry
	for _, e := range c.environments {
		list = append(list, e.Entry)
	}
	return list
}

// Presets lists the experiments that can be run by name.
func (c *Catalog) Presets() []Experiment { return c.presets }

// Preset returns an experiment by name; the error suggests a near name.
func (c *Catalog) Preset(name string) (Experiment, error) {
	var known []string
	for _, e := range c.presets {
		if e.Name == name {
			return e.clone(), nil
		}
		known = append(known, e.Name)
	}
	return Experiment{}, unknown("preset", name, known)
}

func (c *Catalog) policy(name string) *policyEntry {
	for i := range c.policies {
		if c.policies[i].Name == name {
			return &c.policies[i]
		}
	}
	return nil
}

func (c *Catalog) environment(name string) *environmentEntry {
	for i := range c.environments {
		if c.environments[i].Name == name {
			return &c.environments[i]
		}
	}
	return nil
}

// decodeStrict decodes JSON and refuses unknown fields.
func decodeStrict(b json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func normalize[O any](b json.RawMessage) (json.RawMessage, error) {
	var o O
	if err := decodeStrict(b, &o); err != nil {
		return nil, err
	}
	return json.Marshal(o)
}

func names(entries []Entry) []string {
	var list []string
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}
