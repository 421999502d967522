// Package neural has posteriors over the parameters of a neural network that learns from a replay
// buffer, one per file. Each is a Network with chains that a sampler of package sgmcmc moves.
package neural
