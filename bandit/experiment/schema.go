package experiment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/optiontree"
	"banditsim/results/compare"
)

// SchemaFile is the file name of the schema, which experiment files refer to.
const SchemaFile = "experiment.schema.json"

// SchemaTitle is the title of every schema of [Catalog.Schema].
const SchemaTitle = "banditsim experiment"

// DescribeFields sets the descriptions of option fields for the schema: a JSON object with keys
// of the form path/to/package.Type.Field, which Schema decodes.
func (c *Catalog) DescribeFields(docs []byte) { c.fieldDocs = docs }

type schema = map[string]any

// Schema returns the JSON schema (draft 7, which editors support) of experiment files for this
// catalog: its names, and the options of its policies and environments by their Go types.
//
// The description of a field is its struct tag doc:"…" or one from [Catalog.DescribeFields]; a tag
// enum:"a,b" lists the values of an option that is a string in JSON.
func (c *Catalog) Schema() ([]byte, error) {
	s := schemaMaker{Catalog: c, definitions: schema{}}
	if len(c.fieldDocs) > 0 {
		if err := json.Unmarshal(c.fieldDocs, &s.docs); err != nil {
			return nil, fmt.Errorf("experiment: descriptions of fields: %w", err)
		}
	}
	s.definitions["policy"], s.definitions["environment"] = s.policy(), s.environment()
	s.definitions["plugin"], s.definitions["plugin environment"] = declare.Schemas()
	protocol := s.options(reflect.TypeFor[bandit.Protocol](), false)
	var environments []any
	for _, e := range c.environments {
		environments = append(environments, schema{"if": c.runsIn(e.Name), "then": s.scope("environment", reflect.TypeOf(e.defaults))})
	}
	all := []string{"profile", "seeds", "protocol", "policies"}
	b, err := json.MarshalIndent(schema{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"title":       SchemaTitle,
		"description": "An experiment of 'banditsim run FILE.yaml'.",
		"type":        "object",
		"properties": schema{
			"name":        schema{"type": "string", "description": "Name of the experiment: results go to out/NAME.", "minLength": 1, "maxLength": maxName, "pattern": `^[^./\\][^/\\]*$`},
			"title":       schema{"type": "string", "description": "Title of the page of 'banditsim report --html'.", "maxLength": maxText},
			"notes":       schema{"type": "string", "description": "Notes on that page: paragraphs with an empty line between.", "maxLength": maxText},
			"extends":     named("Preset to start from: the other keys override it.", c.Presets()),
			"environment": named("Environment of the experiment.", c.Environments()),
			"environments": schema{"type": "array", "minItems": 1, "description": "Environments of the experiment, if there are several: names, or mappings that give an environment another name, data, options or a protocol.",
				"items": schema{"anyOf": []any{named("", c.Environments()), ref("environment"), ref("plugin environment")}}},
			"profile":     schema{"enum": c.profileNames(), "description": "Defaults of the policies: the method as the paper describes it, or as the authors' program computes it."},
			"data":        schema{"type": "string", "minLength": 1, "description": "Source of the environment's data, such as a path, iris or digits."},
			"seeds":       seedsSchema("Seeds, such as 1..6 or 1,2,5; at least 6 for a comparison."),
			"tuned_seeds": seedsSchema("Seeds on which the options were chosen: tables warn of regret on them."),
			"tune":        tuneSchema(s.definitions),
			"protocol":    protocol,
			"policies": schema{"type": "array", "minItems": 1, "description": "Policies to compare: names, or mappings that give a policy another name, options or a sweep.",
				"items": schema{"anyOf": []any{named("", c.Policies()), ref("policy"), ref("plugin")}}},
			"set": schema{"description": "Options, applied in order: scope.option, where the scope is protocol, environment, the name of a policy, or all. 'banditsim run FILE --dry-run' shows all options.",
				"anyOf": []any{settingsSchema(`^("[^"]+"|[^."=]+)\.[^=]+=`), schema{"type": "object", "additionalProperties": schema{"type": []string{"number", "string", "boolean", "array", "object"}}}}},
			"figure":     figureSchema(),
			"thresholds": schema{"type": "array", "items": thresholdSchema(), "description": "Conditions on means over the seeds; the run ends with exit code 4 if one is missed."},
		},
		"additionalProperties": false,
		"required":             []string{"name"},
		"allOf":                append(environments, s.scope("protocol", reflect.TypeFor[bandit.Protocol]())),
		"not":                  schema{"required": []string{"environment", "environments"}},
		"if":                   schema{"required": []string{"extends"}},
		"then":                 true,
		"else":                 schema{"required": all, "oneOf": []any{schema{"required": []string{"environment"}}, schema{"required": []string{"environments"}}}, "properties": schema{"protocol": schema{"required": []string{"rounds", "pulls", "burn_in"}}}},
		"definitions":          s.definitions,
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("experiment: schema: %w", err)
	}
	b = regexp.MustCompile(`\{\s+("\$ref": "[^"]*")\s+\}`).ReplaceAll(b, []byte("{$1}")) // on one line
	return append(b, '\n'), nil
}

// runsIn matches the experiment files of an environment: those that name it, and those that take
// it from their preset.
func (c *Catalog) runsIn(environment string) schema {
	presets := []string{}
	for _, p := range c.presets {
		if p.Environment == environment {
			presets = append(presets, p.Name)
		}
	}
	named := schema{"required": []string{"environment"}, "properties": schema{"environment": schema{"const": environment}}}
	if len(presets) == 0 {
		return named
	}
	return schema{"anyOf": []any{
		named,
		schema{"required": []string{"extends"}, "properties": schema{"extends": schema{"enum": presets}, "environment": false, "environments": false}},
	}}
}

func ref(definition string) schema { return schema{"$ref": "#/definitions/" + definition} }

// named matches one of the names, each with its description.
func named(description string, entries []Entry) schema {
	list := []any{}
	for _, e := range entries {
		list = append(list, schema{"const": e.Name, "description": e.Doc})
	}
	s := schema{"oneOf": list}
	if description != "" {
		s["description"] = description
	}
	return s
}

// A schemaMaker collects definitions.
type schemaMaker struct {
	*Catalog
	docs        map[string]string // descriptions of options, by path/to/package.Type.Field
	definitions schema
}

// policy matches a mapping in the list of policies. Its settings and sweeps depend on the type of
// the policy's options.
func (s *schemaMaker) policy() schema {
	var types []reflect.Type
	byType := map[reflect.Type][]string{}
	for _, p := range s.policies {
		t := reflect.TypeOf(p.defaults)
		if byType[t] == nil {
			types = append(types, t)
		}
		byType[t] = append(byType[t], p.Name)
	}
	cases := []any{}
	for _, t := range types {
		names := byType[t]
		set, sweep := "set."+names[0], "sweep."+names[0]
		s.definitions[set], s.definitions[sweep] = s.options(t, false), s.options(t, true)
		cases = append(cases, schema{
			"if": schema{"properties": schema{"policy": schema{"enum": names}}},
			"then": schema{"properties": schema{
				"set":   schema{"anyOf": []any{ref(set), settingsSchema("^[^=]+=")}},
				"sweep": ref(sweep),
			}},
		})
	}
	return schema{
		"type": "object",
		"properties": schema{
			"policy": named("", s.Policies()),
			"name":   schema{"type": "string", "minLength": 1, "maxLength": maxName, "description": "Name in tables, --policies and thresholds."},
			"set":    schema{"description": "Options of the policy."},
			"sweep":  schema{"description": "Options with lists of values: one variant per combination, named after it."},
		},
		"required":             []string{"policy"},
		"additionalProperties": false,
		"allOf":                cases,
	}
}

// environment matches a mapping in the list of environments. Its settings depend on the type of the
// environment's options.
func (s *schemaMaker) environment() schema {
	cases := []any{}
	for _, e := range s.environments {
		cases = append(cases, schema{
			"if":   schema{"properties": schema{"environment": schema{"const": e.Name}}},
			"then": schema{"properties": schema{"set": schema{"anyOf": []any{s.options(reflect.TypeOf(e.defaults), false), settingsSchema("^[^=]+=")}}}},
		})
	}
	return schema{
		"type": "object",
		"properties": schema{
			"environment": named("", s.Environments()),
			"name":        schema{"type": "string", "minLength": 1, "maxLength": maxName, "description": "Name in tables and --environment."},
			"data":        schema{"type": "string", "minLength": 1, "description": "Source of the environment's data."},
			"set":         schema{"description": "Options of the environment."},
			"protocol":    schema{"anyOf": []any{s.options(reflect.TypeFor[bandit.Protocol](), false), settingsSchema("^[^=]+=")}, "description": "What differs from the experiment's protocol."},
		},
		"required":             []string{"environment"},
		"additionalProperties": false,
		"allOf":                cases,
	}
}

// options matches a mapping of options of type t to values or, in a sweep, to lists of values.
func (s *schemaMaker) options(t reflect.Type, sweep bool) schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !optiontree.IsGroup(t) {
		return schema{"type": "object"} // it has a decoder of its own
	}
	return s.mapping(t, sweep, true)
}

