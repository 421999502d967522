package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditsim/bandit/plugin/declare"
	"banditsim/internal/optiontree"
	"banditsim/internal/place"
	"banditsim/internal/yamltree"
	"banditsim/results/compare"
)

// An EnvironmentVariant is a registered environment under another name, with data, settings and a
// protocol of its own.
type EnvironmentVariant struct {
	Name        string    // unique in the experiment
	Environment string    // registered name
	Data        string    // source of its data
	Settings    []Setting // applied before those of the experiment; their keys have no scope
	Protocol    []Setting // the same for the protocol
	// Plugin declares a child process; nil: Environment is in the catalog.
	Plugin *declare.Declaration

	at, dataAt place.Place // places in a file
	dataInFile string      // value of Data in the file
}

// maxEnvironments bounds the environments of an experiment.
const maxEnvironments = 1000

// SelectEnvironments keeps the named environments: those of the experiment, by their names in it. A
// name that it does not have is taken as that of a registered environment with its defaults. If that
// is the only one the experiment is on it alone, as after SetEnvironment. It returns the texts of thresholds that
// are left out, as they name an environment that is.
func (e *Experiment) SelectEnvironments(names []string) (dropped []string, err error) {
	var list []EnvironmentVariant
	known := false
	for i, name := range names {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fmt.Errorf("name %d of %d is blank: want names separated by single commas", i+1, len(names))
		}
		v := EnvironmentVariant{Name: name, Environment: name}
		own := slices.Concat(e.Environments, e.plugins)
		if k := slices.IndexFunc(own, func(v EnvironmentVariant) bool { return v.Name == name }); k >= 0 {
			v, known = own[k], true
		}
		list = append(list, v)
	}
	var kept []Threshold
	for _, t := range e.Thresholds {
		if slices.ContainsFunc(t.Terms, func(term compare.Term) bool {
			_, on := e.split(term.Policy)
			return on != "" && !slices.ContainsFunc(list, func(v EnvironmentVariant) bool { return v.Name == on })
		}) {
			dropped = append(dropped, t.Text)
		} else {
			kept = append(kept, t)
		}
	}
	e.Thresholds = kept
	if len(list) == 1 && !known {
		e.SetEnvironment(list[0].Name)
		return dropped, nil
	}
	if len(e.Environments) == 0 {
		e.SetEnvironment("")
	}
	e.Environments = list
	return dropped, nil
}

// SetData sets the source of the data: of an experiment on several environments that of one, by its name, as
// NAME=SOURCE, which the only environment of an experiment may have too.
func (e *Experiment) SetData(text string) error {
	name, source, named := strings.Cut(text, "=")
	if len(e.Environments) == 0 {
		if e.Data = text; named && name == e.Environment {
			e.Data = source
		}
		return nil
	}
	k := slices.IndexFunc(e.Environments, func(v EnvironmentVariant) bool { return v.Name == name })
	if k < 0 || source == "" {
		return fmt.Errorf("%q: an experiment on several environments has data of each: want NAME=SOURCE with a name of %s", text, strings.Join(environmentNames(e.Environments), ", "))
	}
	e.Environments = slices.Clone(e.Environments)
	e.Environments[k].Data = source
	return nil
}

// resolveEach resolves an experiment on several environments.
func (e Experiment) resolveEach(ctx context.Context, c *Catalog) (*Plan, error) {
	if e.Data != "" {
		return nil, e.dataAt.Wrap(errors.New("data: an experiment on several environments has data of each: want {environment: …, data: …}"))
	}
	parts, err := e.single(c)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Name: e.Name, Title: e.Title, Notes: e.Notes, Figure: e.Figure}
	var plans []*Plan
	same := map[string]string{} // name by identity
	for i, part := range parts {
		v := e.Environments[i]
		p, err := part.resolveOne(ctx, c, v.Name)
		if err != nil {
			var placed *place.Error
			if errors.As(err, &placed) {
				return nil, err
			}
			return nil, fmt.Errorf("environment %s: %w", v.Name, err)
		}
		first := p.Cells[0].ID()
		if other, ok := same[first]; ok {
			return nil, v.at.Wrap(fmt.Errorf("%s and %s are the same: %s with equal options and protocol", other, v.Name, v.Environment))
		}
		same[first] = v.Name
		for k := range p.Cells {
			p.Cells[k].EnvironmentOrder = i + 1
		}
		plans = append(plans, p)
		plan.Environments = append(plan.Environments, p.Environments...)
		plan.Thresholds = append(plan.Thresholds, p.Thresholds...)
	}
	plan.Policies, plan.Figure = plans[0].Policies, e.Figure
	n := len(plan.Policies)
	if trials := len(plans) * len(plans[0].Cells); trials > maxTrials {
		return nil, fmt.Errorf("%d environments with %d trials each are %d trials, want at most %d", len(plans), len(plans[0].Cells), trials, maxTrials)
	}
	for k := range e.Seeds {
		for _, p := range plans {
			plan.Cells = append(plan.Cells, p.Cells[k*n:(k+1)*n]...)
		}
	}
	return plan, nil
}

