package claims

import (
	"math"
	"slices"

	"banditsim/posterior"
)

// A metropolisTwin is Hamiltonian in plain loops. It may have a fault.
type metropolisTwin struct {
	*twin
	leapfrog int
}

func newMetropolisTwin(u setup, fault string, leapfrog int) *metropolisTwin {
	return &metropolisTwin{newTwin(u, fault, false), leapfrog}
}

func (t *metropolisTwin) Step(chains []posterior.Chain) error {
	if err := t.evaluate(chains); err != nil {
		return err
	}
	for i := range chains {
		if err := t.move(i, &chains[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *metropolisTwin) move(i int, c *posterior.Chain) error {
	d, h, temperature := len(c.X), math.Sqrt(2*t.rate), t.u.Temperature
	w := make([]float32, d+2)
	t.u.Noise[i].Normals(w)
	spread := temperature
	if t.is("momenta 5 % too hot") {
		spread *= 1.05
	}
	p, x, g := make([]float64, d), slices.Clone(c.X), slices.Clone(c.Grad)
	kinetic := func() float64 {
		sum := 0.0
		for _, v := range p {
			sum += v * v / 2
		}
		return sum
	}
	prior := func(x []float32) float64 {
		if b, ok := c.Target.(posterior.Penalized); ok && !t.is("energy without the prior") {
			return b.Penalty(x)
		}
		return 0
	}
	for k := range p {
		p[k] = math.Sqrt(spread) * float64(w[k])
	}
	start, energy := c.Energy+prior(c.X)+kinetic(), c.Energy
	for range t.leapfrog {
		for k := range p {
			p[k] -= h / 2 * float64(g[k])
			x[k] += float32(h * p[k])
		}
		if b, ok := c.Target.(posterior.Bounded); ok && !b.Inside(x) && !t.is("leaves the box") {
			return nil
		}
		var err error
		if energy, err = c.Target.EnergyGrad(g, x); err != nil {
			return err
		}
		if t.is("gradient of the start") {
			copy(g, c.Grad)
		}
		for k := range p {
			if !t.is("no second half step") {
				p[k] -= h / 2 * float64(g[k])
			}
		}
	}
	loss := (energy + prior(x) + kinetic() - start) / temperature
	switch t.fault {
	case "accepts everything":
		loss = math.Min(loss, 0)
	case "accepts with the wrong sign":
		loss = -loss
	case "accepts at τ = 1":
		loss *= temperature
	}
	u, v := float64(w[d]), float64(w[d+1])
	if (u*u+v*v)/2 > loss {
		copy(c.X, x)
	}
	return nil
}
