// Package page makes one self-contained HTML file of an output folder: regret curves that can
// be zoomed, hovered and switched policy by policy, the tables and the comparison of package
// results, each policy's diagnostics over rounds, which data rows it got wrong and when, and
// where the numbers come from. The file asks the network for nothing; its scripts, its styles
// and uPlot, which draws the charts, are in it, and a content security policy lets it run
// nothing else.
//
// The same folder gives the same bytes. Every trial file is read once, whole, its checksum
// included. What a page holds does not grow with the length of the trials or the number of
// seeds, but with the number of policies: about 60 kB each.
package page
