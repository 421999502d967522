// Package words writes numbers, counts, durations and names for people to read. Numbers have the
// minus sign U+2212, a comma between thousands, and [None] where there is no value.
package words
