package claims

import (
	"fmt"
	"math"
	"slices"

	"banditsim/posterior"
)

// A particleTwin is SVGD in plain loops. It may have a fault.
type particleTwin struct {
	fault string
	u     setup
	rate  float64
	h     [][]float64
}

func newParticleTwin(fault string) func(setup) posterior.Sampler {
	return func(u setup) posterior.Sampler {
		return &particleTwin{fault: fault, u: u, rate: u.LearningRate}
	}
}

func (t *particleTwin) StartRound(int, int) { t.rate *= t.u.Decay }

func (t *particleTwin) Step(chains []posterior.Chain) error {
	n := len(chains)
	for i := range chains {
		c := &chains[i]
		energy, err := c.Target.EnergyGrad(c.Grad, c.X)
		if err != nil {
			return err
		}
		if math.IsNaN(energy) {
			return fmt.Errorf("particle %d: the energy is NaN", i)
		}
		c.Energy = energy
	}
	var distances []float64
	for i := range chains {
		for k := range i {
			distances = append(distances, squared(chains[i].X, chains[k].X))
		}
	}
	slices.Sort(distances)
	width := 1.0
	if len(distances) > 0 && distances[len(distances)/2] > 0 {
		width = distances[len(distances)/2] / math.Log(float64(n+1))
	}
	place := make([][]float32, n)
	for i := range chains {
		place[i] = slices.Clone(chains[i].X)
	}
	first, temperature := t.h == nil, t.u.Temperature
	if t.fault == "temperature 5 % off" {
		temperature *= 1.05
	}
	for i := range chains {
		if first {
			t.h = append(t.h, make([]float64, len(place[i])))
		}
		for d := range place[i] {
			phi := 0.0
			for k := range chains {
				kernel := math.Exp(-squared(place[i], place[k]) / width)
				apart := 2 / width * kernel * float64(place[i][d]-place[k][d])
				switch t.fault {
				case "kernel gradient's sign":
					apart = -apart
				case "no kernel gradient":
					apart = 0
				}
				phi += (-kernel*float64(chains[k].Grad[d])/temperature + apart) / float64(n)
			}
			h := &t.h[i][d]
			if *h = 0.9**h + 0.1*phi*phi; first {
				*h = phi * phi
			}
			chains[i].X[d] += float32(t.rate * phi / (1e-6 + math.Sqrt(*h)))
		}
	}
	return nil
}

func squared(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return sum
}
