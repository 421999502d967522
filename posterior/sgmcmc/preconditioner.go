package sgmcmc

import (
	"errors"
	"fmt"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// PreconditionerOptions are the options of RMSProp.
type PreconditionerOptions struct {
	Kind       string  `json:"kind"`       // "off" or "rmsprop"
	Alpha      float64 `json:"alpha"`      // weight of the newest gradient, α
	Rho        float64 `json:"rho"`        // regularizer, ρ
	Scale      float64 `json:"scale"`      // scale of the gradient, s: in the paper the batch, 512; it does not follow another batch
	Multiplied bool    `json:"multiplied"` // V is updated by the multiplied gradient
}

// Unused returns the options that have no effect: all of a preconditioner that is off.
func (p PreconditionerOptions) Unused() []string {
	if p.Kind == "off" {
		return []string{"alpha", "rho", "scale", "multiplied"}
	}
	return nil
}

// validate returns an error that names the first option that is out of range.
func (p *PreconditionerOptions) validate() error {
	if err := check.OneOf("preconditioner.kind", p.Kind, "off", "rmsprop"); err != nil || p.Kind == "off" {
		return err
	}
	checks := []error{check.Positive("preconditioner.rho", p.Rho), check.Positive("preconditioner.scale", p.Scale)}
	if !(p.Alpha >= 0 && p.Alpha <= 1) {
		checks = append(checks, fmt.Errorf("preconditioner.alpha: %g, want 0 to 1", p.Alpha))
	}
	return check.First(checks...)
}

// New returns the preconditioner, nil if it is off. It validates the options.
func (p *PreconditionerOptions) New() (*RMSProp, error) {
	if err := p.validate(); err != nil || p.Kind == "off" {
		return nil, err
	}
	return &RMSProp{o: *p}, nil
}

// RMSProp is the diagonal preconditioner of pSGLD (Li et al., AAAI 2016):
//
//	V ← (1−α)V + α(g/s)²,  G = 1/(ρ + √V)
//
// V starts at 1; α = 0 keeps it. [PreconditionerOptions.New] makes one; a literal has no options.
type RMSProp struct {
	o PreconditionerOptions // valid
	v [][]float32           // V, chain by chain
}

// SetV sets V of all chains, one vector each. It keeps v.
func (p *RMSProp) SetV(v [][]float32) { p.v = v }

// V returns V of all chains, which belongs to the preconditioner.
func (p *RMSProp) V() [][]float32 { return p.v }

// begin sets V of chains that have none.
func (p *RMSProp) begin(chains []posterior.Chain) error {
	if p.o.Kind == "" {
		return errors.New("sgmcmc: an RMSProp without options: want one of PreconditionerOptions.New")
	}
	for i := len(p.v); i < len(chains); i++ {
		v := make([]float32, len(chains[i].X))
		for j := range v {
			v[j] = 1
		}
		p.v = append(p.v, v)
	}
	return nil
}

// state saves or restores V, empty before the first step.
func (p *RMSProp) state(c *state.Codec) { vectorState(c, "V", &p.v) }
