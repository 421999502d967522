package experiment_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/internal/place"
)

// marked removes the mark » from a file and returns where it stood.
func marked(t *testing.T, text string) (file string, line, column int) {
	t.Helper()
	before, after, ok := strings.Cut(text, "»")
	must.Hold(t, ok, "no mark in\n%s", text)
	line = strings.Count(before, "\n") + 1
	return before + after, line, utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:]) + 1
}

// resolveFile reads and resolves an experiment file.
func resolveFile(t *testing.T, c *experiment.Catalog, file string) (*experiment.Plan, error) {
	t.Helper()
	e, err := c.ParseFile("f.yaml", []byte(file))
	if err != nil {
		return nil, err
	}
	return e.Resolve(t.Context(), c)
}

// tuneFrom is the line of the example file that makes room for a section tune.
const tuneFrom = "# (--dry-run prints all options and trials.)\n"

// TestFileErrorsPointAtThePlace changes the example file in each case; » marks the place that the
// error must give.
func TestFileErrorsPointAtThePlace(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"unknown key", "policies:  ", "»polcies:  ", "did you mean policies?"},
		{"unknown key of the protocol", "pulls:", "»puls:", "did you mean pulls?"},
		{"unknown key of a policy", "sweep:      ", "»sweap:      ", "did you mean sweep?"},
		{"key twice", "# data: PATH", "»name: y", `"name" already defined`},
		{"no YAML", "seeds: 1..6", "seeds: »@1", "reserved character"},
		{"no number", "rounds: 300", "rounds: »many", `"many" is not a number`},
		{"too large a number", "rounds: 300", "rounds: »99999999999999999999", "is not a whole number"},
		{"number out of range", "rounds: 300", "rounds: »0", "protocol.rounds: 0, want 1 to 1000000000"},
		{"unknown key of the delay", "pulls: 20 ", "pulls: 20\n  delay: {»knd: fixed}", "did you mean kind?"},
		{"kind of the delay", "pulls: 20 ", "pulls: 20\n  delay: {kind: »late, pulls: 3}", "want one of fixed, geometric, batch"},
		{"pulls of the delay", "pulls: 20 ", "pulls: 20\n  delay: {kind: fixed, pulls: »-1}", "protocol.delay.pulls: -1, want 0 to 100000"},
		{"a list for a number", "rounds: 300", "rounds: »[300]", `"[300]" is not a number`},
		{"nothing for a number", "rounds: 300 ", "rounds:»  ", "rounds is nothing"},
		{"a part of the protocol", "  pulls: 20 ", "  #", "pulls is missing"},
		{"no name", "name: my-experiment", "name: »''", "name is empty"},
		{"a path as a name", "name: my-experiment", "name: »a/b", "no slashes"},
		{"a name too long", "name: my-experiment", "name: »" + strings.Repeat("x", 101), "at most 100"},
		{"profile", "profile: paper", "profile: »papr", "did you mean paper?"},
		{"preset", "# extends: mushroom-paper", "extends: »mushroom-papr", "did you mean mushroom-paper?"},
		{"environment", "environment: mushroom", "environment: »mushrom", "did you mean mushroom?"},
		{"data", "# data: PATH", "data: »no/such.data", "no/such.data"},
		{"seeds", "seeds: 1..6", "seeds: 1..3, »9..7", "write 7..9"},
		{"quoted seeds", "seeds: 1..6", `seeds: "1..3, »0"`, "seeds count from 1"},
		{"seed twice in a list", "seeds: 1..6", "seeds: [1..3, »2]", "seed 2 occurs twice"},
		{"too many seeds", "seeds: 1..6", "seeds: »1..999999", "more than 100000 seeds"},
		{"unknown policy", "- pICSGLD", "- »pICSLD", "did you mean pICSGLD?"},
		{"unknown policy in a mapping", "policy: pSGLD", "policy: »pSGD", "did you mean pSGLD?"},
		{"a name without a policy", "- policy: pSGLD ", "- #", "policy is missing"},
		{"a list for a policy", "- pICSGLD", "- »[pICSGLD]", "a policy is a list, want a single value or a mapping"},
		{"a name that cannot be told", "name: hot pSGLD", "name: »hot, pSGLD", "holds ','"},
		{"a registered name", "name: hot pSGLD", "name: »Dropout", "another name"},
		{"a reserved name", "name: hot pSGLD", "name: »all", "has another meaning"},
		{"a name twice", "name: hot pSGLD", "name: »pSGLD", "pSGLD is named twice"},
		{"seeds of tune", tuneFrom, "tune: {seeds: »0}\n", "seeds count from 1"},
		{"halving of tune", tuneFrom, "tune: {seeds: 11..14, budget: 8, halving: {»eta: 2}}\n", "tune.halving: rounds is missing"},
		{"halving without seeds of the search", tuneFrom, "tune: {»budget: 8, halving: {eta: 2, rounds: 2, seeds: 1}}\n", "tune: seeds is missing"},
		{"seeds of halving", tuneFrom, "tune: {seeds: 11..14, halving: {seeds: »5}}\n", "want 1 to 4"},
		{"objective", tuneFrom, "tune: {objective: »men}\n", "did you mean mean?"},
		{"metric", tuneFrom, "tune: {metric: »real}\n", "want expected or realised"},
		{"unknown policy of a range", tuneFrom, "tune: {ranges: {»pSGD.temperature: {log: [1, 2]}}}\n", "did you mean pSGLD?"},
		{"a range without a kind", tuneFrom, "tune: {ranges: {pSGLD.temperature: »[1, 2]}}\n", "with one of log, linear, int, choice"},
		{"a range of an unknown kind", tuneFrom, "tune: {ranges: {pSGLD.temperature: {lg: »[1, 2]}}}\n", "with one of log, linear, int, choice"},
		{"a reversed range", tuneFrom, "tune: {ranges: {pSGLD.temperature: {log: »[2, 1]}}}\n", "2 is not below 1"},
		{"a logarithm of 0", tuneFrom, "tune: {ranges: {pSGLD.temperature: {log: [»0, 1]}}}\n", "want a number above 0"},
		{"a value twice in a choice", tuneFrom, "tune: {ranges: {pSGLD.act: {choice: [mean, »mean]}}}\n", "mean twice"},
		{"a range twice", tuneFrom, "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD: {temperature: {log: [1, 2]}}, »pSGLD.posterior.temperature: {log: [1, 2]}}}\n", "is set here and"},
		{"tune without ranges", tuneFrom, "tune: {»seeds: 11..14, budget: 8}\n", "ranges is missing"},
		{"equal options", "temperature: 1.0", "temperature: 0.3", "pSGLD and hot pSGLD are the same"},
		{"unknown option", "temperature: 1.0", "»temprature: 1.0", "did you mean temperature?"},
		{"unknown option of the policy itself", "temperature: 1.0", "»acct: mean", "did you mean act?"},
		{"unknown option further down", "temperature: 1.0", "contour: {»zta: 1}", `"zta" in posterior.contour (did you mean zeta?)`},
		{"unknown option with dots", "temperature: 1.0", "»posterior.contour.zta: 1", `did you mean zeta?`},
		{"a group", "temperature: 1.0", "»contour: 1", "contour is a group of options"},
		{"ill-typed option", "temperature: 1.0", "temperature: »warm", `"warm" is not a number`},
		{"a fraction for a count", "temperature: 1.0", "chains: »1.5", `"1.5" is not a whole number`},
		{"nothing for an option", "temperature: 1.0", "temperature:»", "temperature is nothing"},
		{"option out of range", "temperature: 1.0", "temperature: »-1.0", "policy hot pSGLD: sgmcmc: temperature: -1"},
		{"the second of two options out of range", "temperature: 1.0", "{chains: 2, temperature: »-1.0}", "temperature: -1"},
		{"option set twice", "temperature: 1.0", "temperature: 1.0\n      »temperature: 2.0", "already defined"},
		{"option set flat and nested", "temperature: 1.0", "contour.zeta: 1\n      contour: {»zeta: 2}", "contour.zeta is set here and, as contour.zeta, in f.yaml:"},
		{"option set with and without posterior", "temperature: 1.0", "temperature: 1.0\n      »posterior.temperature: 2.0", "posterior.temperature is set here and, as temperature, in f.yaml:"},
		{"option of the experiment set flat and nested", "all.weight_decay: 1e-2", "all: {weight_decay: 1e-2}\n  »all.weight_decay: 1e-3", "is set here and"},
		{"option set and swept", "sweep:                # several lists make all combinations\n", "set: {epsilon: 0.1}\n    sweep:\n      »epsilon: [0, 0.01]\n      #", "epsilon is swept here and set in f.yaml:"},
		{"too small a number", "temperature: 1.0", "temperature: »1e-400", "1e-400 does not fit 64 bits: it is too near to 0"},
		{"too small a number for a threshold", "< 4000", "< »1e-400", "too near to 0"},
		{"a blank name", "name: my-experiment", "name: »' '", "is blank"},
		{"a name of two lines", "name: my-experiment", "name: »\"a\\nb\"", "only printable characters"},
		{"a blank name of a variant", "name: hot pSGLD", "name: »' '", "is blank"},
		{"a blank environment", "environment: mushroom", "environment: »' '", "there is no environment"},
		{"a blank preset", "# extends: mushroom-paper", "extends: »' '", "there is no preset"},
		{"a blank policy", "- Uniform", "- »' '", "there is no policy"},
		{"a sweep without a list", "epsilon: [0, 0.01]", "epsilon: »0.01", "sweep: epsilon is a single value, want a list"},
		{"a sweep without values", "epsilon: [0, 0.01]", "epsilon: »[]", "epsilon has no values"},
		{"a sweep without options", "sweep:                # several lists make all combinations\n      epsilon: [0, 0.01]", "sweep: »{}", "names no option"},
		{"a value out of range in a sweep", "epsilon: [0, 0.01]", "epsilon: [0, »2]", "epsilon: 2, want 0 to 1"},
		{"an ill-typed value in a sweep", "epsilon: [0, 0.01]", "epsilon: [0, »much]", `"much" is not a number`},
		{"a value twice in a sweep", "epsilon: [0, 0.01]", "epsilon: [0, »0]", "EpsGreedy epsilon=0 is named twice"},
		{"equal values in a sweep", "epsilon: [0, 0.01]", "epsilon: [0.01, »1e-2]", "EpsGreedy epsilon=0.01 and EpsGreedy epsilon=1e-2 are the same"},
		{"an unknown option in a sweep", "epsilon: [0, 0.01]", "»epsilom: [0, 0.01]", "did you mean epsilon?"},
		{"a value that makes no name", "epsilon: [0, 0.01]", "act: [»'a,b']", "holds ','"},
		{"unknown scope", "all.weight_decay: 1e-2", "»pSGD.weight_decay: 1e-2", "did you mean pSGLD?"},
		{"no scope", "all.weight_decay: 1e-2", "»weight_decay: 1e-2", "scope.option"},
		{"nobody has it", "all.weight_decay: 1e-2", "»all.weight_dcay: 1e-2", "did you mean weight_decay?"},
		{"out of range for all", "all.weight_decay: 1e-2", "all.weight_decay: »-1", "weight_decay: -1"},
		{"out of range for one", "all.weight_decay: 1e-2", "pSGLD.weight_decay: »-1", "weight_decay: -1"},
		{"the protocol by a setting", "all.weight_decay: 1e-2", "protocol.rounds: »0", "protocol.rounds: 0"},
		{"the protocol's type by a setting", "all.weight_decay: 1e-2", "protocol.rounds: »1.5", "is not a whole number"},
		{"unknown option of the protocol", "all.weight_decay: 1e-2", "»protocol.runds: 1", "did you mean rounds?"},
		{"the environment by a setting", "all.weight_decay: 1e-2", "environment.encoding: »octal", "want one of onehot, ordinal"},
		{"unknown option of the environment", "all.weight_decay: 1e-2", "»environment.encodng: octal", "did you mean encoding?"},
		{"threshold", "regret(pICSGLD)", "»regrt(pICSGLD)", "did you mean regret?"},
		{"a threshold's policy", "regret(Uniform)", "regret(»Unifrm)", "did you mean Uniform?"},
		{"a threshold's limit", "< 4000", "< »many", "is not a number"},
		{"a quoted threshold", "regret(pICSGLD) - regret(Uniform) < 0", `'regret("»none") < 0'`, `this experiment has no policy "none"`},
		{"a tag", "seeds: 1..6", "seeds: »!!str 1", "not supported in experiment files"},
		{"a merge", "rounds: 300", "»<<: {rounds: 300}", "not supported in experiment files"},
		{"a second document", "thresholds:", "---\na»: 1\nthresholds:", "second document"},
		{"text in another encoding", "name: my-experiment", "name: my-»\xff", "UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			must.Hold(t, strings.Contains(experiment.ExampleFile(), c.from), "%q is not in the example file", c.from)
			file := strings.Replace(experiment.ExampleFile(), c.from, c.to, 1)
			line, column := 0, 0 // anywhere
			if strings.Contains(file, "»") {
				file, line, column = marked(t, file)
			}
			_, err := resolveFile(t, builtin.Default(), file)
			var at *place.Error
			must.Hold(t, errors.As(err, &at), "got %v, want an error with a place", err)
			must.That(t, strings.Contains(at.Err.Error(), c.want), "got %v, want %q", err, c.want)
			must.That(t, line <= 0 || at.Line == line && at.Column == column,
				"the error is about %d:%d, want %d:%d:\n%v", at.Line, at.Column, line, column, err)
			want := fmt.Sprintf("f.yaml:%d:%d: ", at.Line, at.Column)
			must.That(t, strings.HasPrefix(err.Error(), want), "got %v, want it to begin with %s", err, want)
		})
	}
}

