package claims

import (
	"fmt"
	"math"
	"slices"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A momentumTwin is SGHMC in plain loops. It may have a fault.
type momentumTwin struct {
	fault string
	u     sgmcmc.Setup
	rate  float64
	p     [][]float32
}

func newMomentumTwin(fault string) func(sgmcmc.Setup) (posterior.Sampler, error) {
	return func(u sgmcmc.Setup) (posterior.Sampler, error) {
		t := &momentumTwin{fault: fault, u: u, rate: u.LearningRate}
		for range u.Chains {
			t.p = append(t.p, make([]float32, u.Dim))
		}
		return t, nil
	}
}

func (t *momentumTwin) StartRound(int, int)   { t.rate *= t.u.Decay }
func (t *momentumTwin) Momentum() [][]float32 { return t.p }

func (t *momentumTwin) Step(chains []posterior.Chain) error {
	for i := range chains {
		c := &chains[i]
		energy, err := c.Target.EnergyGrad(c.Grad, c.X)
		if err != nil {
			return err
		}
		if math.IsNaN(energy) {
			return fmt.Errorf("chain %d: the energy is NaN", i)
		}
		c.Energy = energy
	}
	for i := range chains {
		c, e := &chains[i], t.rate
		w := make([]float32, len(c.X))
		if t.u.Temperature > 0 {
			t.u.Noise[i].Normals(w)
		}
		before := slices.Clone(c.X)
		variance := 2 * friction * e * t.u.Temperature
		switch t.fault {
		case "momentum noise without friction":
			variance = 2 * e * t.u.Temperature
		case "momentum noise 5 % off":
			variance *= 1.05
		}
		for k, g := range c.Grad {
			p := float64(t.p[i][k])
			next := (1-e*friction)*p - e*float64(g) + math.Sqrt(variance)*float64(w[k])
			if t.fault == "place first" {
				c.X[k] += float32(e * p)
			} else {
				c.X[k] += float32(e * next)
			}
			t.p[i][k] = float32(next)
		}
		if b, ok := c.Target.(posterior.Bounded); ok && !b.Inside(c.X) {
			copy(c.X, before)
			for k := range t.p[i] {
				if t.fault != "momentum goes on at the wall" {
					t.p[i][k] = -t.p[i][k]
				}
			}
		}
	}
	return nil
}
