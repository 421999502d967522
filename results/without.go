package results

import (
	"cmp"
	"errors"
	"io/fs"
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
				case PullsPath(rec.Path) == d.Path && !rec.pullsDamaged:
					rec.pullsDamaged, ok = true, true
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

// Reread reads the rounds of all trials that Load did not read whole, as it had verified them before, and the recorded pulls, if asked, of all trials. It returns the
// first error, a Damaged of what is damaged.
func Reread(sets []*Set, pulls bool) error {
	for _, set := range sets {
		for _, p := range set.Policies {
			err := InOrder(p.Records, func(rec Record) (none struct{}, err error) {
				if rec.verified != nil {
					for _, err := range rec.Rounds() {
						if err != nil {
							return none, err
						}
					}
				}
				if pulls && !rec.pullsDamaged {
					for _, err := range rec.Pulls() {
						if err != nil && !errors.Is(err, fs.ErrNotExist) {
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