func TestShortFilesThatAreWrong(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "f.yaml:1:1: the file has no content"},
		{"a comment", "# nothing yet\n", "f.yaml:1:1: the file has no content"},
		{"a byte order mark", "\ufeff", "f.yaml:1:1: the file has no content"},
		{"a list", "- a", "f.yaml:1:1: an experiment is a list"},
		{"text", "quick", "f.yaml:1:1: an experiment is a single value"},
		{"no name", "extends: quick", "f.yaml:1:1: name is missing"},
		{"thresholds that are no list", short + "thresholds: regret(pSGLD) < 1", "f.yaml:3:13: thresholds is a single value, want a list"},
		{"no policies", short + "policies: []", "f.yaml:3:11: policies: the list is empty"},
		{"no seed", short + "seeds: []", "f.yaml:3:8: seeds: the list is empty"},
		{"no seeds", "name: x\nenvironment: mushroom\nprofile: paper", "f.yaml:1:1: seeds is missing"},
		{"no profile", "name: x\nenvironment: mushroom\n", "f.yaml:1:1: profile: paper"},
		{"a tab", "name: x\npolicies:\n\t- p\n", "f.yaml:3:1: a tab: want blanks"},
	} {
		_, err := resolveFile(t, builtin.Default(), c.file)
		must.That(t, err != nil && strings.HasPrefix(err.Error(), c.want), "%s: got %v, want %q", c.name, err, c.want)
	}
}

