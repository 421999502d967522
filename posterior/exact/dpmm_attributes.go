package exact

import (
	"math"

	"banditsim/internal/kernel"
)

// A student is a Student t predictive density: its logarithm is constant − power·log(1 + (x−mean)²·scale).
type student struct{ constant, mean, scale, power float64 }

const (
	numberWeight = 0.1 // weight of the prior mean of a number, in contexts: κ₀
	numberShare  = 0.1 // prior variance of a number within a cluster, as a share of its variance over all contexts
)

// score returns the log of the prior probability of a cluster times the density of the current context in it, up to a
// constant.
func (m *mixture) score(c *cluster) float64 {
	s := c.weight
	for _, v := range m.code {
		s += c.log[v]
	}
	for j, x := range m.x {
		t := &c.student[j]
		d := x - t.mean
		s += t.constant - float64(t.power*kernel.Log(1+float64(float64(d*d)*t.scale)))
	}
	return s
}

// weight returns log n − Σ log(n + s) over the groups, with the log of the concentration in place of log n if n = 0.
func (m *mixture) weight(n int) float64 {
	for len(m.weights) <= n {
		m.weights = append(m.weights, math.NaN())
	}
	if math.IsNaN(m.weights[n]) {
		w := m.logConcentration
		if n > 0 {
			w = kernel.Log(float64(n))
		}
		for _, s := range m.strength {
			w -= kernel.Log(float64(n) + s)
		}
		m.weights[n] = w
	}
	return m.weights[n]
}

// student returns the predictive distribution of a number in a cluster.
func (m *mixture) student(c *cluster, j int) student {
	n := float64(c.n)
	for i := len(m.ratio); i <= c.n; i++ {
		switch i { // Γ(x+1) = xΓ(x)
		case 0:
			m.ratio = append(m.ratio, kernel.Log(math.Pi)/2-math.Ln2)
		case 1:
			m.ratio = append(m.ratio, math.Ln2-kernel.Log(math.Pi)/2)
		default:
			m.ratio = append(m.ratio, m.ratio[i-2]+kernel.Log(1+1/float64(i)))
		}
	}
	mean, k, b2 := m.number(&c.part, j)
	scale := k / float64((k+1)*b2) // κ/(2b(κ+1))
	return student{
		constant: m.ratio[c.n] + kernel.Log(scale/math.Pi)/2,
		mean:     mean, scale: scale, power: 1.5 + n/2,
	}
}

// number returns the normal-inverse-gamma posterior of number j in a part: its mean, its weight κ in contexts, and 2b.
func (m *mixture) number(p *part, j int) (mean, k, b2 float64) {
	k = numberWeight + float64(p.n)
	mean = (float64(numberWeight*m.center[j]) + p.sum[j]) / k
	b2 = m.scale[j] + max(0,
		p.squares[j]+float64(numberWeight*float64(m.center[j]*m.center[j]))-float64(k*float64(mean*mean)))
	return mean, k, b2
}

// refresh computes the logarithms and densities of a cluster that depend on the priors.
func (m *mixture) refresh(c *cluster) {
	c.weight = m.weight(c.n)
	for g, s := range m.strength {
		for v := m.offset[g]; v < m.offset[g+1]; v++ {
			c.log[v] = kernel.Log(float64(c.count[v]) + float64(s*m.mean[v]))
		}
	}
	for j := range c.student {
		c.student[j] = m.student(c, j)
	}
}

// learnPrior estimates the prior of the attributes. For each group, s makes one step of Minka's fixed point
// (Estimating a Dirichlet distribution, 2000, equation 55) under a gamma prior of rate 1, and m becomes the
// mean of the clusters' frequencies. The prior of numbers gets the mean and the variance of all contexts.
func (m *mixture) learnPrior(strength float64) {
	for g := range m.strength {
		low, high := m.offset[g], m.offset[g+1]
		s, numerator, denominator := m.strength[g], 0.0, 0.0
		for v := low; v < high; v++ {
			sm, sum := float64(s*m.mean[v]), 1/float64(high-low)
			for k := range m.clusters {
				if c := &m.clusters[k]; c.n > 0 {
					sum += float64(c.count[v]) / float64(c.n)
					numerator += float64(m.mean[v] * digammas(sm, int(c.count[v])))
				}
			}
			m.mean[v] = sum // normalized below
		}
		total := 0.0
		for _, f := range m.mean[low:high] {
			total += f
		}
		for v := low; v < high; v++ {
			m.mean[v] /= total
		}
		for k := range m.clusters {
			if c := &m.clusters[k]; c.n > 0 {
				denominator += digammas(s, c.n)
			}
		}
		m.strength[g] = (float64(strength*float64(high-low-1)) + float64(s*numerator)) / (1 + denominator)
	}
	for j := range m.scale {
		n := float64(len(m.points))
		mean := m.sum[j] / n
		m.center[j] = mean
		m.scale[j] = float64(2*numberShare*max(0, m.squares[j]/n-float64(mean*mean))) + 1e-6
	}
	m.weights = m.weights[:0]
	for k := range m.clusters {
		if m.clusters[k].n > 0 {
			m.refresh(&m.clusters[k])
		}
	}
	m.refresh(&m.blank)
}

// digammas returns ψ(x+n) − ψ(x) = Σ_{i<n} 1/(x+i) for x > 0.
func digammas(x float64, n int) float64 {
	const near = 12
	sum := 0.0
	for i := range min(n, near) {
		sum += 1 / (x + float64(i))
	}
	if n <= near {
		return sum
	}
	return sum + digamma(x+float64(n)) - digamma(x+near)
}

// digamma is ψ by its asymptotic series, for x of at least 12: the error is below 1e-12.
func digamma(x float64) float64 {
	f := 1 / float64(x*x)
	return kernel.Log(x) - 0.5/x - float64(f*(1./12-float64(f*(1./120-float64(f*(1./252-float64(f/240)))))))
}
