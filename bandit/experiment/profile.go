package experiment

import (
	"errors"
	"fmt"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/optiontree"
)

// A Profile is a named set of defaults: settings of one policy, such as pICSGLD.contour.kind=authors, or of every
// policy that has the option, such as all.batch=128. They are applied in order, before the settings of an experiment.
type Profile struct {
	Name, Doc string
	Settings  []Setting
}

// AddProfile registers a profile. The policies that its settings name must be registered. A setting that its policy
// does not accept is found only by Resolve, because trying all of them would slow down every start of the program.
func (c *Catalog) AddProfile(p Profile) error {
	if err := checkNew("profile", p.Name, c.profileNames()); err != nil {
		return err
	}
	for _, s := range p.Settings {
		if scope := s.scope(); scope != scopeAll && find(c.policies, scope) == nil {
			return fmt.Errorf("experiment: register profile %s: %s: %w", p.Name, s, unknown("policy", scope, names(c.Policies())))
		}
	}
	c.profiles = append(c.profiles, p)
	return nil
}

// defaults returns the default options of a policy under a profile; "" is no profile.
func (c *Catalog) defaults(profile string, k *kind[newPolicy]) (any, error) {
	options := k.defaults
	if profile == "" {
		return options, nil
	}
	at := slices.Index(c.profileNames(), profile)
	if at < 0 {
		return nil, unknown("profile", profile, c.profileNames())
	}
	for _, s := range c.profiles[at].Settings {
		scope := s.scope()
		if scope != k.Name && scope != scopeAll {
			continue
		}
		changed, err := set(options, []Setting{s})
		switch {
		case err == nil:
			options = changed
		case scope != scopeAll || !errors.Is(err, optiontree.ErrUnknownKey):
			return nil, fmt.Errorf("profile %s: %w", profile, err)
		}
	}
	return options, nil
}

func (c *Catalog) profileNames() []string {
	return lists.Each(c.profiles, func(p Profile) string { return p.Name })
}
