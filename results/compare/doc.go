// Package compare summarises the trials of a set over seeds and compares policies seed by seed.
package compare
