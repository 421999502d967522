// Package density has test densities with known answers, computed by closed forms or by
// quadrature, without code of any sampler.
//
// Each density is a posterior.Target (Gaussian, Mixture, Landscape): an energy U = −log π, up to
// a constant, with its gradient. A target that draws noise owns its stream and serves one chain;
// one without noise may serve any number of chains, one after the other.
//
// For contour samplers there are the equilibrium θ* of a one-dimensional density
// (Contour.FixedPoint) and the exact stationary law of the chain of a finite step (Law).
//
// exp, log and cos come from package math and may differ in the last bit between machines.
package density
