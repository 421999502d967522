package bandit_test

import (
	"fmt"
	"testing"

	"banditsim/bandit"
)

type (
	outer struct{ inner any }
	inner string
)

func (o outer) Unwrap() any    { return o.inner }
func (i inner) String() string { return string(i) }

// TestAs: the first of a chain that has the type, none of nil and of others.
func TestAs(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{{inner("a"), "a"}, {outer{outer{inner("b")}}, "b"}, {outer{nil}, ""}, {outer{3}, ""}, {nil, ""}} {
		s, ok := bandit.As[fmt.Stringer](c.v)
		if ok != (c.want != "") || ok && s.String() != c.want {
			t.Errorf("of %v: %v, %t, want %q", c.v, s, ok, c.want)
		}
	}
}
