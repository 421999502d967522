package experiment

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/figure"
	"banditsim/internal/nearest"
	"banditsim/internal/yamltree"
	"banditsim/results/compare"
)

//go:embed example.yaml
var exampleFile string

// ExampleFile returns a commented experiment file to start from. It refers to the schema ([Catalog.Schema]) beside it.
func ExampleFile() string { return exampleFile }

// ReadFile reads an experiment file. Errors about the file, also those that Resolve returns, give line and column.
func (c *Catalog) ReadFile(path string) (Experiment, error) {
	root, err := yamltree.ReadFile("experiment file", path)
	if err != nil {
		return Experiment{}, err
	}
	return c.parseFile(root)
}

// fileReader accumulates the Experiment that a file describes.
type fileReader struct {
	*Catalog
	e        Experiment
	extended bool // the file extends a preset, from which e was copied
}

// maxText is the greatest length of a title or notes in bytes: the sidecar of every trial repeats them.
const maxText = 4000

func (c *Catalog) parseFile(root *yamltree.Node) (Experiment, error) {
	r := fileReader{Catalog: c}
	e := &r.e
	err := root.ReadKeys("an experiment", []yamltree.Key{
		{"extends", r.extends}, // first, since the other keys override it
		{"name", &e.Name},
		{"title", &e.Title},
		{"notes", &e.Notes},
		{"environment", into(&e.Environment, func(n *yamltree.Node) (string, error) {
			e.Environments = nil
			return n.Scalar("environment")
		}, &e.environmentAt)},
		{"environments", r.environments},
		{"profile", &e.Profile},
		{"data", into(&e.Data, readData, &e.dataAt)},
		{"seeds", into(&e.Seeds, readSeeds)},
		{"tuned_seeds", r.tunedSeeds},
		{"protocol", r.protocol},
		{"policies", r.policies},
		{"set", r.set},
		{"thresholds", r.thresholds},
		{"figure", into(&e.Figure, func(n *yamltree.Node) (*figure.Options, error) {
			o, err := figure.Read(n)
			return &o, err
		}, &e.figureAt)},
		{"tune", r.tune},
	})
	if err != nil {
		return Experiment{}, err
	}
	return r.e, r.check(root)
}

// check returns an error if a required key is missing, or if the name, profile, title or notes are invalid.
func (r *fileReader) check(root *yamltree.Node) error {
	for _, name := range []string{"title", "notes"} {
		if n := root.Get(name); n != nil && len(n.Text) > maxText {
			return n.Wrap(fmt.Errorf("%s: %d bytes, want at most %d", name, len(n.Text), maxText))
		}
	}
	if n := root.Get("name"); n != nil {
		if err := checkName(r.e.Name); err != nil {
			return n.Wrap(fmt.Errorf("name: %w", err))
		}
	}
	profiles := r.profileNames()
	if n := root.Get("profile"); n != nil && !slices.Contains(profiles, r.e.Profile) {
		return n.Wrap(unknown("profile", r.e.Profile, profiles))
	}
	several := root.Get("environments")
	if several != nil && root.Get("environment") != nil {
		return several.Wrap(errors.New("there is environment as well: want one of them"))
	}
	for _, name := range []string{"name", "environment", "profile", "seeds", "protocol", "policies"} {
		switch {
		case root.Get(name) != nil || r.extended && name != "name" || name == "environment" && several != nil:
		case r.extended:
			return root.Wrap(errors.New("name is missing: results go to out/NAME"))
		default:
			if name == "profile" {
				name += ": " + strings.Join(profiles, "|")
			}
			return root.Wrap(fmt.Errorf("%s is missing: want it, or extends: PRESET to take it from there", name))
		}
	}
	return nil
}

func (r *fileReader) extends(n *yamltree.Node) error {
	name, err := n.Scalar("extends")
	if err != nil {
		return err
	}
	if r.e, err = r.Preset(name); err != nil {
		return n.Wrap(err)
	}
	r.e.Name, r.e.Doc, r.e.Title, r.e.Notes, r.extended = "", "", "", "", true // these do not carry over
	return nil
}

// tunedSeeds reads seeds and adds them to the tuned seeds of the preset.
func (r *fileReader) tunedSeeds(n *yamltree.Node) error {
	seeds, err := readSeeds(n)
	r.e.TunedSeeds = slices.Compact(slices.Sorted(slices.Values(append(r.e.TunedSeeds, seeds...))))
	return err
}

