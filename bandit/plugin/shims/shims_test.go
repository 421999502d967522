package shims_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/plugin"
	"banditsim/bandit/plugin/shims"
	"banditsim/bandit/stream"
)

// TestShims plays the programs of 'plugin init' whose interpreters are installed: the same seed gives the same arms, one by one
// and in batches, with features of arms and without.
func TestShims(t *testing.T) {
	for _, s := range shims.All() {
		t.Run(s.Language, func(t *testing.T) {
			run := slices.Clone(s.Run)
			if s.Language == "python" {
				run[0] = "/usr/bin/python3"
			}
			long := s.Language == "python" || os.Getenv("BANDITSIM_LONG") != ""
			if _, err := exec.LookPath(run[0]); err != nil || testing.Short() || !long {
				t.Skip(run[0] + " is not installed, or the test is not a long one")
			}
			path := filepath.Join(t.TempDir(), "mine"+s.Extension)
			if err := os.WriteFile(path, s.Text(), 0o666); err != nil {
				t.Fatal(err)
			}
			program := plugin.Program{Name: s.Language, Command: append(run, path)}
			var closers []func() error
			checks := bandittest.PolicyChecks(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
				p, err := plugin.NewPolicy(program, spec, bandit.Protocol{Rounds: 12, Pulls: 8, BurnIn: 32}, r)
				if err == nil {
					closers = append(closers, p.(interface{ Close() error }).Close)
				}
				return p, err
			})
			for _, c := range checks[:3] { // one by one, again, in batches
				if err := c.Run(); err != nil {
					t.Error(err)
				}
			}
			for _, closing := range closers {
				if err := closing(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestExampleHasTheShim: the programs of examples/plugins import a copy of the shim.
func TestExampleHasTheShim(t *testing.T) {
	b, err := os.ReadFile("../../../examples/plugins/banditsim.py")
	if err != nil {
		t.Fatal(err)
	}
	python, err := shims.Of("python")
	if err != nil {
		t.Fatal(err)
	}
	if string(b) != string(python.Text()) {
		t.Error("examples/plugins/banditsim.py is not bandit/plugin/shims/banditsim.py: copy it")
	}
	if _, err := shims.Of("pyton"); err == nil {
		t.Error("an unknown language is accepted")
	}
}
