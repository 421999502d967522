package plantext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"banditsim/bandit/experiment"
	"banditsim/internal/words"
)

// An option is an option without suboptions, with its path as in --set.
type option struct {
	path  []string
	value string // as in an experiment file
}

// listOptions returns options in the order of their JSON.
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
			panic(fmt.Sprintf("plantext: %v", err)) // encoded by the plan
		}
		list = append(list, listOptions(value, append(path[:len(path):len(path)], key.(string)))...)
	}
	return list
}

// optionLines returns options line by line as in an experiment file, with indented groups.
func optionLines(raw json.RawMessage) string {
	var b strings.Builder
	var before []string
	for _, o := range listOptions(raw, nil) {
		for depth, name := range o.path {
			if depth < len(before) && before[depth] == name && depth < len(o.path)-1 {
				continue // the group is named above
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

// difference returns the options of b that a lacks or has with another value.
func difference(a, b json.RawMessage) string {
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

// Describe writes what an environment without data is.
func Describe(out io.Writer, name string, s experiment.Spec) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "environment\t%s\n", name)
	fmt.Fprintf(w, "options\t%s\n", s.Options)
	fmt.Fprintf(w, "arms\t%d: %s\n", len(s.Arms), words.Shorten(strings.Join(s.Arms, ", "), 60))
	fmt.Fprintf(w, "context\t%d wide\n", s.Dim)
	if s.ArmDim > 0 {
		fmt.Fprintf(w, "features of an arm\t%d wide\n", s.ArmDim)
	}
	if math.IsNaN(s.UniformRegret) {
		fmt.Fprintln(w, "uniform\tregret not known")
	} else {
		fmt.Fprintf(w, "uniform\tregret %.10g a pull\n", s.UniformRegret)
	}
	fmt.Fprintf(w, "best constant arm\t%s\n", s.ConstantArm)
	return w.Flush()
}
