package harness

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
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

// A jsonField is a struct's field as encoding/json knows it.
type jsonField struct {
	reflect.StructField
	name string // in JSON
	of   string // the struct's type, with its package; "" if it has no name
	doc  string
}

// jsonFields lists a struct's fields, those of embedded structs among them.
func jsonFields(t reflect.Type) []jsonField {
	if t.Kind() != reflect.Struct {
		return nil
	}
	of := ""
	if t.Name() != "" {
		generic, _, _ := strings.Cut(t.Name(), "[")
		of = t.PkgPath() + "." + generic
	}
	var list []jsonField
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			list = append(list, jsonFields(f.Type)...)
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		doc := f.Tag.Get("doc")
		if doc == "" {
			doc = fieldDocs[of+"."+f.Name]
		}
		list = append(list, jsonField{f, name, strings.ReplaceAll(of, "/", "."), doc})
	}
	slices.SortStableFunc(list, func(a, b jsonField) int { return strings.Compare(a.name, b.name) })
	return list
}
