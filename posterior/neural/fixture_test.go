package neural

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/kernel"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/neural/internal/replay"
	"banditsim/posterior/sgmcmc"
)

// ../../internal/worked/testdata/langevin-mlp.json holds hand-computed steps (12 digits) of a 2–2–2 network
// on a batch of three rows.

type mlpStep struct {
	V1 []float64
	X1 []float64
}

type mlpFixture struct {
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
	V0       float64   `json:"V0"`
	Noise    []float64 `json:"noise_w"`
	Energy   float64
	G        []float64 `json:"g"`
	SGLD     mlpStep
	PSGLD    mlpStep `json:"pSGLD"`
	Contour  struct {
		Bins            int
		U0, Du          float64
		Zeta, Omega     float64
		Theta0, Theta1  []float64
		J               int
		Multiplier      float64
		LogPsi          float64
		V1, X1          []float64
		X1IfVMultiplied []float64 `json:"x1_if_V_uses_multiplied_gradient"`
	}
}

func readMLPFixtures(t *testing.T) []mlpFixture {
	t.Helper()
	data, err := os.ReadFile("../../internal/worked/testdata/langevin-mlp.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []mlpFixture
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no fixture")
	}
	return all
}

// ours converts parameters from the fixture's layout (out × in in a layer) to that of nn (in ×
// out).
func (f *mlpFixture) ours(x []float64) []float64 {
	y := append([]float64(nil), x...)
	at := 0
	for i, out := range f.Sizes[1:] {
		in := f.Sizes[i]
		for o := range out {
			for j := range in {
				y[at+j*out+o] = x[at+o*in+j]
			}
		}
		at += in*out + out
	}
	return y
}

// energyGrad returns Û and g in float64, with plain loops, in the layout of nn.
func (f *mlpFixture) energyGrad(x []float64) (energy float64, grad []float64) {
	grad = make([]float64, len(x))
	for row, context := range f.Contexts {
		// Forward, then backward; act[l] is the input of layer l, at[l] where it starts in x.
		act, at := [][]float64{context}, []int{0}
		last := len(f.Sizes) - 2
		for l := 0; l <= last; l++ {
			in, out, w := f.Sizes[l], f.Sizes[l+1], at[l]
			next := make([]float64, out)
			for o := range next {
				next[o] = x[w+in*out+o]
				for j := range in {
					next[o] += act[l][j] * x[w+j*out+o]
				}
				if l < last {
					next[o] = math.Max(next[o], 0)
				}
			}
			act, at = append(act, next), append(at, w+in*out+out)
		}
		arm := f.Arms[row]
		residual := act[last+1][arm] - f.Rewards[row]
		energy += f.N / f.Batch * residual * residual
		delta := make([]float64, f.Sizes[last+1])
		delta[arm] = f.N / f.Batch * 2 * residual
		for l := last; l >= 0; l-- {
			in, out, w := f.Sizes[l], f.Sizes[l+1], at[l]
			below := make([]float64, in)
			for o, d := range delta {
				grad[w+in*out+o] += d
				for j := range in {
					grad[w+j*out+o] += d * act[l][j]
					if act[l][j] > 0 {
						below[j] += d * x[w+j*out+o]
					}
				}
			}
			delta = below
		}
	}
	for i := range grad {
		grad[i] += f.Lambda * x[i]
	}
	return energy, grad
}

// chain returns a chain of the production code: a network that learns from a buffer of the
// fixture's rows.
func (f *mlpFixture) chain(t *testing.T) posterior.Chain {
	t.Helper()
	net, err := nn.New(f.Sizes...)
	if err != nil {
		t.Fatal(err)
	}
	n := len(f.Contexts)
	target := &regression{
		model: net, passes: newPasses(net, n), buffer: replay.New(n, f.Sizes[0]),
		batchSize: n, dataSize: f.N, prior: []penalty{{0, net.Dim(), f.Lambda}}, rand: checktest.Stream("fixture"),
	}
	for i, context := range f.Contexts {
		if err := target.buffer.Add(checktest.Narrow(context), int(f.Arms[i]), f.Rewards[i]); err != nil {
			t.Fatal(err)
		}
	}
	return posterior.NewChain(target, checktest.Narrow(f.ours(f.X0)))
}

