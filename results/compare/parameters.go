package compare

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditsim/internal/flatjson"
	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
)

// Parameters has the options in which policies with the same registered name differ, as in a sweep: their values by
// label of the policy and name of the option. Names are those of --set, without "posterior.". If lists differ in one
// element, the value is the whole list.
type Parameters map[string]map[string]json.RawMessage

// NewParameters returns the parameters of the policies in sets. An option that has several values for the same label in
// different sets is left out for that label.
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

// add adds the parameters of policies with the same name. Where a label already has a different value, it stores nil.
func (p Parameters) add(variants []results.PolicyRecords) {
	options := lists.Each(variants, func(v results.PolicyRecords) map[string]string { return flatjson.Fields(v.Policy.Options) })
	for _, key := range flatjson.Differing(options) {
		path := strings.Split(key, ".")
		if k := slices.IndexFunc(path, func(s string) bool { _, err := strconv.Atoi(s); return err == nil }); k > 0 {
			path = path[:k]
		}
		name := strings.TrimPrefix(strings.Join(path, "."), "posterior.")
		// zero is the value of a number or a truth value that options leave out. It stays nil for options of plugins, whose
		// defaults only the plugin knows.
		var zero json.RawMessage
		for _, v := range variants {
			switch value := valueAt(v.Policy.Options, path); {
			case path[0] == "options" || value == nil:
			case string(value) == "true":
				zero = json.RawMessage("false")
			case json.Unmarshal(value, new(float64)) == nil:
				zero = json.RawMessage("0")
			}
		}
		for _, v := range variants {
			value := valueAt(v.Policy.Options, path)
			if value == nil && valueAt(v.Policy.Options, path[:len(path)-1]) != nil {
				value = zero
			}
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

// valueAt returns the value at path in nested JSON objects, or nil if there is none.
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
	var names []string
	for _, values := range p {
		names = slices.AppendSeq(names, maps.Keys(values))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Text returns the value of a parameter as a string, without quotes; "" if the policy does not have the parameter.
func (p Parameters) Text(label, name string) string {
	value := p[label][name]
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	return words.Plain(text)
}
