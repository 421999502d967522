package experiment

import (
	_ "embed"
	"reflect"
	"slices"
	"strings"
)

// A jsonField is a struct's field as encoding/json knows it.
type jsonField struct {
	reflect.StructField
	name string // in JSON
	of   string // the struct's type, with its package; "" if it has no name
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
		list = append(list, jsonField{f, name, of})
	}
	slices.SortStableFunc(list, func(a, b jsonField) int { return strings.Compare(a.name, b.name) })
	return list
}
