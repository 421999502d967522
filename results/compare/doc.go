// Package compare summarizes the trials of a set over seeds and compares policies seed by seed.
//
// Regret is in units of reward; lower is better. Both kinds are reported ([Metrics]): expected regret
// is free of the luck of the draw, and comparisons use it by default. Comparisons are
// paired by seed, as policies of one seed meet the same contexts and the same luck, and tested twice:
// with the paired t-test and with the sign-flip test ([Difference]). p-values are corrected for the
// family of tests, which is that of all pairs if the baseline was picked for its mean ([Comparison]).
// Failed trials are in no mean, and in every table.
package compare
