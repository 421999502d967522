package experiment

import (
	"encoding/json"
	"fmt"
)

// A Profile is a named set of defaults: settings of policies, such as
// pICSGLD.contour.kind=authors, that an experiment applies before its own.
type Profile struct {
	Name, Doc string
	Settings  []Setting
}

type profile struct {
	Entry
	defaults map[string]json.RawMessage // of the policies that it changes
}

// AddProfile registers a profile. The policies that it sets must be registered.
func (c *Catalog) AddProfile(p Profile) error {
	if err := checkName(p.Name); err != nil {
		return err
	}
	for _, known := range c.profiles {
		if known.Name == p.Name {
			return fmt.Errorf("experiment: register: there is a profile %q already", p.Name)
		}
	}
	entry := profile{Entry{p.Name, p.Doc}, map[string]json.RawMessage{}}
	for _, s := range p.Settings {
		name, _ := s.split()
		policy := find(c.policies, name)
		if policy == nil {
			return fmt.Errorf("experiment: register profile %s: %s: %w", p.Name, s, unknown("policy", name, names(c.Policies())))
		}
		options, ok := entry.defaults[name]
		if !ok {
			options = policy.defaults
		}
		changed, err := policy.set(options, s)
		if err != nil {
			return fmt.Errorf("experiment: register profile %s: %w", p.Name, err)
		}
		entry.defaults[name] = changed
	}
	c.profiles = append(c.profiles, entry)
	return nil
}

// profileDefaults returns the defaults of a policy in a profile, those of its kind if name is "".
func (c *Catalog) profileDefaults(name string, p *kind[newPolicy]) (json.RawMessage, error) {
	if name == "" {
		return p.defaults, nil
	}
	for _, known := range c.profiles {
		if known.Name == name {
			if options, ok := known.defaults[p.Name]; ok {
				return options, nil
			}
			return p.defaults, nil
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
