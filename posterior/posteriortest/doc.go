// Package posteriortest holds samplers and posteriors to what is known.
//
// It is an ordinary package: its checks return results, which Run turns into subtests
// and the command 'banditsim sampler verify' into a report card. Anyone's sampler or
// posterior can be the subject. In a test,
//
//	posteriortest.Run(t, posteriortest.Posterior{New: New, Rounds: 100, Spread: true})
//
// There are two grades of subject. A Posterior is held to the contract that policies
// rely on: shapes, finite values, the same luck giving the same bits, save and restore, learning a
// known function. A Sampler declares what it samples, and is held to that
// exactly: to steps worked out by hand; to closed forms at the step size it runs at, which
// see a wrong noise that would vanish in the limit; to a linear regression through
// the code that runs the bandit; to exact draws by a kernel Stein discrepancy; and, if it
// has a contour, to its bins, its formulas, its law at a fixed θ and its equilibrium.
// The oracles O1–O12 are those of the project's page on the algorithms.
//
// # How sure a verdict is
//
// A statistic passes if it is at most Limit = 6.5 standard errors off, on the scale of a
// normal distribution: a right one is farther out with probability 8e-11. Errors that
// are estimated from few replicates are brought to that scale by Student's t. The
// suite judges fewer than 5,000 statistics in all (a test counts them), so that the
// chance that any right sampler fails is below 5,000 · 8e-11 = 4e-7 (Bonferroni), which leaves
// a factor of two to 1e-6 for tails that are not quite normal.
//
// On the other side, every statistic that answers for the size of something has so
// many draws that, were it 5 % off, it would lie at least Blind = 9 standard errors out on
// the same scale, and pass with a probability of 0.6 %. A wrong variance of the noise moves its
// statistic by as much as itself; for a contour's multiplier, the frozen contour knows from the
// law how far 5 % move the time in the last bin. A check that finds its own standard error larger
// than that fails as blind: a test sees to it that luck alone does not (1e-8 in all). Chains start in
// the stationary law where it is known, so that few draws are lost on the way there. Planted
// faults (see the package's tests) prove that the checks bite.
//
// What is compared bit for bit, or with numbers worked out by hand, has no luck in it.
//
// All randomness descends from Options.Seed by the names of the checks: every subject meets
// the same luck, and the results are the same at any number of workers.
package posteriortest
