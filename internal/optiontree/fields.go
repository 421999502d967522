package optiontree

import (
	"reflect"
	"slices"
	"strings"
)

// A Field is a field of a struct as encoding/json sees it.
type Field struct {
	reflect.StructField        // Index leads to it from the outermost struct
	JSON                string // its name
	Of                  string // type of the struct with its package, "" if it has no name
}

// Fields returns the fields of a struct, including those of embedded and inline structs.
func Fields(t reflect.Type) []Field {
	if t.Kind() != reflect.Struct {
		return nil
	}
	of := ""
	if t.Name() != "" {
		generic, _, _ := strings.Cut(t.Name(), "[")
		of = t.PkgPath() + "." + generic
	}
	list := make([]Field, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case (f.Anonymous && name == "" || inline(f)) && f.Type.Kind() == reflect.Struct:
			for _, inner := range Fields(f.Type) {
				inner.Index = append([]int{i}, inner.Index...)
				list = append(list, inner)
			}
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		list = append(list, Field{f, name, of})
	}
	slices.SortStableFunc(list, func(a, b Field) int { return strings.Compare(a.JSON, b.JSON) })
	return list
}