// scope restricts the settings of an experiment that start with a scope to options of type t, as
// a mapping of their own or as keys with dots.
func (s *schemaMaker) scope(name string, t reflect.Type) schema {
	options := s.options(t, false)
	properties := schema{name: options}
	fields, _ := options["properties"].(schema)
	for field, is := range fields {
		properties[name+"."+field] = is
	}
	prefix := "^" + name + `\.`
	return schema{"properties": schema{"set": schema{"anyOf": []any{
		schema{"type": "array"},
		schema{"type": "object", "properties": properties, "propertyNames": schema{"anyOf": []any{
			schema{"not": schema{"pattern": prefix}},
			schema{"pattern": prefix + "(" + pathsOf(t) + ")$"},
		}}},
	}}}}
}

// mapping matches a mapping with the fields of t as keys and, if short, those of its posterior.
// Keys with dots, of which there are many, are checked by a pattern of names alone.
func (s *schemaMaker) mapping(t reflect.Type, sweep, short bool) schema {
	properties := schema{}
	dotted := s.addFields(properties, t, sweep)
	for _, f := range optiontree.Fields(t) {
		if short && f.JSON == optiontree.Posterior && optiontree.IsGroup(f.Type) {
			dotted = append(dotted, s.addFields(properties, f.Type, sweep)...)
		}
	}
	m := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(dotted) > 0 {
		value := schema{}
		if sweep {
			value = schema{"type": "array", "minItems": 1}
		}
		m["patternProperties"] = schema{"^(" + strings.Join(dotted, "|") + ")$": value}
	}
	return m
}