// TestFilesAreBounded checks that a file that is far too large, too deep or repeats too much is an
// error, and fast.
func TestFilesAreBounded(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for _, c := range "bcdefghi" {
		last := string(c - 1)
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat("*"+last+",", 9))
	}
	var sweep strings.Builder
	for i := range 5 {
		fmt.Fprintf(&sweep, "%s: [1, 2, 3, 4, 5], ", []string{"chains", "steps", "temperature", "batch", "weight_decay"}[i])
	}
	for _, c := range []struct{ name, file, want string }{
		{"bytes", strings.Repeat("#\n", 40_000), "f.yaml:1:1: the file has more than 65536 bytes"},
		{"brackets", strings.Repeat("[", 60_000), "f.yaml:1:33: more than 32 lists and mappings within each other"},
		{"braces", strings.Repeat("{a: ", 15_000), "more than 32 lists"},
		{"dashes", strings.Repeat("- ", 30_000), "more than 32 lists"},
		{"question marks", strings.Repeat("? ", 30_000), "more than 32 lists"},
		{"indentation", func() string {
			var b strings.Builder
			for i := range 300 {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String()
		}(), "f.yaml:33:34: more than 32 lists"},
		{"aliases of aliases", bomb, "more than 20000 values"},
		{"an alias within its anchor", "a: &a [*a]", "is an alias inside its own anchor?"},
		{"an alias of nothing", "a: *b", "f.yaml:1:4: there is no anchor &b before this alias"},
		{"a sweep", short + "policies: [{policy: pSGLD, sweep: {" + sweep.String() + "}}]", "with weight_decay the sweep has 3125 variants, want at most 1000"},
		{"sweeps", short + "policies:\n" + strings.Repeat("  - {policy: pSGLD, sweep: {batch: ["+strings.Repeat("1,", 600)+"1]}}\n", 2), "batch=1 is named twice"},
		{"trials", short + "seeds: 1..100000\npolicies: [{policy: pSGLD, sweep: {batch: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}}]", "are 1100000 trials, want at most 1000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			must.Refuse(resolveFile(t, builtin.Default(), c.file))(t, c.want)
		})
	}
}

