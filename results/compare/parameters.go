package compare

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/flatjson"
	"banditsim/internal/words"
	"banditsim/results"
)

// Parameters are the options in which policies of one name differ, as those of a sweep do: by the label of the
// policy, the values by name. A name is as --set has it, without the posterior, and a list is one value.
type Parameters map[string]map[string]json.RawMessage

// NewParameters returns the parameters of the policies of the sets. One whose value is not the same for a label
// in all sets is left out.
func NewParameters(sets ...*results.Set) Parameters {
	all := make(Parameters)
	for _, set := range sets {
		named := make(map[string][]results.PolicyRecords)
		for _, p := range set.Policies {
			named[p.Policy.Name] = append(named[p.Policy.Name], p)
		}
		for _, variants := range named {
			all.add(variants)
		}
	}
	for _, values := range all {
		maps.DeleteFunc(values, func(_ string, v json.RawMessage) bool { return v == nil })
	}
	maps.DeleteFunc(all, func(_ string, values map[string]json.RawMessage) bool { return len(values) == 0 })
	return all
}

// add adds the parameters of policies of one name. The value nil is one of several.
func (p Parameters) add(variants []results.PolicyRecords) {
	options := make([]map[string]string, len(variants))
	for i, v := range variants {
		options[i] = flatjson.Fields(v.Policy.Options)
	}
	for _, key := range flatjson.Differing(options) {
		path := strings.Split(key, ".")
		if k := slices.IndexFunc(path, func(s string) bool { _, err := strconv.Atoi(s); return err == nil }); k > 0 {
			path = path[:k]
		}
		name := strings.TrimPrefix(strings.Join(path, "."), "posterior.")
		for _, v := range variants {
			value := valueAt(v.Policy.Options, path)
			if value == nil {
				continue
			}
			if p[v.Label] == nil {
				p[v.Label] = make(map[string]json.RawMessage)
			}
			if old, ok := p[v.Label][name]; ok && string(old) != string(value) {
				value = nil
			}
			p[v.Label][name] = value
		}
	}
}

func valueAt(b json.RawMessage, path []string) json.RawMessage {
	for _, key := range path {
		var tree map[string]json.RawMessage
		if json.Unmarshal(b, &tree) != nil {
			return nil
		}
		b = tree[key]
	}
	return b
}

// Names returns the names of all parameters, sorted.
func (p Parameters) Names() []string {
	names := make(map[string]bool)
	for _, values := range p {
		for name := range values {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Text returns the value of a parameter as text, "" if the policy does not have it.
func (p Parameters) Text(label, name string) string {
	value := p[label][name]
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	return words.Plain(text)
}