// addFields adds the fields of t that properties does not have, and returns patterns of their
// paths with dots.
func (s *schemaMaker) addFields(properties schema, t reflect.Type, sweep bool) (dotted []string) {
	for _, f := range optiontree.Fields(t) {
		if optiontree.IsGroup(f.Type) {
			dotted = append(dotted, regexp.QuoteMeta(f.JSON)+`\.(`+pathsOf(f.Type)+")")
		}
		if _, ok := properties[f.JSON]; ok {
			continue
		}
		suffix := ""
		if sweep {
			suffix = ".values"
		}
		switch {
		case optiontree.IsGroup(f.Type):
			properties[f.JSON] = s.define(f, suffix, s.describe(f, s.mapping(f.Type, sweep, false)))
		case sweep:
			value := s.define(f, "", s.describe(f, s.valueOf(f)))
			properties[f.JSON] = s.define(f, suffix, schema{"type": "array", "minItems": 1, "items": value})
		default:
			properties[f.JSON] = s.define(f, suffix, s.describe(f, s.valueOf(f)))
		}
	}
	return dotted
}

// define adds the schema of a field to the definitions and returns a reference to it, or the
// schema itself if another one has that name.
func (s *schemaMaker) define(f optiontree.Field, suffix string, is schema) schema {
	if f.Of == "" {
		return is
	}
	name := strings.ReplaceAll(f.Of, "/", ".") + "." + f.JSON + suffix
	if old, ok := s.definitions[name]; ok && !reflect.DeepEqual(old, is) {
		return is
	}
	s.definitions[name] = is
	return ref(name)
}

func (s *schemaMaker) describe(f optiontree.Field, is schema) schema {
	doc := f.Tag.Get("doc")
	if doc == "" {
		doc = s.docs[f.Of+"."+f.Name]
	}
	if doc != "" {
		is["description"] = doc
	}
	return is
}

// numberPattern matches numbers that some readers of YAML take for text, such as 1e-7, which has no dot.
const numberPattern = `^[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$`

// valueOf returns the schema of the value of an option.
func (s *schemaMaker) valueOf(f optiontree.Field) map[string]any {
	if values := f.Tag.Get("enum"); values != "" {
		return map[string]any{"enum": strings.Split(values, ",")}
	}
	if own, ok := reflect.Zero(f.Type).Interface().(interface{ JSONSchema() map[string]any }); ok {
		return own.JSONSchema()
	}
	switch t := f.Type; t.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": []string{"number", "string"}, "pattern": numberPattern}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Struct: // in a list
		properties := map[string]any{}
		for _, f := range optiontree.Fields(t) {
			properties[f.JSON] = s.describe(f, s.valueOf(f))
		}
		return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	case reflect.Slice, reflect.Array:
		f.Type, f.Tag = t.Elem(), ""
		return map[string]any{"type": "array", "items": s.valueOf(f)}
	}
	return map[string]any{} // it has a decoder of its own
}

// pathsOf returns a pattern of the names of the fields of t, and of those below them with
// dots.
func pathsOf(t reflect.Type) string {
	var names []string
	for _, f := range optiontree.Fields(t) {
		name := regexp.QuoteMeta(f.JSON)
		if optiontree.IsGroup(f.Type) {
			name += `(\.(` + pathsOf(f.Type) + "))?"
		}
		names = append(names, name)
	}
	return strings.Join(names, "|")
}

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
func tuneSchema(definitions schema) schema {
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
			"objective": schema{"enum": []Objective{Mean, Worst}, "description": "What is minimized over the seeds: the mean, or the regret of the worst seed."},
			"metric":    schema{"enum": compare.MetricNames(), "description": "Kind of regret."},
			"draw":      count(0, "Seed of the draws of configurations."),
			"ranges":    schema{"allOf": []any{ranges}, "description": "Options with their ranges: policy.option, or policies with mappings."},
		},
		"required": []string{"seeds", "budget", "ranges"}, "additionalProperties": false}
}
