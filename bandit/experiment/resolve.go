package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/datasets"
	"banditsim/internal/lists"
	"banditsim/internal/optiontree"
	"banditsim/internal/place"
	"banditsim/results"
	"banditsim/results/compare"
)

// Resolve looks up the names of an experiment, completes its options, loads the data and builds each policy once, so
// that errors occur before the first pull. Errors about an experiment file give line and column.
func (e Experiment) Resolve(ctx context.Context, c *Catalog) (*Plan, error) {
	if len(e.Environments) > 0 && e.Data != "" {
		return nil, e.dataAt.Wrap(errors.New("data: an experiment on several environments has data of each: want {environment: …, data: …}"))
	}
	parts, err := e.single(c)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Name: e.Name, Title: e.Title, Notes: e.Notes, Figure: e.Figure}
	var cells [][]Cell
	same := map[string]string{} // name of the environment by the ID of its first trial
	for _, part := range parts {
		v := part.Environments[0]
		list, err := part.resolveOn(ctx, c, plan)
		if err != nil {
			if v.Name == "" || errors.As(err, new(*place.Error)) {
				return nil, err
			}
			return nil, fmt.Errorf("environment %s: %w", v.Name, err)
		}
		first := list[0].ID()
		if other, ok := same[first]; ok {
			return nil, v.at.Wrap(fmt.Errorf("%s and %s are the same: %s with equal options and protocol", other, v.Name, v.Environment))
		}
		same[first] = v.Name
		for k := range list {
			if v.Name != "" {
				list[k].EnvironmentOrder = cmp.Or(v.order, len(cells)+1)
			}
		}
		cells = append(cells, list)
	}
	if trials := len(cells) * len(cells[0]); trials > maxTrials {
		return nil, fmt.Errorf("%d environments with %d trials each are %d trials, want at most %d", len(cells), len(cells[0]), trials, maxTrials)
	}
	n := len(plan.Policies)
	for k := range e.Seeds {
		for _, list := range cells {
			plan.Cells = append(plan.Cells, list[k*n:(k+1)*n]...)
		}
	}
	return plan, nil
}

// resolveOn resolves an experiment with one environment: it adds the environment and the thresholds to the plan, sets
// the plan's policies, and returns the cells.
func (e Experiment) resolveOn(ctx context.Context, c *Catalog, plan *Plan) ([]Cell, error) {
	names, environment, err := e.resolveLength(ctx, c)
	if err != nil {
		return nil, err
	}
	plan.Environments = append(plan.Environments, environment)
	plan.Thresholds = append(plan.Thresholds, names.thresholds...)
	plan.Policies = lists.Each(names.policies, resolvedPolicy.named)
	cells := cellsOf(environment, plan.Policies, e.Seeds)
	for i, p := range names.policies {
		cost, err := p.try(cells[i]) // cells are ordered by seed: the first ones are those of the first seed, one per policy
		if err != nil {
			return nil, err
		}
		for k := i; k < len(cells); k += len(names.policies) {
			cells[k].Cost, cells[k].TunedSeeds = cost, e.TunedSeeds
		}
	}
	return cells, nil
}

// resolveLength resolves the names and opens the environment. If the environment's data end, it either sets the
// rounds so that a trial uses all of the data (FollowRows), or repeats the data until they suffice for the rounds.
func (e Experiment) resolveLength(ctx context.Context, c *Catalog) (resolvedNames, PlannedEnvironment, error) {
	follows := e.FollowRows && !slices.ContainsFunc(e.Settings, func(s Setting) bool { return s.Key == "protocol.rounds" })
	first, v := e, e.Environments[0]
	if follows { // thresholds and figure are resolved below, when the number of rounds is known
		first.Thresholds, first.Figure = nil, nil
	}
	names, err := first.resolveNames(c)
	if err != nil {
		return names, PlannedEnvironment{}, err
	}
	environment, err := v.open(ctx, c, names.environment)
	if err != nil {
		return names, environment, err
	}
	rows := environment.World.Rows * environment.World.Passes
	switch pulls := names.protocol.AllPulls(); {
	case follows:
		if pulls := names.protocol.Pulls; rows > 0 {
			e.Protocol.Rounds, e.Protocol.Last = (rows+pulls-1)/pulls, rows%pulls
		}
		names, err = e.resolveNames(c)
	case rows > 0 && pulls > rows && environment.World.Repeat != nil:
		world, failed := environment.World.Repeat((pulls + rows - 1) / rows)
		if err = failed; err == nil {
			environment, err = identify(v.Environment, environment.Identity.Options, environment.All, world)
		}
	}
	environment.Label, environment.Protocol = v.Name, names.protocol
	return names, environment, err
}

