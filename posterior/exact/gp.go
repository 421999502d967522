package exact

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// GPOptions are the options of GP.
type GPOptions struct {
	LengthScale float64 `json:"length_scale"` // distance of contexts over which log-odds change, ℓ
	PriorSD     float64 `json:"prior_sd"`     // standard deviation of the log-odds, s
	PriorMean   float64 `json:"prior_mean"`   // mean of the log-odds; above 0 is optimistic
	Spread      float64 `json:"spread"`       // standard deviations of a draw, in those of the posterior; 1 is Thompson sampling
	Novelty     float64 `json:"novelty"`      // a context joins the basis if this share of its prior variance is new
	Basis       int     `json:"basis"`        // the most contexts in the basis
}

// GP is a posterior without a network: for each arm a sparse online Gaussian process (Csató and
// Opper, Neural Computation 14, 2002) of the log-odds f with which a reward is nearer to the
// highest than to the lowest that the arm has given:
//
//	E[reward | c] = low + (high − low)·σ(f(c)),  f ~ GP(mean, s²·exp(−‖c − c'‖²/2ℓ²))
//
// A reward has the information of one Bernoulli trial, σ(1−σ) (the quasi-likelihood of Papke and
// Wooldridge, 1996, for rewards in between). An arm that has given one reward only is predicted
// to give it again. Whenever an arm's range grows, it learns again from all its rewards.
//
// A reward costs O(basis²), as does a prediction. Update does nothing.
var GP = posterior.Kind[GPOptions]{
	Name: "GP", Doc: "sparse online Gaussian process of the log-odds of a high reward, an arm each",
	Defaults: func() GPOptions {
		return GPOptions{LengthScale: 4, PriorSD: 4, PriorMean: 0, Spread: 1, Novelty: 1e-3, Basis: 1000}
	},
	New:    GPOptions.New,
	Claims: posterior.Claims{Rounds: 150, Spread: true},
}

// maxBasis bounds memory and time of an arm: basis² numbers.
const maxBasis = 10_000

// Validate returns an error that names the first option that is out of range.
func (o *GPOptions) Validate() error {
	checks := []error{
		check.Positive("length_scale", o.LengthScale),
		check.Positive("prior_sd", o.PriorSD),
		check.Finite("prior_mean", o.PriorMean),
		check.NotNegative("spread", o.Spread),
		check.Within("basis", o.Basis, 1, maxBasis),
	}
	if !(o.Novelty > 0 && o.Novelty < 1) { // below it the basis is singular
		checks = append(checks, fmt.Errorf("novelty: %g, want above 0 and below 1", o.Novelty))
	}
	return check.First(checks...)
}

// New returns the posterior before any reward.
func (o GPOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	g := &gp{rand: setup.Stream.Child("draw"), dim: setup.Dim, normal: make([]float32, 1)}
	for range setup.Arms {
		g.arms = append(g.arms, &process{o: o, history: history{dim: setup.Dim}})
	}
	return g, nil
}

// gp is the posterior that GP declares.
type gp struct {
	arms   []*process
	rand   *stream.Stream
	dim    int
	normal []float32
}

var (
	_ posterior.Posterior = (*gp)(nil)
	_ posterior.Spreader  = (*gp)(nil)
)

// Observe updates the arm's process.
func (g *gp) Observe(context []float32, arm int, reward float64) error {
	if err := checkRow(context, g.dim, arm, len(g.arms), reward); err != nil {
		return err
	}
	g.arms[arm].observe(context, reward)
	return nil
}

// Update does nothing.
func (g *gp) Update(ctx context.Context) error { return ctx.Err() }

// Predict writes the mean rewards or, for draws, those of log-odds that are drawn for each
// context by itself. An arm that was never pulled has the value 0, or a standard normal.
func (g *gp) Predict(dst []float64, contexts [][]float32, how posterior.Predict) error {
	if err := how.Validate(); err != nil {
		return err
	}
	return g.each(dst, contexts, func(p *process, c []float32) float64 {
		z := 0.0
		if how == posterior.Draw {
			g.rand.Normals(g.normal)
			z = float64(g.normal[0])
		}
		return p.predict(c, how, z)
	})
}

