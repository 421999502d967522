package plugin

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
)

// TestShims plays the programs of 'plugin init' whose interpreters are installed. The same seed must give the same arms, one by one and
// in batches, with features of arms and without.
func TestShims(t *testing.T) {
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			text, extension, run, err := Shim(language)
			must.OK(t, err)
			if language == "python" {
				run[0] = "/usr/bin/python3"
			}
			long := language == "python" || os.Getenv("BANDITSIM_LONG") != ""
			if _, err := exec.LookPath(run[0]); err != nil || testing.Short() || !long {
				t.Skip(run[0] + " is not installed, or the test is not a long one")
			}
			path := must.File(t, "mine"+extension, text)
			program := Program{Name: language, Command: append(run, path)}
			var closers []func() error
			checks := bandittest.PolicyChecks(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
				p, err := NewPolicy(program, policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 12, Pulls: 8, BurnIn: 32}, Stream: r})
				if err == nil {
					closers = append(closers, p.(interface{ Close() error }).Close)
				}
				return p, err
			})
			for _, c := range checks[:3] { // those with the names "one by one", "a second time" and "in batches"
				must.OK(t, c.Run())
			}
			for _, closing := range closers {
				must.OK(t, closing())
			}
		})
	}
}

// python returns a Python program: a policy with the given lines in its class that learns nothing. It skips the test if Python is not
// installed.
func python(t testing.TB, lines ...string) Program {
	t.Helper()
	const interpreter = "/usr/bin/python3"
	if _, err := exec.LookPath(interpreter); err != nil {
		t.Skip(interpreter + " is not installed")
	}
	shim, _, _, err := Shim("python")
	must.OK(t, err)
	dir := t.TempDir()
	mine := "from banditsim import serve\n\nclass Mine:\n    def __init__(self, arms, dim, seed): pass\n    " + strings.Join(lines, "\n    ") +
		"\n    def learn(self, context, arm, reward): pass\n\nserve(Mine)\n"
	must.OK(t, errors.Join(os.WriteFile(filepath.Join(dir, "banditsim.py"), shim, 0o666), os.WriteFile(filepath.Join(dir, "mine.py"), []byte(mine), 0o666)))
	return Program{Name: "Mine", Command: []string{interpreter, "-B", "mine.py"}, Dir: dir}
}

// TestPythonAnswers checks that the policy has the propensities and values that act returns in Python beside the arm.
func TestPythonAnswers(t *testing.T) {
	for _, c := range []struct {
		name, knows, returns string
		propensities         []float64
		value                float64 // 0: none
	}{
		{"propensities", "propensities = True", "1, [0.25, 0.75, 0]", []float64{0.25, 0.75, 0}, 0},
		{"values", "values = True", "1, [2, 5, 9]", nil, 5},
		{"both", "propensities = values = True", "1, [0.25, 0.75, 0], [2, 5, 9]", []float64{0.25, 0.75, 0}, 5},
	} {
		program := python(t, c.knows, "def act(self, context): return "+c.returns)
		spec := bandit.Spec{Dim: 1, Arms: []string{"a", "b", "c"}}
		p := must.Get(NewPolicy(program, policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Stream: stream.Root(1)}))(t)
		round := bandit.Round{T: 1, Context: []float32{1}}
		z, knows := p.(bandit.Randomizer)
		must.Equal(t, c.name+": it knows its propensities", knows, c.propensities != nil)
		if knows {
			got := make([]float64, 3)
			if err := z.Propensities(got, round); err != nil || !slices.Equal(got, c.propensities) {
				t.Errorf("%s: propensities %v, %v, want %v", c.name, got, err, c.propensities)
			}
		}
		must.Equal(t, c.name+": arm", must.Get(p.Act(round))(t), 1)
		must.OK(t, p.(bandit.RoundEnder).EndRound(t.Context(), 1))
		series := p.(diagnostics.Reporter).Diagnostics().Series
		must.That(t, (c.value != 0 || len(series) == 0) && (c.value == 0 || len(series) == 1 && series[0].Values[0] == c.value),
			"%s: series %+v, want the value %g of the arm", c.name, series, c.value)
		must.OK(t, p.(io.Closer).Close())
	}
}

// TestPythonAvailable checks that a policy in Python whose act has the argument available gets the available arms, one by one and in
// batches. Without the argument it chooses among all arms, which a Trial refuses.
func TestPythonAvailable(t *testing.T) {
	build := func(act string) bandittest.Builder {
		program := python(t, act)
		return func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
			p, err := NewPolicy(program, policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 12, Pulls: 8, BurnIn: 32}, Stream: r})
			if err == nil {
				t.Cleanup(func() { p.(io.Closer).Close() })
			}
			return p, err
		}
	}
	must.OK(t, bandittest.Policy(build("def act(self, context, available=None): return (available or [0, 1, 2])[-1]")))
	p := must.Get(build("def act(self, context): return 2")(bandit.Spec{Dim: 1, Arms: []string{"a", "b", "c"}}, stream.Root(1)))(t)
	away := bandit.Round{T: 1, Context: []float32{1}, Available: []bool{true, true, false}}
	must.Equal(t, "arm", must.Get(p.Act(away))(t), 2)
}

// TestExampleHasTheShim checks that the shim that the programs of examples/plugins import is a copy of this one.
func TestExampleHasTheShim(t *testing.T) {
	example, err := os.ReadFile("../../examples/plugins/banditsim.py")
	if python, _, _, _ := Shim("python"); err != nil || string(example) != string(python) {
		t.Errorf("examples/plugins/banditsim.py is not bandit/plugin/shims/banditsim.py: copy it (%v)", err)
	}
}
