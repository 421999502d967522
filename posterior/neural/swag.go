package neural

import (
	"context"
	"fmt"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/internal/swag"
	"banditsim/posterior"
)

type swagOptions struct {
	langevinNetwork
	Rank   int `json:"rank"`   // number of newest snapshots, K, whose deviations from the mean make the covariance; at least 2
	Memory int `json:"memory"` // number of snapshots after which older ones count less in mean and variances
}

// SWAG is stochastic weight averaging with a Gaussian (Maddox et al., NeurIPS 2019): a network is trained at a constant
// learning rate, and its parameters at the end of each training round are a snapshot. A draw is the output of the
// network at a draw of a swag.Gaussian that is fitted to the snapshots,
//
//	x ~ N(µ, ½(diag(v) + DDᵀ/(K−1)))
//
// with their mean µ, variances v and the last K deviations from the mean as columns of D. The predicted mean is the
// output of the network at µ (Izmailov et al., UAI 2018). In the source the data do not change, and all snapshots count
// alike; here rewards keep coming in, and µ and v forget old snapshots. With own_scale, a new unit of the rewards
// converts the Gaussian, and a new unit of the contexts restarts it. A draw costs O(Kp) for p parameters.
//
// With several chains this is MultiSWAG, a mixture of networks with different initial parameters (Wilson and Izmailov,
// NeurIPS 2020, section 3.2): a draw is from the Gaussian of one network, and the mean is over all networks at their µ.
func SWAG() posterior.Kind[swagOptions] {
	return kind("SWAG", "a network with a Gaussian over its path; with chains above 1, a mixture of such networks (MultiSWAG)", func() swagOptions {
		o := swagOptions{trained(1), 20, 20}
		o.Decay = 1
		return o
	}, swagOptions.build, (*swagOptions).makeSmall)
}

func (o swagOptions) build(setup posterior.Setup) (*swagNetwork, error) {
	n, err := o.network(setup, plainTarget, check.Within("memory", o.Memory, 1, maxRows))
	if err != nil {
		return nil, err
	}
	s := &swagNetwork{perturbed: newPerturbed(n, setup)}
	for range n.chains {
		g, err := swag.New(n.model.Dim(), o.Rank, o.Memory)
		if err != nil {
			return nil, fmt.Errorf("neural: %w", err)
		}
		s.fits, s.means = append(s.fits, g), append(s.means, make([]float32, n.model.Dim()))
	}
	s.sample = s.sampleFit
	n.extend(s.state)
	return s, nil
}

type swagNetwork struct {
	perturbed
	fits  []*swag.Gaussian // chain by chain
	means [][]float32      // µ of each fit
}

// sampleFit returns a draw of a chain's Gaussian or, before the first snapshot, the chain's parameters.
func (s *swagNetwork) sampleFit(chain int) []float32 {
	if g := s.fits[chain]; g.N() > 0 {
		g.Draw(s.x, s.noise)
		return s.x
	}
	return s.chains[chain].X
}

// Update trains the networks and takes a snapshot of each.
func (s *swagNetwork) Update(ctx context.Context) error {
	var mean, sd, used float64
	if s.o.OwnScale {
		mean, sd, used = s.scale.mean, s.scale.sd, s.inputs.used
	}
	steps := s.steps
	if err := s.Network.Update(ctx); err != nil || s.steps == steps {
		return err
	}
	for i, g := range s.fits {
		s.convert(g, mean, sd, used)
		g.Add(s.chains[i].X)
		g.Mean(s.means[i])
	}
	return nil
}

// convert converts g from the unit of the rewards that the arguments mean and sd describe to the present unit. It
// resets g if the moments of the inputs have been renewed: then inputs.used is no longer the argument used.
func (s *swagNetwork) convert(g *swag.Gaussian, mean, sd, used float64) {
	switch {
	case !s.o.OwnScale: // the units never change
	case used != s.inputs.used:
		g.Reset()
	default:
		last, skip := s.last(), s.model.Skip()
		ratio, shift := sd/s.scale.sd, (mean-s.scale.mean)/s.scale.sd
		g.Rescale(last.Weights, last.Bias, ratio, 0)
		g.Rescale(last.Bias, last.End, ratio, shift)
		g.Rescale(skip.Weights, skip.End, ratio, 0)
	}
}

// Predict writes the mean output of all networks, each with the parameters µ or, before the first snapshot, its current
// ones. For draws it writes, for each context, the output of one network with parameters drawn from its Gaussian.
func (s *swagNetwork) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if how != posterior.Mean {
		return s.perturbed.Predict(dst, contexts, how)
	}
	for i, g := range s.fits {
		if g.N() > 0 {
			s.chains[i].X, s.means[i] = s.means[i], s.chains[i].X
			defer func() { s.chains[i].X, s.means[i] = s.means[i], s.chains[i].X }()
		}
	}
	return s.Network.Predict(dst, contexts, how)
}

func (s *swagNetwork) state(c *state.Codec) {
	c.Object(s.noise)
	for i, g := range s.fits {
		c.Object(g)
		g.Mean(s.means[i])
	}
}