// contour returns the fixture's histogram, past its first Meet.
func (f *mlpFixture) contour(t *testing.T) *sgmcmc.Histogram {
	t.Helper()
	c := &f.Contour
	o := sgmcmc.DefaultContour()
	o.Bins, o.Start, o.Width, o.Zeta, o.Omega, o.Weights = c.Bins, c.U0, c.Du, c.Zeta, c.Omega, "psi"
	h, err := sgmcmc.NewHistogram(o, f.Tau, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.SetTheta(c.Theta0); err != nil {
		t.Fatal(err)
	}
	h.Meet(make([]float64, 1), []float64{0})
	return h
}

func TestFixture(t *testing.T) {
	// The fixture has 12 digits; float32 has 7, of which sums lose one.
	const exact, single = 1e-11, 2e-6
	for _, f := range readMLPFixtures(t) {
		energy, g := f.energyGrad(f.ours(f.X0))
		checktest.Near(t, "energy", energy, f.Energy, exact)
		checktest.Vector(t, "gradient", g, f.ours(f.G), exact)

		type step struct {
			name         string
			precondition bool
			contour      bool
			multiplied   bool
			v, x         []float64
		}
		for _, c := range []step{
			{name: "SGLD", x: f.SGLD.X1},
			{name: "pSGLD", precondition: true, v: f.PSGLD.V1, x: f.PSGLD.X1},
			{name: "contour", precondition: true, contour: true, v: f.Contour.V1, x: f.Contour.X1},
			{name: "contour, V multiplied", precondition: true, contour: true, multiplied: true, x: f.Contour.X1IfVMultiplied},
		} {
			t.Run(f.Tag+" "+c.name, func(t *testing.T) {
				// The production step.
				s := &sgmcmc.Langevin{Schedule: sgmcmc.Constant(f.Eps), Temperature: f.Tau, Noise: []posterior.Normals{checktest.NewScript([][]float32{checktest.Narrow(f.ours(f.Noise))})}}
				if c.precondition {
					o := sgmcmc.PreconditionerOptions{Kind: "rmsprop", Alpha: f.Alpha, Rho: f.Rho, Scale: f.Batch, Multiplied: c.multiplied}
					var err error
					if s.Preconditioner, err = o.New(); err != nil {
						t.Fatal(err)
					}
				}
				h := f.contour(t)
				m := 1.0
				if c.contour {
					s.Contour = h
					m = f.Contour.Multiplier
				}
				chain := []posterior.Chain{f.chain(t)}
				checktest.Advance(t, s, chain, 1)
				checktest.Near(t, "energy", chain[0].Energy, f.Energy, single)
				for i, want := range f.ours(f.G) {
					checktest.Near(t, fmt.Sprint("gradient ", i), float64(chain[0].Grad[i]), want, single)
				}
				checktest.Near(t, "multiplier", chain[0].Multiplier, m, 1e-10) // quoted to 11 digits
				checktest.Vector(t, "x", wide(chain[0].X), f.ours(c.x), single)
				if c.contour {
					theta, bins := h.State()
					checktest.Vector(t, "θ", theta, f.Contour.Theta1, exact)
					if bins[0] != f.Contour.J {
						t.Errorf("bin %d, want %d", bins[0], f.Contour.J)
					}
					checktest.Near(t, "log Ψ", h.LogPsi(chain[0].Energy), f.Contour.LogPsi, 1e-8) // a float32 energy
					checktest.Near(t, "log Ψ", h.LogPsi(energy), f.Contour.LogPsi, exact)
				}

				// Its twin in float64.
				x, v := f.ours(f.X0), make([]float64, len(f.X0))
				setAll(v, f.V0)
				kernel.LangevinPlain(x, g, v, f.ours(f.Noise), &kernel.Langevin[float64]{
					Step: f.Eps, Multiplier: chain[0].Multiplier, NoiseScale2: 2 * f.Tau * f.Eps,
					Precondition: c.precondition, Alpha: f.Alpha, Rho: f.Rho, InvScale: 1 / f.Batch, MultipliedV: c.multiplied,
				})
				checktest.Vector(t, "float64 x", x, f.ours(c.x), exact)
				if c.v != nil {
					checktest.Vector(t, "V", wide(s.Preconditioner.V()[0]), f.ours(c.v), single)
					checktest.Vector(t, "float64 V", v, f.ours(c.v), exact)
				}
			})
		}
	}
}
