// Package page writes an output folder as one self-contained HTML file: regret curves to zoom, to
// hover over and to switch on and off, the tables, the comparison with any baseline, the diagnostics of
// each policy, its wrong pulls by data row, and the provenance; of several environments a switch and the
// ranks over them. The file makes no network request: its scripts, its styles and uPlot, which draws the
// charts, are embedded, and a content security policy allows nothing else. It names no folder of the machine that wrote it.
// It loads nothing from the network; one that is rewritten while a run goes on loads itself again.
//
// The same folder gives the same bytes. Every trial file is read once, in full, and its checksum is
// verified. The size of a page does not depend on the length of the trials: it has 10 to 60 kB
// for each policy in each environment, and 50 bytes for each trial, whose regret comparisons are computed from.
//
// contract.go defines the data that the scripts are given; page.schema.json is a JSON schema of it.
package page
