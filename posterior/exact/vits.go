package exact

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/moments"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// vitsOptions are the options of VITS.
type vitsOptions struct {
	Lambda    float64 `json:"lambda"`    // precision of a weight before any reward, in units of 1/noise²; above 0
	Noise     float64 `json:"noise"`     // standard deviation of a reward about its mean, in units of reward; above 0
	Intercept bool    `json:"intercept"` // whether the context gets a constant 1 as a last number
	Steps     int     `json:"steps"`     // number of steps of each arm's mean and covariance at the end of a round; the paper's K
	Step      float64 `json:"step"`      // size of a step relative to one that is stable for any data; above 0, below 1
	// Variant is "I", or "II" with an approximate inverse of the covariance's root. II requires own_scale to be false.
	Variant string `json:"variant" enum:"I,II"`
	// OwnScale regresses rewards minus their mean so far on standardized contexts, and measures noise in units of a
	// standard deviation learned from residuals.
	OwnScale bool `json:"own_scale,omitzero"`
}

// The variants of VITS.
const vitsI, vitsII = "I", "II"

// VITS is a Gaussian variational posterior of linear regression, one for each arm, which descent steps bring closer to
// the exact posterior in each round (Clavier, Huix and Durmus, ICML 2024). With A and b as in Linear and the negative
// log density U(w) = (Σ (w·x − reward)² + λ‖w‖²)/(2·noise²), a step of size h is
//
//	w ~ N(m, BBᵀ),  m ← m − h∇U(w),  B ← (I − h∇²U)B + hB⁻ᵀ
//
// from m = 0 and B = noise/√λ·I. At the fixed point, which is the posterior of Linear, BBᵀ = noise²·A⁻¹, and m
// fluctuates about A⁻¹b with at most step/(2 − step) times that covariance. This is the paper's VITS-I. VITS-II
// replaces B⁻¹ by a matrix C with C ← C(I − h(CᵀC − ∇²U)). The paper's third variant estimates ∇²U from draws. It is
// left out: here ∇²U = A/noise² is known.
//
// In the authors' program a round is one reward, all arms have one model (model: shared), and h = step·noise²/t after t
// rewards. Here h = step·noise²/‖A‖, with the Frobenius norm. For contexts of norm 1, ‖A‖ is at most t + λd, so h is
// hardly below theirs after many rewards. ‖A‖ is at least the largest eigenvalue of A, so steps converge in any units.
//
// A reward costs O(s²), or O(d²) with own_scale, a round O(steps·d³) per arm, and a prediction O(d²), where s of a
// context's d numbers are not zero. Memory is 3d² numbers per arm.
func VITS() posterior.Kind[vitsOptions] {
	return posterior.Kind[vitsOptions]{
		Name: "VITS", Doc: "Bayesian linear regression by a variational posterior that descends in steps",
		Defaults: func() vitsOptions {
			return vitsOptions{Lambda: 1, Noise: 1, Intercept: true, Steps: 20, Step: 0.5, Variant: vitsI}
		},
		New:    vitsOptions.build,
		Claims: posterior.Claims{Rounds: 50, Spread: true},
		Draws:  true,
	}
}

func (o vitsOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	d, all := ridge.Dim(setup.Dim, o.Intercept), setup.Dim+1
	if err := cmp.Or(
		check.Positive("lambda", o.Lambda), check.Positive("noise", o.Noise), check.Within("steps", o.Steps, 0, 10_000),
		check.That(o.Step > 0 && o.Step < 1, "step: %g, want above 0, below 1", o.Step),
		check.OneOf("variant", o.Variant, vitsI, vitsII),
		check.That(!o.OwnScale || o.Variant == vitsI,
			"variant: %s, want I with own_scale: C does not follow a change of units", o.Variant),
		ridge.Check(d, 3*setup.Arms),
	); err != nil {
		return nil, fmt.Errorf("exact: vits: %w", err)
	}
	v := &vits{
		o: o, d: d, noise: o.Noise, z: make([]float32, d), scale: slices.Repeat([]float64{1}, d),
		columns: moments.NewVectors(setup.Dim), target: newMatrix(d, d),
		product: newMatrix(d, d), excess: newMatrix(d, d), work: newMatrix(d, 2*d),
	}
	for _, list := range []*[]float64{&v.center, &v.x, &v.w, &v.b, &v.bx} {
		*list = make([]float64, d)
	}
	v.base = newBase(setup, v, v.state, v.learn)
	for range setup.Arms {
		g := &variational{a: newMatrix(all, all), b: make([]float64, all), mean: make([]float64, d)}
		g.root, g.inverse = newMatrix(d, d), newMatrix(d, d)
		for i := range d {
			g.root[i][i], g.inverse[i][i] = 1/math.Sqrt(o.Lambda), math.Sqrt(o.Lambda)
		}
		v.models = append(v.models, g)
	}
	return v, nil
}

