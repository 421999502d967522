// Package flatjson compares values by the scalars of their JSON.
package flatjson

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"banditsim/internal/lists"
	"banditsim/internal/words"
)

// Differing returns the sorted names of the fields whose values differ between maps, or that some maps lack.
func Differing(all []map[string]string) []string {
	seen := make(map[string]bool)
	for _, fields := range all {
		for key := range fields {
			if !seen[key] {
				seen[key] = slices.ContainsFunc(all, func(f map[string]string) bool { return f[key] != fields[key] })
			}
		}
	}
	maps.DeleteFunc(seen, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(seen))
}

// Changed returns the fields in which the JSON of now differs from that of was, as key=value with dotted keys, sorted.
func Changed(was, now any) []string {
	both := []map[string]string{Fields(was), Fields(now)}
	return lists.Each(Differing(both), func(key string) string { return key + "=" + Present(both[1][key]) })
}

// FirstDifference returns the first field by name in which a and b differ, such as "protocol.rounds", and both values.
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

// Fields returns the scalars in v's JSON by dotted paths such as "protocol.rounds".
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

func flatten(flat map[string]string, path string, v any) {
	join := func(key string) string {
		if path == "" {
			return key
		}
		return path + "." + key
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			flatten(flat, join(key), value)
		}
	case []any:
		for i, value := range v {
			flatten(flat, join(strconv.Itoa(i)), value)
		}
	default:
		b, _ := json.Marshal(v) // a scalar
		flat[path] = string(b)
	}
}
