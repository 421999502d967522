// Package flatjson compares values by the scalars in their JSON: numbers, strings, true, false and null.
package flatjson

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/lists"
	"banditsim/internal/words"
)

// Differing returns the sorted keys whose values differ between the maps, or that some of the maps lack.
func Differing(all []map[string]string) []string {
	differing := make(map[string]bool)
	for _, fields := range all {
		for key, value := range fields {
			if slices.ContainsFunc(all, func(f map[string]string) bool { return f[key] != value }) {
				differing[key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(differing))
}

// Changed returns the fields in which the JSON of its two arguments differs, as key=value, sorted. Keys are paths as in
// Fields. Values are those in the second argument, as Present shows them.
func Changed(was, now any) []string {
	both := []map[string]string{Fields(was), Fields(now)}
	return lists.Each(Differing(both), func(key string) string { return key + "=" + Present(both[1][key]) })
}

// FirstDifference returns the first field by name in which a and b differ, such as "protocol.rounds", and both values
// as Present shows them. If a and b do not differ, it returns "nothing" for the field.
func FirstDifference(a, b any) (field, inA, inB string) {
	both := []map[string]string{Fields(a), Fields(b)}
	keys := Differing(both)
	if len(keys) == 0 {
		return "nothing", "", ""
	}
	return keys[0], Present(both[0][keys[0]]), Present(both[1][keys[0]])
}

// Present returns the value of a field as messages show it: shortened, or "absent" if there is none.
func Present(s string) string {
	if s == "" {
		return "absent"
	}
	return words.Plain(words.Shorten(s, 80))
}

// Fields returns the scalars in v's JSON by path, such as "protocol.rounds"; an empty map if v has no JSON. Empty lists
// and objects have no scalars.
func Fields(v any) map[string]string {
	flat := make(map[string]string)
	b, err := json.Marshal(v)
	if err != nil {
		return flat
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // keeps the digits as written
	var tree any
	if d.Decode(&tree) == nil {
		flatten(flat, "", tree)
	}
	return flat
}

// flatten adds the scalars in v to flat. Their paths begin with prefix, which is empty or ends in a dot.
func flatten(flat map[string]string, prefix string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			flatten(flat, prefix+key+".", value)
		}
	case []any:
		for i, value := range v {
			flatten(flat, prefix+strconv.Itoa(i)+".", value)
		}
	default:
		b, _ := json.Marshal(v) // cannot fail for a scalar
		flat[strings.TrimSuffix(prefix, ".")] = string(b)
	}
}
