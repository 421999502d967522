// Package fileschema makes the JSON schema of experiment files.
package fileschema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/experiment/internal/figuresection"
	"banditsim/bandit/experiment/internal/naming"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/optiontree"
)

// Title is the title of every schema.
const Title = "banditsim experiment"

// A Catalog holds what experiment files can name.
type Catalog struct {
	Policies, Environments []Named
	Presets                []Named
	Profiles               []string
	Objectives             []string          // objectives of searches for options
	MaxText                int               // bytes of a title or of notes
	FieldDocs              map[string]string // descriptions of options, by path/to/package.Type.Field
}

// Named is a name with its one-line description.
type Named struct {
	Name, Doc   string
	Options     reflect.Type // type of a policy or an environment
	Environment string       // environment that a preset on one environment names
}

type schema = map[string]any

// JSON returns the schema (draft 7, which editors support) of the experiment files of a catalog.
//
// The description of a field is its struct tag doc:"…" or one of FieldDocs; a tag enum:"a,b" lists
// the values of an option that is a string in JSON.
func (c *Catalog) JSON() ([]byte, error) {
	s := maker{Catalog: c, definitions: schema{}}
	s.definitions["policy"], s.definitions["environment"] = s.policy(), s.environment()
	s.definitions["plugin"], s.definitions["plugin environment"] = declare.Schemas()
	protocol := s.options(reflect.TypeFor[bandit.Protocol](), false)
	var environments []any
	for _, e := range c.Environments {
		environments = append(environments, schema{"if": c.runsIn(e.Name), "then": s.scope("environment", e.Options)})
	}
	all := []string{"profile", "seeds", "protocol", "policies"}
	b, err := json.MarshalIndent(schema{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"title":       Title,
		"description": "An experiment of 'banditsim run FILE.yaml'.",
		"type":        "object",
		"properties": schema{
			"name":        schema{"type": "string", "description": "Name of the experiment: results go to out/NAME.", "minLength": 1, "maxLength": naming.Max, "pattern": `^[^./\\][^/\\]*$`},
			"title":       schema{"type": "string", "description": "Title of the page of 'banditsim report --html'.", "maxLength": c.MaxText},
			"notes":       schema{"type": "string", "description": "Notes on that page: paragraphs with an empty line between.", "maxLength": c.MaxText},
			"extends":     named("Preset to start from: the other keys override it.", c.Presets),
			"environment": named("Environment of the experiment.", c.Environments),
			"environments": schema{"type": "array", "minItems": 1, "description": "Environments of the experiment, if there are several: names, or mappings that give an environment another name, data, options or a protocol.",
				"items": schema{"anyOf": []any{named("", c.Environments), ref("environment"), ref("plugin environment")}}},
			"profile":     schema{"enum": c.Profiles, "description": "Defaults of the policies: the method as the paper describes it, or as the authors' program computes it."},
			"data":        schema{"type": "string", "minLength": 1, "description": "Source of the environment's data, such as a path, iris or digits."},
			"seeds":       seedsSchema("Seeds, such as 1..6 or 1,2,5; at least 6 for a comparison."),
			"tuned_seeds": seedsSchema("Seeds on which the options were chosen: tables warn of regret on them."),
			"tune":        tuneSchema(s.definitions, c.Objectives),
			"protocol":    protocol,
			"policies": schema{"type": "array", "minItems": 1, "description": "Policies to compare: names, or mappings that give a policy another name, options or a sweep.",
				"items": schema{"anyOf": []any{named("", c.Policies), ref("policy"), ref("plugin")}}},
			"set": schema{"description": "Options, applied in order: scope.option, where the scope is protocol, environment, the name of a policy, or all. 'banditsim run FILE --dry-run' shows all options.",
				"anyOf": []any{settingsSchema(`^("[^"]+"|[^."=]+)\.[^=]+=`), schema{"type": "object", "additionalProperties": schema{"type": []string{"number", "string", "boolean", "array", "object"}}}}},
			"figure":     schema(figuresection.Schema()),
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
	for _, p := range c.Presets {
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
func named(description string, entries []Named) schema {
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

// A maker collects definitions.
type maker struct {
	*Catalog
	definitions schema
}

// policy matches a mapping in the list of policies. Its settings and sweeps depend on the type of
// the policy's options.
func (s *maker) policy() schema {
	var types []reflect.Type
	byType := map[reflect.Type][]string{}
	for _, p := range s.Policies {
		if byType[p.Options] == nil {
			types = append(types, p.Options)
		}
		byType[p.Options] = append(byType[p.Options], p.Name)
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
			"policy": named("", s.Policies),
			"name":   schema{"type": "string", "minLength": 1, "maxLength": naming.Max, "description": "Name in tables, --policies and thresholds."},
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
func (s *maker) environment() schema {
	cases := []any{}
	for _, e := range s.Environments {
		cases = append(cases, schema{
			"if":   schema{"properties": schema{"environment": schema{"const": e.Name}}},
			"then": schema{"properties": schema{"set": schema{"anyOf": []any{s.options(e.Options, false), settingsSchema("^[^=]+=")}}}},
		})
	}
	return schema{
		"type": "object",
		"properties": schema{
			"environment": named("", s.Environments),
			"name":        schema{"type": "string", "minLength": 1, "maxLength": naming.Max, "description": "Name in tables and --environment."},
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
func (s *maker) options(t reflect.Type, sweep bool) schema {
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
func (s *maker) scope(name string, t reflect.Type) schema {
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
func (s *maker) mapping(t reflect.Type, sweep, short bool) schema {
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
func (s *maker) addFields(properties schema, t reflect.Type, sweep bool) (dotted []string) {
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
func (s *maker) define(f optiontree.Field, suffix string, is schema) schema {
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

func (s *maker) describe(f optiontree.Field, is schema) schema {
	doc := f.Tag.Get("doc")
	if doc == "" {
		doc = s.FieldDocs[f.Of+"."+f.Name]
	}
	if doc != "" {
		is["description"] = doc
	}
	return is
}
