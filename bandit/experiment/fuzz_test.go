package experiment_test

import (
	"errors"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/internal/place"
)

// FuzzExperimentFile checks that any file gives an experiment or an error with a place in it.
func FuzzExperimentFile(f *testing.F) {
	f.Add(experiment.ExampleFile())
	for _, s := range []string{
		short, short + "protocol: {rounds: 3}\nseeds: [1, 3..5]", short + "set: {all: {act: sample}, environment.encoding: ordinal}",
		short + "policies: [{policy: pSGLD, sweep: {temperature: [0.1, 0.3], hidden: [[5], [5, 5]]}}]",
		short + "policies: [{policy: pSGLD, name: a, set: &s {chains: 2}}, {policy: pCSGLD, name: b, set: *s}]\nset: ['\"a\".act=sample']",
		short + "tune: {seeds: 11..14, budget: 8, halving: {eta: 2, rounds: 2, seeds: 1}, ranges: {pSGLD: {temperature: {log: [1e-3, 1]}, act: {choice: [mean, [1, a]]}}, pSGLD.chains: {int: [1, 2]}}}",
		"a: &a [*a]", "? [a]\n: b", "--- |\n  a", "%YAML 1.2\n---\na: 1", "a: \"\\x\"", "\ufeff# a", "a:\n\t- b", "a: 'b", "!!map {a: 1}",
	} {
		f.Add(s)
	}
	c := builtin.Default()
	f.Fuzz(func(t *testing.T, file string) {
		e, err := c.ParseFile("f.yaml", []byte(file))
		if err != nil {
			var at *place.Error
			if !errors.As(err, &at) || at.Line < 1 || at.Line > strings.Count(file, "\n")+1 || at.Column < 1 || at.Column > len(file)+1 {
				t.Fatalf("the error has no place in the file: %v", err)
			}
			return
		}
		variants, err := e.ResolveNames(c)
		if err != nil {
			var at *place.Error
			must.Hold(t, errors.As(err, &at) || strings.Contains(err.Error(), "are"),
				"the error has no place in the file: %v", err)
			return
		}
		seen := map[string]bool{}
		for _, p := range variants {
			must.That(t, !seen[p.Name] && (p.Name == p.Policy || experiment.CheckVariantName(p.Name) == nil),
				"the policy's name %q is not one", p.Name)
			seen[p.Name] = true
		}
	})
}

// FuzzSetting checks that any value of --set changes an option or is an error that quotes it.
func FuzzSetting(f *testing.F) {
	for _, s := range []string{"protocol.rounds=3", "Small.hidden=1,2", "all.act=sample", "a.b.c=]", "x", "=", "Small.contour.kind=off", `"Small".chains=3`, "Small.temperature=1e999"} {
		f.Add(s)
	}
	c := toytest.Catalog(f)
	f.Fuzz(func(t *testing.T, s string) {
		setting, err := experiment.ParseSetting(s)
		if err == nil {
			must.Hold(t, setting.String() == s, "%q is read as %q", s, setting)
			e := toytest.Toy(t, c)
			e.Settings = []experiment.Setting{setting}
			_, err = e.ResolveNames(c)
		}
		must.That(t, err == nil || strings.HasPrefix(err.Error(), "--set "),
			"%q: the error does not say what it is about: %v", s, err)
	})
}

// FuzzParseSeeds checks that any string gives seeds or an error with a place in it.
func FuzzParseSeeds(f *testing.F) {
	for _, s := range []string{"1..20", "1,2,5", "5..1", "a", "0", "1..18446744073709551615", "1, 2..3", ",", "1..3,2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		seeds, err := experiment.ParseSeeds(s)
		if err != nil {
			var at *place.TextError
			must.That(t, errors.As(err, &at) && at.Offset >= 0 && at.Offset <= len(s), "%q: the error has no place: %v", s, err)
			return
		}
		seen := map[uint64]bool{}
		for _, seed := range seeds {
			must.Hold(t, !seen[seed] && seed != 0, "%q: seed %d is there twice, or none", s, seed)
			seen[seed] = true
		}
		must.That(t, len(seeds) > 0 && len(seeds) <= experiment.MaxSeeds, "%q: %d seeds", s, len(seeds))
	})
}