// single returns the experiment on each of its environments alone.
func (e Experiment) single(c *Catalog) ([]Experiment, error) {
	if len(e.Environments) > maxEnvironments {
		return nil, fmt.Errorf("more than %d environments", maxEnvironments)
	}
	var list []Experiment
	used := make([]bool, len(e.Settings)) // whether the scope environment uses each setting
	for i, v := range e.Environments {
		if err := checkVariantName(v.Name); err != nil {
			return nil, v.at.Wrap(fmt.Errorf("environment: %w", err))
		}
		if slices.ContainsFunc(e.Environments[:i], func(w EnvironmentVariant) bool { return v.Name == w.Name }) {
			return nil, v.at.Wrap(fmt.Errorf("environment %s is named twice: give one another name, as in {environment: %s, name: …}", v.Name, v.Environment))
		}
		kind, err := c.environmentOf(v.Environment, v.Plugin)
		if err != nil {
			return nil, v.at.Wrap(err)
		}
		if kind == nil {
			return nil, v.at.Wrap(unknown("environment", v.Environment, append(names(c.Environments()), environmentNames(e.Environments)...)))
		}
		one := e.clone()
		one.Environment, one.Environments, one.environmentAt = v.Environment, nil, v.at
		one.Data, one.dataAt, one.dataInFile = v.Data, v.dataAt, v.dataInFile
		one.plugin = v.Plugin
		if one.Thresholds, err = e.thresholdsOn(v.Name); err != nil {
			return nil, err
		}
		one.Settings = append(scoped(scopeEnvironment, v.Settings), scoped(scopeProtocol, v.Protocol)...)
		for k, s := range e.Settings {
			if scope := s.scope(); scope == scopeEnvironment {
				if _, err := kind.set(kind.defaults, s); errors.Is(err, optiontree.ErrUnknownKey) {
					continue // this environment has no such option
				}
				used[k] = true
			}
			one.Settings = append(one.Settings, s)
		}
		list = append(list, one)
	}
	for k, s := range e.Settings {
		if scope, path := s.split(); scope == scopeEnvironment && !used[k] {
			return nil, s.wrong(fmt.Errorf("no environment of this experiment has an option %s", strings.Join(path, ".")))
		}
	}
	return list, nil
}

func environmentNames(list []EnvironmentVariant) []string {
	var names []string
	for _, v := range list {
		names = append(names, v.Name)
	}
	return names
}

// scoped returns settings with a scope before their keys.
func scoped(scope string, settings []Setting) []Setting {
	var list []Setting
	for _, s := range settings {
		s.Key = scope + "." + s.Key
		list = append(list, s)
	}
	return list
}

// environments reads the environments of an experiment file: names, and mappings that give an
// environment another name, data, options or a protocol.
func (r *fileReader) environments(n *yamltree.Node) error {
	if err := n.Must("environments", yamltree.List); err != nil {
		return err
	}
	if len(n.Items) == 0 {
		return n.Wrap(errors.New("environments: the list is empty"))
	}
	r.e.SetEnvironment("") // that of the preset, with its data
	for _, item := range n.Items {
		v, err := r.environmentVariant(item)
		if err != nil {
			return err
		}
		if v.Plugin == nil && find(r.catalog.environments, v.Environment) == nil {
			return v.at.Wrap(unknown("environment", v.Environment, names(r.catalog.Environments())))
		}
		r.e.Environments = append(r.e.Environments, v)
	}
	return nil
}

func (r *fileReader) environmentVariant(n *yamltree.Node) (EnvironmentVariant, error) {
	v := EnvironmentVariant{at: n.Place}
	if err := n.Must("an environment", yamltree.Scalar, yamltree.Mapping); err != nil {
		return v, err
	}
	if n.Kind == yamltree.Scalar {
		v.Name, v.Environment = n.Text, n.Text
		return v, nil
	}
	if err := nameAsKey(n, "environment", names(r.catalog.Environments())); err != nil {
		return v, err
	}
	if n.Get("command") != nil {
		d, err := declare.Environment(n, "protocol")
		v.Name, v.Environment, v.Plugin = d.Name, declare.KindName, &d
		if protocol := n.Get("protocol"); err == nil && protocol != nil {
			v.Protocol, err = readSettings(protocol, "protocol", false, noMapping)
		}
		return v, err
	}
	err := n.ReadKeys("an environment", []yamltree.Key{
		{"environment", func(n *yamltree.Node) (err error) {
			v.Environment, err = n.Scalar("environment")
			v.Name, v.at = v.Environment, n.Place
			return err
		}},
		{"name", func(n *yamltree.Node) (err error) {
			v.Name, err = n.Scalar("name")
			return err
		}},
		{"data", func(n *yamltree.Node) (err error) {
			v.Data, err = n.Scalar("data")
			v.dataInFile, v.dataAt = v.Data, n.Place
			return err
		}},
		{"set", func(n *yamltree.Node) (err error) {
			v.Settings, err = readSettings(n, "set", false, r.catalog.mappingOption)
			return err
		}},
		{"protocol", func(n *yamltree.Node) (err error) {
			v.Protocol, err = readSettings(n, "protocol", false, noMapping)
			return err
		}},
	})
	if err == nil && v.Environment == "" {
		err = n.Wrap(errors.New("environment is missing: want {environment: …} with any of name, data, set and protocol"))
	}
	return v, err
}
