package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/lists"
	"banditsim/internal/must"
)

// mixed is an experiment with plain policies, a variant and sweeps.
func mixed(t *testing.T, c *experiment.Catalog) experiment.Experiment {
	t.Helper()
	e := must.Get(c.ParseFile("f.yaml", []byte(`name: x
extends: toy
policies:
  - Small
  - {policy: Small, name: hot, set: {temperature: 1}}
  - {policy: Small, name: deep, sweep: {hidden: [[5, 5], [6, 6]]}}
  - Sulker
  - {policy: Sulker, sweep: {after: [4, 5]}}
set: [hot.chains=1, deep.chains=1, Sulker.after=2, all.act=sample]
thresholds: [regret(Small) < 9, regret(hot) - regret(Sulker) < 9, regret(deep hidden=5x5) < 9]
`)))(t)
	return e
}

func TestSelect(t *testing.T) {
	c := toytest.Catalog(t)
	for _, test := range []struct {
		name                         string
		names                        []string
		policies, settings, droppped []string
	}{
		{"one by its name, though others are of its kind", []string{"Small"}, []string{"Small"}, []string{"all.act=sample"},
			[]string{"regret(hot) - regret(Sulker) < 9", "regret(deep hidden=5x5) < 9"}},
		{"a variant", []string{"hot"}, []string{"hot"}, []string{"hot.chains=1", "all.act=sample"},
			[]string{"regret(Small) < 9", "regret(hot) - regret(Sulker) < 9", "regret(deep hidden=5x5) < 9"}},
		{"a sweep", []string{"deep", "Small"}, []string{"deep hidden=5x5", "deep hidden=6x6", "Small"}, []string{"deep.chains=1", "all.act=sample"},
			[]string{"regret(hot) - regret(Sulker) < 9"}},
		{"one of a sweep", []string{"deep hidden=6x6"}, []string{"deep hidden=6x6"}, []string{"deep.chains=1", "all.act=sample"},
			[]string{"regret(Small) < 9", "regret(hot) - regret(Sulker) < 9", "regret(deep hidden=5x5) < 9"}},
		{"a newcomer", []string{"Uniform", "hot", "Sulker"}, []string{"Uniform", "hot", "Sulker"}, []string{"hot.chains=1", "Sulker.after=2", "all.act=sample"},
			[]string{"regret(Small) < 9", "regret(deep hidden=5x5) < 9"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := mixed(t, c)
			dropped := must.Get(e.Select(test.names))(t)
			must.Equal(t, "dropped", dropped, test.droppped)
			settings := lists.Each(e.Settings, func(s experiment.Setting) string { return s.String() })
			must.Equal(t, "settings", settings, test.settings)
			must.Equal(t, "policies", labels(toytest.Resolve(t, e, c)), test.policies)
		})
	}
	e := mixed(t, c)
	must.Get(e.Select([]string{"Uniform"}))(t)
	e.Settings = append(e.Settings, experiment.Setting{Key: "all.act", Value: "mean"}) // as --set, which names what it wants
	must.Refuse(e.Resolve(t.Context(), c))(t, "--set all.act=mean: no policy of this experiment has this option")
	e = mixed(t, c)
	for _, names := range [][]string{{"hot", "hot"}, {"deep", "deep hidden=5x5"}} {
		must.Refuse(e.Select(names))(t, "named twice")
	}
	e = mixed(t, c)
	for _, names := range [][]string{{"", ""}, {"hot", " "}} {
		e := e
		must.Refuse(e.Select(names))(t, "of 2 is blank")
	}
	must.Get(e.Select([]string{"ht"}))(t)
	must.Refuse(e.Resolve(t.Context(), c))(t, "did you mean hot?")
}

