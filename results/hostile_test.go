package results_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"banditsim/internal/must"
	. "banditsim/results"
)

// TestHostileText checks that control and bidirectional characters in sidecars and names are replaced on reading.
func TestHostileText(t *testing.T) {
	const evil = "\x1b]0;x\a\u202eevil\u0085\xff"
	dir := t.TempDir()
	path := write(t, dir, identity("p", 1, 2), 12, 0)
	other := identity(evil, 1, 2)
	other.Policy.Options = []byte(`{"a":"` + "\u202e" + `"}`)
	write(t, dir, other, 12, 0)
	other.Policy.Options = []byte(`{"a":1}`)
	write(t, dir, other, 12, 0)
	all := Sidecar{Label: evil, Version: evil, Revision: evil, Go: evil, Kernel: evil, Processor: evil, System: evil, Command: []string{evil}}
	all.Earlier = []Sidecar{all}
	must.OK(t, WriteSidecar(path, all))
	set, err := Load(dir)
	must.OK(t, err)
	texts := Labels([]*Set{set})
	s := must.Get(Record{Path: path}.Sidecar())(t)
	for _, run := range []Sidecar{s, s.Earlier[0]} {
		texts = append(texts, run.Version, run.Revision, run.Go, run.Kernel, run.Processor, run.System, run.Command[0])
	}
	set.Conditions.Environment.Name = evil
	texts = append(texts, set.Conditions.DataName())
	strange := identity("q", 2, 2)
	strange.Environment.Name = "env\u202e\u009b"
	write(t, dir, strange, 12, 0)
	_, err = Load(dir)
	must.As[*MixedError](t, err)
	texts = append(texts, strings.ReplaceAll(err.Error(), "\n", " "))
	if len(texts) < 10 {
		t.Fatalf("%q", texts)
	}
	for _, text := range texts {
		i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
		must.That(t, i < 0, "%q: character %d", text, i)
	}
	must.That(t, slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "?evil") }),
		"the names are gone: %q", texts)
}
