package exact

import (
	"math"
	"slices"

	"banditsim/internal/kernel"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
)

// A process is a sparse online Gaussian process (Csató and Opper, Neural Computation 14, 2002) over the contexts of a
// history. Its basis is a subset b₁ … b_n of these contexts. Before any reward, let m and k₀ be the mean and the
// variance of f, K the matrix of the covariances of f(b₁) … f(b_n), and k the vector of their covariances with f(c).
// After rewards, with α and C from learn, f(c) has
//
//	mean = m + k·α,  variance = k₀ + kᵀCk
type process struct {
	*history
	now  *[]float32 // the current context
	o    GPOptions
	site site

	basis   []int       // rows of the history
	alpha   []float64   // α
	c       [][]float64 // C, symmetric, n × n
	inverse [][]float64 // K⁻¹, n × n

	k, ck, ik []float64 // k, Ck and K⁻¹k at the current context
}

// learn makes one step of Csató and Opper's algorithm for the observation y of f in row i. Let q and r be the results
// of p.site and s = Ck + e. If the row's context joins the basis, e is the unit vector of its place there. Otherwise e
// is its approximation K⁻¹k. Then
//
//	α ← α + q·s,  C ← C + r·ssᵀ
func (p *process) learn(i int, y float64) {
	*p.now = p.row(i)
	mean, variance := p.at()
	prior := p.o.PriorSD * p.o.PriorSD
	q, r := p.site(y, mean, variance)
	if q == 0 && r == 0 {
		return
	}
	p.ik = product(p.ik, p.inverse, p.k)
	fresh := prior - dot(p.k, p.ik)
	s := p.ck
	if fresh > p.o.Novelty*prior && len(p.basis) < p.o.Basis {
		p.extend(i, fresh)
		s = append(s, 1)
	} else {
		kernel.AddScaled(s, 1, p.ik)
	}
	for j, sj := range s {
		p.alpha[j] += float64(q * sj)
		kernel.AddScaled(p.c[j], r*sj, s)
	}
	p.ck = s
}

// extend adds row i, the current context, to the basis. α and C get zeros for it, and with fresh = k₀ − kᵀK⁻¹k,
//
//	K⁻¹ ← K⁻¹ + (v vᵀ)/fresh,  v = (K⁻¹k, −1)
func (p *process) extend(i int, fresh float64) {
	p.basis = append(p.basis, i)
	p.alpha = append(p.alpha, 0)
	p.c, p.inverse = widen(p.c), widen(p.inverse)
	v := append(p.ik, -1)
	for j, vj := range v {
		row := p.inverse[j]
		for k, vk := range v {
			row[k] += float64(vj * vk / fresh)
		}
	}
	p.ik = v
}

// widen appends a row and a column of zeros to the square matrix a.
func widen(a [][]float64) [][]float64 {
	for j := range a {
		a[j] = append(a[j], 0)
	}
	return append(a, make([]float64, len(a)+1))
}

// at returns the mean and the variance of f in the current context, and sets k and ck.
func (p *process) at() (mean, variance float64) {
	prior := p.o.PriorSD * p.o.PriorSD
	p.k = p.k[:0]
	for _, b := range p.basis {
		p.k = append(p.k, p.kernel(p.row(b), *p.now))
	}
	p.ck = product(p.ck, p.c, p.k)
	return p.o.PriorMean + dot(p.k, p.alpha), max(0, prior+dot(p.k, p.ck))
}

// kernel returns the covariance of f in two contexts before any reward.
func (p *process) kernel(a, b []float32) float64 {
	d := 0.0
	for i, v := range a {
		e := float64(v) - float64(b[i])
		d += float64(e * e)
	}
	return p.o.PriorSD * p.o.PriorSD * kernel.Exp(-d/(2*p.o.LengthScale*p.o.LengthScale))
}

// joint implements latent. The covariance of f(c) and f(c') is kernel(c, c') + kᵀCk', with the C of process; k is that
// of the context c, and k' that of c'.
func (p *process) joint(draws *ridge.Joint, contexts [][]float32) (means []float64) {
	var before [][]float64 // k of the contexts
	draws.Begin(len(contexts))
	for i, c := range contexts {
		*p.now = c
		mean, variance := p.at()
		for j, k := range before {
			draws.Set(i, j, p.kernel(c, contexts[j])+dot(k, p.ck))
		}
		draws.Set(i, i, variance)
		means, before = append(means, mean), append(before, slices.Clone(p.k))
	}
	return means
}

// product returns the symmetric matrix a times x, in the memory of dst if there is room.
func product(dst []float64, a [][]float64, x []float64) []float64 {
	dst = dst[:0]
	for _, row := range a {
		dst = append(dst, dot(row, x))
	}
	return dst
}