// TestSettingsByName checks that a name selects a variant, or all variants of a sweep.
func TestSettingsByName(t *testing.T) {
	c := toytest.Catalog(t)
	for key, want := range map[string][]string{
		"hot.temperature":               {"hot"},
		"Small.temperature":             {"Small"},
		"deep.temperature":              {"deep hidden=5x5", "deep hidden=6x6"},
		`"deep hidden=5x5".temperature`: {"deep hidden=5x5"},
		`"hot".temperature`:             {"hot"},
		"all.temperature":               {"Small", "deep hidden=5x5", "deep hidden=6x6"}, // hot has its own
	} {
		e := mixed(t, c)
		set(key + "=0.123")(&e)
		var got []string
		for _, p := range toytest.Resolve(t, e, c).Policies {
			if strings.Contains(string(p.Policy.Options), `"temperature":0.123`) {
				got = append(got, p.Label)
			}
		}
		must.Equal(t, key+" changes", got, want)
	}
	for setting, want := range map[string]string{
		"cold.temperature=1":        `known are protocol, environment, all, Small, hot, "deep hidden=5x5"`,
		"Uniform.x=1":               `this experiment has no policy or scope "Uniform"`,
		"hot.temprature=1":          "--set hot.temprature=1: unknown key",
		"hot.temperature=-1":        "--set hot.temperature=-1: policy hot: sgmcmc: temperature: -1",
		"Sulker.after=5":            "Sulker and Sulker after=5 are the same",
		`"deep hidden=5x5".chain=1`: "did you mean chains?",
	} {
		e := mixed(t, c)
		set(setting)(&e)
		must.Refuse(e.Resolve(t.Context(), c))(t, want)
	}
	for setting, want := range map[string]string{
		`"hot.temperature=1`:  "closing quote",
		`"hot"temperature=1`:  "scope.option",
		`"hot"=1`:             "scope.option",
		`"hot".temperature`:   "key=value",
		`hot temperature=0.1`: "scope.option",
	} {
		must.Refuse(experiment.ParseSetting(setting))(t, want)
	}
}

// TestVariantsInGo checks variants of an experiment that a program builds.
func TestVariantsInGo(t *testing.T) {
	c := toytest.Catalog(t)
	e := toytest.Toy(t, c)
	e.Variants = []experiment.Variant{{Name: "hot", Policy: "Small", Settings: []experiment.Setting{{Key: "temperature", Value: "1"}}}}
	e.Policies = []string{"hot", "Small"}
	if got := described(toytest.Resolve(t, e, c)); len(got) != 2 || !strings.HasPrefix(got[0], "hot ") || !strings.Contains(got[0], `"temperature":1,`) {
		t.Errorf("got %q", got)
	}
	for want, v := range map[string]experiment.Variant{
		"at most 100: give":                {Name: strings.Repeat("x", 101), Policy: "Small"},
		"holds '\"'":                       {Name: `a"b`, Policy: "Small"},
		"begins or ends with a blank":      {Name: " a", Policy: "Small"},
		"another name":                     {Name: "Uniform", Policy: "Small"},
		"has another meaning":              {Name: "environment", Policy: "Small"},
		"did you mean Small?":              {Name: "a", Policy: "Smal"},
		"--set a.temprature=1: unknown":    {Name: "a", Policy: "Small", Settings: []experiment.Setting{{Key: "temprature", Value: "1"}}},
		"holds '\\x1b': want letters, dig": {Name: "a\x1b[31m", Policy: "Small"},
	} {
		e.Variants, e.Policies = []experiment.Variant{v}, []string{v.Name}
		must.Refuse(e.Resolve(t.Context(), c))(t, want)
	}
}

