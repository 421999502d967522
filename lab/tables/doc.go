// Package samplers summarizes the two simulations of package simulation, as tables, as figures and as
// files with all numbers, and the checks of package verify as a report card.
package tables
