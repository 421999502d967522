// Package verify compares samplers and posteriors with known answers. A Check judges one
// property and returns results. Posterior has the checks of posteriors; those of samplers are in
// banditsim/lab/claims. Package reportcard runs the checks of several subjects, as 'verify' of the lab
// and 'plugin verify' do, and checktest.Checks runs them as subtests.
//
// # False alarms and missed faults
//
// A statistic passes if it is at most Limit = 6.5 standard errors off, on the scale of a normal
// distribution: a correct one is farther out with probability 8e-11. Standard errors that are
// estimated from few replicates are brought to that scale by Student's t. The suite judges fewer
// than 5,000 statistics in all (a test counts them), so that the chance that any correct sampler
// fails is below 5,000 · 8e-11 = 4e-7 (Bonferroni), which leaves a factor of two to 1e-6 for
// tails that are not quite normal.
//
// Every statistic that measures a size has enough draws that, if it were 5 % off, it would lie
// at least Blind = 9 standard errors out on the same scale, and pass with a probability of 0.6 %.
// An error in the variance of the noise moves its statistic by the same share. For a contour's
// multiplier, the check with a frozen contour computes from the stationary law how far an error of
// 5 % moves the time in the last bin. A check whose standard error is too large for that fails as
// blind; a test keeps the chance that
// this happens to a correct sampler below 1e-8 in all. Chains start in the stationary law where
// it is known, so that few draws are lost to warm-up. Planted faults (see the tests of this package
// and of claims) show that each check detects what it is for.
//
// What is compared bit for bit, or with numbers worked out by hand, has no randomness.
//
// All randomness descends from Options.Seed by the names of the checks: every subject gets the
// same streams, and the results are the same at any number of workers.
package verify