// dot returns the dot product of two vectors. It adds to four sums in turn, so that no addition waits for the previous
// one. The order of additions is the same on every machine.
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

func (p *process) state(c *state.Codec) {
	n := c.Len("basis", len(p.basis), min(len(p.rewards), p.o.Basis))
	for j := 0; j < n && c.Err() == nil; j++ {
		if c.Reading() {
			p.basis, p.alpha = append(p.basis, 0), append(p.alpha, 0)
			p.c, p.inverse = append(p.c, make([]float64, n)), append(p.inverse, make([]float64, n))
		}
		c.Int("row of the basis", &p.basis[j], 0, len(p.rewards)-1)
		c.Float64(&p.alpha[j])
		c.Float64s(p.c[j])
		c.Float64s(p.inverse[j])
	}
}

// A site returns how an observation y changes a normal distribution of f: the mean becomes mean + q·variance, and the
// variance becomes variance + r·variance². q and r are the first two derivatives of the log marginal likelihood of y
// with respect to the mean. If both are 0, y is ignored.
type site func(y, mean, variance float64) (q, r float64)

// negligible is a limit: an observation is ignored if it would reduce the variance of f by less than this fraction.
// bernoulliSite ignores it only if, besides, the mean would move by less than this fraction of a standard deviation. In
// well-known contexts most rewards are ignored, which saves time.
const negligible = 1e-3

// quasiSite is a step of the extended Kalman filter for log-odds f. An observation y between 0 and 1 counts as much as
// a Bernoulli trial (quasi-likelihood: Papke and Wooldridge 1996).
func quasiSite(y, mean, variance float64) (q, r float64) {
	odds := moderated(mean, variance)
	weight := max(odds*(1-odds), 1e-4) // with the bound 1e-4, f can change even after many equal rewards
	if weight*variance < negligible {
		return 0, 0
	}
	gain := 1 / (1 + float64(weight*variance))
	return (y - odds) * gain, -weight * gain
}

// gaussianSite returns the site of a y ~ N(f, noise²). Unless the variance is negligible, it gives the exact posterior.
func gaussianSite(noise float64) site {
	return func(y, mean, variance float64) (q, r float64) {
		total := float64(noise*noise) + variance
		if variance < negligible*total {
			return 0, 0
		}
		return (y - mean) / total, -1 / total
	}
}

// Limits of the prior of log-odds, within which bernoulliSite and sigmoidMoments integrate with small errors.
const (
	maxLogOdds   = 100 // absolute value of the prior mean
	maxLogOddsSD = 10  // prior standard deviation
)

// bernoulliSite is the site of a y that is 1 with probability σ(f), else 0. The new mean and variance are those of the
// exact posterior of f (assumed density filtering: Opper, A Bayesian approach to on-line learning, 1998; Csató and
// Opper 2002). The range of the trapezoidal rule grows with sd: a surprising y moves the mean by up to sd², which is sd
// standard deviations.
func bernoulliSite(y, mean, variance float64) (q, r float64) {
	sd := math.Sqrt(variance)
	sign := 2*y - 1
	step := 1. / 4 // the error is about exp(−2π²/(step·sd))
	if sd > 5 {
		step = 1. / 8
	}
	n := math.Ceil((6 + min(sd, 2*maxLogOddsSD)) / step)
	var total, sum, squares float64
	for i := -n; i <= n; i++ {
		z := i * step
		w := kernel.Exp(-z*z/2) * sigmoid(sign*(mean+float64(sd*z)))
		total += w
		sum += float64(w * z)
		squares += float64(w * float64(z*z))
	}
	sum /= total
	shrink := min(0, squares/total-float64(sum*sum)-1) // at most 0, because log σ is concave
	if !(math.Abs(sum) > negligible || -shrink > negligible) {
		return 0, 0
	}
	return sum / sd, shrink / variance
}

// moderated approximates the mean of σ(f) for a normal f (MacKay, Neural Computation 4, 1992).
func moderated(mean, variance float64) float64 {
	return sigmoid(mean / math.Sqrt(1+float64(math.Pi/8*variance)))
}

func sigmoid(f float64) float64 { return 1 / (1 + kernel.Exp(-f)) }

// sigmoidMoments returns the mean and the standard deviation of σ(f) for a normal f, by the trapezoidal rule.
func sigmoidMoments(mean, sd float64) (average, deviation float64) {
	var weight, sum, squares float64
	for i := -20; i <= 20; i++ {
		z := float64(i) / 4
		w, odds := kernel.Exp(-z*z/2), sigmoid(mean+float64(sd*z))
		weight += w
		sum += float64(w * odds)
		squares += float64(w * float64(odds*odds))
	}
	sum /= weight
	return sum, math.Sqrt(max(0, squares/weight-float64(sum*sum)))
}
