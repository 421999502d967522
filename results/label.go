package results

import (
	"fmt"
	"strings"
)

// label gives every policy a label of its own: the one that its trials' sidecars
// have, if no other policy has it, else a derived one.
func label(policies []PolicyRecords) {
	derive(policies)
	derived := make([]string, len(policies))
	for i := range policies {
		derived[i] = policies[i].Label
		if given := givenLabel(&policies[i]); given != "" {
			policies[i].Label = given
		}
	}
	// A label that goes back to the derived one may be given to another policy.
	for clash := true; clash; {
		clash = false
		uses := make(map[string]int)
		for _, p := range policies {
			uses[p.Label]++
		}
		for i := range policies {
			if p := &policies[i]; uses[p.Label] > 1 && p.Label != derived[i] {
				p.Label, clash = derived[i], true
			}
		}
	}
}

// maxGivenLabel bounds the labels that are believed: tables must have room for them.
const maxGivenLabel = 200

// givenLabel is the label that all sidecars of a policy's trials agree on, or "".
// Sidecars without one, or that cannot be read, have no say: trials are whole without.
func givenLabel(p *PolicyRecords) string {
	given := ""
	for _, t := range p.Records {
		s, err := ReadSidecar(t.Path)
		switch {
		case err != nil || s.Label == "" || s.Label == given:
		case given == "" && len(s.Label) <= maxGivenLabel:
			given = s.Label
		default:
			return ""
		}
	}
	return given
}

// derive makes labels from names; policies of one name are told apart by the
// options in which they differ.
func derive(policies []PolicyRecords) {
	same := make(map[string][]*PolicyRecords)
	for i := range policies {
		p := &policies[i]
		same[p.Policy.Name] = append(same[p.Policy.Name], p)
	}
	for name, variants := range same {
		if len(variants) == 1 {
			continue
		}
		options := make([]map[string]string, len(variants))
		for i, v := range variants {
			options[i] = fields(v.Policy.Options)
		}
		differing := differing(options)
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
