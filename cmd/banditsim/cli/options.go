package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// An option is one that has no options of its own, with the path of --set.
type option struct {
	path  []string
	value string // as an experiment file has it
}

// listOptions lists options in the order of their JSON.
func listOptions(raw json.RawMessage, path []string) []option {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return []option{{path, strings.Trim(string(raw), `"`)}}
	}
	var list []option
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			panic(fmt.Sprintf("cli: options: %v", err)) // the plan has encoded them itself
		}
		list = append(list, listOptions(value, append(path[:len(path):len(path)], key.(string)))...)
	}
	return list
}

// optionsText shows options line by line as in an experiment file: groups are
// indented below their names.
func optionsText(raw json.RawMessage) string {
	var b strings.Builder
	var before []string
	for _, o := range listOptions(raw, nil) {
		for depth, name := range o.path {
			if depth < len(before) && before[depth] == name && depth < len(o.path)-1 {
				continue // the group has been named
			}
			before = before[:min(depth, len(before))]
			fmt.Fprintf(&b, "%s%s:", strings.Repeat("  ", depth+1), name)
			if depth == len(o.path)-1 {
				b.WriteString(" " + o.value)
			}
			b.WriteByte('\n')
		}
		before = o.path
	}
	return b.String()
}

// differenceText shows the options of b that a has not, or otherwise.
func differenceText(a, b json.RawMessage) string {
	inA := map[string]string{}
	for _, o := range listOptions(a, nil) {
		inA[strings.Join(o.path, ".")] = o.value
	}
	var text strings.Builder
	for _, o := range listOptions(b, nil) {
		path := strings.Join(o.path, ".")
		if v, ok := inA[path]; !ok || v != o.value {
			fmt.Fprintf(&text, "  %s: %s\n", path, o.value)
		}
	}
	return text.String()
}