// Spread writes the standard deviations of the mean rewards; 1 for an arm that was never pulled.
func (g *gp) Spread(dst []float64, contexts [][]float32) error {
	return g.each(dst, contexts, (*process).spread)
}

// each sets dst to f of every arm in every context.
func (g *gp) each(dst []float64, contexts [][]float32, f func(*process, []float32) float64) error {
	var now []float32
	return each(dst, contexts, g.dim, g.arms, func(c []float32) { now = c }, func(p *process) float64 { return f(p, now) })
}

// MarshalBinary returns the rewards and the processes.
func (g *gp) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Object(g.rand)
	for _, p := range g.arms {
		p.save(&w)
	}
	return w.Bytes()
}

// UnmarshalBinary restores a posterior of the same options.
func (g *gp) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	r.Object(g.rand)
	for _, p := range g.arms {
		p.restore(r)
	}
	return r.Close()
}

// A process is the posterior of one arm. With basis contexts b₁ … b_n, k the kernel of a context
// with them and k₀ = s² its own,
//
//	mean = m + k·α,  variance = k₀ + kᵀCk
type process struct {
	history
	o GPOptions

	basis   []int     // rows of contexts
	alpha   []float64 // α
	c       []float64 // C, symmetric, n × n
	inverse []float64 // of the kernel matrix of the basis, n × n

	k, ck, ik []float64 // of the context at hand: k, Ck and the inverse times k
}

func (p *process) observe(context []float32, reward float64) {
	switch grown := p.add(context, reward); {
	case grown:
		p.basis, p.alpha, p.c, p.inverse = nil, nil, nil, nil
		for i := range p.rewards {
			p.learn(i)
		}
	case p.low < p.high:
		p.learn(len(p.rewards) - 1)
	}
}

// negligible is the information of a reward, weight × variance, below which it is ignored: most
// rewards of contexts that are well known.
const negligible = 1e-3

// learn is a step of the extended Kalman filter: with q and r the first two derivatives of the
// log likelihood by the mean, s = Ck + e (e: the new context as one of the basis, or as a
// combination of it),
//
//	α ← α + q·s,  C ← C + r·ssᵀ
func (p *process) learn(i int) {
	mean, variance := p.at(p.row(i))
	prior := p.o.PriorSD * p.o.PriorSD
	odds := moderated(mean, variance)
	weight := max(odds*(1-odds), 1e-4) // bounded below: a coin that always fell one way may yet fall the other
	if weight*variance < negligible {
		return
	}
	gain := 1 / (1 + float64(weight*variance))
	q := ((p.rewards[i]-p.low)/(p.high-p.low) - odds) * gain
	r := -weight * gain

	p.ik = product(p.ik, p.inverse, p.k)
	fresh := prior - dot(p.k, p.ik)
	s := p.ck
	if fresh > p.o.Novelty*prior && len(p.basis) < p.o.Basis {
		p.extend(i, fresh)
		s = append(s, 1)
	} else {
		for j, v := range p.ik {
			s[j] += v
		}
	}
	n := len(p.basis)
	for j, sj := range s {
		p.alpha[j] += float64(q * sj)
		row, f := p.c[j*n : (j+1)*n][:len(s)], r*sj
		for k, sk := range s {
			row[k] += float64(f * sk)
		}
	}
	p.ck = s
}

// extend adds the context to the basis: α and C get zeros for it, and
//
//	K⁻¹ ← K⁻¹ + (v vᵀ)/fresh,  v = (K⁻¹k, −1)
func (p *process) extend(i int, fresh float64) {
	n := len(p.basis)
	p.basis = append(p.basis, i)
	p.alpha = append(p.alpha, 0)
	p.c, p.inverse = widen(p.c, n), widen(p.inverse, n)
	v := append(p.ik, -1)
	for j, vj := range v {
		row := p.inverse[j*(n+1) : (j+1)*(n+1)]
		for k, vk := range v {
			row[k] += float64(vj * vk / fresh)
		}
	}
	p.ik = v
}

