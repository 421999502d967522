package neural

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/posterior"
)

type gradientOptions struct {
	langevinNetwork
	Lambda     float64 `json:"lambda"`                          // regularization of the features' covariance, λ, 1e-12 to 1e12
	Noise      float64 `json:"noise"`                           // factor ν of the standard deviations, at least 0, in units of reward (own_scale: of the estimated noise)
	Covariance string  `json:"covariance" enum:"diagonal,full"` // "full" stores p² numbers for p parameters of all chains, and is for small networks
}

// Gradient is a network whose uncertainty is that of a linear model over the gradients of its outputs. With f the
// network's output for an arm, θ all parameters, m the width of the last hidden layer,
//
//	φ = ∇_θ f(context, arm)/√m,  U = λI + Σ φφᵀ over all rewards, each φ with the θ when its reward was observed,
//	value ~ N(f, ν²λ·φᵀU⁻¹φ)
//
// UCB over it is NeuralUCB (Zhou, Li and Gu, ICML 2020, algorithm 1, whose γ is αν√λ with the α of the rule UCB),
// Thompson sampling over it is NeuralTS (Zhang, Zhou, Li and Gu, ICLR 2021, algorithm 1). In both sources the input of
// the network has a block for each arm, with the context in the arm's own block and zeros elsewhere (model: shared). If
// a network has an output for each arm, φ is the gradient of the arm's output. The programs of both sources keep only
// the diagonal of U, as covariance "diagonal" does. With several chains, f is the mean of their outputs and θ has the
// parameters of all. Networks are trained on batches, like the others in this package; the sources train on all
// rewards, with a prior whose mean is the initial weights.
//
// A reward or a predicted arm costs a forward and a backward pass and O(p) for p parameters, or O(p²) if U is full.
func Gradient() posterior.Kind[gradientOptions] {
	k := kind("NeuralGradient", "a network whose uncertainty is that of a linear model over its gradients",
		func() gradientOptions { return gradientOptions{trained(1), 1, 1, "diagonal"} }, gradientOptions.build, (*gradientOptions).makeSmall)
	k.Draws = false
	return k
}

func (o gradientOptions) build(setup posterior.Setup) (*gradient, error) {
	n, err := o.network(setup, plainTarget,
		ridge.CheckPenalty(o.Lambda), check.NotNegative("noise", o.Noise), check.OneOf("covariance", o.Covariance, "diagonal", "full"))
	if err != nil {
		return nil, err
	}
	p := n.model.Dim() * o.Chains
	g := &gradient{Network: n, o: o, phi: make([]float32, p), delta: make([]float32, setup.Arms), scale: 1}
	n.extend(g.state)
	if len(o.Hidden) > 0 {
		g.scale = 1 / math.Sqrt(float64(o.Hidden[len(o.Hidden)-1]))
	}
	if o.Covariance == "full" {
		if err := ridge.Check(p, 1); err != nil {
			return nil, fmt.Errorf("neural: covariance: full, over %d parameters, wants a smaller network (hidden): %w", p, err)
		}
		g.full = ridge.New(p, o.Lambda)
		return g, nil
	}
	g.diagonal = slices.Repeat([]float64{o.Lambda}, p)
	return g, nil
}

type gradient struct {
	*Network
	o        gradientOptions
	diagonal []float64      // diagonal of U, chain by chain; nil with covariance "full"
	full     *ridge.Inverse // inverse of U; nil with covariance "diagonal"
	scale    float64        // 1/√m
	phi      []float32      // φ of the current context and arm
	delta    []float32      // input of a backward pass: the chain's weight/√m for the arm, 0 for other arms
	x        ridge.Vector
	joint    ridge.Joint
}

var (
	_ posterior.Posterior    = (*gradient)(nil)
	_ posterior.Spreader     = (*gradient)(nil)
	_ posterior.SampleDrawer = (*gradient)(nil)
)

