package exact

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/ridge"
	"banditsim/posterior"
)

// oneHot sets c to a random one-hot encoding of groups of about five categories and returns it.
func oneHot(c []float32, r *stream.Stream) []float32 {
	clear(c)
	for low := 0; low < len(c); low += 5 {
		c[low+r.IntN(min(5, len(c)-low))] = 1
	}
	return c
}

// normalEquations holds dense A = λI + Σ xxᵀ and b = Σ reward·x, where x is a context, or a context followed by a 1.
type normalEquations struct {
	a    *mat.SymDense
	b, x *mat.VecDense
}

func newNormalEquations(d int, lambda float64) *normalEquations {
	e := &normalEquations{mat.NewSymDense(d, nil), mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)}
	for i := range d {
		e.a.SetSym(i, i, lambda)
	}
	return e
}

func (e *normalEquations) set(context []float32) {
	e.x.SetVec(e.x.Len()-1, 1)
	for i, v := range context {
		e.x.SetVec(i, float64(v))
	}
}

func (e *normalEquations) add(context []float32, reward float64) {
	e.set(context)
	e.a.SymRankOne(e.a, 1, e.x)
	e.b.AddScaledVec(e.b, reward, e.x)
}

// solve returns A⁻¹b·x and √(xᵀA⁻¹x).
func (e *normalEquations) solve(t *testing.T, context []float32) (mean, sd float64) {
	t.Helper()
	e.set(context)
	var f mat.Cholesky
	var ax mat.VecDense
	must.That(t, f.Factorize(e.a), "not positive definite")
	must.OK(t, f.SolveVecTo(&ax, e.x))
	return mat.Dot(&ax, e.b), math.Sqrt(mat.Dot(&ax, e.x))
}

// check compares a prediction with the solution of the equations.
func (e *normalEquations) check(t *testing.T, context []float32, noise, mean, sd, tolerance float64) {
	t.Helper()
	m, s := e.solve(t, context)
	s *= noise
	must.That(t, math.Abs(mean-m) <= tolerance && math.Abs(sd-s) <= tolerance,
		"%.12g ± %.12g, want %.12g ± %.12g", mean, sd, m, s)
}

// TestLinearIsExact compares means and standard deviations with the solution of dense normal equations within 1e-8, after 10,000
// rewards in contexts of 117 numbers.
func TestLinearIsExact(t *testing.T) {
	const dim, arms, rewards = 117, 2, 10_000
	for _, c := range []struct {
		o     LinearOptions
		dense bool
	}{
		{LinearOptions{Lambda: 1, Noise: 1, Discount: 1}, false},
		{LinearOptions{Lambda: 1, Noise: 1, Discount: 1}, true},
		{LinearOptions{Lambda: 0.1, Noise: 3, Intercept: true, Discount: 1}, false},
	} {
		p, r, d := build(t, Linear(), c.o, dim, arms), stream.Root(2), ridge.Dim(dim, c.o.Intercept)
		plain := [arms]*normalEquations{newNormalEquations(d, c.o.Lambda), newNormalEquations(d, c.o.Lambda)}
		context := make([]float32, dim)
		draw := func() {
			if c.dense {
				r.Normals(context)
			} else {
				oneHot(context, r)
			}
		}
		for range rewards {
			draw()
			arm, reward := r.IntN(arms), 10*r.Float64()-5
			must.OK(t, p.Observe(context, arm, reward))
			plain[arm].add(context, reward)
		}
		for range 50 {
			draw()
			mean, sd := predict(t, p, arms, context)
			for arm, e := range plain {
				e.check(t, context, c.o.Noise, mean[arm], sd[arm], 1e-8)
			}
		}
	}
}

// TestDiscount compares predictions with dense normal equations in which each reward discounts the earlier ones and the prior, and
// restores the prior of one weight.
func TestDiscount(t *testing.T) {
	const dim, rewards, discount, lambda = 4, 300, 0.97, 0.7
	p := build(t, Linear(), LinearOptions{Lambda: lambda, Noise: 1, Discount: discount}, dim, 1)
	r, c, e := stream.Root(3), make([]float32, dim), newNormalEquations(dim, lambda)
	for k := range rewards {
		r.Normals(c)
		reward := r.Float64()
		must.OK(t, p.Observe(c, 0, reward))
		e.a.ScaleSym(discount, e.a)
		e.b.ScaleVec(discount, e.b)
		i := k % dim
		e.a.SetSym(i, i, e.a.At(i, i)+lambda*(1-math.Pow(discount, dim)))
		e.add(c, reward)
	}
	mean, sd := predict(t, p, 1, c)
	e.check(t, c, 1, mean[0], sd[0], 1e-10)
}