func labels(p *experiment.Plan) (list []string) {
	for _, policy := range p.Policies {
		list = append(list, policy.Label)
	}
	return list
}

// described returns the policies of a plan with their options.
func described(p *experiment.Plan) []string {
	var list []string
	for _, policy := range p.Policies {
		list = append(list, policy.Label+" "+string(policy.Policy.Options))
	}
	return list
}

func TestFileBecomesAPlan(t *testing.T) {
	c := toytest.Catalog(t)
	const toy = "name: x\nextends: toy\n"
	for _, test := range []struct {
		name, file string
		want       []string // labels
		contain    string   // part of the options of the last policy
	}{
		{"a preset", toy, []string{"Small", "Uniform"}, "{}"},
		{"variants", toy + "policies: [Small, {policy: Small, name: Big τ, set: {hidden: [9, 9]}}]", []string{"Small", "Big τ"}, `"hidden":[9,9]`},
		{"a policy under its own name", toy + "policies: [{policy: Small, set: {temperature: 1}}]", []string{"Small"}, `"temperature":1,`},
		{"nested and dotted keys", toy + "policies: [{policy: Small, set: {posterior: {contour: {zeta: 3}}, contour.omega: 0.5}}]", []string{"Small"}, `"zeta":3,"omega":0.5`},
		{"a list of settings", toy + "policies: [{policy: Small, set: [act=sample, hidden=9]}]", []string{"Small"}, `"act":"sample","posterior":{"hidden":[9]`},
		{"a sweep, the last option the fastest", toy + "policies: [{policy: Small, sweep: {temperature: [0.1, 1e-7], chains: [1, 2]}}]",
			[]string{"Small temperature=0.1 chains=1", "Small temperature=0.1 chains=2", "Small temperature=1e-7 chains=1", "Small temperature=1e-7 chains=2"}, `"chains":2,`},
		{"a sweep of a variant", toy + "policies: [{policy: Small, name: hot, set: {temperature: 1}, sweep: {contour: {zeta: [1, 2]}}}]",
			[]string{"hot contour.zeta=1", "hot contour.zeta=2"}, `"temperature":1,`},
		{"a sweep over lists", toy + "policies: [{policy: Small, sweep: {hidden: [[5], [5, 6], []]}}]", []string{"Small hidden=5", "Small hidden=5x6", "Small hidden=[]"}, `"hidden":[]`},
		{"all below a variant's own", toy + "policies: [{policy: Small, set: {temperature: 1}}]\nset: {all.temperature: 2, all.chains: 3}", []string{"Small"}, `"chains":3,`},
		{"a setting above a variant's own", toy + "policies: [{policy: Small, name: hot, set: {temperature: 1}}]\nset: {hot: {temperature: 2}}", []string{"hot"}, `"temperature":2,`},
		{"a setting for a whole sweep", toy + "policies: [{policy: Small, sweep: {chains: [1, 2]}}, Uniform, {policy: Small, name: hot}]\nset: [Small.temperature=7]",
			[]string{"Small chains=1", "Small chains=2", "Uniform", "hot"}, `"temperature":0.3,`},
		{"a setting for one of a sweep", toy + "policies: [{policy: Small, sweep: {temperature: [0.1, 1.5]}}]\nset: ['\"Small temperature=1.5\".chains=7']", []string{"Small temperature=0.1", "Small temperature=1.5"}, `"chains":7,`},
		{"an anchor", toy + "policies: [{policy: Small, name: a, set: &s {chains: 7}}, {policy: Small, name: b, set: *s, sweep: {steps: [9]}}]", []string{"a", "b steps=9"}, `"chains":7,"steps":9`},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := must.Get(resolveFile(t, c, test.file))(t)
			must.Equal(t, "policies", labels(plan), test.want)
			last := described(plan)[len(plan.Policies)-1]
			must.That(t, strings.Contains(last, test.contain), "got %s, want %s in it", last, test.contain)
		})
	}
}

