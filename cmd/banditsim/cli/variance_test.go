package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
)

// TestVarianceFlags: every number of 'sampler variance' is checked under its own name, and names of
// samplers are refused.
func TestVarianceFlags(t *testing.T) {
	for _, c := range []struct{ arg, value, want string }{
		{"--repeats", "0", "repeats"},
		{"--chains", "0", "chains"},
		{"--steps", "0", "steps"},
		{"--learning-rate", "-1", "--learning-rate -1: want"},
		{"--seed", "x", "--seed"},
		{"ICSGLD", "CSGLD", "takes no names"},
	} {
		var stdout, stderr bytes.Buffer
		code := cli.Main(builtin.Default(), []string{"sampler", "variance", c.arg, c.value}, &stdout, &stderr)
		if code != cli.ExitUsage || !strings.Contains(stderr.String(), c.want) || strings.Contains(stderr.String(), "unknown flag") {
			t.Errorf("%s %s: exit code %d, want %d and %q in\n%s", c.arg, c.value, code, cli.ExitUsage, c.want, &stderr)
		}
	}
}
