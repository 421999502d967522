package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit/experiment/internal/kinds"
	"banditsim/bandit/experiment/internal/naming"
	"banditsim/bandit/experiment/internal/setting"
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

// AddProfile registers a profile. The policies that it sets must be registered.
func (c *Catalog) AddProfile(p Profile) error {
	if err := naming.Registered(p.Name); err != nil {
		return err
	}
	for _, known := range c.profiles {
		if known.Name == p.Name {
			return fmt.Errorf("experiment: register: there is a profile %q already", p.Name)
		}
	}
	entry := profile{Entry{Name: p.Name, Doc: p.Doc}, p.Settings}
	var tried []int // a policy for each setting
	for _, s := range p.Settings {
		scope := s.Scope()
		k := slices.IndexFunc(c.policies, func(k kinds.Kind[newPolicy]) bool {
			if scope != setting.All {
				return k.Name == scope
			}
			_, err := k.Set(k.Defaults, s)
			return err == nil
		})
		if k < 0 {
			return fmt.Errorf("experiment: register profile %s: %s: %w", p.Name, s, unknown("policy", scope, names(c.Policies())))
		}
		if slices.Contains(tried, k) {
			continue
		}
		tried = append(tried, k)
		if _, err := entry.defaults(&c.policies[k]); err != nil {
			return fmt.Errorf("experiment: register profile %s: %w", p.Name, err)
		}
	}
	c.profiles = append(c.profiles, entry)
	return nil
}

// defaults returns the defaults of a policy in the profile.
func (p *profile) defaults(k *kinds.Kind[newPolicy]) (json.RawMessage, error) {
	options := k.Defaults
	for _, s := range p.settings {
		scope := s.Scope()
		if scope != k.Name && scope != setting.All {
			continue
		}
		changed, err := k.Set(options, s)
		switch {
		case err == nil:
			options = changed
		case scope != setting.All || !errors.Is(err, optiontree.ErrUnknownKey):
			return nil, err
		}
	}
	return options, nil
}

// profileDefaults returns the defaults of a policy in a profile, those of its kind if name is "".
func (c *Catalog) profileDefaults(name string, p *kinds.Kind[newPolicy]) (json.RawMessage, error) {
	if name == "" {
		return p.Defaults, nil
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
