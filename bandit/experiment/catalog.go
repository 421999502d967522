// Package experiment describes experiments: grids of policies × environments × seeds.
//
// A Catalog lists what can be run. An Experiment selects from it. Experiment.Resolve returns a Plan of cells, each with
// an identity that determines its numbers. Package harness runs plans.
package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/datasets"
	"banditsim/internal/figure"
	"banditsim/internal/kinds"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/optiontree"
	"banditsim/internal/yamltree"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
	"banditsim/results"
)

// A Catalog holds the environments, posteriors, samplers and policies that can be named on the command line and in
// experiments. Registering a name twice is an error. Fill it before use; it is then safe for concurrent reads.
type Catalog struct {
	Contracts []posterior.Subject // the posteriors, at the small size at which 'verify' of module lab checks them
	Samplers  []sgmcmc.Subject    // the samplers that 'verify' of module lab checks
	// Advice lists the policies that 'banditsim recommend' tries, by kind of table: the first kind that fits counts.
	Advice []Advice
	// Renamed maps former names of policies to present ones, for the error about an unknown policy.
	Renamed map[string]string
	// FieldDocs is a JSON object with the descriptions of option fields for the schema, by path/to/package.Type.Field.
	FieldDocs []byte

	policies     []kind[newPolicy]
	posteriors   []kind[newPosterior]
	environments []kind[openWorld]
	presets      []preset
	profiles     []Profile
	starter      declare.Starter // starts child processes; if nil, an experiment that declares one is an error
}

// Constructors of a policy, a posterior and an environment whose options are already bound.
type (
	newPolicy    = func(policy.Setup) (bandit.Policy, error)
	newPosterior = func(posterior.Setup) (posterior.Posterior, error)
	openWorld    = func(ctx context.Context, data string) (*datasets.World, error)
)

// checkNew returns an error if a name to register is among taken, the names of its kind, such as "policy", or would be
// ambiguous in a list with commas, a key with dots or a path.
func checkNew(kind, name string, taken []string) error {
	odd := func(r rune) bool { return strings.ContainsRune(".,=/\\ ", r) || !unicode.IsPrint(r) }
	switch {
	case name == "" || strings.ContainsFunc(name, odd):
		return fmt.Errorf("experiment: register: %q is not a name: want letters, digits, '-' and '_', without blanks", name)
	case slices.Contains(taken, name):
		return fmt.Errorf("experiment: register: there is a %s %q already", kind, name)
	}
	return nil
}

// register appends k to a list of the catalog. The argument what is "policy", "posterior" or "environment".
func register[T any](what string, list *[]kind[T], k kind[T]) error {
	if err := checkNew(what, k.Name, names(entriesOf(*list))); err != nil {
		return err
	}
	if err := optiontree.Check(reflect.TypeOf(k.defaults)); err != nil {
		return fmt.Errorf("experiment: register %s: %w", k.Name, err)
	}
	*list = append(*list, k)
	return nil
}

// AddPolicy registers a policy.
func AddPolicy[O any](c *Catalog, k policy.Kind[O]) error { return c.Add(kinds.Policy(k)) }

// AddPosterior registers a posterior and the policies that do Thompson sampling with it: by default one policy of the
// same name. 'verify' of module lab checks the posterior's contract and its claims.
func AddPosterior[O any](c *Catalog, k posterior.Kind[O], policies ...policy.Kind[policy.ThompsonOptions[O]]) error {
	return c.Add(kinds.Posterior(k, policies...))
}

// Add registers the policies of a Part and, if not nil, its posterior and its sampler.
func (c *Catalog) Add(p kinds.Part) error {
	if p.Err != nil {
		return fmt.Errorf("experiment: register %w", p.Err)
	}
	if p.Sampler != nil {
		samplers := lists.Each(c.Samplers, func(s sgmcmc.Subject) string { return s.Name })
		if err := checkNew("sampler", p.Sampler.Name, samplers); err != nil {
			return err
		}
		c.Samplers = append(c.Samplers, *p.Sampler)
	}
	for _, k := range p.Policies {
		if slices.Contains(reservedNames, k.Name) {
			return fmt.Errorf("experiment: register: the name %q is reserved: it has another meaning in --set", k.Name)
		}
		if err := register("policy", &c.policies, *policyKind(k)); err != nil {
			return err
		}
	}
	if p.Posterior == nil {
		return nil
	}
	c.Contracts = append(c.Contracts, *p.Contract)
	k := *p.Posterior
	return register("posterior", &c.posteriors, kind[newPosterior]{Entry: Entry{Name: k.Name, Doc: k.Doc}, defaults: k.Defaults, with: func(o any) newPosterior {
		return func(s posterior.Setup) (posterior.Posterior, error) { return k.New(o, s) }
	}})
}

