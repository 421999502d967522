package experiment

import (
	_ "embed"
	"reflect"
	"slices"
	"strings"
)

// A jsonField is a field of a struct as encoding/json sees it.
type jsonField struct {
	reflect.StructField
	name string // in JSON
	of   string // type of the struct with its package, "" if it has no name
}

// jsonFields returns the fields of a struct, including those of embedded structs.
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
