package results

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"banditsim/internal/flatjson"
	"banditsim/internal/lists"
	"banditsim/internal/words"
)

// label sets TunedSeeds and Label of every policy, as their comments say. derive gives labels that the sidecars lack.
func label(policies []PolicyRecords) {
	derive(policies)
	derived := make([]string, len(policies))
	for i := range policies {
		p := &policies[i]
		derived[i] = words.Plain(p.Label) // names in files are untrusted
		p.Label = cmp.Or(readSidecars(p), derived[i])
	}
	// A derived label may equal the label in another policy's sidecars: repeat until all labels differ.
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

// labelSets sets Label, Named and order of all sets of a folder.
func labelSets(sets []*Set) {
	given, byName := make(map[string]bool), make(map[string][]*Set)
	for _, set := range sets {
		set.Label = set.givenLabel()
		given[set.Label] = true
		name := set.Conditions.Environment.Name
		byName[name] = append(byName[name], set)
	}
	named := len(given) == len(sets) && !given[""]
	for name, variants := range byName {
		for i, distinction := range Distinctions(lists.Each(variants, conditionsOf)) {
			if variants[i].Named = named; !named {
				variants[i].Label = words.Plain(strings.TrimSpace(name + " " + distinction))
			}
		}
	}
}

// givenLabel returns the name of the environment in the sidecars; "" if they have no name, a name that is too long, or
// different names. It sets s.order from the newest sidecar that has a name.
func (s *Set) givenLabel() string {
	var names []string
	var newest time.Time
	for _, p := range s.Policies {
		for _, rec := range p.Records {
			sidecar, _ := rec.Sidecar() // zero if it cannot be read
			names = append(names, sidecar.Environment)
			if sidecar.Environment != "" && !sidecar.Started.Before(newest) {
				newest, s.order = sidecar.Started, sidecar.EnvironmentOrder
			}
		}
	}
	return agreed(names)
}

// agreed returns the label that labels have in common, apart from empty ones; "" if they differ or have over 200 bytes.
func agreed(labels []string) string {
	labels = unique(append([]string{""}, labels...))
	if label := labels[len(labels)-1]; len(labels) <= 2 && len(label) <= 200 {
		return label
	}
	return ""
}

// readSidecars adds the tuned seeds in the sidecars of a policy's trials to p.TunedSeeds. It returns the label in these
// sidecars; "" if they have no label, a label that is too long, or different labels. Unreadable sidecars are ignored.
func readSidecars(p *PolicyRecords) string {
	var labels []string
	for _, t := range p.Records {
		s, _ := t.Sidecar()                   // zero if it cannot be read
		if string(p.Policy.Options) != "{}" { // without options there was nothing to tune
			p.TunedSeeds = unique(append(p.TunedSeeds, s.TunedSeeds...))
		}
		labels = append(labels, s.Label)
	}
	return agreed(labels)
}

// derive sets each label to the policy's name, followed by the options in which policies of that name differ.
func derive(policies []PolicyRecords) {
	byName := make(map[string][]*PolicyRecords)
	for i := range policies {
		p := &policies[i]
		byName[p.Policy.Name] = append(byName[p.Policy.Name], p)
	}
	for name, variants := range byName {
		options := lists.Each(variants, func(p *PolicyRecords) map[string]string { return flatjson.Fields(p.Policy.Options) })
		differing := flatjson.Differing(options)
		for i, v := range variants {
			var b strings.Builder
			b.WriteString(name)
			for _, key := range differing {
				fmt.Fprintf(&b, " %s=%s", key, strings.Trim(flatjson.Present(options[i][key]), `"`))
			}
			v.Label = b.String()
		}
	}
}
