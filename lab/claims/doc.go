// Package claims compares samplers with what they claim to sample: steps worked out by hand;
// closed forms at the step size in use, which detect a wrong noise that would vanish in the
// limit; a linear regression through the code that runs the bandit; exact draws, by a kernel
// Stein discrepancy; and for a contour its bins, its formulas, its law at a fixed θ and its
// equilibrium. Anyone's sampler can be the subject.
package claims
