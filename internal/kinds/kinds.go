// Package kinds lists the policies, posteriors and samplers of the project in a form that hides the types of their
// options. It imports no experiments and no data, so that package agent does not link them.
package kinds

import (
	"cmp"
	"fmt"

	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// A Part is what one declaration adds to a catalog: policies and, if not nil, a posterior and a sampler.
type Part struct {
	Policies  []policy.Entry
	Posterior *posterior.Entry
	Contract  *posterior.Subject // the posterior, made small by Kind.Small, as 'verify' of the lab checks it
	Sampler   *sgmcmc.Subject    // the sampler as 'verify' of the lab checks it
	Err       error              // why the declaration is incomplete; nil if it is complete
}

// Policy returns a policy as a part.
func Policy[O any](k policy.Kind[O]) Part { return Part{Policies: []policy.Entry{k.Entry()}} }

// family sets the field Family of all policies in parts to name, and returns parts.
func family(name string, parts ...Part) []Part {
	for _, p := range parts {
		for i := range p.Policies {
			p.Policies[i].Family = name
		}
	}
	return parts
}

// Posterior returns a posterior and policies of Thompson sampling over it: by default one policy of the same name.
func Posterior[O any](k posterior.Kind[O], policies ...policy.Kind[policy.ThompsonOptions[O]]) Part {
	if k.Claims.Rounds < 1 {
		return Part{Err: fmt.Errorf("%s: Claims.Rounds is %d, want at least 1: the training rounds in which it learns", k.Name, k.Claims.Rounds)}
	}
	if len(policies) == 0 {
		policies = append(policies, policy.ThompsonKind(k))
	}
	p := Part{Posterior: new(k.Entry()), Contract: new(k.Subject())}
	for _, k := range policies {
		p.Policies = append(p.Policies, k.Entry())
	}
	return p
}

// Sampler returns a sampler with its claims, its posterior over a network, and the policy of the same name.
func Sampler[S any](s neural.Sampler[S]) Part {
	p := Posterior(s.Kind)
	claims := Method(s.Method)
	p.Sampler, p.Err = claims.Sampler, cmp.Or(claims.Err, p.Err)
	return p
}

// Method returns a sampler with its claims, without a posterior or a policy.
func Method[S any](m sgmcmc.Method[S]) Part {
	subject, err := m.Subject()
	if err != nil {
		return Part{Err: fmt.Errorf("%s: %w", m.Name, err)}
	}
	return Part{Sampler: &subject}
}
