package experiment

import (
	"banditsim/internal/lists"
	"banditsim/internal/yamltree"
)

// This file exports identifiers to the tests, which use the built-in catalog and so are in an external test package.

// ParseFile is parseFile.
func (c *Catalog) ParseFile(path string, b []byte) (Experiment, error) {
	root, err := yamltree.Parse(path, b)
	if err != nil {
		return Experiment{}, err
	}
	return c.parseFile(root)
}

// ResolveNames looks up names and options, and returns the variants.
func (e Experiment) ResolveNames(c *Catalog) ([]Variant, error) {
	names, err := e.resolveNames(c)
	list := lists.Each(names.policies, func(p resolvedPolicy) Variant { return p.variant })
	return list, err
}

// MaxSeeds is the bound of a list of seeds.
const MaxSeeds = maxSeeds

// CheckVariantName checks the name of a variant.
func CheckVariantName(name string) error { return checkVariantName(name) }
