package optiontree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"banditsim/internal/lists"
)

// A Field is a field of a struct as encoding/json sees it.
type Field struct {
	reflect.StructField        // Index leads to the field from the outermost struct
	JSON                string // name in JSON
	Of                  string // struct type that declares the field, with its package; "" if the type has no name
}

// structs caches the results of Fields, which is called again and again for the same few types of options.
var structs sync.Map // from reflect.Type to []Field

// Fields returns the fields of a struct, including those of embedded and inline structs, sorted by their names in JSON.
// If t is no struct, it returns nil. The caller must not change the list.
func Fields(t reflect.Type) []Field {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if known, ok := structs.Load(t); ok {
		return known.([]Field)
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
	structs.Store(t, list)
	return list
}

// Names returns the JSON names of the fields of a struct, sorted.
func Names(t reflect.Type) []string {
	return lists.Each(Fields(t), func(f Field) string { return f.JSON })
}

// IsGroup reports whether options of type t are a group of options rather than a value.
func IsGroup(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if inline(t.Field(i)) {
			return true
		}
	}
	return !t.Implements(reflect.TypeFor[json.Marshaler]())
}

// Check returns an error if options of type t lose fields in JSON: if two have the same name, or if a struct embeds
// another one with inline fields, whose MarshalJSON then hides the other fields.
func Check(t reflect.Type) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if !IsGroup(t) {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous && IsGroup(f.Type) && f.Type.Implements(reflect.TypeFor[json.Marshaler]()) {
				return fmt.Errorf("%s embeds %s, whose encoding hides the other fields: embed the structs that it consists of", t, f.Type)
			}
		}
		return nil
	}
	fields := Fields(t)
	for i, f := range fields {
		if i > 0 && fields[i-1].JSON == f.JSON {
			return fmt.Errorf("%s has two options %s", t, f.JSON)
		}
		if err := Check(f.Type); err != nil {
			return err
		}
	}
	return nil
}

// An Unuser is a struct of options that reports which of them have no effect with the present values of the others.
type Unuser interface {
	// Unused returns the JSON names of the options without effect.
	Unused() []string
}

// Unused returns the paths of all options without effect, as reported by each Unuser among options and its groups.
func Unused(options any) []string {
	var paths []string
	each(reflect.ValueOf(options), "", func(path string, v reflect.Value) {
		if u, ok := v.Interface().(Unuser); ok {
			for _, name := range u.Unused() {
				paths = append(paths, join(path, name))
			}
		}
	})
	return paths
}

// each calls visit for v, which has the given path, and for all groups and options in it if v is a group.
func each(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	visit(path, v)
	if IsGroup(v.Type()) {
		for _, f := range Fields(v.Type()) {
			each(v.FieldByIndex(f.Index), join(path, f.JSON), visit)
		}
	}
}

// join returns the path of the option called name in the group at path. The path of the outermost group is "".
func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// CheckUsed returns an error if the option at path, which is resolved as in Set, is in unused, the result of Unused.
func CheckUsed(options any, path, unused []string) error {
	full, err := resolvePath(options, path)
	if err != nil {
		return err
	}
	name := strings.Join(full, ".")
	if !slices.Contains(unused, name) {
		return nil
	}
	var used []string
	each(reflect.ValueOf(options), "", func(path string, v reflect.Value) {
		if !IsGroup(v.Type()) && !slices.Contains(unused, path) {
			used = append(used, strings.TrimPrefix(path, Posterior+"."))
		}
	})
	return fmt.Errorf("%s has no effect on this policy, which uses %s", strings.TrimPrefix(name, Posterior+"."), strings.Join(used, ", "))
}

// inline reports whether field f, a struct, has the tag json:",inline": its fields then count as fields of the outer
// struct, as if f were embedded. The tag exists because a type parameter cannot be embedded. encoding/json ignores
// it, so the outer struct needs methods MarshalJSON and UnmarshalJSON that call MarshalInline and UnmarshalInline.
func inline(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return options == "inline"
}

// MarshalInline encodes structs as one JSON object that has the fields of all.
func MarshalInline(parts ...any) ([]byte, error) {
	var all [][]byte
	for _, p := range parts {
		b, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		if len(b) < 2 || b[0] != '{' {
			return nil, fmt.Errorf("the options of a %T are not a JSON object: %s", p, b)
		}
		if fields := b[1 : len(b)-1]; len(fields) > 0 {
			all = append(all, fields)
		}
	}
	return fmt.Appendf(nil, "{%s}", bytes.Join(all, []byte{','})), nil
}

// UnmarshalInline decodes a JSON object into the structs that parts point to. A field that no struct has is an error.
func UnmarshalInline(b []byte, parts ...any) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for i, p := range parts {
		own := fields
		if last := i == len(parts)-1; !last {
			own = map[string]json.RawMessage{}
			for _, f := range Fields(reflect.TypeOf(p).Elem()) {
				if value, ok := fields[f.JSON]; ok {
					own[f.JSON] = value
					delete(fields, f.JSON)
				}
			}
		}
		object, err := json.Marshal(own)
		if err != nil {
			return err
		}
		if err := Decode(object, p); err != nil {
			return err
		}
	}
	return nil
}
