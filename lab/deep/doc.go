// Package deep has experiments of samplers on networks that classify images: what an energy landscape does to a chain,
// and how well chains know what they do not know. The chains are those of package sgmcmc, over the cross-entropy of a
// network of package nn. Data are slices: who calls says where they come from.
package deep
