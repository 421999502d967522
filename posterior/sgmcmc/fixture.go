package sgmcmc

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"banditsim/posterior"
)

// fixtureJSON holds steps of a small network, computed by another program to 12 digits.
//
//go:embed testdata/langevin-mlp.json
var fixtureJSON []byte

// A fixture is a network with a batch, and one step each of SGLD, pSGLD and the contour sampler
// from there.
type fixture struct {
	Tag      string
	Sizes    []int
	X0       []float64
	Contexts [][]float64
	Arms     []int32
	Rewards  []float64
	N        float64 `json:"N"`
	Batch    float64 `json:"n"`
	Lambda   float64
	Eps      float64
	Tau      float64
	Rho      float64
	Alpha    float64
	Noise    []float64 `json:"noise_w"`
	SGLD     struct{ X1 []float64 }
	PSGLD    struct{ X1 []float64 } `json:"pSGLD"`
	Contour  struct {
		Bins           int
		U0, Du         float64
		Zeta, Omega    float64
		Theta0, Theta1 []float64
		J              int
		Multiplier     float64
		X1             []float64
	}
}

var theFixture = sync.OnceValue(func() *fixture {
	var all []fixture
	if err := json.Unmarshal(fixtureJSON, &all); err != nil || len(all) != 1 {
		panic(fmt.Sprintf("sgmcmc: fixture: %d networks, error %v", len(all), err))
	}
	return &all[0]
})

// handNetwork is the fixture's step of SGLD, pSGLD or the contour.
func handNetwork(step string) HandCase {
	f := theFixture()
	u := Setup{LangevinOptions: Plain(f.Eps, f.Tau)}
	c := HandCase{
		Name:      "a step of a 2–2–2 network, " + step,
		Target:    func(int) posterior.Target { return &fixtureTarget{f: f} },
		Start:     [][]float64{f.X0},
		Noise:     [][][]float64{{f.Noise}},
		Tolerance: 2e-6,
	}
	if step != "SGLD" {
		u.Preconditioner = PreconditionerOptions{Kind: "rmsprop", Alpha: f.Alpha, Rho: f.Rho, Scale: f.Batch}
	}
	switch step {
	case "SGLD":
		c.After = []HandState{{X: [][]float64{f.SGLD.X1}}}
	case "pSGLD":
		c.After = []HandState{{X: [][]float64{f.PSGLD.X1}}}
	case "contour":
		u.Contour.Kind, u.Contour.Bins, u.Contour.Start, u.Contour.Width = "paper", f.Contour.Bins, f.Contour.U0, f.Contour.Du
		u.Contour.Zeta, u.Contour.Omega = f.Contour.Zeta, f.Contour.Omega
		u.Theta = f.Contour.Theta0
		// The first step does not change θ, so that one comes before, without noise: in bin 1,
		// where the multiplier is 1, under a gradient of s, which leaves V at 1. It ends at X0.
		before := make([]float64, len(f.X0))
		for i, x := range f.X0 {
			before[i] = x + f.Eps*f.Batch/(f.Rho+1)
		}
		c.Target = func(int) posterior.Target { return &fixtureTarget{f: f, approach: true} }
		c.Start = [][]float64{before}
		c.Noise = [][][]float64{{make([]float64, len(before))}, {f.Noise}}
		c.After = []HandState{
			{X: [][]float64{f.X0}, Multipliers: []float64{1}, Theta: f.Contour.Theta0, Bins: []int{1}},
			{X: [][]float64{f.Contour.X1}, Multipliers: []float64{f.Contour.Multiplier}, Theta: f.Contour.Theta1, Bins: []int{f.Contour.J}},
		}
	}
	c.Setup = u
	return c
}

// A fixtureTarget is the energy of the network on its batch, in the fixture's layout of
// parameters: layer by layer out × in weights, then biases.
type fixtureTarget struct {
	f        *fixture
	approach bool // the next evaluation is that of the first step
}

func (t *fixtureTarget) Dim() int { return len(t.f.X0) }

func (t *fixtureTarget) EnergyGrad(grad, x []float32) (float64, error) {
	if t.approach {
		t.approach = false
		for i := range grad {
			grad[i] = float32(t.f.Batch)
		}
		return math.Inf(-1), nil
	}
	g := make([]float64, len(x))
	energy := 0.0
	for row := range t.f.Contexts {
		energy += t.f.row(row, x, g)
	}
	for i, v := range x {
		grad[i] = float32(g[i] + t.f.Lambda*float64(v))
	}
	return energy, nil
}

// row returns the energy of a row and adds its gradient, in plain loops: forward, then backward.
func (f *fixture) row(row int, x []float32, grad []float64) float64 {
	act, at := [][]float64{f.Contexts[row]}, []int{0} // inputs of the layers, where they start in x
	last := len(f.Sizes) - 2
	for l := 0; l <= last; l++ {
		in, out, w := f.Sizes[l], f.Sizes[l+1], at[l]
		next := make([]float64, out)
		for o := range next {
			next[o] = float64(x[w+in*out+o])
			for i, a := range act[l] {
				next[o] += a * float64(x[w+o*in+i])
			}
			if l < last {
				next[o] = math.Max(next[o], 0)
			}
		}
		act, at = append(act, next), append(at, w+in*out+out)
	}
	arm, scale := f.Arms[row], f.N/f.Batch
	residual := act[last+1][arm] - f.Rewards[row]
	delta := make([]float64, f.Sizes[last+1])
	delta[arm] = scale * 2 * residual
	for l := last; l >= 0; l-- {
		in, out, w := f.Sizes[l], f.Sizes[l+1], at[l]
		below := make([]float64, in)
		for o, d := range delta {
			grad[w+in*out+o] += d
			for i, a := range act[l] {
				grad[w+o*in+i] += d * a
				if a > 0 {
					below[i] += d * float64(x[w+o*in+i])
				}
			}
		}
		delta = below
	}
	return scale * residual * residual
}
