package results

import (
	"cmp"
	"errors"
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

// LeaveOut calls the function use with sets. If use returns a Damaged for a trial or its recorded pulls, LeaveOut calls
// warn, removes the trial or its pulls from sets, adds the Damaged to each set, and calls use again. It returns the
// sets left and the last error of use. That is a Damaged only if no set has the file, or if no trial would be left.
func LeaveOut(sets []*Set, use func([]*Set) error, warn func(Damaged)) ([]*Set, error) {
	for {
		err := use(sets)
		var d Damaged
		if !errors.As(err, &d) {
			return sets, err
		}
		rest, ok := without(sets, d)
		if !ok {
			return sets, err
		}
		warn(d)
		sets = rest
	}
}

// without returns sets without the trial or the pulls in d.Path. ok is false if no set has them or no trial is left.
func without(sets []*Set, d Damaged) (rest []*Set, ok bool) {
	for _, set := range sets {
		s := *set
		s.Policies = nil
		for _, p := range set.Policies {
			var kept []Record
			for _, rec := range p.Records {
				switch {
				case rec.Path == d.Path:
					ok = true
					continue
				case PullsPath(rec.Path) == d.Path && !rec.PullsDamaged:
					rec.PullsDamaged, ok = true, true
				}
				kept = append(kept, rec)
			}
			if p.Records = kept; len(kept) > 0 {
				s.Policies = append(s.Policies, p)
			}
		}
		s.Damaged = append(slices.Clone(set.Damaged), d)
		slices.SortStableFunc(s.Damaged, func(a, b Damaged) int { return cmp.Compare(a.Path, b.Path) })
		if len(s.Policies) > 0 {
			rest = append(rest, &s)
		}
	}
	return rest, ok && len(rest) > 0
}

// CheckPulls reads the recorded pulls of the trial, if there are any, and returns the error of Pulls.
func (rec Record) CheckPulls() error {
	if !rec.HasPulls() {
		return nil
	}
	for _, err := range rec.Pulls() {
		if err != nil {
			return err
		}
	}
	return nil
}

// CheckPulls reads the recorded pulls of all trials. It returns the first error, a Damaged if a file is damaged.
func CheckPulls(sets []*Set) error {
	for _, set := range sets {
		for _, p := range set.Policies {
			err := InOrder(p.Records, func(rec Record) (none struct{}, err error) {
				return none, rec.CheckPulls()
			}, func(Record, struct{}) {})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
