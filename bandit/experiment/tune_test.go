package experiment_test

import (
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/figure"
	"banditsim/internal/must"
	"banditsim/internal/tuning"
)

const tuneSection = "tune: {seeds: 11..14, budget: 8, ranges: {EpsGreedy.epsilon: {linear: [0, 0.5]}, Uniform.x: {choice: [[1, 2], a]}}}\n"

// TestConfigured checks that a configuration has the settings of its policy, from the policy's item and from 'set',
// followed by its own.
func TestConfigured(t *testing.T) {
	c := builtin.Default()
	e := must.Get(c.ParseFile("f.yaml", []byte("name: x\nextends: quick\npolicies: [{policy: pSGLD, name: a, set: {chains: 3}}, EpsGreedy]\nset: {all.act: sample, all.epsilon: 0.5, a.temperature: 0.5, protocol.rounds: 7}\n")))(t)
	e = must.Get(e.Configured(c, []experiment.Variant{
		{Policy: "a", Name: "a #1", Settings: []experiment.Setting{{Key: "temperature", Value: "0.25"}}},
		{Policy: "a", Name: "a"},
	}))(t)
	plan := must.Get(e.Resolve(t.Context(), c))(t)
	for i, want := range [][]string{{`"temperature":0.25`, `"chains":3`, `"act":"sample"`}, {`"temperature":0.5`, `"chains":3`, `"act":"sample"`}} {
		for _, part := range want {
			got := string(plan.Policies[i].Policy.Options)
			must.That(t, strings.Contains(got, part), "%s: no %s in %s", plan.Policies[i].Label, part, got)
		}
	}
	if got := plan.Environments[0].Protocol.Rounds; got != 7 || plan.Policies[0].Label != "a #1" || len(plan.Policies) != 2 {
		t.Errorf("%d rounds, policies %v", got, plan.Policies)
	}
	must.Refuse(e.Configured(c, []experiment.Variant{{Policy: "b", Name: "b"}}))(t, `"b"`)
	e = must.Get(c.ParseFile("f.yaml", []byte("name: x\nextends: quick\nenvironments: [linear, wheel]\nset: {environment.delta: 0.5}\n")))(t)
	must.Get(e.SelectEnvironments([]string{"linear"}))(t)
	must.Get(e.Resolve(t.Context(), c))(t) // though only wheel has the option delta
}

// TestYAML checks that what YAML writes is read as the same experiment. TestSchemaAgreesWithTheReader does so
// for the form of presets.
func TestYAML(t *testing.T) {
	c := builtin.Default()
	for _, file := range []string{
		"name: 'null'\nenvironment: wheel\nprofile: paper\ndata: \"a: #b\"\nseeds: [1..5, 9]\ntuned_seeds: 11..14\nprotocol: {rounds: 3, pulls: 2, burn_in: 4, initial: 1, sequential: true, delay: {kind: fixed, pulls: 3}}\n" +
			"policies: [{policy: pSGLD, name: 'a #1', set: {hidden: [5, 5], act: sample}}, Uniform]\nset: ['\"a #1\".chains=2', all.act=mean]\n",
		"name: x\nenvironments: [linear, {environment: wheel, name: w, data: d, set: {delta: 0.5}, protocol: {rounds: 3}}]\nprofile: paper\nseeds: 1\nprotocol: {rounds: 3, pulls: 2, burn_in: 4}\npolicies: [Uniform]\n",
	} {
		e := must.Get(c.ParseFile("f.yaml", []byte(file)))(t)
		again, err := c.ParseFile("f.yaml", []byte(tuning.YAML(e, "")))
		must.Hold(t, err == nil, "%v\n%s", err, tuning.YAML(e, ""))
		must.That(t, tuning.YAML(again, "") == tuning.YAML(e, "") && strings.Contains(tuning.YAML(e, ""), "seeds: 1"),
			"written\n%sand again\n%s", tuning.YAML(e, ""), tuning.YAML(again, ""))
		if got, err := again.ResolveNames(c); err != nil || len(got) != len(e.Policies) {
			t.Errorf("%v %v", got, err)
		}
	}
}