// ResolvePolicies returns the policies of an experiment with their options. It loads no data and builds no policy.
func (e Experiment) ResolvePolicies(c *Catalog) ([]NamedPolicy, error) {
	names, err := e.resolveNames(c)
	return lists.Each(names.policies, resolvedPolicy.named), err
}

// resolvedNames is what Resolve finds out about an experiment before it opens the environment.
type resolvedNames struct {
	protocol    bandit.Protocol
	policies    []resolvedPolicy
	environment []Setting // settings of the environment
	thresholds  []compare.Threshold
}

// A resolvedPolicy is a variant with its kind, its default options and all settings that apply to it.
type resolvedPolicy struct {
	NamedPolicy
	variant  Variant
	kind     *kind[newPolicy]
	defaults any
	settings []Setting // applied to the defaults, in order
}

func (p resolvedPolicy) named() NamedPolicy { return p.NamedPolicy }

func (p resolvedPolicy) label() string { return p.Label }

// resolveNames looks up names and resolves options.
func (e Experiment) resolveNames(c *Catalog) (r resolvedNames, err error) {
	policies, settings, err := e.chosenPolicies(c)
	if err != nil {
		return r, err
	}
	r.environment = settings[scopeEnvironment]
	if r.protocol, err = resolveProtocol(e.Protocol, settings[scopeProtocol]); err != nil {
		return r, err
	}
	same := map[string]string{} // label by kind and options
	for _, p := range policies {
		if p.All, p.Policy.Options, p.New, err = p.kind.resolve(p.defaults, p.settings); err != nil {
			return r, err
		}
		key := p.Policy.Name + string(p.Policy.Options)
		if other, ok := same[key]; ok {
			return r, p.variant.at.Wrap(fmt.Errorf("%s and %s are the same: %s with equal options", other, p.Label, p.Policy.Name))
		}
		same[key] = p.Label
		r.policies = append(r.policies, p)
	}
	if err := checkUsed(r.policies); err != nil {
		return r, err
	}
	if err := e.checkFigure(c, r.policies, r.protocol); err != nil {
		return r, err
	}
	for _, t := range e.Thresholds {
		resolved, err := resolveThreshold(t, r.policies, r.protocol)
		if err != nil {
			return r, err
		}
		r.thresholds = append(r.thresholds, resolved...)
	}
	return r, nil
}

// chosenPolicies returns the policies, with options not yet resolved, and the experiment's settings by scope. The
// settings of a policy are, in order: the experiment's settings of scope "all" that it has an option for, those of the
// variant, and the experiment's settings for this variant.
func (e Experiment) chosenPolicies(c *Catalog) ([]resolvedPolicy, map[string][]Setting, error) {
	variants, err := e.chosenVariants()
	if err != nil {
		return nil, nil, err
	}
	if err := checkSeeds(e.Seeds, len(variants)); err != nil {
		return nil, nil, err
	}
	settings, err := e.sortSettings(variants)
	if err != nil {
		return nil, nil, err
	}
	list, defaults := make([]resolvedPolicy, len(variants)), make([]any, len(variants))
	for i, v := range variants {
		kind, err := c.policyOf(v)
		if err != nil {
			return nil, nil, err
		}
		if kind == nil {
			known := names(c.Policies())
			own := slices.DeleteFunc(namesOf(e.Variants), func(name string) bool { return slices.Contains(known, name) })
			return nil, nil, v.at.Wrap(c.unknownPolicy(v.Policy, slices.Concat(known, own)))
		}
		if err := c.checkVariant(v); err != nil {
			return nil, nil, v.at.Wrap(err)
		}
		if defaults[i], err = c.defaults(e.Profile, kind); err != nil {
			return nil, nil, err
		}
		list[i] = resolvedPolicy{NamedPolicy{Label: v.Name, Policy: results.Policy{Name: v.Policy}}, v, kind, defaults[i], nil}
	}
	here := namesOf(variants)
	// Settings of the file may be for variants that Select left out.
	for _, v := range slices.DeleteFunc(slices.Clone(e.Variants), func(v Variant) bool { return slices.Contains(here, v.Name) }) {
		if kind, _ := c.policyOf(v); kind != nil {
			defaults = append(defaults, kind.defaults)
		}
	}
	all, err := claim(settings[scopeAll], "policy", defaults, len(variants))
	if err != nil {
		return nil, nil, err
	}
	for i, v := range variants {
		list[i].settings = slices.Concat(all[i], scoped(v.Name, v.Settings), settings[v.Name])
		list[i].Set = lists.Each(list[i].settings, func(s Setting) string { return s.unscoped().Key })
	}
	return list, settings, nil
}

