package optiontree

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Field is a field of a struct as encoding/json sees it.
type Field struct {
	reflect.StructField        // Index leads to it from the outermost struct
	JSON                string // its name
	Of                  string // type of the struct with its package, "" if it has no name
}

// structs caches the results of Fields, as a catalog has hundreds of options of few types.
var structs sync.Map // from reflect.Type to []Field

// Fields returns the fields of a struct sorted by name, including those of embedded and inline structs, or nil if t
// is no struct. The caller must not change them.
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

// Names returns the names of the fields of a struct in JSON, in order.
func Names(t reflect.Type) []string {
	var list []string
	for _, f := range Fields(t) {
		list = append(list, f.JSON)
	}
	return list
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

// An Unuser is a struct of options some of which may have no effect, depending on the values of the others.
type Unuser interface {
	// Unused returns the JSON names of the options without effect.
	Unused() []string
}

// Unused returns the paths of the options without effect, as the Unusers among options and their groups name them.
func Unused(options any) []string {
	var paths []string
	each(reflect.ValueOf(options), "", func(prefix string, group reflect.Value) {
		if u, ok := group.Interface().(Unuser); ok {
			for _, name := range u.Unused() {
				paths = append(paths, prefix+name)
			}
		}
	}, nil)
	return paths
}

// each calls group, if it is not nil, for v and for every group of options in it, with the path of the group and a
// dot; and leaf, if it is not nil, with the path of every option that is no group.
func each(v reflect.Value, prefix string, group func(prefix string, v reflect.Value), leaf func(path string)) {
	if !IsGroup(v.Type()) {
		return
	}
	if group != nil {
		group(prefix, v)
	}
	for _, f := range Fields(v.Type()) {
		switch {
		case IsGroup(f.Type):
			each(v.FieldByIndex(f.Index), prefix+f.JSON+".", group, leaf)
		case leaf != nil:
			leaf(prefix + f.JSON)
		}
	}
}

// CheckUsed returns an error if the option that path leads to, as in Set, is among the unused ones.
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
	each(reflect.ValueOf(options), "", nil, func(path string) {
		if !slices.Contains(unused, path) {
			used = append(used, strings.TrimPrefix(path, Posterior+"."))
		}
	})
	return fmt.Errorf("%s has no effect on this policy, which uses %s", strings.TrimPrefix(name, Posterior+"."), strings.Join(used, ", "))
}