func policyKind(k policy.Entry) *kind[newPolicy] {
	return &kind[newPolicy]{Entry: Entry{k.Name, k.Doc, k.Family}, defaults: k.Defaults, with: func(o any) newPolicy {
		return func(s policy.Setup) (bandit.Policy, error) { return k.Build(o, s) }
	}}
}

// AddEnvironment registers an environment.
func AddEnvironment[O any](c *Catalog, k datasets.Kind[O]) error {
	return register("environment", &c.environments, kind[openWorld]{Entry{Name: k.Name, Doc: k.Doc}, k.Defaults(), func(o any) openWorld {
		return func(ctx context.Context, data string) (*datasets.World, error) { return k.Open(ctx, o.(O), data) }
	}, k.Takes, k.Rows})
}

// AddSampler registers a sampler as a posterior over the weights of a network, with a policy of the same name. 'verify'
// of module lab checks its claims.
func AddSampler[S any](c *Catalog, s neural.Sampler[S]) error { return c.Add(kinds.Sampler(s)) }

// AddMethod registers a sampler that only 'verify' of module lab uses: no policy has its name.
func AddMethod[S any](c *Catalog, m sgmcmc.Method[S]) error { return c.Add(kinds.Method(m)) }

// A preset is an experiment that can be run by name.
type preset struct {
	Entry
	read func() (Experiment, error) // returns a new copy of the experiment
}

// AddPreset registers an experiment under its name.
func (c *Catalog) AddPreset(e Experiment) error {
	e = e.clone()
	return c.addPreset(preset{Entry{Name: e.Name, Doc: e.Doc}, func() (Experiment, error) { return e.clone(), nil }})
}

// AddPresets registers the experiment files in a tree. Each is named after its experiment and begins with a one-line
// comment that describes it. A file is parsed when Preset is called for it, so mistakes in it are errors of Preset.
func (c *Catalog) AddPresets(files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		doc, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		return c.addPreset(preset{Entry{Name: strings.TrimSuffix(path.Base(name), ".yaml"), Doc: doc}, func() (Experiment, error) {
			root, err := yamltree.Parse(name, text)
			if err != nil {
				return Experiment{}, err
			}
			return c.parseFile(root)
		}})
	})
}

func (c *Catalog) addPreset(p preset) error {
	err := checkNew("preset", p.Name, names(c.Presets()))
	if err == nil {
		c.presets = append(c.presets, p)
	}
	return err
}

// Policies returns the policies.
func (c *Catalog) Policies() []Entry { return entriesOf(c.policies) }

// Families returns the families of policies that have trials in sets, with these policies' labels. The families are in
// the order in which c.Policies first has them. Policies without a family, such as plugins, form the family "others".
func (c *Catalog) Families(sets []*results.Set) []figure.Family {
	byLabel := make(map[string]string) // families by label
	for _, set := range sets {
		for _, p := range set.Policies {
			if k := find(c.policies, p.Policy.Name); k != nil {
				byLabel[p.Label] = k.Family
			}
		}
	}
	var families []figure.Family
	for _, e := range append(c.Policies(), Entry{}) {
		f := figure.Family{Name: cmp.Or(e.Family, "others")}
		if slices.ContainsFunc(families, func(g figure.Family) bool { return g.Name == f.Name }) {
			continue
		}
		for _, label := range results.Labels(sets) {
			if byLabel[label] == e.Family {
				f.Policies = append(f.Policies, label)
			}
		}
		if len(f.Policies) > 0 {
			families = append(families, f)
		}
	}
	return families
}

// Posteriors returns the posteriors.
func (c *Catalog) Posteriors() []Entry { return entriesOf(c.posteriors) }

// Environments returns the environments.
func (c *Catalog) Environments() []Entry { return entriesOf(c.environments) }

// Rows describes the rows of the data on which trials in the recorded environment e ran. It returns nil if the
// environment is not in the catalog or does not describe its rows.
func (c *Catalog) Rows(ctx context.Context, e results.Environment) (*datasets.Rows, error) {
	if k := find(c.environments, e.Name); k != nil && k.rows != nil {
		return k.rows(ctx, e)
	}
	return nil, nil
}

// Presets returns the experiments that can be run by name.
func (c *Catalog) Presets() []Entry {
	return lists.Each(c.presets, func(p preset) Entry { return p.Entry })
}

