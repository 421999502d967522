// Package page writes an output folder as one self-contained HTML file: regret curves to zoom, to
// hover over and to switch on and off, the tables and the comparison, the diagnostics of each policy,
// its wrong pulls by data row, and the provenance. The file makes no network request: its scripts, its
// styles and uPlot, which draws the charts, are embedded, and a content security policy allows nothing
// else.
//
// The same folder gives the same bytes. Every trial file is read once, in full, and its checksum is
// verified. The size of a page does not depend on the length of the trials or the number of
// seeds, only on the number of policies: about 60 kB each.
package page
