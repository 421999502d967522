package worked

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// fixtureJSON holds steps of a small network, computed by another program to 12 digits.
//
//go:embed testdata/langevin-mlp.json
var fixtureJSON []byte

// A fixture is a position with its energy and gradient, those of a network on a batch, and one step
// each of SGLD, pSGLD and the contour sampler from there. A test of package neural compares the
// network's energy and gradient.
type fixture struct {
	X0      []float64
	Energy  float64
	G       []float64 `json:"g"`
	N       float64   `json:"N"`
	Batch   float64   `json:"n"`
	Eps     float64
	Tau     float64
	Rho     float64
	Alpha   float64
	Noise   []float64 `json:"noise_w"`
	SGLD    struct{ X1 []float64 }
	PSGLD   struct{ X1 []float64 } `json:"pSGLD"`
	Contour struct {
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
		panic(fmt.Sprintf("worked: fixture: %d networks, error %v", len(all), err))
	}
	return &all[0]
})

// network is the fixture's step of SGLD, pSGLD or the contour.
func network(step string) Case {
	f := theFixture()
	o := sgmcmc.Plain(f.Eps, f.Tau)
	c := Case{
		Name:      "a step of a 2–2–2 network, " + step,
		Target:    func(int) posterior.Target { return &fixtureTarget{f: f} },
		Start:     [][]float64{f.X0},
		Noise:     [][][]float64{{f.Noise}},
		Tolerance: 2e-6,
	}
	if step != "SGLD" {
		o.Preconditioner = sgmcmc.PreconditionerOptions{Kind: "rmsprop", Alpha: f.Alpha, Rho: f.Rho, Scale: f.Batch}
	}
	switch step {
	case "SGLD":
		c.After = []State{{X: [][]float64{f.SGLD.X1}}}
	case "pSGLD":
		c.After = []State{{X: [][]float64{f.PSGLD.X1}}}
	case "contour":
		o.Contour.Kind, o.Contour.Bins, o.Contour.Start, o.Contour.Width = "paper", f.Contour.Bins, f.Contour.U0, f.Contour.Du
		o.Contour.Zeta, o.Contour.Omega = f.Contour.Zeta, f.Contour.Omega
		c.Theta = f.Contour.Theta0
		// The first step does not change θ, so that one comes before, without noise: in bin 1,
		// where the multiplier is 1, under a gradient of s, which leaves V at 1. It ends at X0.
		before := make([]float64, len(f.X0))
		for i, x := range f.X0 {
			before[i] = x + f.Eps*f.Batch/(f.Rho+1)
		}
		c.Target = func(int) posterior.Target { return &fixtureTarget{f: f, approach: true} }
		c.Start = [][]float64{before}
		c.Noise = [][][]float64{{make([]float64, len(before))}, {f.Noise}}
		c.After = []State{
			{X: [][]float64{f.X0}, Multipliers: []float64{1}, Theta: f.Contour.Theta0, Bins: []int{1}},
			{X: [][]float64{f.Contour.X1}, Multipliers: []float64{f.Contour.Multiplier}, Theta: f.Contour.Theta1, Bins: []int{f.Contour.J}},
		}
	}
	c.Options = o
	return c
}

// A fixtureTarget has the fixture's energy and gradient, which its positions all share.
type fixtureTarget struct {
	f        *fixture
	approach bool // the next evaluation is that of the step before the first
}

func (t *fixtureTarget) Dim() int { return len(t.f.X0) }

func (t *fixtureTarget) EnergyGrad(grad, _ []float32) (float64, error) {
	energy, g := t.f.Energy, t.f.G
	if t.approach {
		energy, g = math.Inf(-1), slices.Repeat([]float64{t.f.Batch}, len(grad))
	}
	t.approach = false
	for i, v := range g {
		grad[i] = float32(v)
	}
	return energy, nil
}