// protocol reads the protocol. Options that the file does not set keep the values of the preset.
func (r *fileReader) protocol(n *yamltree.Node) error {
	if err := n.Must("protocol", yamltree.Mapping); err != nil {
		return err
	}
	settings, err := readSettings(n, "protocol", false, noMapping)
	if err != nil {
		return err
	}
	if n.Get("rounds") != nil {
		r.e.FollowRows = false
	}
	if !r.extended {
		r.e.Protocol = bandit.Protocol{Rounds: 1, Pulls: 1} // valid, so that any error comes from a setting
	}
	settings = scoped(scopeProtocol, settings)
	if _, err = set(r.e.Protocol, settings); err == nil && !r.extended {
		err = n.Require("protocol", "rounds", "pulls", "burn_in")
	}
	if err == nil {
		r.e.Protocol, err = resolveProtocol(r.e.Protocol, settings)
	}
	return err
}

// set reads the settings of the experiment, whose keys start with a scope.
func (r *fileReader) set(n *yamltree.Node) error {
	settings, err := readSettings(n, "set", true, r.mappingOption)
	r.e.Settings = append(r.e.Settings, settings...)
	return err
}

func (r *fileReader) thresholds(n *yamltree.Node) error {
	texts, err := n.Texts("thresholds")
	if err != nil {
		return err
	}
	r.e.Thresholds = nil
	for i, text := range texts {
		t, err := compare.ParseThreshold(text)
		if err != nil {
			return n.Items[i].Wrap(err)
		}
		t.Place = n.Items[i].Place
		r.e.Thresholds = append(r.e.Thresholds, t)
	}
	return nil
}

// mustList returns an error unless a node is a nonempty list.
func mustList(n *yamltree.Node, what string) error {
	if err := n.Must(what, yamltree.List); err != nil {
		return err
	}
	if len(n.Items) == 0 {
		return n.Wrap(fmt.Errorf("%s: the list is empty", what))
	}
	return nil
}

// environments reads a list of environments. Each is a name, or a mapping that adds data, options or a protocol.
func (r *fileReader) environments(n *yamltree.Node) error {
	if err := mustList(n, "environments"); err != nil {
		return err
	}
	r.e.setEnvironment("") // removes the environment of the preset
	for _, item := range n.Items {
		v, err := r.environment(item)
		if err != nil {
			return err
		}
		r.e.Environments = append(r.e.Environments, v)
	}
	return nil
}

func (r *fileReader) environment(n *yamltree.Node) (EnvironmentVariant, error) {
	var v EnvironmentVariant
	keys := []yamltree.Key{
		{"protocol", into(&v.Protocol, settingsOf("protocol", noMapping))},
		{"environment", &v.Environment},
		{"name", &v.Name},
		{"data", into(&v.Data, readData, &v.dataAt)},
		{"set", into(&v.Settings, settingsOf("set", r.mappingOption))},
	}
	known := names(r.Environments())
	at, isPlugin, err := readItem(n, "environment", "name, data, set and protocol", known, keys, &v.Name, &v.Environment)
	v.at = at.Place
	if isPlugin {
		var d declare.Declaration
		d, err = declare.Environment(n, keys[0])
		v.Name, v.Environment, v.Plugin = d.Name, declare.KindName, &d
	}
	return v, err
}

func readData(n *yamltree.Node) (string, error) { return n.Scalar("data") }

