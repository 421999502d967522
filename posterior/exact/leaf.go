package exact

import (
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
)

// A pool has what the leaves of all arms' trees know of rewards.
type pool struct {
	seen      bool
	low, high float64
	values    []float64 // values of a discrete likelihood, else those observed, in the order in which they came
}

// add notes a reward.
func (p *pool) add(l Likelihood, reward float64) {
	if !p.seen {
		p.seen, p.low, p.high = true, reward, reward
	}
	p.low, p.high = min(p.low, reward), max(p.high, reward)
	if l.discrete() && !slices.Contains(p.values, reward) {
		p.values = append(p.values, reward)
	}
}

// A leafRewards is what the posterior of a leaf's mean reward depends on under a likelihood; docs/algorithms.md has
// its law: the normal-gamma posterior of gaussian rewards (DeGroot, Optimal statistical decisions, 1970, section
// 9.6), or a Dirichlet posterior of the probabilities of values (with the prior of Perks, Journal of the Institute of
// Actuaries 73, 1947).
type leafRewards struct {
	moments.Running
	tallied // by value of the pool
}

// add adds a reward that the pool knows.
func (s *leafRewards) add(l Likelihood, p *pool, reward float64) {
	if l.discrete() {
		s.tallied.add(slices.Index(p.values, reward), 1)
		return
	}
	s.Add(reward)
}

// moments returns mean and variance of the leaf's mean reward, 0 before any reward.
func (s *leafRewards) moments(l Likelihood, p *pool, prior float64) (mean, variance float64) {
	if !l.discrete() {
		mean, scale, shape := s.normalGamma(p, prior)
		return mean, scale / (shape - 1)
	}
	total := 0.0
	for v, x := range p.values { // weighted moments by the increments of West, CACM 22, 1979
		a := s.weight(v, p, prior)
		total += a
		d := x - mean
		mean += float64(d * a / total)
		variance += float64(a * float64(d*(x-mean)))
	}
	if total == 0 {
		return 0, 0
	}
	return mean, variance / total / (total + 1)
}

// draw returns a draw of the leaf's mean reward.
func (s *leafRewards) draw(l Likelihood, p *pool, prior float64, r *stream.Stream) float64 {
	if !l.discrete() {
		mean, scale, shape := s.normalGamma(p, prior)
		var z [1]float32
		r.Normals(z[:])
		return mean + float64(float64(z[0])*math.Sqrt(scale/r.Gamma(shape)))
	}
	mean, total := 0.0, 0.0
	for v, x := range p.values {
		g := r.Gamma(s.weight(v, p, prior))
		total += g
		mean += float64((x - mean) * (g / total))
	}
	return mean
}

// weight returns the Dirichlet parameter of a value.
func (s *leafRewards) weight(v int, p *pool, prior float64) float64 {
	return 2*prior/float64(len(p.values)) + float64(s.at(v))
}

// normalGamma returns the mean, B/κ and the shape of the gamma distribution.
func (s *leafRewards) normalGamma(p *pool, prior float64) (mean, scale, shape float64) {
	half := (p.high - p.low) / 2
	kappa := float64(2*prior) + s.N
	d := s.Mean - (p.low + half)
	rate := float64(prior*float64(half*half)) + s.Squares/2 + float64(float64(prior*s.N)/kappa*float64(d*d))
	return p.low + half + float64(d*s.N)/kappa, rate / kappa, 1 + prior + s.N/2
}
