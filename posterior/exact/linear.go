package exact

import (
	"cmp"
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

// LinearOptions are the options of Linear.
type LinearOptions struct {
	Lambda    float64 `json:"lambda"`    // precision of a weight before any reward, in units of 1/noise²; 1e-12 to 1e12
	Noise     float64 `json:"noise"`     // standard deviation of a reward about its mean, in units of reward; above 0
	Intercept bool    `json:"intercept"` // whether the context gets a constant 1 as a last number
	// Discount is the factor by which each reward of an arm multiplies the influence of the arm's older rewards; 1: no
	// discount. It is at least 1e-12^(1/d), rounded up to 3 decimals; d is the context's length, plus 1 with intercept.
	Discount float64 `json:"discount"`
	// OwnScale subtracts the mean so far from rewards, and measures noise in standard deviations learned from residuals.
	OwnScale bool `json:"own_scale,omitzero"`
	// Restart is the threshold of a test of whether residuals have become larger. All rewards are forgotten when the test
	// statistic exceeds it. At 15 this is rare while nothing changes. 0: off. Needs own_scale.
	Restart float64 `json:"restart,omitzero"`
}

// Linear is Bayesian linear regression with known noise, one regression per arm. With x the context,
//
//	reward ~ N(w·x, noise²),  w ~ N(0, noise²/λ·I) before any reward,
//	A = λI + Σ xxᵀ,  b = Σ reward·x,  w | rewards ~ N(A⁻¹b, noise²·A⁻¹)
//
// It is the posterior of LinTS (Agrawal and Goyal, ICML 2013, with v = noise). Its Spread, noise·√(xᵀA⁻¹x), is the
// width of LinUCB (Li, Chu, Langford and Schapire, WWW 2010, algorithm 1, with λ = noise = 1).
//
// With a discount γ < 1, A and b are multiplied by γ before each reward of the arm. This also discounts the prior. Each
// reward therefore adds λ(1−γᵈ) to the prior precision of one of the d weights in turn: that is what a weight loses
// over d rewards. Russac, Vernade and Cappé (NeurIPS 2019, algorithm 1) keep the prior precision of all weights at λ,
// which costs O(d³) per reward. In directions without data, widths here are at most γ^(−(d−1)/2) times theirs.
//
// With own_scale the model predicts rewards minus m, the mean of all arms' rewards so far, and noise is in units of a
// standard deviation learned from residuals. No refit is needed when m changes: with u = A⁻¹ Σ x, the weights for
// rewards minus m are w − m·u, so the value is m + (w − m·u)·x = w·x + m(1 − u·x).
//
// With restart, for problems that change abruptly, all arms begin anew when a test finds that residuals have grown
// (cusum). Cao, Wen, Kveton and Xie (AISTATS 2019) detect changes similarly in bandits without context, by arms' means.
//
// A reward costs O(d²) (package internal/ridge), a prediction O(s), a draw or a spread O(s²), where s
// of the context's numbers are not zero. Memory is d² numbers per arm. Update does nothing.
func Linear() posterior.Kind[LinearOptions] {
	return posterior.Kind[LinearOptions]{
		Name: "Linear", Doc: "Bayesian linear regression, exact",
		Defaults: func() LinearOptions { return LinearOptions{Lambda: 1, Noise: 1, Intercept: true, Discount: 1} },
		New:      LinearOptions.build,
		Claims:   posterior.Claims{Rounds: 1, Spread: true},
	}
}

func (o LinearOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	d := ridge.Dim(setup.Dim, o.Intercept)
	// A weight's prior precision is restored every d rewards. Until then it shrinks by discount^d, which low keeps at
	// 1e-12 or more.
	low := math.Ceil(1000*math.Pow(1e-12, 1/float64(d))) / 1000
	if err := cmp.Or(
		ridge.CheckPenalty(o.Lambda), check.Positive("noise", o.Noise), ridge.Check(d, setup.Arms),
		check.That(o.Discount >= low && o.Discount <= 1, "discount: %g, want %g to 1 for %d weights", o.Discount, low, d),
		check.That(o.Restart >= 0 && o.Restart <= 1e6, "restart: %g, want 0 to 1e6", o.Restart),
		check.That(o.Restart == 0 || o.OwnScale,
			"restart: %g, want 0 without own_scale, which learns the size of residuals: set own_scale to true", o.Restart),
	); err != nil {
		return nil, fmt.Errorf("exact: linear: %w", err)
	}
	l := &linear{o: o, quads: make([]float64, ridge.MaxBatch*setup.Arms)}
	l.base = newBase(setup, nil, l.state, l.learn)
	if o.Discount < 1 {
		kept := 1.0
		for range d {
			kept *= o.Discount
		}
		l.decay = o.Lambda * (1 - kept)
	}
	for range setup.Arms {
		l.models = append(l.models, newRegression(d, o.Lambda, o.OwnScale))
	}
	return l, nil
}

// linear is the posterior that Linear declares.
type linear struct {
	base
	o      LinearOptions
	decay  float64 // prior precision that a weight loses over d rewards
	models []*regression
	seen   moments.Running // moments of the rewards of all arms, with own_scale
	noise  residuals
	change cusum        // with restart
	x      ridge.Vector // the current context
	batch  ridge.Batch  // the current batch of contexts
	quads  []float64    // xᵀA⁻¹x by context of the batch, then by arm
	joint  ridge.Joint
}

// A regression is the posterior of one arm's weights.
type regression struct {
	inverse *ridge.Inverse
	fits    []weights // fits[0] for the rewards; with own_scale, fits[1] for the target 1: its w is A⁻¹ Σ x
	next    int       // index of the weight whose prior precision is restored next
}

// weights holds w = A⁻¹b, and b = Σ target·x, where target is the reward or the constant 1.
type weights struct{ w, b []float64 }

func newRegression(d int, lambda float64, ownScale bool) *regression {
	g := &regression{inverse: ridge.New(d, lambda), fits: make([]weights, 1, 2)}
	if ownScale {
		g.fits = g.fits[:2]
	}
	for k := range g.fits {
		g.fits[k] = weights{make([]float64, d), make([]float64, d)}
	}
	return g
}

// value returns w·x + mean·(1 − u·x), or w·x without own_scale.
func (g *regression) value(x *ridge.Vector, mean float64) float64 {
	v := x.Dot(g.fits[0].w)
	if len(g.fits) > 1 {
		v += float64(mean * (1 - x.Dot(g.fits[1].w)))
	}
	return v
}

// batchValues sets dst[i*stride] to what the method value returns for vector i of b.
func (g *regression) batchValues(dst []float64, stride int, b *ridge.Batch, mean float64) {
	b.Dot(dst, stride, g.fits[0].w)
	if len(g.fits) == 1 {
		return
	}
	var ones [ridge.MaxBatch]float64
	b.Dot(ones[:], 1, g.fits[1].w)
	for i, u := range ones[:b.Len()] {
		dst[i*stride] += float64(mean * (1 - u))
	}
}

// add adds an observation with a weight. The target is the argument reward in fits[0] and the argument constant in
// fits[1] (if there is one). The result is 1/(1 + weight·xᵀPx), where P is A⁻¹ before the update.
func (g *regression) add(x *ridge.Vector, reward, constant, weight float64) float64 {
	targets, residuals := [2]float64{reward, constant}, [2]float64{}
	for k, f := range g.fits {
		residuals[k] = targets[k] - x.Dot(f.w)
		sum := float64(weight * targets[k])
		for l, i := range x.Index {
			f.b[i] += float64(sum * x.Value[l])
		}
	}
	px, quad, renewed := g.inverse.Add(x, weight)
	if renewed {
		for _, f := range g.fits {
			g.inverse.Solve(f.w, f.b)
		}
		return 1 - float64(weight*g.inverse.Quad(x))
	}
	total := 1 + float64(weight*quad)
	for k, f := range g.fits {
		kernel.AddScaled(f.w, float64(weight*residuals[k])/total, px)
	}
	return 1 / total
}

// forget multiplies A and b by discount, and adds precision to the prior precision of the next weight in turn.
func (g *regression) forget(discount, precision float64) {
	g.inverse.Scale(discount)
	for _, f := range g.fits {
		for i := range f.b {
			f.b[i] *= discount
		}
	}
	// An observation of 0 at a unit vector adds its weight to a diagonal element of A and nothing to b, as a prior does.
	unit := ridge.Vector{Index: []int32{int32(g.next)}, Value: []float64{1}}
	g.add(&unit, 0, 0, precision)
	g.next = (g.next + 1) % len(g.fits[0].w)
}

func (l *linear) learn(context []float32, arm int, reward float64) error {
	l.x.Set(context, l.o.Intercept)
	g := l.models[arm]
	if l.o.Discount < 1 {
		g.forget(l.o.Discount, l.decay)
	}
	if !l.o.OwnScale {
		g.add(&l.x, reward, 1, 1)
		return nil
	}
	e := reward - g.value(&l.x, l.seen.Mean)
	shrink := g.add(&l.x, reward, 1, 1)
	if l.seen.N > 0 {
		e2 := float64(e*e) * shrink
		if l.restart(e2) {
			return l.learn(context, arm, reward)
		}
		l.noise.Add(e2)
	}
	l.seen.Add(reward)
	return nil
}

// sd returns the standard deviation of a reward about its mean.
func (l *linear) sd() float64 {
	if !l.o.OwnScale {
		return l.o.Noise
	}
	return l.o.Noise * l.noise.SD(l.seen.SD())
}

// Predict writes the means or draws. For draws, the weights are in effect drawn anew for each context.
func (l *linear) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	return l.parts(dst, contexts, how == posterior.Draw, func(values []float64) {
		for a, g := range l.models {
			g.batchValues(values[a:], l.arms, &l.batch, l.seen.Mean)
		}
		if how == posterior.Mean {
			return
		}
		sd := l.sd()
		for i := range values {
			values[i] += float64(sd * math.Sqrt(l.quads[i]) * l.rand.Normal())
		}
	})
}

