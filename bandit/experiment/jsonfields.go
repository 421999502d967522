package experiment

import (
	_ "embed"
	"encoding/json"
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

// encode returns options as a JSON object of all fields, including those that encoding/json omits
// because they are zero: they can be set too.
func encode(options any) (json.RawMessage, error) {
	b, err := json.Marshal(options)
	if err != nil || !isGroup(reflect.TypeOf(options)) {
		return b, err
	}
	tree, err := object(b)
	if err == nil {
		err = complete(tree, reflect.TypeOf(options))
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}

// complete adds the fields of t that are not in tree.
func complete(tree map[string]any, t reflect.Type) error {
	for _, f := range jsonFields(t) {
		if _, ok := tree[f.name]; !ok {
			zero, err := json.Marshal(reflect.Zero(f.Type).Interface())
			if f.Type.Kind() == reflect.Slice {
				zero = []byte("[]")
			}
			if err == nil {
				tree[f.name], err = parseJSON(string(zero))
			}
			if err != nil {
				return err
			}
		}
		if group, ok := tree[f.name].(map[string]any); ok && isGroup(f.Type) {
			if err := complete(group, f.Type); err != nil {
				return err
			}
		}
	}
	return nil
}
