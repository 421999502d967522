package experiment

import _ "embed"

//go:embed example.yaml
var exampleFile string

// ExampleFile returns an experiment file with comments, to start from. It expects the schema
// ([Catalog.Schema]) beside it.
func ExampleFile() string { return exampleFile }
