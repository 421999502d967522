package experiment

import (
	"errors"
	"fmt"

	"banditsim/internal/optiontree"
)

// A Profile is a named set of defaults: settings of policies, such as pICSGLD.contour.kind=authors, or
// of all that have the option, such as all.batch=128. They are applied in order, before those of an experiment.
type Profile struct {
	Name, Doc string
	Settings  []Setting
}

type profile struct {
	Entry
	settings []Setting
}

// AddProfile registers a profile. The policies that it sets must be registered; a setting that one of them does not take is an error
// of Resolve, so that a program that runs none of them does not spend time on them.
func (c *Catalog) AddProfile(p Profile) error {
	if err := checkRegistered(p.Name); err != nil {
		return err
	}
	for _, known := range c.profiles {
		if known.Name == p.Name {
			return fmt.Errorf("experiment: register: there is a profile %q already", p.Name)
		}
	}
	entry := profile{Entry{Name: p.Name, Doc: p.Doc}, p.Settings}
	for _, s := range p.Settings {
		if scope := s.scope(); scope != scopeAll && find(c.policies, scope) == nil {
			return fmt.Errorf("experiment: register profile %s: %s: %w", p.Name, s, unknown("policy", scope, names(c.Policies())))
		}
	}
	c.profiles = append(c.profiles, entry)
	return nil
}

// defaults returns the defaults of a policy in the profile.
func (p *profile) defaults(k *kind[newPolicy]) (any, error) {
	options := k.defaults
	for _, s := range p.settings {
		scope := s.scope()
		if scope != k.Name && scope != scopeAll {
			continue
		}
		changed, err := k.set(options, s)
		switch {
		case err == nil:
			options = changed
		case scope != scopeAll || !errors.Is(err, optiontree.ErrUnknownKey):
			return nil, fmt.Errorf("profile %s: %w", p.Name, err)
		}
	}
	return options, nil
}

// profileDefaults returns the defaults of a policy in a profile, those of its kind if name is "".
func (c *Catalog) profileDefaults(name string, p *kind[newPolicy]) (any, error) {
	if name == "" {
		return p.defaults, nil
	}
	for i := range c.profiles {
		if c.profiles[i].Name == name {
			return c.profiles[i].defaults(p)
		}
	}
	return nil, unknown("profile", name, c.profileNames())
}

func (c *Catalog) profileNames() []string {
	list := []string{} // not nil: it is an enumeration in the schema
	for _, p := range c.profiles {
		list = append(list, p.Name)
	}
	return list
}