// sortSettings returns the settings of the experiment by scope. A setting for a sweep is listed under each of its
// chosen variants. An unknown scope is an error.
func (e Experiment) sortSettings(chosen []Variant) (map[string][]Setting, error) {
	sorted := map[string][]Setting{}
	scopes := []string{scopeProtocol, scopeEnvironment, scopeAll}
	for _, s := range e.Settings {
		scope := s.scope()
		if slices.Contains(scopes, scope) {
			sorted[scope] = append(sorted[scope], s)
			continue
		}
		named := namesOf(variantsNamed(slices.Concat(e.Variants, chosen), scope))
		known, found := slices.Clone(scopes), false
		for _, v := range chosen {
			known = append(known, quoteScope(v.Name))
			if slices.Contains(named, v.Name) {
				sorted[v.Name] = append(sorted[v.Name], s)
				found = true
			}
		}
		if !found {
			return nil, s.wrong(notHere("policy or scope", scope, known))
		}
	}
	return sorted, nil
}

func resolveProtocol(defaults bandit.Protocol, settings []Setting) (p bandit.Protocol, err error) {
	err = trySettings(settings, func(some []Setting) error {
		changed, err := set(defaults, some)
		if err == nil {
			p = changed.(bandit.Protocol)
			err = p.Validate()
		}
		return err
	})
	return p, err
}

// trySettings calls try with settings, which are applied in order. If try fails, trySettings adds to the error the last
// setting whose option the error names. If there is none, it adds the last setting without which try succeeds. If there
// is none of these either, it adds the last setting that makes try fail when the settings are added one by one. If data
// cannot be read, or the error already names a setting or a place, trySettings returns the error as it is.
func trySettings(settings []Setting, try func([]Setting) error) error {
	err := try(settings)
	if err == nil || errors.As(err, new(*datasets.DataError)) || errors.As(err, new(settingError)) || errors.As(err, new(*place.Error)) {
		return err
	}
	for _, s := range slices.Backward(settings) {
		if s.isNamedIn(err) {
			return s.wrong(optiontree.ValueError{Err: err})
		}
	}
	for i, s := range slices.Backward(settings) {
		if try(slices.Concat(settings[:i], settings[i+1:])) == nil {
			return s.wrong(optiontree.ValueError{Err: err})
		}
	}
	wrong := err // error of the settings up to and including s
	for i, s := range slices.Backward(settings) {
		before := try(settings[:i])
		if before == nil {
			return s.wrong(optiontree.ValueError{Err: wrong})
		}
		wrong = before
	}
	return err
}

// checkUsed returns an error for a setting that has no effect on any variant of its policy: neither with the options of
// the variant nor with the default options. Settings of scope "all" may have no effect.
func checkUsed(policies []resolvedPolicy) error {
	effective := map[Setting]bool{} // settings with an effect, without their scopes: variants of a sweep have different scopes
	errs := map[Setting]error{}
	var order []Setting
	for _, p := range policies {
		options, err := set(p.defaults, p.settings)
		if err != nil {
			return err
		}
		defaults := optiontree.Unused(p.defaults)
		unused := slices.DeleteFunc(optiontree.Unused(options), func(path string) bool { return !slices.Contains(defaults, path) })
		for _, s := range p.settings {
			scope, path := s.split()
			if scope == scopeAll || s.general {
				continue
			}
			if err := optiontree.CheckUsed(p.defaults, path, unused); err == nil {
				effective[s.unscoped()] = true
			} else if errs[s.unscoped()] == nil {
				errs[s.unscoped()], order = s.wrong(err), append(order, s.unscoped())
			}
		}
	}
	for _, s := range order {
		if !effective[s] {
			return errs[s]
		}
	}
	return nil
}

// checkFigure returns an error if the figure names an unknown policy, or rounds that the protocol does not have. A
// figure may name any policy of the catalog, even if the experiment does not run it.
func (e Experiment) checkFigure(c *Catalog, policies []resolvedPolicy, protocol bandit.Protocol) error {
	f := e.Figure
	if f == nil {
		return nil
	}
	known := slices.Concat(namesOf(e.Variants), lists.Each(policies, resolvedPolicy.label), names(c.Policies()))
	err := f.CheckLabels(known)
	for _, name := range f.Policies {
		if err == nil && !slices.Contains(known, name) {
			err = fmt.Errorf("figure: %w", unknown("policy", name, known))
		}
	}
	if err == nil && (f.From > protocol.Rounds || f.To != compare.LastRound && (f.To < f.From || f.To > protocol.Rounds)) {
		err = fmt.Errorf("figure: from round %d to round %d: want rounds of 1 to %d", f.From, min(f.To, protocol.Rounds), protocol.Rounds)
	}
	return e.figureAt.Wrap(err)
}

