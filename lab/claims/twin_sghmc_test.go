package claims

import (
	"math"
	"slices"

	"banditsim/posterior"
)

// A momentumTwin is SGHMC in plain loops, with the contour and the exchange of twin and, if xi is not nil, with a thermostat.
// It may have a fault.
type momentumTwin struct{ *twin }

func newMomentumTwin(u setup, fault string, thermostat, exchange bool) momentumTwin {
	t := momentumTwin{newTwin(u, fault, exchange)}
	for range u.Chains {
		t.p = append(t.p, make([]float32, u.Dim))
		if thermostat {
			t.xi = append(t.xi, friction)
		}
	}
	return t
}

func (t momentumTwin) Momentum() [][]float32 { return t.p }

func (t momentumTwin) Step(chains []posterior.Chain) error {
	if err := t.evaluate(chains); err != nil {
		return err
	}
	for i := range chains {
		t.move(i, &chains[i])
	}
	return nil
}

func (t momentumTwin) move(i int, c *posterior.Chain) {
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
		return
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
}