// TestDiscountedPrior compares widths with those under a full prior. Once the prior of each weight has been restored, they are at most
// γ^(−(d−1)/2) times as large, and they come near that bound in contexts about which few rewards are informative.
func TestDiscountedPrior(t *testing.T) {
	const lambda = 0.7
	for _, c := range []struct {
		dim               int
		discount, largest float64
	}{{5, 0.99, 1.02030}, {10, 0.95, 1.25963}, {30, 0.99, 1.15693}} {
		p := build(t, Linear(), LinearOptions{Lambda: lambda, Noise: 2, Discount: c.discount}, c.dim, 1)
		r, e, numbers := stream.Root(3), newNormalEquations(c.dim, lambda), make([]float32, c.dim)
		high := 0.0
		for k := range 400 {
			clear(numbers)
			for i := range numbers { // number i is not 0 with probability 1/(i+1)
				if r.IntN(i+1) == 0 {
					r.Normals(numbers[i : i+1])
				}
			}
			reward := r.Float64()
			must.OK(t, p.Observe(numbers, 0, reward))
			e.a.ScaleSym(c.discount, e.a)
			for i := range c.dim {
				e.a.SetSym(i, i, e.a.At(i, i)+(1-c.discount)*lambda)
			}
			e.add(numbers, reward)
			for probe := range c.dim {
				clear(numbers)
				numbers[probe] = 1
				_, plain := e.solve(t, numbers)
				_, sd := predict(t, p, 1, numbers)
				ratio := sd[0] / (2 * plain)
				if least := 1 / math.Sqrt(1+c.discount-math.Pow(c.discount, float64(c.dim))); !(ratio >= least-1e-9) {
					t.Fatalf("%d weights, discount %g, reward %d: a width of %.5f times that with the whole prior, want at least %.5f", c.dim, c.discount, k+1, ratio, least)
				}
				if k >= c.dim {
					high = max(high, ratio)
				}
			}
		}
		if !(high <= c.largest && high > 1+(c.largest-1)/2) {
			t.Errorf("%d weights, discount %g: widths of up to %.5f times that with the whole prior, want up to %.5f and near it", c.dim, c.discount, high, c.largest)
		}
	}
}

// jointly is a posterior whose samples are its joint draws.
type jointly struct{ posterior.JointDrawer }

func (j jointly) DrawSamples(dst []float64, contexts [][]float32) error {
	return j.DrawJoint(dst, contexts)
}

// TestDrawJoint compares joint draws in three contexts with the distribution of the weights. The third context is the sum of the
// others, and so is its draw within rounding errors.
func TestDrawJoint(t *testing.T) {
	p := build(t, Linear(), LinearOptions{Lambda: 1, Noise: 2, Discount: 1}, 2, 1)
	must.OK(t, p.Observe([]float32{1, 0}, 0, 3))
	must.OK(t, p.Observe([]float32{1, 1}, 0, 1))
	// A = [3 1; 1 2], A⁻¹ = [2 −1; −1 3]/5, b = (4, 1), w = (7, −1)/5.
	contexts := [][]float32{{1, 0}, {0, 1}, {1, 1}}
	covariance := [3][3]float64{{1.6, -0.8, 0.8}, {-0.8, 2.4, 1.6}, {0.8, 1.6, 2.4}} // 4·XA⁻¹Xᵀ
	j := jointly{p.(posterior.JointDrawer)}
	checkSample(t, "Linear", j, contexts, nil, []float64{1.4, -0.2, 1.2}, func(i,
		j int) float64 {
		return covariance[i][j]
	})
	v := make([]float64, 3)
	must.OK(t, j.DrawJoint(v, contexts))
	must.Near(t, "the third draw", v[2], v[0]+v[1], 1e-9)
}

// TestLinearAllocatesNothing checks that Predict, Spread and Observe do not allocate.
func TestLinearAllocatesNothing(t *testing.T) {
	p := build(t, Linear(), Linear().Defaults(), 40, 2)
	r, c, dst := stream.Root(1), make([]float32, 40), make([]float64, 2)
	contexts := [][]float32{c}
	n := testing.AllocsPerRun(100, func() {
		oneHot(c, r)
		err := p.Predict(dst, contexts, posterior.Draw)
		if err == nil {
			err = p.(posterior.Spreader).Spread(dst, contexts)
		}
		if err == nil {
			err = p.Observe(c, 1, r.Float64())
		}
		must.OK(t, err)
	})
	must.Equal(t, "allocations a pull", n, 0)
}
