package optiontree

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// An Unuser is a struct of options of which some have no effect beside the values of the others.
type Unuser interface {
	// Unused returns the JSON names of these.
	Unused() []string
}

// Unused returns the paths of the options that have no effect beside the others, as the Unusers among the
// groups say.
func Unused(options any) []string {
	paths := unused(reflect.ValueOf(options), "")
	slices.Sort(paths)
	return slices.Compact(paths)
}

func unused(v reflect.Value, prefix string) []string {
	if !IsGroup(v.Type()) {
		return nil
	}
	var paths []string
	if u, ok := v.Interface().(Unuser); ok {
		for _, name := range u.Unused() {
			paths = append(paths, prefix+name)
		}
	}
	for _, f := range Fields(v.Type()) {
		paths = append(paths, unused(v.FieldByIndex(f.Index), prefix+f.JSON+".")...)
	}
	return paths
}

// CheckUsed returns an error if the option that a path means in Set is among those unused.
func CheckUsed(options json.RawMessage, path, unused []string) error {
	tree, err := Tree(options)
	if err != nil {
		return err
	}
	name := strings.Join(path, ".")
	if _, ok := tree[path[0]]; !ok {
		name = Posterior + "." + name
	}
	if !slices.Contains(unused, name) {
		return nil
	}
	var used []string
	for _, p := range paths(tree, "") {
		if !slices.Contains(unused, p) {
			used = append(used, strings.TrimPrefix(p, Posterior+"."))
		}
	}
	return fmt.Errorf("%s has no effect on this policy, which uses %s", strings.TrimPrefix(name, Posterior+"."), strings.Join(used, ", "))
}

// paths returns the paths of all options of a tree, in order.
func paths(tree map[string]any, prefix string) []string {
	var list []string
	for _, key := range Keys(tree) {
		if child, ok := tree[key].(map[string]any); ok {
			list = append(list, paths(child, prefix+key+".")...)
		} else {
			list = append(list, prefix+key)
		}
	}
	return list
}
