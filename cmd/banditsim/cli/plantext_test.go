package cli

import (
	"testing"

	"banditsim/internal/must"
)

// TestDifference: the options of a variant that the first lacks or has otherwise, and no others.
func TestDifference(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"arm":0}`, `{"arm":1}`, "  arm: 1\n"},
		{`{"arm":0}`, `{"arm":0}`, ""},
		{`{"arm":0}`, `{"arm":0,"prior":{"mean":2,"name":"flat"}}`, "  prior.mean: 2\n  prior.name: flat\n"},
		{`{"prior":{"mean":2}}`, `{"prior":{"mean":2,"sd":1}}`, "  prior.sd: 1\n"},
	} {
		must.Equal(t, c.a+" to "+c.b, optionDifference([]byte(c.a), []byte(c.b)), c.want)
	}
}
