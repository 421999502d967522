package experiment

import (
	"encoding/json"
	"fmt"

	"banditsim/bandit/experiment/internal/fileschema"
	"banditsim/bandit/experiment/internal/kinds"
)

// SchemaFile is the file name of the schema, which experiment files refer to.
const SchemaFile = "experiment.schema.json"

// SchemaTitle is the title of every schema of [Catalog.Schema].
const SchemaTitle = fileschema.Title

// Schema returns the JSON schema (draft 7, which editors support) of experiment files for this
// catalog: its names, and the options of its policies and environments by their Go types.
//
// The description of a field is its struct tag doc:"…" or one from [Catalog.DescribeFields]; a tag
// enum:"a,b" lists the values of an option that is a string in JSON.
func (c *Catalog) Schema() ([]byte, error) {
	files := fileschema.Catalog{
		Policies: named(c.policies), Environments: named(c.environments), Profiles: c.profileNames(),
		Objectives: []string{string(Mean), string(Worst)}, MaxText: maxText, FieldDocs: c.fieldDocs,
	}
	for i, e := range c.Presets() {
		files.Presets = append(files.Presets, fileschema.Named{Name: e.Name, Doc: e.Doc, Environment: c.presets[i].Environment})
	}
	return files.JSON()
}

func named[T any](kinds []kinds.Kind[T]) []fileschema.Named {
	var list []fileschema.Named
	for _, k := range kinds {
		list = append(list, fileschema.Named{Name: k.Name, Doc: k.Doc, Options: k.Options})
	}
	return list
}

// DescribeFields adds descriptions of option fields for the schema: a JSON object with keys
// of the form path/to/package.Type.Field.
func (c *Catalog) DescribeFields(docs []byte) error {
	if err := json.Unmarshal(docs, &c.fieldDocs); err != nil {
		return fmt.Errorf("experiment: descriptions of fields: %w", err)
	}
	return nil
}
