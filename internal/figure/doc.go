// Package figure says what a figure of regret looks like: the options that flags, figure sections of
// experiment files and style files have in common. Package plot draws it.
package figure
