package experiment

import (
	"fmt"

	"banditsim/posterior/sgmcmc"
	"banditsim/posterior/verify/contract"
)

// AddSampler registers a sampler with what it claims: the command 'sampler verify'
// holds it to that. A sampler may bear the name of the posterior that it samples.
func AddSampler(c *Catalog, m sgmcmc.Method) error {
	if err := checkName(m.Name); err != nil {
		return err
	}
	if err := m.Validate(); err != nil {
		return fmt.Errorf("experiment: register %s: %w", m.Name, err)
	}
	for _, known := range c.samplers {
		if known.Name == m.Name {
			return fmt.Errorf("experiment: register: there is a sampler %q already", m.Name)
		}
	}
	c.samplers = append(c.samplers, m)
	return nil
}

// Samplers lists the samplers with their claims.
func (c *Catalog) Samplers() []sgmcmc.Method { return c.samplers }

// Contracts lists the posteriors as 'sampler verify' checks them: in their small form.
func (c *Catalog) Contracts() []contract.Posterior { return c.contracts }