// Observe adds a row to the replay buffer, and its features to U.
func (g *gradient) Observe(context []float32, arm int, reward float64) error {
	if err := g.Network.Observe(context, arm, reward); err != nil {
		return err
	}
	g.setWeights()
	if err := g.encode([][]float32{context}); err != nil {
		return err
	}
	g.features(arm)
	if g.full != nil {
		g.x.Set(g.phi, false)
		g.full.Add(&g.x, 1)
		return nil
	}
	for i, v := range g.phi {
		g.diagonal[i] += float64(v) * float64(v) // the square of a float32 is exact in float64, so FMA gives the same result
	}
	return nil
}

// features sets g.phi to φ of an arm in the context that g.rows holds.
func (g *gradient) features(arm int) {
	d := g.model.Dim()
	for c := range g.chains {
		x := g.chains[c].X
		g.predictor.Forward(x, &g.rows, nil)
		clear(g.delta)
		g.delta[arm] = float32(g.weights[c] * g.scale)
		g.predictor.Backward(g.phi[c*d:][:d], x, g.delta)
	}
}

// Predict writes the network's outputs or, for draws, independent normal numbers with these means and Spread's standard
// deviations.
func (g *gradient) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	if err := g.Network.Predict(dst, contexts, posterior.Mean); err != nil || how == posterior.Mean {
		return err
	}
	spread := make([]float64, len(dst))
	if err := g.Spread(spread, contexts); err != nil {
		return err
	}
	for i, sd := range spread {
		dst[i] += float64(sd * g.draws.Normal())
	}
	return nil
}

// DrawSamples writes f + φ·δ, with one δ ~ N(0, ν²λU⁻¹) for all contexts and arms of a sample.
func (g *gradient) DrawSamples(dst []float64, contexts [][]float32) error {
	n := len(contexts) * g.arms
	mean := make([]float64, n)
	if err := g.Network.Predict(mean, contexts, posterior.Mean); err != nil {
		return err
	}
	features := make([][]float32, n)
	err := g.each(contexts, func(at int) error {
		features[at] = slices.Clone(g.phi)
		return nil
	})
	if err != nil {
		return err
	}
	factor := g.noise() * math.Sqrt(g.o.Lambda)
	if g.full != nil {
		vectors := make([]ridge.Vector, n)
		for i, phi := range features {
			vectors[i].Set(phi, false)
		}
		g.joint.BeginProducts(g.full, vectors)
	}
	z := make([]float32, len(g.phi))
	for sample := range slices.Chunk(dst, max(1, n)) {
		copy(sample, mean)
		if g.full != nil {
			g.joint.Add(sample, 1, factor, g.draws)
		} else {
			g.draws.Normals(z)
			for i, phi := range features {
				for k, v := range phi {
					if v != 0 {
						sample[i] += factor * float64(v) * float64(z[k]) / math.Sqrt(g.diagonal[k])
					}
				}
			}
		}
		for i, v := range sample {
			if err := finite("value", i%g.arms, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *gradient) noise() float64 { return g.o.Noise * g.Network.scale.noiseUnit() }

// Spread writes ν√(λφᵀU⁻¹φ).
func (g *gradient) Spread(dst []float64, contexts [][]float32) error {
	g.checkRoom("spread", dst, contexts)
	g.setWeights()
	return g.each(contexts, func(at int) error {
		quad := 0.0
		if g.full != nil {
			g.x.Set(g.phi, false)
			quad = g.full.Quad(&g.x)
		} else {
			for k, v := range g.phi {
				if v != 0 {
					quad += float64(v) * float64(v) / g.diagonal[k]
				}
			}
		}
		dst[at] = g.noise() * math.Sqrt(g.o.Lambda*quad)
		return finite("standard deviation", at%g.arms, dst[at])
	})
}

// each calls f for every arm in every context, after it has set g.phi to the arm's φ. The argument of f is the index
// that the arm's value has in the slice dst of Predict.
func (g *gradient) each(contexts [][]float32, f func(at int) error) error {
	for i := range contexts {
		if err := g.encode(contexts[i : i+1]); err != nil {
			return err
		}
		for arm := range g.arms {
			g.features(arm)
			if err := f(i*g.arms + arm); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *gradient) state(c *state.Codec) {
	if g.full != nil {
		c.Object(g.full)
	} else {
		c.Float64s(g.diagonal)
	}
}
