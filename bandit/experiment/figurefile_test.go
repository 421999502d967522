package experiment_test

import (
	"strings"
	"testing"

	"banditsim/bandit/internal/toytest"
	"banditsim/internal/figure"
	"banditsim/internal/must"
)

func TestReadFigure(t *testing.T) {
	keys := "policies: [a, b]\nlabel: {a: 'A = B'}\ncolor:\n  a: '#0072B2'\nline: {b: dashed}\nwidth: 84mm\nlog: y\nfrom_round: 53\nno_title: true\n"
	for name, text := range map[string]string{
		"a style file":        keys,
		"an experiment's own": "name: x\nextends: quick\nfigure:\n  " + strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n  ") + "\n",
	} {
		path := must.File(t, "f.yaml", text)
		o := must.Get(figure.ReadFile(path))(t)
		if o.Labels["a"] != "A = B" || o.Colors["a"] != 0x0072b2 || o.Lines["b"] != "dashed" || len(o.Policies) != 2 || !(o.Width > 238 && o.Width < 239) || !o.LogY || o.LogX || o.From != 53 || !o.NoTitle {
			t.Errorf("%s: %+v", name, o)
		}
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

// What a figure section says of policies and rounds is checked before a trial runs, at its place; policies that this
// run leaves out are none of its mistakes.
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
