package experiment

// For the tests of this package, which are outside it to use the built-in catalog.

// ParseFile is parseFile.
func (c *Catalog) ParseFile(path string, b []byte) (Experiment, error) { return c.parseFile(path, b) }

// ResolveNames looks up names and options, and returns the variants.
func (e Experiment) ResolveNames(c *Catalog) ([]Variant, error) {
	names, err := e.resolveNames(c)
	var list []Variant
	for _, p := range names.policies {
		list = append(list, p.Variant)
	}
	return list, err
}

// Bounds.
const (
	MaxFile  = maxFile
	MaxDepth = maxDepth
	MaxNodes = maxNodes
	MaxSeeds = maxSeeds
)

// CheckVariantName is checkVariantName.
var CheckVariantName = checkVariantName
