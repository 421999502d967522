package claims

import (
	"math"
	"slices"

	"banditsim/posterior"
)

// newMomentumTwin returns SGHMC in plain loops, with a contour, exchange or thermostat if they are configured, and possibly
// with a fault.
func newMomentumTwin(u setup, fault string, thermostat, exchange bool) *twin {
	t := newTwin(u, fault, exchange)
	t.move = momentumMove
	for range u.Chains {
		t.p = append(t.p, make([]float32, u.Dim))
		if thermostat {
			t.xi = append(t.xi, friction)
		}
	}
	return t
}

// Momentum returns the momenta, nil for a twin without momenta.
func (t *twin) Momentum() [][]float32 { return t.p }

func momentumMove(t *twin, i int, c *posterior.Chain) error {
	e, temperature, p := t.rate, t.u.Temperature, t.p[i]
	if t.cold != nil {
		e, temperature = e*t.cold[i].Rate, temperature*t.cold[i].Temperature
	}
	w := make([]float32, len(c.X))
	if t.u.Temperature > 0 {
		t.u.Noise[i].Normals(w)
	}
	before := slices.Clone(c.X)
	loss, force, variance := friction, c.Multiplier, 2*friction*e*temperature
	if t.xi != nil {
		loss = t.xi[i]
	}
	switch t.fault {
	case "momentum noise without friction":
		variance /= friction
	case "momentum noise 5 % off":
		variance *= 1.05
	case "multiplied friction":
		loss *= c.Multiplier
	case "multiplied noise":
		variance *= math.Abs(c.Multiplier)
	case "no multiplier":
		force = 1
	case "thermostat in the noise":
		variance = 2 * max(0, loss) * e * t.u.Temperature
	}
	for k, g := range c.Grad {
		old := float64(p[k])
		next := (1-e*loss)*old - e*force*float64(g) + math.Sqrt(variance)*float64(w[k])
		if t.is("place first") {
			c.X[k] += float32(e * old)
		} else {
			c.X[k] += float32(e * next)
		}
		p[k] = float32(next)
	}
	if b, ok := c.Target.(posterior.Bounded); ok && !b.Inside(c.X) {
		copy(c.X, before)
		for k := range p {
			if !t.is("momentum goes on at the wall") {
				p[k] = -p[k]
			}
		}
	}
	if t.xi == nil || t.is("no thermostat") {
		return nil
	}
	heat := 0.0
	for _, v := range p {
		heat += float64(v) * float64(v) / float64(len(p))
	}
	switch t.fault {
	case "thermostat of τ = 1":
		temperature = 1
	case "thermostat 5 % off":
		temperature *= 1.05
	case "half the heat":
		heat /= 2
	}
	t.xi[i] += e * (heat - temperature)
	return nil
}

// newMetropolisTwin returns Metropolis-adjusted Hamiltonian dynamics (MALA, HMC) in plain loops, possibly with a fault.
func newMetropolisTwin(u setup, fault string, leapfrog int) *twin {
	t := newTwin(u, fault, false)
	t.move = func(t *twin, i int, c *posterior.Chain) error { return metropolisMove(t, leapfrog, i, c) }
	return t
}

func metropolisMove(t *twin, leapfrog, i int, c *posterior.Chain) error {
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
		if b, ok := c.Target.(interface{ Penalty(x []float32) float64 }); ok && !t.is("energy without the prior") {
			return b.Penalty(x)
		}
		return 0
	}
	for k := range p {
		p[k] = math.Sqrt(spread) * float64(w[k])
	}
	start, energy := c.Energy+prior(c.X)+kinetic(), c.Energy
	for range leapfrog {
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
