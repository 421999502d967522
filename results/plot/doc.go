// Package plot draws figures: cumulative regret by round as SVG, PNG, PDF or in a terminal's
// characters, and, for other packages, figures of panels and of heat maps. It is the only user of
// gonum/plot.
package plot
