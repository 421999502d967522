package cli_test

import (
	"path/filepath"
	"testing"

	"banditsim/cmd/banditsim/cli"
)

// TestExitCodes checks the exit codes of errors in the command line (2), failures (1) and missing
// trials (3). The scripts in testdata check the messages.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "o")
	run := func(args ...string) []string {
		return append([]string{"run", "quick", "--quiet", "--policies", "Uniform", "--set", "protocol.rounds=2", "--out", out}, args...)
	}
	failed := []string{"run", "quick", "--quiet", "--policies", "ConstSGD", "--set", "protocol.rounds=54",
		"--set", "ConstSGD.learning_rate=1e3", "--set", "ConstSGD.chains=1", "--set", "ConstSGD.batch=32", "--out", filepath.Join(dir, "failed")}
	for _, c := range []struct {
		name string
		code int
		args []string
	}{
		{"help", cli.ExitOK, []string{"--help"}},
		{"unknown command", cli.ExitUsage, []string{"rn"}},
		{"unknown shell", cli.ExitUsage, []string{"completion", "tcsh"}},
		{"unknown flag", cli.ExitUsage, []string{"run", "--polices", "Uniform"}},
		{"unknown preset", cli.ExitUsage, []string{"run", "qick"}},
		{"no experiment file", cli.ExitUsage, []string{"run", filepath.Join(dir, "none.yaml")}},
		{"unknown policy", cli.ExitUsage, run("--policies", "Unifrm")},
		{"unknown option", cli.ExitUsage, run("--set", "protocol.round=2")},
		{"ill-typed option", cli.ExitUsage, run("--set", "protocol.rounds=two")},
		{"unknown encoding", cli.ExitUsage, run("--set", "environment.encoding=octal")},
		{"no seeds", cli.ExitUsage, run("--seeds", "0")},
		{"no workers", cli.ExitUsage, run("--workers", "0")},
		{"negative checkpoint", cli.ExitUsage, run("--checkpoint", "-1")},
		{"empty shard", cli.ExitUsage, run("--shard", "2/2")},
		{"no data file", cli.ExitFailure, run("--data", filepath.Join(dir, "none.data"))},
		{"threshold without sense", cli.ExitUsage, run("--threshold", "regret(Uniform) <")},
		{"dry run", cli.ExitOK, run("--dry-run")},
		{"run", cli.ExitOK, run()},
		{"run again", cli.ExitOK, run()},
		{"threshold met", cli.ExitOK, run("--threshold", "regret(Uniform) > 0")},
		{"threshold missed", cli.ExitThreshold, run("--threshold", "regret(Uniform) < 0")},
		{"another experiment's folder to a dry run", cli.ExitOK, run("--dry-run", "--set", "protocol.rounds=3")},
		{"another experiment's folder", cli.ExitUsage, run("--set", "protocol.rounds=3")},
		{"a verb that has moved", cli.ExitUsage, []string{"sampler", "verify", "SVGD", "--out", "card"}},
		{"report", cli.ExitOK, []string{"report", out}},
		{"report nothing", cli.ExitFailure, []string{"report", dir}},
		{"report in an unknown form", cli.ExitUsage, []string{"report", out, "-o", "xml"}},
		{"compare by an unknown metric", cli.ExitUsage, []string{"compare", out, "--metric", "median"}},
		{"compare with an unknown policy", cli.ExitUsage, []string{"compare", out, "--baseline", "Never"}},
		{"plot as an unknown form", cli.ExitUsage, []string{"plot", out, "--out", filepath.Join(dir, "p.gif")}},
		{"plot by an unknown metric", cli.ExitUsage, []string{"plot", out, "--metric", "median"}},
		{"plot from round 0", cli.ExitUsage, []string{"plot", out, "--from-round", "0"}},
		{"all trials failed", cli.ExitIncomplete, failed},
		{"all trials have failed", cli.ExitIncomplete, failed},
		{"all trials have failed, which a threshold misses", cli.ExitIncomplete, append(failed[:len(failed):len(failed)], "--threshold", "regret(ConstSGD) > 0")},
		{"report failures", cli.ExitIncomplete, []string{"report", filepath.Join(dir, "failed")}},
		{"compare failures", cli.ExitIncomplete, []string{"compare", filepath.Join(dir, "failed")}},
		{"plot failures", cli.ExitIncomplete, []string{"plot", filepath.Join(dir, "failed")}},
	} {
		if code, _, stderr := invoke(c.args...); code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.code, stderr)
		}
	}
}