// vits is the posterior that VITS declares.
type vits struct {
	base
	o       vitsOptions
	d       int
	models  []*variational
	seen    moments.Running // moments of the rewards of all arms, with own_scale
	columns moments.Vectors // moments of the contexts of all arms, with own_scale
	errors  residuals
	// The units of the last Update: the models learn from contexts (x − center)/scale and from rewards minus level.
	center, scale []float64
	level, noise  float64
	updated       bool // with own_scale, whether Update has computed the units

	x, w, bx        []float64    // the current context in these units; the weights drawn by sample; rootᵀx
	z               []float32    // normal numbers of sample
	raw             ridge.Vector // the context of Observe, followed by a 1
	target          matrix       // A in these units
	b               []float64    // b in these units
	product, excess matrix       // scratch memory of step
	work            [][]float64  // scratch memory of matrix.invert
}

// A variational is the posterior N(mean, noise²·root·rootᵀ) of an arm's weights. With x a context followed by a 1, a =
// Σ xxᵀ and b = Σ reward·x over the arm's rewards. So a's last row is Σ x, and its last element the number of rewards.
type variational struct {
	a       matrix
	b, mean []float64
	root    matrix
	inverse matrix // of root; approximate in variant II
}

func (v *vits) learn(context []float32, arm int, reward float64) error {
	g := v.models[arm]
	if v.o.OwnScale {
		if v.updated {
			v.standardize(context)
			e, sd := reward-v.value(g), v.length(g)
			v.errors.Add(float64(e*e) / (1 + float64(sd*sd)))
		}
		v.seen.Add(reward)
		v.columns.Add(context)
	}
	v.raw.Set(context, true)
	for k, i := range v.raw.Index {
		x := v.raw.Value[k]
		g.b[i] += float64(reward * x)
		for l, j := range v.raw.Index {
			g.a[i][j] += float64(x * v.raw.Value[l])
		}
	}
	return nil
}

// Update computes the units, with own_scale, and then does the steps of the arms that have rewards.
func (v *vits) Update(ctx context.Context) error {
	if v.o.OwnScale && v.seen.N > 0 {
		v.rescale()
	}
	for arm, g := range v.models {
		if g.a[v.dim][v.dim] == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		h := v.o.Step / v.pose(g)
		for range v.o.Steps {
			v.step(g, h)
		}
		for i := range g.mean {
			if sum := g.mean[i] + g.root[i][i]; sum-sum != 0 {
				return fmt.Errorf("exact: vits: a weight of arm %d is not finite: rewards or contexts are too large", arm)
			}
		}
	}
	return ctx.Err()
}

// rescale computes the units from the data so far. It does not convert the posteriors, which adapt in the next steps.
func (v *vits) rescale() {
	v.level, v.noise, v.updated = v.seen.Mean, v.o.Noise*v.errors.SD(v.seen.SD()), true
	for i := range v.columns.Mean {
		mean, square := v.columns.Mean[i], v.columns.Squares[i]/v.columns.N
		if v.o.Intercept {
			v.center[i] = mean
		} else { // no weight could absorb the mean, so it is not subtracted
			square += float64(mean * mean)
		}
		if v.scale[i] = math.Sqrt(square); v.scale[i] == 0 {
			v.scale[i] = 1
		}
	}
}

// pose sets v.target and v.b to an arm's A = λI + Σ xxᵀ and b = Σ reward·x in v's units and returns A's Frobenius norm.
func (v *vits) pose(g *variational) (norm float64) {
	sum, rewards := g.a[v.dim], g.b[v.dim] // Σ x and Σ reward
	for i, row := range v.target {
		center := v.center[i]
		v.b[i] = (g.b[i] - float64(v.level*sum[i]) - float64(center*(rewards-float64(sum[v.dim]*v.level)))) / v.scale[i]
		for j := range row {
			about := g.a[i][j] - float64(center*sum[j]) - float64(v.center[j]*(sum[i]-float64(sum[v.dim]*center)))
			row[j] = about / v.scale[i] / v.scale[j]
		}
		row[i] += v.o.Lambda
		norm += dot(row, row)
	}
	return math.Sqrt(norm)
}

