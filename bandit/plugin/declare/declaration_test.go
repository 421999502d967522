package declare

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
)

func TestSplitCommand(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string // nil: an error
	}{
		{"python3 mine.py", []string{"python3", "mine.py"}},
		{"  python3\tmine.py ", []string{"python3", "mine.py"}},
		{`'my python' "a b" c\ d`, []string{"my python", "a b", "c d"}},
		{`a"b"'c'd ''`, []string{"abcd", ""}},
		{`"a\"b\\c\d" '\n'`, []string{`a"b\c\d`, `\n`}},
		{`a '' "" b`, []string{"a", "", "", "b"}},
		{"a $HOME `b` * ;", []string{"a", "$HOME", "`b`", "*", ";"}},
		{"", nil}, {" ", nil}, {`a 'b`, nil}, {`a "b`, nil}, {`a\`, nil},
	} {
		got, err := splitCommand(c.line)
		must.That(t, (err != nil) == (c.want == nil) && slices.Equal(got, c.want),
			"%q: %q, %v, want %q", c.line, got, err, c.want)
	}
}

// TestIdentity checks that the identity depends on the content of the files, and not on the name or the timeout.
func TestIdentity(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		must.OK(t, os.WriteFile(name, []byte(text), 0o666))
	}
	write("mine.py", "one")
	write("model", "weights")
	of := func(d Declaration) string {
		id := must.Get(d.Identity())(t)
		b := must.Get(json.Marshal(id))(t)
		return string(b)
	}
	d := Declaration{Program: Program{Name: "Mine", Command: []string{"python3", "mine.py", "--fast"}}}
	first := of(d)
	if want := "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"; !strings.Contains(first, want) { // sha256sum of "one"
		t.Errorf("%s: want the SHA-256 %s", first, want)
	}
	named, slow := d, d
	named.Name, slow.Timeout = "Yours", 7
	must.That(t, of(named) == first && of(slow) == first, "the identity depends on the name or the timeout")
	with := d
	with.Files = []string{"mine.py", "model"}
	none := d
	none.Files = []string{}
	options := d
	options.Options = json.RawMessage(`{"a":1}`)
	without := of(none)
	ids := []string{first, of(with), without, of(options)}
	slices.Sort(ids)
	must.Equal(t, "different identities by files and options", len(slices.Compact(ids)), 4)
	write("mine.py", "two")
	must.That(t, of(d) != first && of(none) == without,
		"the identity does not follow the content of the files named, and of these alone")
	missing := d
	missing.Files = []string{"none.py"}
	must.Refuse(missing.Identity())(t, "none.py")
}
