// Package verify compares samplers and posteriors, the subjects of checks, with known answers. A Check judges one
// property and returns results. Posterior returns the checks of posteriors; package
// banditsim/lab/claims has the checks of samplers. The lab's command verify and 'banditsim plugin verify' run
// checks with package reportcard, and checktest.Checks runs them as subtests.
//
// # False alarms and missed faults
//
// A statistic passes if it is at most Limit = 6.5 standard errors off, on the scale of a normal distribution. The
// probability that a correct one fails is 8e-11. If a standard error is estimated from few replicates, Student's t
// converts the deviation to that scale. The suite judges fewer than 5,000 statistics in all (a test counts them), so
// that the probability that any correct sampler fails is below 5,000 · 8e-11 = 4e-7 (Bonferroni). The aim is 1e-6,
// which leaves room for tails that are not quite normal.
//
// Every statistic that measures a size, such as a variance, has so many draws that a relative error of 5 % shifts it by
// at least Blind = 9 standard errors: it then passes only if chance moves it back by 9 − 6.5 = 2.5, with a probability
// of 0.6 %. If the variance of a sampler's noise is wrong by some factor, the measured variance is wrong by the same
// factor. For a contour's multiplier, the check 'frozen contour' computes from the stationary law how far an error of 5
// % shifts the share of time that chains spend in the last bin. If the standard error is too large to detect the fault,
// the check fails as blind. A test shows that for correct samplers the probability of any such failure is below 1e-8.
// Chains start in the stationary law where it is known, so that few draws are lost to warm-up. Planted faults (see the
// tests of this package and of claims) show that each check detects the faults it is for.
//
// Comparisons of bits, and of numbers with results worked out by hand, involve no randomness.
//
// All random streams derive from Options.Seed and the names of the checks. Every subject gets the
// same streams, and the results do not depend on the number of workers.
package verify
