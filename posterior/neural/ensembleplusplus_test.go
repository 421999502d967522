package neural

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/posterior"
)

func newPlusPlus(t *testing.T, set func(*ensemblePlusPlusOptions)) *ensemblePlusPlus {
	t.Helper()
	o := EnsemblePlusPlus().SmallDefaults()
	o.Chains = 2
	set(&o)
	return must.Get(o.build(smallSetup(stream.Root(5))))(t)
}

// TestComponentsLeaveTheNetwork checks that energy and gradient of the network are the same as without components, on the same batch.
func TestComponentsLeaveTheNetwork(t *testing.T) {
	p := newPlusPlus(t, func(*ensemblePlusPlusOptions) {})
	o := EnsemblePlusPlus().SmallDefaults().langevinNetwork
	o.Chains = 2
	plain := must.Get(o.network(smallSetup(stream.Root(5)), plainTarget))(t)
	observeSmall(t, p, 0, 80)
	observeSmall(t, plain, 0, 80)
	for i := range plain.chains {
		a, b := &p.chains[i], &plain.chains[i]
		got, grad := energyGrad(t, a.Target, a.X)
		want, wanted := energyGrad(t, b.Target, b.X)
		checktest.Near(t, "energy", got, want, 0)
		checktest.Bits(t, "gradient", grad[:len(wanted)], wanted)
		moved := false
		for _, g := range grad[len(wanted):] {
			moved = moved || g != 0
		}
		must.That(t, moved, "the components have no gradient")
	}
}

// TestCombinedDraws checks that draws have the variance |Aᵀφ|² about the mean, with A of the chain and φ of the context, and that joint
// draws in two contexts have the covariance (Aᵀφ)·(Aᵀφ′).
func TestCombinedDraws(t *testing.T) {
	p := newPlusPlus(t, func(o *ensemblePlusPlusOptions) { o.Chains, o.Components = 1, 3 })
	observeSmall(t, p, 0, 80)
	update(t, p, 3)
	contexts := smallContexts(2)
	must.OK(t, p.encode(contexts))
	p.outputs(0, p.chains[0].X, &p.rows, p.mask(0, posterior.Mean))
	features, stride := p.predictor.Features()
	x, width := p.chains[0].X[p.model.Dim():], p.last().In
	var along [2][3]float64 // Aᵀφ of arm 1
	for i := range along {
		phi := append(checktest.Wide(features[i*stride:][:width]), 1)
		for j, f := range phi {
			for k := range 3 {
				along[i][k] += f * float64(x[((width+1)+j)*3+k])
			}
		}
	}
	dot := func(i, j int) (sum float64) {
		for k := range 3 {
			sum += along[i][k] * along[j][k]
		}
		return sum
	}
	checkDraws(t, p, contexts, 1, dot(0, 0), dot(0, 1), dot(1, 1), p.DrawJoint)
}

// TestFactorsCovariance checks that at the minimum of its energy, averaged over the starts and the z, AAᵀ = ν²(Σφφᵀ + λI)⁻¹, computed by
// hand for two features of one arm. The other arm has no rewards and keeps its start, with AAᵀ = (ν²/λ)I.
func TestFactorsCovariance(t *testing.T) {
	const nu, lambda, m, trials = 0.7, 0.5, 8, 400
	rows := []float32{1, 2, -1, 0.5} // with the constant: Σφφᵀ = [6.25 2.5; 2.5 4]
	a11, a12, a22 := 6.25+lambda, 2.5, 4+lambda
	det := a11*a22 - a12*a12
	want := [2][3]float64{
		{nu * nu * a22 / det, -nu * nu * a12 / det, nu * nu * a11 / det},
		{nu * nu / lambda, 0, nu * nu / lambda},
	}
	var sum [2][3]float64
	var worst float64
	for trial := range trials {
		r := stream.Root(uint64(trial))
		e := newFactors(2, 2, m, lambda, r.Child("start"))
		a, grad := make([]float32, e.len()), make([]float32, e.len())
		e.begin(a, nu)
		signs := make([]uint64, len(rows))
		r.Uint64s(signs)
		for range 400 {
			e.prior(grad, a, nu, 1)
			for i, v := range rows {
				e.add(grad, a, []float32{v}, 0, signs[i], nu, 1)
			}
			for i, g := range grad {
				a[i] -= 0.05 * g
			}
		}
		for _, g := range grad {
			worst = math.Max(worst, math.Abs(float64(g)))
		}
		for arm := range 2 {
			for k := range m {
				x, y := float64(a[(arm*2)*m+k]), float64(a[(arm*2+1)*m+k])
				sum[arm][0] += x * x / trials
				sum[arm][1] += x * y / trials
				sum[arm][2] += y * y / trials
			}
		}
	}
	must.Hold(t, worst < 1e-3, "not at the minimum: a gradient of %g", worst)
	for arm := range want {
		w := want[arm]
		for i, v := range w {
			// An element is a mean of trials·m products. Products of normal numbers have the variance w₁w₃ + w₂², of signs less.
			se := math.Sqrt((w[0]*w[2] + w[1]*w[1]) / (trials * m) * 2)
			if i != 1 {
				se = v * math.Sqrt(2./(trials*m))
			}
			checktest.SE(t, "covariance", sum[arm][i], v, se)
		}
	}
}

// TestFactorsCombine checks that combine adds Aζ to the weights of a layer.
func TestFactorsCombine(t *testing.T) {
	e := newFactors(2, 3, 4, 1, stream.Root(1))
	a, zeta, weights := make([]float32, e.len()), []float32{1, -2, 0.5, 3}, make([]float32, 6)
	for i := range a {
		a[i] = float32(i%7) - 2
	}
	for i := range weights {
		weights[i] = float32(i)
	}
	e.combine(weights, a, zeta)
	for arm := range 2 {
		for j := range 3 {
			want := float64(j*2 + arm)
			for k, z := range zeta {
				want += float64(z) * float64(a[(arm*3+j)*4+k])
			}
			checktest.Near(t, "weight", float64(weights[j*2+arm]), want, 1e-6)
		}
	}
}

// TestFactorsGradient compares add and prior with differences of the energy.
func TestFactorsGradient(t *testing.T) {
	const nu, lambda, scale, m = 0.8, 0.3, 1.7, 5
	e := newFactors(2, 3, m, lambda, stream.Root(2))
	a, grad := make([]float32, e.len()), make([]float32, e.len())
	for i := range a {
		a[i] = float32(i%5)/4 - 0.5
	}
	phi, signs := []float32{0, 1.5}, uint64(0b01101)
	energy := func() float64 {
		sum := 0.0
		for k := range m {
			r := float64(a[3*m+2*m+k]) - nu*e.corner(signs, k)
			for j, v := range phi {
				r += float64(v) * float64(a[3*m+j*m+k])
			}
			sum += r * r
		}
		for i, s := range e.start {
			for k := range m {
				d := float64(a[i*m+k]) - nu/math.Sqrt(lambda)*e.corner(s, k)
				sum += lambda * d * d
			}
		}
		return scale * sum
	}
	e.prior(grad, a, nu, scale)
	e.add(grad, a, phi, 1, signs, nu, scale)
	for i := range a {
		checktest.Near(t, "gradient", float64(grad[i]), slope(a, i, 1./64, energy), 1e-4)
	}
}
