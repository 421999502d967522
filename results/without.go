package results

import (
	"cmp"
	"slices"
)

// Without returns sets without what a reader of them found to be damaged, a trial or the pulls of one, and lists it
// in Damaged of each. Policies and sets of which no trial is left are left out. ok is false if no set has it, or if nothing is left.
func Without(sets []*Set, d Damaged) (rest []*Set, ok bool) {
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

// CheckPulls reads the recorded pulls of all trials. It returns the first error, a Damaged of what is damaged.
func CheckPulls(sets []*Set) error {
	for _, set := range sets {
		for _, p := range set.Policies {
			err := InOrder(p.Records, func(rec Record) (none struct{}, err error) {
				if rec.HasPulls() {
					for _, err := range rec.Pulls() {
						if err != nil {
							return none, err
						}
					}
				}
				return none, nil
			}, func(Record, struct{}) {})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