// checkVariant returns an error if the name of the variant is invalid or belongs to another registered policy.
func (c *Catalog) checkVariant(v Variant) error {
	switch {
	case v.Name == v.Policy:
		return nil
	case find(c.policies, v.Name) != nil:
		return fmt.Errorf("%s is a registered policy: give the variant of %s another name", v.Name, v.Policy)
	}
	return checkVariantName(v.Name)
}

// try builds the policy of a cell, to find wrong options before anything runs, and returns the cost of the trial.
func (p resolvedPolicy) try(c Cell) (cost float64, err error) {
	err = trySettings(p.settings, func(some []Setting) (err error) {
		if _, _, c.NewPolicy, err = p.kind.resolve(p.defaults, some); err != nil {
			return err
		}
		trial, built, err := c.NewTrial(nil, nil)
		if err == nil {
			cost = c.modelCost(trial.Spec(), built)
		}
		return err
	})
	return cost, err
}

// Configured returns the experiment with the variants in list in place of its policies, and without thresholds, figure
// and tuning. The field Policy of a variant names a policy of the experiment. All settings of that policy, also those
// of scope "all", become settings of the variant, before those in list. In a list of environments, settings of scope
// "environment" become settings of the environments that have the option, so that any environment can be left out.
func (e Experiment) Configured(c *Catalog, list []Variant) (Experiment, error) {
	policies, _, err := e.chosenPolicies(c)
	if err != nil {
		return e, err
	}
	e = e.clone()
	e.Policies, e.Variants, e.Thresholds, e.Figure, e.Tune = nil, nil, nil, nil, nil
	if len(e.Environments) > 0 {
		parts, err := e.single(c)
		if err != nil {
			return e, err
		}
		for i, one := range parts {
			own := slices.DeleteFunc(one.Settings, func(s Setting) bool { return s.scope() != scopeEnvironment })
			e.Environments[i].Settings = lists.Each(own, Setting.unscoped)
		}
	}
	e.Settings = slices.DeleteFunc(e.Settings, func(s Setting) bool {
		return s.scope() != scopeProtocol && (len(e.Environments) > 0 || s.scope() != scopeEnvironment)
	})
	for _, of := range list {
		at := slices.IndexFunc(policies, func(p resolvedPolicy) bool { return p.Label == of.Policy })
		if at < 0 {
			return e, notHere("policy", of.Policy, lists.Each(policies, resolvedPolicy.label))
		}
		v := policies[at].variant
		v.Name, v.sweep, v.Settings = of.Name, "", nil
		for _, s := range policies[at].settings {
			s.general = s.general || s.scope() == scopeAll
			v.Settings = append(v.Settings, s.unscoped())
		}
		v.Settings = append(v.Settings, of.Settings...)
		e.Policies, e.Variants = append(e.Policies, v.Name), append(e.Variants, v)
	}
	return e, nil
}

// resolveThreshold replaces the names of policies in a threshold by labels. If terms name sweeps, it returns a
// threshold for each combination of their variants. A threshold that can never be judged is an error.
func resolveThreshold(t compare.Threshold, policies []resolvedPolicy, protocol bandit.Protocol) (list []compare.Threshold, err error) {
	variants := lists.Each(policies, func(p resolvedPolicy) Variant { return p.variant })
	choices := [][]string{nil} // each choice is a list of labels, one per term
	for _, term := range t.Terms {
		picked := namesOf(variantsNamed(variants, term.Policy))
		var err error
		switch {
		case len(picked) == 0:
			err = notHere("policy", term.Policy, namesOf(variants))
		case term.AfterBurnIn && protocol.AfterBurnIn() > protocol.Rounds:
			err = fmt.Errorf("%s: no round follows burn-in, which ends in round %d of %d", term.Metric, protocol.AfterBurnIn()-1, protocol.Rounds)
		case len(choices)*len(picked) > maxVariants:
			err = fmt.Errorf("%s names %d policies: the threshold would be more than %d", term.Policy, len(picked), maxVariants)
		}
		if err != nil {
			err = &place.TextError{Text: t.Text, Offset: term.At, Err: err}
			if t.Place.Known() {
				return nil, t.Place.Wrap(err)
			}
			return nil, fmt.Errorf("--threshold: %w", err)
		}
		var longer [][]string
		for _, names := range choices {
			for _, name := range picked {
				longer = append(longer, append(names[:len(names):len(names)], name))
			}
		}
		choices = longer
	}
	for _, names := range choices {
		list = append(list, t.Renamed(names))
	}
	return list, nil
}
