package experiment

import _ "embed"

// ExampleFile is an experiment file with comments, to start from. It expects the schema
// ([Catalog.Schema]) beside it.
//
//go:embed example.yaml
var ExampleFile string