// step does one step of VITS of the size h·noise², which the comment of VITS calls h.
func (v *vits) step(g *variational, h float64) {
	v.sample(g)
	for i, row := range v.target {
		g.mean[i] -= float64(h * (dot(row, v.w) - v.b[i]))
	}
	v.product.multiply(v.target, g.root)
	for i, row := range g.root {
		for j := range row {
			row[j] += float64(h * (g.inverse[j][i] - v.product[i][j]))
		}
	}
	if v.o.Variant == vitsI {
		g.inverse.invert(g.root, v.work)
		return
	}
	for i, row := range v.excess { // CᵀC − ∇²U
		for j, a := range v.target[i] {
			row[j] = -a
		}
		for _, c := range g.inverse {
			kernel.AddScaled(row, c[i], c)
		}
	}
	v.product.multiply(g.inverse, v.excess)
	for i, row := range g.inverse {
		kernel.AddScaled(row, -h, v.product[i])
	}
}

// sample sets v.w to weights that are drawn from an arm's posterior, mean + noise·root·z.
func (v *vits) sample(g *variational) {
	v.rand.Normals(v.z)
	copy(v.w, g.mean)
	for i, row := range g.root {
		for j, r := range row {
			v.w[i] += float64(v.noise * float64(r*float64(v.z[j])))
		}
	}
}

// standardize sets v.x to a context in v's units.
func (v *vits) standardize(context []float32) {
	v.x[v.d-1] = 1 // the constant; without an intercept it is overwritten below
	for i, c := range context {
		v.x[i] = (float64(c) - v.center[i]) / v.scale[i]
	}
}

// value returns the mean of an arm's value at v.x.
func (v *vits) value(g *variational) float64 { return v.level + dot(g.mean, v.x) }

// length returns |rootᵀx|, the standard deviation of an arm's value at v.x in units of the noise.
func (v *vits) length(g *variational) float64 {
	clear(v.bx)
	for i, row := range g.root {
		if v.x[i] != 0 {
			kernel.AddScaled(v.bx, v.x[i], row)
		}
	}
	return math.Sqrt(dot(v.bx, v.bx))
}

func (v *vits) setContext(context []float32, _ posterior.Prediction) error {
	v.standardize(context)
	return nil
}

func (v *vits) moments(arm int) (mean, sd float64) {
	g := v.models[arm]
	return v.value(g), v.noise * v.length(g)
}

func (v *vits) draw(arm int) float64 {
	mean, sd := v.moments(arm)
	return mean + float64(sd*v.rand.Normal())
}

// NormalDraws marks v as a posterior.NormalDrawer.
func (v *vits) NormalDraws() {}

// DrawJoint writes the values that one draw of each arm's weights gives in all contexts.
func (v *vits) DrawJoint(dst []float64, contexts [][]float32) error {
	var w [][]float64 // by arm
	for _, g := range v.models {
		v.sample(g)
		w = append(w, slices.Clone(v.w))
	}
	return v.each(dst, contexts, posterior.Mean, func(_, arm int) float64 { return v.level + dot(w[arm], v.x) })
}

func (v *vits) state(c *state.Codec) {
	c.Object(v.rand)
	if v.o.OwnScale {
		v.seen.State(c)
		v.columns.State(c)
		v.errors.State(c)
		c.Bool(&v.updated)
		c.Float64(&v.level)
		c.Float64(&v.noise)
		c.Float64s(v.center)
		c.Float64s(v.scale)
	}
	for _, g := range v.models {
		for _, m := range []matrix{g.a, g.root, g.inverse, {g.b, g.mean}} {
			for _, row := range m {
				c.Float64s(row)
			}
		}
	}
}

// A matrix is a square matrix, as a list of its rows.
type matrix [][]float64

func newMatrix(rows, columns int) [][]float64 {
	m, all := make([][]float64, rows), make([]float64, rows*columns)
	for i := range m {
		m[i] = all[i*columns:][:columns]
	}
	return m
}

// multiply sets m to the product a·b.
func (m matrix) multiply(a, b matrix) {
	for i, row := range m {
		clear(row)
		for k, f := range a[i] {
			if f != 0 {
				kernel.AddScaled(row, f, b[k])
			}
		}
	}
}

// invert sets m to the inverse of a by Gauss-Jordan elimination with partial pivoting, in the d × 2d memory of work.
func (m matrix) invert(a matrix, work [][]float64) {
	d := len(m)
	for i, row := range work {
		copy(row, a[i])
		clear(row[d:])
		row[d+i] = 1
	}
	for k := range work {
		largest := k
		for i := k + 1; i < d; i++ {
			if math.Abs(work[i][k]) > math.Abs(work[largest][k]) {
				largest = i
			}
		}
		work[k], work[largest] = work[largest], work[k]
		pivot := work[k][k]
		for j := range work[k] {
			work[k][j] /= pivot
		}
		for i, row := range work {
			if i != k {
				kernel.AddScaled(row[k:], -row[k], work[k][k:])
			}
		}
	}
	for i, row := range work {
		copy(m[i], row[d:])
	}
}
