package results

import (
	"slices"

	"banditsim/internal/nearest"
)

// Labels returns the labels of the policies of all sets, each once, in the order of the sets and their policies.
func Labels(sets []*Set) []string {
	var labels []string
	for _, set := range sets {
		for _, p := range set.Policies {
			labels = append(labels, p.Label)
		}
	}
	return unique(labels)
}

// Order returns the labels of all policies of the folders from which sets were loaded, including those that Select left
// out. Figures and pages assign colors in this order, so that a policy has the same color in all figures of a folder.
func Order(sets []*Set) []string {
	var order []string
	for _, set := range sets {
		order = append(order, set.all...)
	}
	return unique(append(order, Labels(sets)...))
}

// unique removes repeated elements from list, in place. It keeps the first of each.
func unique[T comparable](list []T) []T {
	seen := make(map[T]bool)
	return slices.DeleteFunc(list, func(v T) bool {
		repeated := seen[v]
		seen[v] = true
		return repeated
	})
}

// Select returns copies of sets with only the named policies, in the order of names. A name is a label or, if no policy
// has that label, the registered name of a policy, which selects all its variants. Sets without a named policy are left
// out, and an unknown name is an error. If names is empty, it returns sets as they are.
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
