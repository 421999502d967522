// Package sgmcmc has samplers of stochastic gradient Markov chain Monte Carlo, one per file, and
// what they share: the evaluation of chains, contours over the energy, a preconditioner.
//
// Equations and sources are in docs/algorithms.md.
package sgmcmc
