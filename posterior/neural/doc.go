// Package neural has posteriors over the parameters of a neural network that learns from a
// replay buffer: one a file, with its options, defaults and constructor. All are a Network whose
// chains one of the samplers of package sgmcmc moves.
package neural
