package experiment_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/internal/tuning"
	"banditsim/policy"
)

// validator compiles the schema of a catalog.
func validator(t *testing.T, c *experiment.Catalog) func(file string) error {
	t.Helper()
	b := must.Get(c.Schema())(t)
	doc := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(b)))(t)
	compiler := jsonschema.NewCompiler()
	must.OK(t, compiler.AddResource(experiment.SchemaFile, doc))
	s := must.Get(compiler.Compile(experiment.SchemaFile))(t)
	return func(file string) error {
		b, err := yaml.YAMLToJSON([]byte(file))
		must.Hold(t, err == nil, "%v\n%s", err, file)
		v := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(b)))(t)
		return s.Validate(v)
	}
}

// short is an experiment file to which test cases add keys.
const short = "name: x\nextends: quick\n"

// TestSchemaAgreesWithTheReader checks that the schema and the reader accept and reject the same
// files.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	c := builtin.Default()
	validate := validator(t, c)
	type test struct{ name, file string }
	right := []test{
		{"the file of init", experiment.ExampleFile()},
		{"extends", short},
		{"a part of the protocol", short + "protocol: {rounds: 3}"},
		{"seeds as a list", short + "seeds: [1, 3..5, '7, 9']"},
		{"one seed", short + "seeds: 4"},
		{"environments", short + "environments: [linear, {environment: wheel, name: w, set: {delta: 0.5, noise: {sd: 0.1}}, protocol: {rounds: 3}}]"},
		{"settings as a list", short + "set: [all.act=sample, pSGLD.hidden=50]"},
		{"settings as mappings", short + "set: {all: {act: sample}, pICSGLD.contour: {zeta: 3}, environment.encoding: ordinal}"},
		{"short keys", short + "policies: [{policy: pICSGLD, name: a, set: {temperature: 1, hidden: [5, 5], contour: {zeta: 2}, contour.omega: 0.1}}]"},
		{"full keys", short + "policies: [{policy: pICSGLD, set: {act: sample, posterior: {temperature: 1e-3, contour: {zeta: 2}}, posterior.contour.omega: 0.1}}]"},
		{"settings of a policy as a list", short + "policies: [{policy: pICSGLD, set: [temperature=1]}]"},
		{"sweep", short + "policies: [{policy: pICSGLD, sweep: {temperature: [0.1, 0.3], hidden: [[5], [5, 5]], contour: {zeta: [1, 2]}, posterior.contour.omega: [0.1]}}]"},
		{"a list of mappings", short + "environment: images\npolicies: [{policy: pICSGLD, set: {layers: [{conv: 8, size: 5, pool: 2}, {conv: 4, size: 2, mean: true}]}}, {policy: pSGLD, sweep: {layers: [[], [{conv: 8, size: 5}]]}}]"},
		{"tuned seeds", short + "tuned_seeds: 101..103"},
		{"tune", short + "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD.temperature: {log: [1e-3, 1]}, pICSGLD: {contour: {zeta: {linear: [0, 5]}}, chains: {int: [1, 4]}, act: {choice: [mean, sample]}}}}"},
		{"tune in all its keys", short + "tune: {seeds: [11..14], budget: 8, halving: {eta: 2, rounds: 2, seeds: 1}, objective: worst, metric: realised, draw: 7, ranges: {pSGLD.hidden: {choice: [[5], [5, 5]]}}}"},
		{"a budget in minutes", short + "tune: {seeds: 11..14, budget: {minutes: 0.5}, ranges: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"a policy without a network", short + "policies: [Uniform, {policy: Never, name: Second, set: {arm: 1}}]"},
		{"thresholds", short + "thresholds: [regret(pSGLD) < 4000, 'post_burn_in_realised_regret(pSGLD) - regret(pICSGLD)>=-1.5e3']"},
	}
	for _, entry := range c.Presets() {
		p := must.Get(c.Preset(entry.Name))(t)
		right = append(right, test{"preset " + p.Name, tuning.YAML(p, "")})
	}
	for _, test := range right {
		t.Run(test.name, func(t *testing.T) {
			if err := validate(test.file); err != nil {
				t.Errorf("the schema refuses it: %v\n%s", err, test.file)
			}
			e, err := c.ParseFile("f.yaml", []byte(test.file))
			if err == nil {
				_, err = e.ResolveNames(c)
			}
			must.That(t, err == nil, "the reader refuses it: %v\n%s", err, test.file)
		})
	}
	for _, test := range []test{
		{"nothing of it", "name: x"},
		{"no name", "extends: quick"},
		{"unknown key", short + "polices: [pSGLD]"},
		{"unknown preset", "name: x\nextends: qick"},
		{"unknown environment", short + "environment: mushrom"},
		{"unknown environment in a list", short + "environments: [linear, wheal]"},
		{"unknown option of an environment in a list", short + "environments: [{environment: wheel, set: {dim: 3}}]"},
		{"environments beside environment", short + "environment: wheel\nenvironments: [linear]"},
		{"no environments", short + "environments: []"},
		{"unknown profile", short + "profile: papr"},
		{"unknown policy", short + "policies: [pSGD]"},
		{"unknown policy in a mapping", short + "policies: [{policy: pSGD}]"},
		{"a mapping without a policy", short + "policies: [{name: pSGD}]"},
		{"no policy", short + "policies: []"},
		{"unknown option", short + "policies: [{policy: pSGLD, set: {temprature: 1}}]"},
		{"unknown option further down", short + "policies: [{policy: pSGLD, set: {contour: {zta: 1}}}]"},
		{"unknown option with dots", short + "policies: [{policy: pSGLD, set: {contour.zta: 1}}]"},
		{"a sweep over an unknown option with dots", short + "policies: [{policy: pSGLD, sweep: {posterior.contour.zta: [1]}}]"},
		{"a sweep over an option with dots without a list", short + "policies: [{policy: pSGLD, sweep: {contour.zeta: 1}}]"},
		{"another policy's option", short + "policies: [{policy: pSGLD, set: {epsilon: 1}}]"},
		{"text for a number", short + "policies: [{policy: pSGLD, set: {temperature: warm}}]"},
		{"a fraction for a count", short + "policies: [{policy: pSGLD, set: {chains: 1.5}}]"},
		{"text in a list", short + "policies: [{policy: pSGLD, set: {hidden: [wide]}}]"},
		{"an unknown key in a list of mappings", short + "environment: images\npolicies: [{policy: pSGLD, set: {layers: [{conv: 8, sise: 5}]}}]"},
		{"text in a list of mappings", short + "environment: images\npolicies: [{policy: pSGLD, set: {layers: [{conv: many, size: 5}]}}]"},
		{"a value out of a list", short + "policies: [{policy: pSGLD, set: {act: mode}}]"},
		{"a sweep without a list", short + "policies: [{policy: pSGLD, sweep: {temperature: 1}}]"},
		{"a sweep without values", short + "policies: [{policy: pSGLD, sweep: {temperature: []}}]"},
		{"a sweep over text", short + "policies: [{policy: pSGLD, sweep: {temperature: [warm]}}]"},
		{"unknown option of the environment", short + "set: {environment.encodng: onehot}"},
		{"unknown option of the environment in a mapping", short + "set: {environment: {encodng: onehot}}"},
		{"unknown option of an environment that is named", short + "environment: mushroom\nset: {environment.encodng: onehot}"},
		{"a value that the environment does not list", short + "set: {environment.encoding: octal}"},
		{"a setting of an unknown key of the protocol", short + "set: {protocol.runds: 3}"},
		{"an ill-typed setting of the protocol", short + "set: {protocol: {rounds: many}}"},
		{"unknown key of the protocol", short + "protocol: {runds: 3}"},
		{"ill-typed protocol", short + "protocol: {rounds: many}"},
		{"a name with a slash", "name: a/b\nextends: quick"},
		{"seeds", short + "seeds: 1-6"},
		{"seed 0", short + "seeds: 0"},
		{"no seeds", short + "seeds: []"},
		{"a setting without a scope", short + "set: [act=sample]"},
		{"tuned seeds of 0", short + "tuned_seeds: 0"},
		{"tune without ranges", short + "tune: {seeds: 11..14, budget: 8}"},
		{"no ranges", short + "tune: {seeds: 11..14, budget: 8, ranges: {}}"},
		{"an unknown key of tune", short + "tune: {seeds: 11..14, budget: 8, rangs: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"no budget", short + "tune: {seeds: 11..14, budget: 0, ranges: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"a budget of no minutes", short + "tune: {seeds: 11..14, budget: {minutes: 0}, ranges: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"a budget in seconds", short + "tune: {seeds: 11..14, budget: {seconds: 3}, ranges: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"half of halving", short + "tune: {seeds: 11..14, budget: 8, halving: {eta: 2}, ranges: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"eta of 1", short + "tune: {seeds: 11..14, budget: 8, halving: {eta: 1, rounds: 2, seeds: 1}, ranges: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"unknown objective", short + "tune: {seeds: 11..14, budget: 8, objective: men, ranges: {pSGLD.temperature: {log: [1e-3, 1]}}}"},
		{"unknown kind of a range", short + "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD.temperature: {lg: [1e-3, 1]}}}"},
		{"a range of one end", short + "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD.temperature: {log: [1e-3]}}}"},
		{"a range of words", short + "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD.temperature: {log: [cold, hot]}}}"},
		{"a value for a range", short + "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD.temperature: 3}}"},
		{"a choice of one", short + "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD.act: {choice: [mean]}}}"},
		{"a fraction in a range of whole numbers", short + "tune: {seeds: 11..14, budget: 8, ranges: {pSGLD.chains: {int: [1, 2.5]}}}"},
		{"a threshold of nothing", short + "thresholds: [regrt(pSGLD) < 1]"},
		{"a threshold without a limit", short + "thresholds: ['regret(pSGLD) <']"},
		{"no list of thresholds", short + "thresholds: regret(pSGLD) < 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			must.That(t, validate(test.file) != nil, "the schema takes it:\n%s", test.file)
			e, err := c.ParseFile("f.yaml", []byte(test.file))
			if err == nil {
				if _, err = e.ResolveNames(c); err == nil { // some errors occur only when the policy is built
					_, err = e.Resolve(t.Context(), c)
				}
			}
			must.That(t, err != nil, "the reader takes it:\n%s", test.file)
		})
	}
}

// TestSchemaOfOnesOwnCatalog checks the schema of option types that are not built in.
func TestSchemaOfOnesOwnCatalog(t *testing.T) {
	type shape struct {
		Width uint `json:"width" doc:"how wide"`
		Kind  string
	}
	type own struct {
		shape
		On     bool               `json:"on"`
		Shape  shape              `json:"shape"`
		Level  *float64           `json:"level"`
		Table  map[string]float64 `json:"table"`
		hidden int
	}
	c := toytest.Catalog(t)
	must.OK(t, toytest.AddPolicy(c, "Own", own{}, func(o own, s policy.Setup) (bandit.Policy, error) {
		return policy.Fixed(o.hidden), nil
	}))
	validate := validator(t, c)
	const file = "name: x\nextends: toy\npolicies: [{policy: Own, set: {OPTIONS}}, {policy: Sulker, set: {after: 3}}]"
	for options, right := range map[string]bool{
		"on: true": true, "width: 3": true, "Kind: round": true, "shape: {width: 3}": true, "shape.width: 3": true,
		"level: 0.5": true, "table: {a: 1}": true,
		"on: 1": false, "width: -3": false, "shape: {with: 3}": false, "hidden: 1": false, "Own: {}": false, "temperature: 1": false,
	} {
		err := validate(strings.Replace(file, "OPTIONS", options, 1))
		must.That(t, (err == nil) == right, "%s: got %v", options, err)
	}
	b, err := c.Schema()
	must.That(t, err == nil && bytes.Contains(b, []byte("how wide")) && !bytes.Contains(b, []byte("pICSGLD")),
		"the schema lacks a description or has another catalog's names (%v)", err)
}