// TestCheckTune checks that no seed may be both held out and searched on.
func TestCheckTune(t *testing.T) {
	c := builtin.Default()
	base := "name: x\nextends: quick\npolicies: [EpsGreedy, Uniform]\n"
	for _, test := range []struct{ name, file, want string }{
		{"right", base + "seeds: 1..6\n" + tuneSection, ""},
		{"no section", base, "no section tune"},
		{"overlap", base + "seeds: 1..12\n" + tuneSection, "f.yaml:5:15: tune: seeds 11, 12 are among the experiment's"},
		{"overlap with earlier tuning", base + "seeds: 1..6\ntuned_seeds: 5\n" + tuneSection, "seed 5 is held out, but had a part"},
		{"several environments", "name: x\nextends: quick\nseeds: 1\nenvironments: [linear, wheel]\npolicies: [EpsGreedy, Uniform]\n" + tuneSection, ""},
		{"an environment of another experiment", base + "seeds: 1..6\n" + strings.Replace(tuneSection, "{", "{environments: [wheel], ", 1), `f.yaml:5:22: tune.environments: there is no "wheel"`},
	} {
		e := must.Get(c.ParseFile("f.yaml", []byte(test.file)))(t)
		must.Want(t, test.name, tuning.Check(e), test.want)
		must.That(t, e.Tune == nil || len(e.Tune.Ranges) == 2 && e.Tune.Ranges[1].String() == "choice of [1,2], a" &&
			e.Tune.Ranges[0].String() == "linear 0 to 0.5", "%s: %+v", test.name, e.Tune)
	}
}

func TestReadFigure(t *testing.T) {
	keys := "policies: [a, b]\nlabel: {a: 'A = B'}\ncolor:\n  a: '#0072B2'\nline: {b: dashed}\nwidth: 84mm\nlog: y\nfrom_round: 53\nno_title: true\n"
	for name, text := range map[string]string{
		"a style file":        keys,
		"an experiment's own": "name: x\nextends: quick\nfigure:\n  " + strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n  ") + "\n",
	} {
		path := must.File(t, "f.yaml", text)
		o := must.Get(figure.ReadFile(path))(t)
		must.That(t, o.Labels["a"] == "A = B" && o.Colors["a"] == 0x0072b2 && o.Lines["b"] == "dashed" && len(o.Policies) == 2 &&
			o.Width > 238 && o.Width < 239 && o.LogY && !o.LogX && o.From == 53 && o.NoTitle, "%s: %+v", name, o)
	}
	for text, want := range map[string]string{
		"colour: {a: '#000000'}":       `1:1: figure has no "colour" (did you mean color?)`,
		"color: {a: blue}":             `1:12: figure.color: color "blue", want #RRGGBB`,
		"policies: a":                  "1:11: policies is a single value, want a list",
		"width: 84":                    `1:8: figure.width: "84", want a length`,
		"name: x\nextends: quick":      "no figure section",
		"figure: {legend: left}":       `unknown legend "left"`,
		"label: [a]":                   "label is a list, want a mapping",
		"title: t\nno_title: true":     "choose one",
		"figure:\n  policies: [a, []]": "policies is a list, want a single value",
	} {
		path := must.File(t, "f.yaml", text)
		must.Refuse(figure.ReadFile(path))(t, want)
	}
}

// TestFigureIsChecked checks that Resolve rejects a figure with an unknown policy or unknown rounds.
func TestFigureIsChecked(t *testing.T) {
	c := toytest.Catalog(t)
	e := toytest.Toy(t, c)
	o := figure.DefaultOptions()
	o.Policies = []string{"no such"}
	e.Figure = &o
	must.Refuse(e.Resolve(t.Context(), c))(t, `no policy "no such"`)
	o.Policies = nil
	o.From = 1e6
	must.Refuse(e.Resolve(t.Context(), c))(t, "from round 1000000")
}