func TestParseSeeds(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1", "[1]"},
		{"1..3", "[1 2 3]"},
		{"7, 1..2,9", "[7 1 2 9]"},
		{"18446744073709551615", "[18446744073709551615]"},
		{"18446744073709551614..18446744073709551615", "[18446744073709551614 18446744073709551615]"},
	} {
		got, err := experiment.ParseSeeds(c.in)
		must.That(t, err == nil && fmt.Sprint(got) == c.want, "%q: %v, %v, want %s", c.in, got, err, c.want)
	}
	for _, c := range []struct{ in, want string }{
		{"0", "count from 1"}, {"5..1", "write 1..5"}, {"a", "is not a seed"}, {"", "is not a seed"}, {"1,,2", "is not a seed"},
		{"-1", "is not a seed"}, {"1.5", "is not a seed"}, {"1..", "is not a seed"}, {"..3", "is not a seed"}, {"1...3", "is not a seed"},
		{"1,2,1", "occurs twice"}, {"1..3,2", "occurs twice"}, {"18446744073709551616", "64 bits"},
		{"1..99999999999", "more than"}, {"1..18446744073709551615", "more than"}, {"0..3", "count from 1"},
	} {
		must.Refuse(experiment.ParseSeeds(c.in))(t, c.want)
	}
}

// TestSettingsWithoutEffect checks that a setting without effect on its policy is an error that lists the options in
// use, unless its scope is "all".
func TestSettingsWithoutEffect(t *testing.T) {
	catalog := builtin.Default()
	const head = "name: x\nextends: quick\n"
	for _, c := range []struct{ name, text, want string }{ // want: part of the error; empty for none
		{"a contour that is off", "policies: [SGLD]\nset: {SGLD.contour.bins: 50}", "contour.bins has no effect on this policy, which uses act, cover_core, cover_first, cover_rim, explore, model, anchor, batch"},
		{"the same by its full path", "policies: [SGLD]\nset: {SGLD.posterior.contour.bins: 50}", "f.yaml:4:"},
		{"the same of a variant", "policies: [{policy: SGLD, name: a, set: {contour.bins: 50}}]", "contour.bins has no effect"},
		{"a preconditioner that is off", "policies: [ConstSGD]\nset: {ConstSGD.preconditioner.rho: 0.1}", "preconditioner.rho has no effect"},
		{"dropout that is off", "policies: [pSGLD]\nset: {pSGLD.dropout.samples: 3}", "dropout.samples has no effect"},
		{"ranks in raw units", "policies: [pSGLD]\nset: {pSGLD.rank_tails: 20}", "rank_tails has no effect"},
		{"ranks in own units", "policies: [pSGLD]\nset: {pSGLD.own_scale: true, pSGLD.rank_tails: 20}", ""},
		{"data_size in own units", "policies: [pSGLD]\nprofile: general\nset: {pSGLD.data_size: 99}", "data_size has no effect"},
		{"a decay without a skip", "policies: [SWAG]\nset: {SWAG.skip_decay: 2}", "skip_decay has no effect"},
		{"the friction of other dynamics", "policies: [LMCTS]\nset: {LMCTS.friction: 0.5}", "friction has no effect"},
		{"a sweep over nothing", "policies: [{policy: cycSGLD, sweep: {contour.zeta: [1, 2]}}]", "cycSGLD"},
		{"the list has options that are left out at zero", "policies: [SGLD]\nset: {SGLD.contour.bins: 50}", " model,"},
		{"a contour that is turned on", "policies: [SGLD]\nset: {SGLD.contour.kind: paper, SGLD.contour.bins: 50}", ""},
		{"a contour that the policy has by default", "policies: [pICSGLD]\nset: {pICSGLD.contour.kind: off, pICSGLD.contour.bins: 50}", ""},
		{"on in a part of a sweep", "policies: [{policy: SGLD, set: {contour.bins: 50}, sweep: {contour.kind: ['off', paper]}}]", ""},
		{"all", "policies: [SGLD, pICSGLD]\nset: {all.contour.bins: 50}", ""},
		{"all, where none uses it", "policies: [SGLD]\nset: {all.contour.bins: 50}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := catalog.ParseFile("f.yaml", []byte(head+c.text))
			if err == nil {
				_, err = e.ResolveNames(catalog)
			}
			must.Want(t, c.text, err, c.want)
		})
	}
}
