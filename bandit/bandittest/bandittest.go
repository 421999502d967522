// Package bandittest checks that an environment or a policy keeps the contract of package
// bandit. The checks return errors and need no testing package. Seeds are fixed, so a check gives
// the same answer every time.
package bandittest

import (
	"encoding"
	"fmt"
)

// restore moves the state of from into to. It reports whether from could be saved.
func restore(from, to any) (ok bool, err error) {
	m, ok := from.(encoding.BinaryMarshaler)
	if !ok {
		return false, nil
	}
	b, err := m.MarshalBinary()
	if err != nil {
		return false, nil // a part of it has no state
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
