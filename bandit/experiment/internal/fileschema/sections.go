package fileschema

import (
	"strings"

	"banditsim/results/compare"
)

// seedsSchema returns the schema of a list of seeds.
func seedsSchema(doc string) schema {
	one := schema{"type": "integer", "minimum": 1}
	text := schema{"type": "string", "pattern": `^\s*[0-9]+(\.\.[0-9]+)?(\s*,\s*[0-9]+(\.\.[0-9]+)?)*\s*$`}
	return schema{"description": doc,
		"anyOf": []any{text, one, schema{"type": "array", "minItems": 1, "items": schema{"anyOf": []any{text, one}}}}}
}

// thresholdSchema returns the schema of a threshold.
func thresholdSchema() schema {
	term := `\s*(` + strings.Join(compare.ThresholdMetrics(), "|") + `)\s*\([^()]+\)\s*`
	return schema{"type": "string", "pattern": "^" + term + "(-" + term + `)?(<=|>=|<|>)\s*[-+]?[0-9.]+([eE][-+]?[0-9]+)?\s*$`,
		"description": "Such as regret(POLICY) < 4000 or regret(POLICY) - regret(OTHER) < 0; metrics are " + strings.Join(compare.ThresholdMetrics(), ", ") + "."}
}

// settingsSchema returns the schema of settings as a list of texts.
func settingsSchema(pattern string) schema {
	return schema{"type": "array", "items": schema{"type": "string", "pattern": pattern}}
}

// tuneSchema returns the schema of a tune section. It adds a definition.
func tuneSchema(definitions schema, objectives []string) schema {
	ranges := schema{"$ref": "#/definitions/ranges"}
	bound := schema{"type": []string{"number", "string"}, "pattern": numberPattern}
	ends := schema{"type": "array", "minItems": 2, "maxItems": 2, "items": bound}
	kinds := []any{}
	for _, k := range []struct {
		kind string
		is   schema
	}{
		{"log", ends}, {"linear", ends},
		{"int", schema{"type": "array", "minItems": 2, "maxItems": 2, "items": schema{"type": "integer"}}},
		{"choice", schema{"type": "array", "minItems": 2, "uniqueItems": true}},
	} {
		kinds = append(kinds, schema{"type": "object", "required": []string{k.kind}, "additionalProperties": false, "properties": schema{k.kind: k.is}})
	}
	definitions["ranges"] = schema{"type": "object", "minProperties": 1, "additionalProperties": schema{"anyOf": append(kinds, ranges)}}
	count := func(least int, doc string) schema {
		return schema{"type": "integer", "minimum": least, "description": doc}
	}
	return schema{"type": "object", "description": "What 'banditsim tune' searches, and how.",
		"properties": schema{
			"seeds":  seedsSchema("Seeds that the search sees, none of them among the experiment's, which are held out."),
			"budget": count(1, "Cost of the search for each policy, in trials of all rounds."),
			"halving": schema{"type": "object", "description": "Successive halving, from short trials on few seeds; without it the search is random.",
				"properties": schema{
					"eta":    count(2, "Every rung keeps one configuration of so many, with so many times its rounds or seeds."),
					"rounds": count(1, "Rounds of the first rung, at least."),
					"seeds":  count(1, "Seeds of the first rung, at least."),
				}, "required": []string{"eta", "rounds", "seeds"}, "additionalProperties": false},
			"objective": schema{"enum": objectives, "description": "What is minimized over the seeds: the mean, or the regret of the worst seed."},
			"metric":    schema{"enum": compare.MetricNames(), "description": "Kind of regret."},
			"draw":      count(0, "Seed of the draws of configurations."),
			"ranges":    schema{"allOf": []any{ranges}, "description": "Options with their ranges: policy.option, or policies with mappings."},
		},
		"required": []string{"seeds", "budget", "ranges"}, "additionalProperties": false}
}
