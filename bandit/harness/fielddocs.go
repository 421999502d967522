package harness

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed fielddocs.json
var fieldDocsJSON []byte

// fieldDocs has the comments of the project's option structs by type and field, for the
// schema. TestFieldDocs takes them from the source.
var fieldDocs = func() map[string]string {
	var docs map[string]string
	if err := json.Unmarshal(fieldDocsJSON, &docs); err != nil {
		panic(fmt.Sprintf("harness: fielddocs.json: %v", err)) // it is compiled in
	}
	return docs
}()
