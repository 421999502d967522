// Package simulation has the two simulation experiments of the ICSGLD paper (Deng, Liang, Hao,
// Lin, Liang: Interacting Contour Stochastic Gradient Langevin Dynamics, ICLR 2022) on densities
// with known answers:
//
//   - Landscape: how fast samplers find the masses of 25 modes (section 'Simulations
//     of multi-modal distributions').
//   - Variance: how far θ of ten interacting chains varies, against that of one chain
//     of ten times the length (section 'Empirical validation of reduced variance').
//
// A Crew spreads runs over goroutines. The numbers do not depend on how many there are, except
// for the measured times. They may differ in the last bits between machines, see package density.
package simulation
