// Package page writes an output folder as one self-contained HTML file. It has interactive regret curves, tables, the
// comparison with any baseline, the diagnostics of each policy, its wrong pulls by data row, and the provenance. If
// there are several environments, it also has a switch between them and the ranks over them.
//
// The page makes no network request: its scripts, its styles and uPlot, which draws the charts, are embedded, and a
// content security policy allows nothing else. The only exception is a page that is rewritten during a run, which loads
// itself again. A page names no folder of the machine that wrote it.
//
// The same folder gives the same bytes. Every trial file is read once, in full, and its checksum is verified. The size
// of a page does not depend on the length of the trials: it is 10 to 60 kB per policy and environment, and 50 bytes per
// trial, from whose regret the scripts compute comparisons.
//
// contract.go defines the data for the scripts; page.schema.json is its JSON schema.
package page
