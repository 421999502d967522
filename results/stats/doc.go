// Package stats has the statistics of comparisons, on numbers alone: means with intervals
// ([Estimate], [IntervalMethod]), the sign-flip test, Holm's correction, outliers and the number of
// seeds that a difference needs. Random resamples come from streams of their own: equal numbers give
// equal results.
package stats
