package declare

import (
	"strings"
	"testing"
	"time"

	"banditsim/internal/must"
	"banditsim/internal/yamltree"
)

func parse(t *testing.T, text string) *yamltree.Node {
	t.Helper()
	return must.Get(yamltree.Parse("test.yaml", []byte(text)))(t)
}

func TestPolicy(t *testing.T) {
	d := must.Get(Policy(parse(t, `{name: Mine, command: python3 'my file.py', options: {alpha: 1e-3, deep: {list: [1, two, true]}}, files: [a, b], timeout: 2m,
  role: posterior, rule: UCB, set: {alpha: 2}}`), yamltree.Key{Name: "set"}))(t)
	must.That(t, len(d.Command) == 2 && d.Command[1] == "my file.py" && d.Role == RolePosterior && d.Rule == "UCB" &&
		d.Timeout == 2*time.Minute && len(d.Files) == 2, "%+v", d)
	must.Equal(t, "options", string(d.Options), `{"alpha":1e-3,"deep":{"list":[1,"two",true]}}`)
	for text, want := range map[string]string{
		`{command: [a]}`:                                     "name is missing",
		`{name: A, command: []}`:                             "command is empty",
		`{name: A, command: "a 'b"}`:                         "quote is not closed",
		`{name: A, command: [a], optoins: {}}`:               `no "optoins" (did you mean options?)`,
		`{name: A, command: [a], options: [1]}`:              "options is a list",
		`{name: A, command: [a], timeout: 30}`:               `timeout: "30", want a time`,
		`{name: A, command: [a], timeout: -1s}`:              "want a time",
		`{name: A, command: [a], timeout: 0s}`:               "want a time",
		`{name: A, command: [a], timeout: 24h1ns}`:           "want a time",
		`{name: A, command: [a], role: polisy}`:              "did you mean policy?",
		`{name: A, command: [a], role: environment}`:         "want one of policy, posterior",
		`{name: A, command: [a], role: posterior}`:           "rule is missing",
		`{name: A, command: [a], rule: UCB}`:                 "a policy has its own",
		`{name: A, command: [a], role: posterior, rule: Ts}`: "want one of Thompson, UCB",
		`{name: A, command: [a], files: mine.py}`:            "files is a single value",
	} {
		must.Refuse(Policy(parse(t, text)))(t, want, "test.yaml:1:")
	}
}

func TestFlag(t *testing.T) {
	d, err := Flag("My policy=python3 mine.py --a=b")
	must.That(t, err == nil && d.Name == "My policy" && strings.Join(d.Command, "|") == "python3|mine.py|--a=b",
		"%+v, %v", d, err)
	for _, text := range []string{"python3 mine.py", "=a", " A=a", "A=", "A='"} {
		_, err := Flag(text)
		must.That(t, err != nil, "%q is accepted", text)
	}
}
