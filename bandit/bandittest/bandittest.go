// Package bandittest checks that an environment or a policy keeps the contract of package
// bandit. The checks return errors and need no testing package.
//
// Seeds are fixed, so that a check gives the same answer every time.
package bandittest

import (
	"encoding"
	"errors"
	"fmt"

	"banditsim/bandit"
)

// restore moves the state of from into to and reports whether from has one: a part that it is
// made of may be without.
func restore(from, to any) (ok bool, err error) {
	m, ok := from.(encoding.BinaryMarshaler)
	if !ok {
		return false, nil
	}
	b, err := m.MarshalBinary()
	if err != nil {
		return false, nil
	}
	u, ok := to.(encoding.BinaryUnmarshaler)
	if !ok {
		return false, fmt.Errorf("%T can be saved but not restored", to)
	}
	if err := u.UnmarshalBinary(b); err != nil {
		return false, fmt.Errorf("restore: %w", err)
	}
	return true, nil
}

// checkSpec returns an error if a trial could not run on the specification.
func checkSpec(s bandit.Spec) error {
	var errs []error
	if s.Dim < 1 || len(s.Arms) < 2 {
		errs = append(errs, fmt.Errorf("contexts of length %d and %d arms, want at least 1 and 2", s.Dim, len(s.Arms)))
	}
	seen := map[string]bool{"": true}
	for i, name := range s.Arms {
		if seen[name] {
			errs = append(errs, fmt.Errorf("arm %d has the name %q, want one of its own", i, name))
		}
		seen[name] = true
	}
	return errors.Join(errs...)
}
