package cli_test

import (
	"path/filepath"
	"testing"

	"banditsim/internal/exit"
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
		{"help", exit.OK, []string{"--help"}},
		{"unknown command", exit.CodeUsage, []string{"rn"}},
		{"unknown shell", exit.CodeUsage, []string{"completion", "tcsh"}},
		{"unknown flag", exit.CodeUsage, []string{"run", "--polices", "Uniform"}},
		{"unknown preset", exit.CodeUsage, []string{"run", "qick"}},
		{"no experiment file", exit.CodeUsage, []string{"run", filepath.Join(dir, "none.yaml")}},
		{"unknown policy", exit.CodeUsage, run("--policies", "Unifrm")},
		{"unknown option", exit.CodeUsage, run("--set", "protocol.round=2")},
		{"ill-typed option", exit.CodeUsage, run("--set", "protocol.rounds=two")},
		{"unknown encoding", exit.CodeUsage, run("--set", "environment.encoding=octal")},
		{"no seeds", exit.CodeUsage, run("--seeds", "0")},
		{"no workers", exit.CodeUsage, run("--workers", "0")},
		{"negative checkpoint", exit.CodeUsage, run("--checkpoint", "-1")},
		{"empty shard", exit.CodeUsage, run("--shard", "2/2")},
		{"no data file", exit.CodeFailure, run("--data", filepath.Join(dir, "none.data"))},
		{"threshold without sense", exit.CodeUsage, run("--threshold", "regret(Uniform) <")},
		{"dry run", exit.OK, run("--dry-run")},
		{"run", exit.OK, run()},
		{"run again", exit.OK, run()},
		{"threshold met", exit.OK, run("--threshold", "regret(Uniform) > 0")},
		{"threshold missed", exit.CodeThreshold, run("--threshold", "regret(Uniform) < 0")},
		{"another experiment's folder to a dry run", exit.OK, run("--dry-run", "--set", "protocol.rounds=3")},
		{"another experiment's folder", exit.CodeUsage, run("--set", "protocol.rounds=3")},
		{"a verb that has moved", exit.CodeUsage, []string{"sampler", "verify", "SVGD", "--out", "card"}},
		{"report", exit.OK, []string{"report", out}},
		{"report nothing", exit.CodeFailure, []string{"report", dir}},
		{"report in an unknown form", exit.CodeUsage, []string{"report", out, "-o", "xml"}},
		{"compare by an unknown metric", exit.CodeUsage, []string{"compare", out, "--metric", "median"}},
		{"compare with an unknown policy", exit.CodeUsage, []string{"compare", out, "--baseline", "Never"}},
		{"plot as an unknown form", exit.CodeUsage, []string{"plot", out, "--out", filepath.Join(dir, "p.gif")}},
		{"plot by an unknown metric", exit.CodeUsage, []string{"plot", out, "--metric", "median"}},
		{"plot from round 0", exit.CodeUsage, []string{"plot", out, "--from-round", "0"}},
		{"all trials failed", exit.CodeIncomplete, failed},
		{"all trials have failed", exit.CodeIncomplete, failed},
		{"all trials have failed, which a threshold misses", exit.CodeIncomplete, append(failed[:len(failed):len(failed)], "--threshold", "regret(ConstSGD) > 0")},
		{"report failures", exit.CodeIncomplete, []string{"report", filepath.Join(dir, "failed")}},
		{"compare failures", exit.CodeIncomplete, []string{"compare", filepath.Join(dir, "failed")}},
		{"plot failures", exit.CodeIncomplete, []string{"plot", filepath.Join(dir, "failed")}},
	} {
		if code, _, stderr := invoke(c.args...); code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.code, stderr)
		}
	}
}
