package main

import (
	"math"

	"banditsim/bandit/stream"
)

// mixture is a mixture of products of categorical distributions, the latent class model: a row comes
// from component k with probability weight[k], and then has value v of attribute a with probability
// prob[k][a][v], independently for each attribute.
type mixture struct {
	weight []float64
	prob   [][][]float64
}

// The numbers of steps are fixed and there is no test of convergence, so that the result depends on as
// little as possible.
const (
	smoothSteps = 40  // the first steps add fading pseudo-counts, so that no value is ruled out too early
	smoothing   = 0.5 // the first pseudo-count
	steps       = 150 // steps of plain EM thereafter
	negligible  = 1e-9
)

// fit fits a mixture of the given number of components by expectation and maximization (Dempster,
// Laird and Rubin 1977) from several starts and keeps the one of the highest likelihood. The values
// of attribute a are 0 to sizes[a]−1.
//
// It uses exp and log only to compare starts, and no sum of products that a compiler could fuse, so it
// gives the same bits on every machine.
func fit(rows [][]uint8, sizes []int, components, starts int, s *stream.Stream) (best mixture, logLikelihood float64) {
	logLikelihood = math.Inf(-1)
	for i := range starts {
		m := start(rows, sizes, components, s.Child("start", i))
		for k := range smoothSteps {
			m.step(rows, sizes, smoothing*float64(smoothSteps-k)/smoothSteps)
		}
		for range steps {
			m.step(rows, sizes, 0)
		}
		if l := m.logLikelihood(rows); l > logLikelihood {
			best, logLikelihood = m, l
		}
	}
	return best, logLikelihood
}

// start chooses rows far from each other as seeds (k-means++ by Hamming distance) and assigns each row
// to the nearest. If there are more components than different rows some stay empty.
func start(rows [][]uint8, sizes []int, components int, s *stream.Stream) mixture {
	nearest := make([]int, len(rows))
	distance := make([]int, len(rows))
	for k := range components {
		seed := s.IntN(len(rows))
		if k > 0 {
			total := 0
			for _, d := range distance {
				total += d * d
			}
			if total == 0 {
				break
			}
			u := s.IntN(total)
			for seed = 0; u >= distance[seed]*distance[seed]; seed++ {
				u -= distance[seed] * distance[seed]
			}
		}
		for i, row := range rows {
			if d := hamming(row, rows[seed]); k == 0 || d < distance[i] {
				nearest[i], distance[i] = k, d
			}
		}
	}
	m := newMixture(sizes, components)
	for i, row := range rows {
		m.add(nearest[i], row, 1)
	}
	m.normalize(len(rows), smoothing)
	return m
}

// step makes one step of EM with a pseudo-count for each value.
func (m *mixture) step(rows [][]uint8, sizes []int, pseudo float64) {
	next := newMixture(sizes, len(m.weight))
	share := make([]float64, len(m.weight))
	for _, row := range rows {
		total := m.density(share, row)
		for k := range share {
			if r := share[k] / total; r > negligible {
				next.add(k, row, r)
			}
		}
	}
	next.normalize(len(rows), pseudo)
	*m = next
}

// density fills share with the densities of the components at a row and returns their sum, the density
// of the mixture.
func (m *mixture) density(share []float64, row []uint8) (total float64) {
	for k, w := range m.weight {
		for a, v := range row {
			if w == 0 {
				break
			}
			w *= m.prob[k][a][v]
		}
		share[k] = w
		total += w
	}
	return total
}

func (m *mixture) logLikelihood(rows [][]uint8) (sum float64) {
	share := make([]float64, len(m.weight))
	for _, row := range rows {
		sum += math.Log(m.density(share, row))
	}
	return sum
}

func newMixture(sizes []int, components int) mixture {
	m := mixture{weight: make([]float64, components), prob: make([][][]float64, components)}
	for k := range m.prob {
		m.prob[k] = make([][]float64, len(sizes))
		for a, n := range sizes {
			m.prob[k][a] = make([]float64, n)
		}
	}
	return m
}

// add counts a share of a row for a component.
func (m *mixture) add(k int, row []uint8, share float64) {
	m.weight[k] += share
	for a, v := range row {
		m.prob[k][a][v] += share
	}
}

// normalize converts counts to probabilities.
func (m *mixture) normalize(rows int, pseudo float64) {
	for k := range m.weight {
		for a := range m.prob[k] {
			sum := 0.0
			for v := range m.prob[k][a] {
				m.prob[k][a][v] += pseudo
				sum += m.prob[k][a][v]
			}
			for v := range m.prob[k][a] {
				if sum > 0 { // a component may die out
					m.prob[k][a][v] /= sum
				}
			}
		}
		m.weight[k] /= float64(rows)
	}
}

func hamming(a, b []uint8) int {
	d := 0
	for i := range a {
		if a[i] != b[i] {
			d++
		}
	}
	return d
}