// TestExtendsKeepsTheRest checks that the keys of a file override those of the preset and nothing
// else.
func TestExtendsKeepsTheRest(t *testing.T) {
	c := toytest.Catalog(t)
	e := must.Get(c.ParseFile("f.yaml", []byte("name: x\nextends: toy\nprotocol: {rounds: 3}\nseeds: [7, 9..10]\nthresholds: [regret(Small) < 9]\n")))(t)
	preset := toytest.Toy(t, c)
	want := bandit.Protocol{Rounds: 3, Pulls: preset.Protocol.Pulls, BurnIn: preset.Protocol.BurnIn}
	must.That(t, fmt.Sprint(e.Protocol) == fmt.Sprint(want), "protocol %+v, want %+v", e.Protocol, want)
	must.That(t, e.Name == "x" && e.Data == preset.Data && e.Profile == preset.Profile && e.Environment == "light" &&
		slices.Equal(e.Policies, preset.Policies), "%+v", e)
	must.That(t, fmt.Sprint(e.Seeds) == "[7 9 10]" && len(e.Thresholds) == 1, "seeds %v, thresholds %v", e.Seeds, e.Thresholds)
	again := toytest.Toy(t, c)
	must.That(t, fmt.Sprint(again.Seeds) == "[1 2]" && again.Protocol.Rounds == 8, "the preset has changed: %+v", again)
}

