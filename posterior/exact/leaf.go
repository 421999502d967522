package exact

import (
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
)

// A pool holds what the leaves of all trees share: the range and the values of all arms' rewards.
type pool struct {
	seen      bool // whether there was a reward
	low, high float64
	values    []float64 // with a discrete likelihood, its listed values, then further ones in order of appearance
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

// A leafRewards holds the statistics of a leaf's rewards under a likelihood. The posterior of the leaf's mean reward is
// normal-gamma for gaussian rewards (DeGroot, Optimal statistical decisions, 1970, section 9.6), or follows from a
// Dirichlet posterior of the probabilities of the values (with the prior of Perks, Journal of the Institute of Actuaries
// 73, 1947). docs/algorithms.md has the equations.
type leafRewards struct {
	moments.Running
	tallied // by index in pool.values
}

// add adds a reward that was added to the pool before.
func (s *leafRewards) add(l Likelihood, p *pool, reward float64) {
	if l.discrete() {
		s.tallied.add(slices.Index(p.values, reward), 1)
		return
	}
	s.Add(reward)
}

// moments returns the mean and the variance of the posterior of the leaf's mean reward; both are 0 if no value is known.
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

// weight returns the Dirichlet parameter of value v.
func (s *leafRewards) weight(v int, p *pool, prior float64) float64 {
	return 2*prior/float64(len(p.values)) + float64(s.at(v))
}

// normalGamma returns the parameters of the normal-gamma posterior: the mean of the mean, scale = rate/κ, and the shape
// of the gamma distribution of the precision.
func (s *leafRewards) normalGamma(p *pool, prior float64) (mean, scale, shape float64) {
	half := (p.high - p.low) / 2
	kappa := float64(2*prior) + s.N
	d := s.Mean - (p.low + half)
	rate := float64(prior*float64(half*half)) + s.Squares/2 + float64(float64(prior*s.N)/kappa*float64(d*d))
	return p.low + half + float64(d*s.N)/kappa, rate / kappa, 1 + prior + s.N/2
}
