// Package words formats numbers, counts, durations and names for people. Numbers have the minus sign U+2212 and commas
// between thousands. A missing number is [None].
package words