func TestExampleFileIsAnExperiment(t *testing.T) {
	plan := must.Get(resolveFile(t, builtin.Default(), experiment.ExampleFile()))(t)
	must.That(t, len(plan.Cells) == 36 && plan.Name == "my-experiment" && len(plan.Thresholds) == 2,
		"%d trials of %s with %d thresholds, want 36 of my-experiment with 2", len(plan.Cells), plan.Name, len(plan.Thresholds))
	// The commented lines of the example are valid too.
	must.Get(resolveFile(t, builtin.Default(), strings.Replace(experiment.ExampleFile(), "# extends", "extends", 1)))(t)
}

func TestReadFileNamesThePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.yaml")
	_, err := builtin.Default().ReadFile(path)
	must.That(t, errors.Is(err, os.ErrNotExist) && strings.Contains(err.Error(), path), "no file: %v", err)
	must.OK(t, os.WriteFile(path, []byte("nome: x\n"), 0o666))
	if _, err := builtin.Default().ReadFile(path); err == nil || !strings.HasPrefix(err.Error(), path+":1:1: ") {
		t.Errorf("got %v, want it to begin with %s:1:1", err, path)
	}
	must.OK(t, os.Truncate(path, 1<<30)) // sparse: it must not be read whole
	must.Refuse(builtin.Default().ReadFile(path))(t, "more than 65536")
}

// TestDocumentedFiles resolves the files of docs/experiment-files.md. Those without a name are parts
// of a file.
func TestDocumentedFiles(t *testing.T) {
	b := must.Get(os.ReadFile("../../docs/experiment-files.md"))(t)
	blocks := strings.Split(string(b), "```yaml\n")[1:]
	must.Hold(t, len(blocks) >= 5, "only %d blocks", len(blocks))
	var same []string
	for _, block := range blocks {
		file, _, _ := strings.Cut(block, "```")
		if !strings.HasPrefix(file, "name:") {
			file = short + file
		}
		plan, err := resolveFile(t, builtin.Default(), file)
		if err != nil {
			t.Errorf("%v\n%s", err, file)
			continue
		}
		if strings.Contains(file, "name: a,") {
			same = append(same, described(plan)...)
		}
	}
	must.That(t, len(same) == 3 && same[0] == same[1] && same[1] == same[2], "three ways to say the same give %q", same)
}
