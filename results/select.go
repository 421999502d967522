package results

import (
	"slices"

	"banditsim/internal/nearest"
)

// Labels returns the labels of the policies of all sets, each once, in their order.
func Labels(sets []*Set) []string {
	var labels []string
	for _, set := range sets {
		for _, p := range set.Policies {
			labels = append(labels, p.Label)
		}
	}
	return unique(labels)
}

// Order returns the labels of all policies of the folders that sets are of, those that Select left out too: in this order figures and
// pages give colors, so that a policy has one in all of a folder.
func Order(sets []*Set) []string {
	var order []string
	for _, set := range sets {
		order = append(order, set.all...)
	}
	return unique(append(order, Labels(sets)...))
}

// unique returns the texts of a list, each once.
func unique(list []string) []string {
	seen := make(map[string]bool)
	return slices.DeleteFunc(list, func(text string) bool {
		again := seen[text]
		seen[text] = true
		return again
	})
}

// Select returns the sets with the policies of the given names alone, in the order of the names: labels,
// or the registered name of a policy for all its variants if no label is the same. Sets without any of them are left out,
// and a name that none has is an error. Without names it returns the sets.
func Select(sets []*Set, names []string) ([]*Set, error) {
	if len(names) == 0 {
		return sets, nil
	}
	known := Labels(sets)
	selected := make([]*Set, len(sets))
	for i, set := range sets {
		s := *set
		s.Policies = nil
		selected[i] = &s
	}
	for _, name := range names {
		isLabel, found := slices.Contains(known, name), false
		for i, set := range sets {
			for _, p := range set.Policies {
				if p.Label != name && (isLabel || p.Policy.Name != name) {
					continue
				}
				found = true
				if selected[i].Find(p.Label) == nil {
					selected[i].Policies = append(selected[i].Policies, p)
				}
			}
		}
		if !found {
			return nil, nearest.Unknown("results: unknown policy", name, known)
		}
	}
	return slices.DeleteFunc(selected, func(s *Set) bool { return len(s.Policies) == 0 }), nil
}
