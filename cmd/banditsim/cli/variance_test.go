package cli_test

import (
	"strings"
	"testing"

	"banditsim/cmd/banditsim/cli"
)

// TestVarianceFlags: every number of 'sampler variance' is checked under its own name, and names of
// samplers are refused.
func TestVarianceFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ arg, value, want string }{
		{"--repeats", "0", "repeats"},
		{"--chains", "0", "chains"},
		{"--steps", "0", "steps"},
		{"--learning-rate", "-1", "--learning-rate -1: want"},
		{"--seed", "x", "--seed"},
		{"ICSGLD", "CSGLD", "takes no names"},
	} {
		code, _, stderr := invoke("sampler", "variance", c.arg, c.value)
		if code != cli.ExitUsage || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "unknown flag") {
			t.Errorf("%s %s: exit code %d, want %d and %q in\n%s", c.arg, c.value, code, cli.ExitUsage, c.want, stderr)
		}
	}
}
