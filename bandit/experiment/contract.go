package experiment

import (
	"fmt"

	"banditsim/posterior"
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

// Contracts lists the posteriors of a profile as 'sampler verify' meets them: with
// their default options or, where the options have a method Small() of the same type,
// with what that returns.
func (c *Catalog) Contracts(p posterior.Profile) []contract.Posterior {
	var list []contract.Posterior
	for _, contract := range c.contracts {
		list = append(list, contract(p))
	}
	return list
}

// A Claim is what a posterior promises beyond the contract.
type Claim func(*contract.Posterior)

// ClaimSpread claims that the draws of a posterior disagree more where there are no data.
func ClaimSpread(p *contract.Posterior) { p.Spread = true }

// ClaimLearning claims that a posterior needs no more than so many rounds to learn a
// linear function of twelve inputs; without it, that is 150.
func ClaimLearning(rounds int) Claim {
	return func(p *contract.Posterior) { p.Rounds = rounds }
}

// defaultRounds is what ClaimLearning says where nobody says it.
const defaultRounds = 150

// contractOf returns the subject that a registered posterior is.
func contractOf[O any](name, doc string, defaults func(posterior.Profile) O, build func(O, posterior.Setup) (posterior.Posterior, error), claims []Claim) func(posterior.Profile) contract.Posterior {
	return func(profile posterior.Profile) contract.Posterior {
		p := contract.Posterior{
			Name: name, Doc: doc, Rounds: defaultRounds,
			New: func(setup posterior.Setup) (posterior.Posterior, error) {
				o := defaults(profile)
				if s, ok := any(o).(interface{ Small() O }); ok {
					o = s.Small()
				}
				return build(o, setup)
			},
		}
		for _, claim := range claims {
			claim(&p)
		}
		return p
	}
}