// Preset returns a preset by name. The error suggests a similar name.
func (c *Catalog) Preset(name string) (Experiment, error) {
	at := slices.IndexFunc(c.presets, func(p preset) bool { return p.Name == name })
	if at < 0 {
		return Experiment{}, unknown("preset", name, names(c.Presets()))
	}
	return c.presets[at].read()
}

func names(entries []Entry) []string {
	return lists.Each(entries, func(e Entry) string { return e.Name })
}

// mappingOption reports whether some environment has an option with the given key whose value is a mapping.
func (c *Catalog) mappingOption(key yamltree.Field) bool {
	name := strings.TrimPrefix(key.Name, scopeEnvironment+".")
	for _, k := range c.environments {
		for _, f := range optiontree.Fields(reflect.TypeOf(k.defaults)) {
			if f.JSON == name && f.Type.Kind() == reflect.Struct && !optiontree.IsGroup(f.Type) {
				return true
			}
		}
	}
	return false
}

// unknown returns the error for a name that is not in a list.
func unknown(kind, name string, known []string) error {
	return nearest.Unknown("there is no "+kind, name, known)
}

// terms lists terms of the bandit literature, each with the policies that a user may mean by it.
var terms = []struct {
	word     string
	policies []string
}{
	{"thompson", []string{"LinTS", "NeuralTS", "BetaTS"}},
	{"ucb", []string{"LinUCB", "NeuralUCB", "UCB1"}},
	{"greedy", []string{"EpsGreedy", "LinEpsGreedy"}},
}

// unknownPolicy returns the error for a policy name not in a list. It suggests the present name of a renamed policy or
// a similar name, else a plugin and, if the name contains a word of the list terms, the policies listed with it.
func (c *Catalog) unknownPolicy(name string, known []string) error {
	if now, ok := c.Renamed[name]; ok {
		return fmt.Errorf("there is no policy %q: it is %s", name, now)
	}
	if nearest.Name(name, known) != "" {
		return unknown("policy", name, known)
	}
	hint := ""
	for _, f := range terms {
		missing := func(policy string) bool { return !slices.Contains(known, policy) }
		if meant := slices.DeleteFunc(slices.Clone(f.policies), missing); len(meant) > 0 && strings.Contains(strings.ToLower(name), f.word) {
			hint = "did you mean " + strings.Join(meant, ", ") + "? "
		}
	}
	return fmt.Errorf("there is no policy %q: %s'banditsim list policies' has %d, and one of your own is --plugin '%s=COMMAND' of run or evaluate", name, hint, len(c.policies), name)
}

// notHere returns the error for a name that is not in known, the names in the experiment.
func notHere(kind, name string, known []string) error {
	return nearest.Unknown("this experiment has no "+kind, name, known)
}

// An Entry is a name with a one-line description. Family is the family of a policy, or "".
type Entry struct{ Name, Doc, Family string }

// A kind is a registered policy, posterior or environment. T is the type of its constructor.
type kind[T any] struct {
	Entry
	defaults any                 // default options, a struct
	with     func(options any) T // binds options, of the type of defaults, to the constructor

	// Fields of environments, as in datasets.Kind; each may be nil.
	takes func(data string) bool
	rows  func(context.Context, results.Environment) (*datasets.Rows, error)
}

// find returns the kind with the given name, or nil.
func find[T any](kinds []kind[T], name string) *kind[T] {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	return nil
}

func entriesOf[T any](kinds []kind[T]) []Entry {
	return lists.Each(kinds, func(k kind[T]) Entry { return k.Entry })
}

// decode decodes the options of a recorded trial. An unknown field is an error; a missing one is zero.
func (k *kind[T]) decode(b json.RawMessage) (any, error) {
	o := reflect.New(reflect.TypeOf(k.defaults))
	err := optiontree.Decode(b, o.Interface())
	return o.Elem().Interface(), err
}

// resolve applies settings to options. It returns the constructor with the resulting options, and their JSON: all of
// it, and that for the identity of trials, in the order of the fields, without zero fields tagged omitzero.
func (k *kind[T]) resolve(options any, settings []Setting) (all, identity json.RawMessage, t T, err error) {
	if options, err = set(options, settings); err != nil {
		return nil, nil, t, err
	}
	// Encode and decode the options, first with all fields, then without those that the identity omits. The constructor
	// then depends on the identity alone, not on whether a list was nil or empty.
	for _, encode := range []func(any) ([]byte, error){optiontree.Encode, json.Marshal} {
		all = identity
		if identity, err = encode(options); err == nil {
			options, err = k.decode(identity)
		}
		if err != nil {
			return nil, nil, t, err
		}
	}
	return all, identity, k.with(options), nil
}
