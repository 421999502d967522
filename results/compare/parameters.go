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

// Parameters has the options in which policies with the same registered name differ, as in a sweep: values by policy
// label and option name. Names are those of --set, without "posterior.". A list as a value is not taken apart.
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
		zero := zeroAt(variants, path)
		for _, v := range variants {
			value := valueAt(v.Policy.Options, path)
			if value == nil {
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

// zeroAt returns the value of the option at path where it is missing: 0 or false, which options leave out, or nil if it is
// neither a number nor a truth value, or is an option of a plugin, whose defaults only the plugin knows.
func zeroAt(variants []results.PolicyRecords, path []string) json.RawMessage {
	for _, v := range variants {
		switch value := string(valueAt(v.Policy.Options, path)); {
		case path[0] == "options":
			return nil
		case value == "true":
			return json.RawMessage("false")
		case value != "" && strings.Contains("-0123456789", value[:1]):
			return json.RawMessage("0")
		}
	}
	return nil
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