// widen makes an n × n matrix (n+1) × (n+1), with zeros, in place if there is room.
func widen(a []float64, n int) []float64 {
	m := n + 1
	a = slices.Grow(a, m*m-len(a))[:m*m]
	for j := n - 1; j >= 0; j-- {
		copy(a[j*m:j*m+n], a[j*n:(j+1)*n])
		a[j*m+n] = 0
	}
	clear(a[n*m:])
	return a
}

// at returns the mean and the variance of the log-odds, and sets k and ck.
func (p *process) at(context []float32) (mean, variance float64) {
	prior := p.o.PriorSD * p.o.PriorSD
	p.k = p.k[:0]
	for _, b := range p.basis {
		d := 0.0
		for i, v := range p.row(b) {
			e := float64(v) - float64(context[i])
			d += float64(e * e)
		}
		p.k = append(p.k, prior*kernel.Exp(-d/(2*p.o.LengthScale*p.o.LengthScale)))
	}
	p.ck = product(p.ck, p.c, p.k)
	return p.o.PriorMean + dot(p.k, p.alpha), max(0, prior+dot(p.k, p.ck))
}

func (p *process) predict(context []float32, how posterior.Predict, z float64) float64 {
	switch {
	case len(p.rewards) == 0:
		return z
	case p.low == p.high:
		return p.low
	}
	mean, variance := p.at(context)
	return p.reward(mean, variance, p.o.Spread, how, z)
}

// spread returns the standard deviation of the mean reward.
func (p *process) spread(context []float32) float64 {
	switch {
	case len(p.rewards) == 0:
		return 1
	case p.low == p.high:
		return 0
	}
	mean, variance := p.at(context)
	return (p.high - p.low) * sigmoidSpread(mean, math.Sqrt(variance))
}

// sigmoidSpread returns the standard deviation of σ(f) for a normal f, by the trapezoidal rule.
func sigmoidSpread(mean, sd float64) float64 {
	var weight, sum, squares float64
	for i := -20; i <= 20; i++ {
		z := float64(i) / 4
		w, odds := kernel.Exp(-z*z/2), sigmoid(mean+float64(sd*z))
		weight += w
		sum += float64(w * odds)
		squares += float64(w * float64(odds*odds))
	}
	sum /= weight
	return math.Sqrt(max(0, squares/weight-float64(sum*sum)))
}

// product writes the symmetric a times x to dst, which it grows as needed.
func product(dst, a, x []float64) []float64 {
	n := len(x)
	dst = slices.Grow(dst[:0], n+1)[:n]
	for j := range dst {
		dst[j] = dot(a[j*n:(j+1)*n], x)
	}
	return dst
}

// dot uses four sums in turn: the same on every machine, and the additions need not wait for each
// other.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func (p *process) save(w *state.Writer) {
	p.history.save(w)
	w.Int(len(p.basis))
	for j, b := range p.basis {
		n := len(p.basis)
		w.Int(b)
		w.Float64(p.alpha[j])
		w.Float64s(p.c[j*n : (j+1)*n])
		w.Float64s(p.inverse[j*n : (j+1)*n])
	}
}

func (p *process) restore(r *state.Reader) {
	*p = process{o: p.o, history: p.history}
	p.history.restore(r)
	n := r.Int("basis", 0, min(len(p.rewards), p.o.Basis))
	numbers := make([]float64, n)
	for range n {
		p.basis = append(p.basis, r.Int("row of the basis", 0, len(p.rewards)-1))
		p.alpha = append(p.alpha, r.Float64())
		r.Float64s(numbers)
		p.c = append(p.c, numbers...)
		r.Float64s(numbers)
		p.inverse = append(p.inverse, numbers...)
		if r.Err() != nil {
			return
		}
	}
}
