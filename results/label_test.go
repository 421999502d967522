package results_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"banditsim/internal/lists"
	"banditsim/internal/must"
	. "banditsim/results"
)

// TestGivenLabels checks that the label in the sidecars is used if the sidecars of a policy agree and it is unique.
func TestGivenLabels(t *testing.T) {
	type trial struct {
		policy, options string
		seed            uint64
		label           string // label in the sidecar; "-" for no sidecar
	}
	for _, c := range []struct {
		name   string
		trials []trial
		want   []string
	}{
		{"given", []trial{{"p", `{"a":1}`, 1, "p"}, {"p", `{"a":2}`, 1, "hot p"}, {"p", `{"a":2}`, 2, "hot p"}}, []string{"hot p", "p"}},
		{"one policy alone", []trial{{"p", `{"a":1}`, 1, "hot p"}}, []string{"hot p"}},
		{"a sidecar is gone", []trial{{"p", `{"a":1}`, 1, "-"}, {"p", `{"a":1}`, 2, "hot p"}}, []string{"hot p"}},
		{"a sidecar has none", []trial{{"p", `{"a":1}`, 1, "hot p"}, {"p", `{"a":1}`, 2, ""}}, []string{"hot p"}},
		{"some have none", []trial{{"p", `{"a":1}`, 1, "-"}, {"p", `{"a":2}`, 1, "hot p"}}, []string{"hot p", "p a=1"}},
		{"no agreement", []trial{{"p", `{"a":1}`, 1, "hot"}, {"p", `{"a":1}`, 2, "cold"}}, []string{"p"}},
		{"one label twice", []trial{{"p", `{"a":1}`, 1, "hot"}, {"p", `{"a":2}`, 1, "hot"}, {"q", `{}`, 1, "q"}}, []string{"p a=1", "p a=2", "q"}},
		{"another's name", []trial{{"p", `{}`, 1, "q"}, {"q", `{}`, 1, "-"}}, []string{"p", "q"}},
		{"another's name that comes back", []trial{{"p", `{}`, 1, "q"}, {"q", `{}`, 1, "r"}, {"r", `{}`, 1, "-"}}, []string{"p", "q", "r"}},
		{"several options", []trial{{"p", `{"a":1,"c":{"d":2},"e":4}`, 1, "-"}, {"p", `{"a":3,"c":{"d":2},"e":4}`, 1, "-"}, {"p", `{"a":1,"c":{"d":1},"e":4}`, 1, "-"}},
			[]string{"p a=1 c.d=1", "p a=1 c.d=2", "p a=3 c.d=2"}},
		{"too long", []trial{{"p", `{}`, 1, strings.Repeat("x", 201)}}, []string{"p"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, trial := range c.trials {
				i := identity(trial.policy, trial.seed, 2)
				i.Policy.Options = json.RawMessage(trial.options)
				path := write(t, dir, i, 12, 0)
				if trial.label == "-" {
					if err := os.Remove(SidecarPath(path)); err != nil && !os.IsNotExist(err) {
						t.Fatal(err)
					}
				} else if err := WriteSidecar(path, Sidecar{Label: trial.label}); err != nil {
					t.Fatal(err)
				}
			}
			set := must.Get(Load(dir))(t)
			must.Equal(t, "labels", Labels([]*Set{set}), c.want)
		})
	}
}

// TestEnvironmentOrder checks that named environments are in the order of the newest sidecars, or else sorted by label.
func TestEnvironmentOrder(t *testing.T) {
	dir := t.TempDir()
	alone := identity("p", 100, 2)
	alone.Environment.Name = "a"
	// The sidecar of a run of a alone, which names no environment, is ignored.
	must.OK(t, WriteSidecar(write(t, dir, alone, 12, 0), Sidecar{Started: time.Unix(100, 0)}))
	seed := uint64(0)
	write := func(name string, order int) {
		seed++
		i := identity("p", seed, 2)
		i.Environment.Name = name
		path := write(t, dir, i, 12, 0)
		s := Sidecar{Environment: name, EnvironmentOrder: order, Started: time.Unix(int64(seed), 0)}
		must.OK(t, WriteSidecar(path, s))
	}
	want := func(want ...string) {
		t.Helper()
		sets := must.Get(LoadMixed(dir))(t)
		got := lists.Each(sets, func(set *Set) string { return set.Label })
		must.Equal(t, "labels", got, want)
	}
	write("b", 1)
	write("c", 2)
	write("a", 3)
	want("b", "c", "a")
	write("c", 1)
	write("b", 2)
	want("c", "b", "a")

	write("d", 0)
	want("a", "b", "c", "d")
}
