package results

import (
	"fmt"
	"slices"
	"strings"
)

// label makes labels unique: policies of one name are told apart by the options in
// which they differ.
func label(policies []PolicyTrials) {
	same := make(map[string][]*PolicyTrials)
	for i := range policies {
		p := &policies[i]
		same[p.Policy.Name] = append(same[p.Policy.Name], p)
	}
	for name, variants := range same {
		if len(variants) == 1 {
			continue
		}
		options := make([]map[string]string, len(variants))
		all := make(map[string]bool)
		for i, v := range variants {
			options[i] = fields(v.Policy.Options)
			for key := range options[i] {
				all[key] = true
			}
		}
		var differing []string
		for key := range all {
			if slices.ContainsFunc(options, func(o map[string]string) bool { return o[key] != options[0][key] }) {
				differing = append(differing, key)
			}
		}
		slices.Sort(differing)
		for i, v := range variants {
			var b strings.Builder
			b.WriteString(name)
			for _, key := range differing {
				fmt.Fprintf(&b, " %s=%s", key, strings.Trim(present(options[i][key]), `"`))
			}
			v.Label = b.String()
		}
	}
}