// readItem reads an item of a list of policies or environments, as the argument key says: a name, or a mapping with
// some of the given keys. It sets *kind to the name of the kind and *name to that of the variant, by default the same.
// It returns the node of the kind's name or, if there is none, n. An item with the key "command" declares a child
// process: readItem then returns true and reads none of its keys. others, for an error, are the keys beside the kind.
func readItem(
	n *yamltree.Node, key, others string, known []string, keys []yamltree.Key, name, kind *string,
) (at *yamltree.Node, isPlugin bool, err error) {
	at = cmp.Or(n.Get(key), n)
	what := map[string]string{"policy": "a policy", "environment": "an environment"}[key]
	if err := n.Must(what, yamltree.Scalar, yamltree.Mapping); err != nil {
		return at, false, err
	}
	if n.Kind == yamltree.Mapping && at == n && n.Get("name") == nil {
		for _, f := range n.Fields { // such as {LinUCB: {alpha: 2}}
			if meant := nearest.Name(f.Name, known); meant != "" {
				return at, false, f.Wrap(fmt.Errorf("%q is not a key of an item: write the name %s alone, or {%s: %s, set: {…}} to change its options", f.Name, meant, key, meant))
			}
		}
	}
	if n.Get("command") != nil {
		return at, true, nil
	}
	if *kind = n.Text; n.Kind == yamltree.Mapping {
		err = n.ReadKeys(what, keys)
	}
	*name = cmp.Or(*name, *kind)
	switch {
	case err != nil:
	case *kind == "":
		err = n.Wrap(fmt.Errorf("%s is missing: want {%s: …} with any of %s", key, key, others))
	case !slices.Contains(known, *kind):
		err = at.Wrap(unknown(key, *kind, known))
	}
	return at, false, err
}

// policies reads a list of policies. Each is a name, or a mapping that adds options or a sweep.
func (r *fileReader) policies(n *yamltree.Node) error {
	if err := mustList(n, "policies"); err != nil {
		return err
	}
	r.e.Policies, r.e.Variants = nil, nil
	for _, item := range n.Items {
		variants, err := r.policy(item)
		if err != nil {
			return err
		}
		for _, v := range variants {
			if slices.Contains(r.e.Policies, v.Name) {
				return v.at.Wrap(fmt.Errorf("policy %s is named twice: give one another name, as in {policy: %s, name: …}", v.Name, v.Policy))
			}
			r.e.Policies = append(r.e.Policies, v.Name)
		}
		if r.e.Variants = append(r.e.Variants, variants...); len(r.e.Variants) > maxVariants {
			return item.Wrap(fmt.Errorf("more than %d policies", maxVariants))
		}
	}
	return nil
}

func (r *fileReader) policy(n *yamltree.Node) ([]Variant, error) {
	var v Variant
	var axes []sweepAxis
	keys := []yamltree.Key{
		{"set", into(&v.Settings, settingsOf("set", noMapping))},
		{"sweep", into(&axes, readSweep)},
		{"policy", &v.Policy},
		{"name", &v.Name},
	}
	at, isPlugin, err := readItem(n, "policy", "name, set and sweep", names(r.Policies()), keys, &v.Name, &v.Policy)
	if isPlugin {
		var d declare.Declaration
		d, err = declare.Policy(n, keys[:2]...)
		v.Name, v.Policy, v.Plugin = d.Name, d.KindName(), &d
	}
	if err != nil {
		return nil, err
	}
	v.at = cmp.Or(n.Get("name"), at).Place
	if err := r.checkVariant(v); err != nil {
		return nil, v.at.Wrap(err)
	}
	for _, axis := range axes {
		for _, s := range v.Settings {
			if s.Key == axis.key {
				return nil, axis.Wrap(fmt.Errorf("%s is swept here and set in %s", s.Key, s.KeyAt))
			}
		}
	}
	if axes == nil {
		return []Variant{v}, nil
	}
	return expand(v, axes)
}

// readSweep reads a mapping of options to lists of values.
func readSweep(n *yamltree.Node) (axes []sweepAxis, err error) {
	if err := n.Must("sweep", yamltree.Mapping); err != nil {
		return nil, err
	}
	var swept []Setting
	for _, f := range leaves(n, "", noMapping) {
		if err := f.Value.Must("sweep: "+f.Name, yamltree.List); err != nil {
			return nil, err
		}
		if len(f.Value.Items) == 0 {
			return nil, f.Value.Wrap(fmt.Errorf("sweep: %s has no values", f.Name))
		}
		axis := sweepAxis{Place: f.Place, key: f.Name}
		for _, item := range f.Value.Items {
			value, err := valueText(item, "a value of "+f.Name)
			if err != nil {
				return nil, err
			}
			axis.values = append(axis.values, Setting{Key: f.Name, Value: value, KeyAt: f.Place, ValueAt: item.Place})
		}
		axes, swept = append(axes, axis), append(swept, axis.values[0])
	}
	if len(axes) == 0 {
		return nil, n.Wrap(errors.New("sweep names no option"))
	}
	return axes, checkTwice(swept)
}
