package neural

import (
	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// perturbed is a network whose draws have parameters of their own, by default those of a chain with independent normal noise.
type perturbed struct {
	*Network
	sample func(chain int)           // sets x to a draw: perturb, or another of the posterior
	sd     func(chain int) []float32 // standard deviation of each parameter, for perturb
	noise  *stream.Stream
	x      []float32 // the parameters of a draw
}

var (
	_ posterior.Posterior   = (*perturbed)(nil)
	_ posterior.JointDrawer = (*perturbed)(nil)
)

func newPerturbed(n *Network, setup posterior.Setup) perturbed {
	return perturbed{Network: n, noise: setup.Stream.Child("perturbation"), x: make([]float32, n.model.Dim())}
}

// perturb sets x to the parameters of a chain, with noise.
func (p *perturbed) perturb(chain int) {
	p.noise.Normals(p.x)
	sd, mean := p.sd(chain), p.chains[chain].X
	for i := range p.x {
		p.x[i] = mean[i] + float32(sd[i]*p.x[i])
	}
}

// Predict writes the outputs of the networks without noise or, for draws, those of one chain with
// fresh noise for each context.
func (p *perturbed) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if how != posterior.Draw {
		return p.Network.Predict(dst, contexts, how)
	}
	return p.draw(dst, contexts, 1)
}

// DrawJoint writes the values of all contexts under one draw of the parameters.
func (p *perturbed) DrawJoint(dst []float64, contexts [][]float32) error {
	return p.draw(dst, contexts, len(contexts))
}

// draw draws parameters for every so many contexts.
func (p *perturbed) draw(dst []float64, contexts [][]float32, every int) error {
	p.checkRoom("predict", dst, contexts)
	p.setWeights()
	chain := 0
	for i := range contexts {
		if err := p.encode(contexts[i : i+1]); err != nil {
			return err
		}
		if i%every == 0 {
			chain = p.drawChain()
			p.sample(chain)
		}
		for arm, v := range p.outputs(chain, p.x, &p.rows, p.mask(chain, posterior.Draw)) {
			dst[i*p.arms+arm] = float64(v)
		}
	}
	return p.finish(dst)
}