// Spread writes noise·√(xᵀA⁻¹x).
func (l *linear) Spread(dst []float64, contexts [][]float32) error {
	sd := l.sd()
	return l.parts(dst, contexts, true, func(values []float64) {
		for i := range values {
			values[i] = sd * math.Sqrt(l.quads[i])
		}
	})
}

// NormalDraws marks l as a posterior.NormalDrawer.
func (l *linear) NormalDraws() {}

// parts splits contexts into batches. For each it sets l.batch and, with quads, l.quads. Then f sets its values in dst.
func (l *linear) parts(dst []float64, contexts [][]float32, quads bool, f func(values []float64)) error {
	if err := l.checkContexts(dst, contexts); err != nil {
		return err
	}
	for part := range slices.Chunk(contexts, ridge.MaxBatch) {
		l.batch.Set(part, l.o.Intercept)
		if quads {
			for a, g := range l.models {
				g.inverse.Quads(l.quads[a:], l.arms, &l.batch)
			}
		}
		values := dst[:len(part)*l.arms]
		f(values)
		if err := l.checkValues(values); err != nil {
			return err
		}
		dst = dst[len(values):]
	}
	return nil
}

// DrawJoint writes the values that one draw of each arm's weights gives in all contexts.
func (l *linear) DrawJoint(dst []float64, contexts [][]float32) error {
	if err := l.Predict(dst, contexts, posterior.Mean); err != nil {
		return err
	}
	vectors := make([]ridge.Vector, len(contexts))
	for i, c := range contexts {
		vectors[i].Set(c, l.o.Intercept)
	}
	for a, g := range l.models {
		l.joint.BeginProducts(g.inverse, vectors)
		l.joint.Add(dst[a:], l.arms, l.sd(), l.rand)
	}
	return nil
}

func (l *linear) state(c *state.Codec) {
	c.Object(l.rand)
	if l.o.OwnScale {
		l.seen.State(c)
		l.noise.State(c)
	}
	if l.o.Restart > 0 {
		c.Float64In("sum of the test of residuals", &l.change.sum, 0, l.o.Restart)
	}
	for _, g := range l.models {
		g.state(c)
	}
}

func (g *regression) state(c *state.Codec) {
	c.Object(g.inverse)
	for k, f := range g.fits {
		c.Float64s(f.w)
		c.Float64s(f.b)
		if k == 0 {
			c.Int("the weight whose prior is renewed", &g.next, 0, len(f.w)-1)
		}
	}
}
