package experiment

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/figure"
	"banditsim/internal/lists"
	"banditsim/internal/optiontree"
	"banditsim/results/compare"
)

// SchemaFile is the file name of the schema, which experiment files refer to.
const SchemaFile = "experiment.schema.json"

// schemaText is the part of the schema that does not depend on the catalog. A string "@name" in it stands for the part
// with this name: one that the file itself contains, or one that the method schema makes from the catalog.
//
//go:embed schema.json
var schemaText []byte

type schema = map[string]any

// Schema returns the JSON schema (draft 7, which editors support) of experiment files for this catalog: the names in
// it, and the options of its policies and environments according to their Go types.
//
// The description of a field is its struct tag doc:"…" or, if it has none, its entry in FieldDocs. A struct tag
// enum:"a,b" lists the values of an option that is a string in JSON.
func (c *Catalog) Schema() ([]byte, error) {
	b, err := c.schema()
	if err != nil {
		return nil, fmt.Errorf("experiment: schema: %w", err)
	}
	b = regexp.MustCompile(`\{\s+("\$ref": "[^"]*")\s+\}`).ReplaceAll(b, []byte("{$1}")) // puts references on one line
	return append(b, '\n'), nil
}

func (c *Catalog) schema() ([]byte, error) {
	s := schemaMaker{Catalog: c, definitions: schema{}, presetsOn: map[string][]string{}}
	for _, p := range c.presets {
		e, err := p.read()
		if err != nil {
			return nil, err
		}
		s.presetsOn[e.Environment] = append(s.presetsOn[e.Environment], p.Name)
	}
	var file struct {
		Parts  map[string]any
		Schema json.RawMessage
	}
	if err := json.Unmarshal(schemaText, &file); err != nil {
		return nil, err
	}
	if len(c.FieldDocs) > 0 {
		if err := json.Unmarshal(c.FieldDocs, &s.docs); err != nil {
			return nil, fmt.Errorf("descriptions of fields: %w", err)
		}
	}
	quantities := compare.ThresholdMetrics()
	text := strings.NewReplacer("@quantities", strings.Join(quantities, "|"), "@quantity list", strings.Join(quantities, ", ")).
		Replace(string(file.Schema))
	maps.Copy(file.Parts, schema{
		"policies": named(c.Policies()), "environments": named(c.Environments()), "presets": named(c.Presets()),
		"profiles": append([]string{}, c.profileNames()...), "rules": declare.Rules(), "metrics": compare.MetricNames(),
		"figure": figure.Schema(), "protocol": s.options(reflect.TypeFor[bandit.Protocol](), false),
		"policy options": s.policyCases(), "environment options": s.environmentCases(), "settings": s.settingCases(),
	})
	for name, part := range file.Parts {
		b, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		text = strings.ReplaceAll(text, `"@`+name+`"`, string(b))
	}
	all := schema{}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, err
	}
	maps.Copy(all["definitions"].(schema), s.definitions)
	return json.MarshalIndent(all, "", "  ")
}

// runsIn returns a schema of experiment files that name an environment, or name none and extend a preset that uses it.
func (s *schemaMaker) runsIn(environment string) schema {
	presets := s.presetsOn[environment]
	named := schema{"required": []string{"environment"}, "properties": schema{"environment": schema{"const": environment}}}
	if len(presets) == 0 {
		return named
	}
	return anyOf(named, schema{"required": []string{"extends"}, "properties": schema{"extends": schema{"enum": presets}, "environment": false, "environments": false}})
}

func ref(definition string) schema { return schema{"$ref": "#/definitions/" + definition} }

func anyOf(of ...any) schema { return schema{"anyOf": of} }

// when returns a schema of mappings. If the given property satisfies condition, the properties in the argument then
// must satisfy the schemas that they have there.
func when(property string, condition, then schema) schema {
	return schema{"if": schema{"properties": schema{property: condition}}, "then": schema{"properties": then}}
}

// named returns what the keyword oneOf needs: for each entry a schema of its name, with its description.
func named(entries []Entry) []any {
	return append([]any{}, lists.Each(entries, func(e Entry) any { return schema{"const": e.Name, "description": e.Doc} })...)
}

// A schemaMaker builds the parts of the schema that depend on the catalog, and collects their common definitions.
type schemaMaker struct {
	*Catalog
	docs        map[string]string // descriptions of options, by path/to/package.Type.Field
	definitions schema
	presetsOn   map[string][]string // names of the presets by the name of their environment
}

// policyCases returns the if/then schemas of a policy's settings and sweep: one for each type of options.
func (s *schemaMaker) policyCases() []any {
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
		cases = append(cases, when("policy", schema{"enum": names}, schema{"set": anyOf(ref(set), listOfSettings), "sweep": ref(sweep)}))
	}
	return cases
}

// listOfSettings is the schema of settings that are written as a list of strings.
var listOfSettings = schema{"type": "array", "items": schema{"type": "string", "pattern": "^[^=]+="}}

// environmentCases returns the if/then schemas, one for each environment, of the settings in the list "environments".
func (s *schemaMaker) environmentCases() []any {
	return append([]any{}, lists.Each(s.environments, func(e kind[openWorld]) any {
		set := anyOf(s.options(reflect.TypeOf(e.defaults), false), listOfSettings)
		return when("environment", schema{"const": e.Name}, schema{"set": set})
	})...)
}

// settingCases returns schemas of settings: for each environment those of scope "environment", then of "protocol".
func (s *schemaMaker) settingCases() []any {
	cases := []any{}
	for _, e := range s.environments {
		cases = append(cases, schema{"if": s.runsIn(e.Name), "then": s.scope("environment", reflect.TypeOf(e.defaults))})
	}
	return append(cases, s.scope("protocol", reflect.TypeFor[bandit.Protocol]()))
}

// options returns the schema of a mapping from the options in struct t to values or, in a sweep, to lists of values.
func (s *schemaMaker) options(t reflect.Type, sweep bool) schema {
	if !optiontree.IsGroup(t) {
		return schema{"type": "object"} // t decodes itself, so that its fields are unknown
	}
	return s.mapping(t, sweep, true)
}

// scope returns a schema of the experiment's settings. Settings of the scope called name must be options of the struct
// t. They can be written as a nested mapping or as keys with dots.
func (s *schemaMaker) scope(name string, t reflect.Type) schema {
	options := s.options(t, false)
	properties := schema{name: options}
	fields, _ := options["properties"].(schema)
	for field, is := range fields {
		properties[name+"."+field] = is
	}
	prefix := "^" + name + `\.`
	names := anyOf(schema{"not": schema{"pattern": prefix}}, schema{"pattern": prefix + "(" + pathsOf(t) + ")$"})
	return schema{"properties": schema{"set": anyOf(schema{"type": "array"}, schema{"type": "object", "properties": properties, "propertyNames": names})}}
}

// mapping returns the schema of a mapping whose keys are the fields of t and, if short is true, those of its posterior
// that t does not have. There are so many keys with dots that only a pattern checks them; their values are not checked.
func (s *schemaMaker) mapping(t reflect.Type, sweep, short bool) schema {
	fields, suffix, value := optiontree.Fields(t), "", schema{}
	for _, f := range fields {
		if short && f.JSON == optiontree.Posterior && optiontree.IsGroup(f.Type) {
			fields = slices.Concat(fields, optiontree.Fields(f.Type))
		}
	}
	if sweep {
		suffix, value = ".values", schema{"type": "array", "minItems": 1}
	}
	properties, dotted := schema{}, []string{}
	for _, f := range fields {
		group := optiontree.IsGroup(f.Type)
		if group {
			dotted = append(dotted, regexp.QuoteMeta(f.JSON)+`\.(`+pathsOf(f.Type)+")")
		}
		if properties[f.JSON] != nil {
			continue
		}
		if group {
			properties[f.JSON] = s.define(f, suffix, s.describe(f, s.mapping(f.Type, sweep, false)))
			continue
		}
		properties[f.JSON] = s.define(f, "", s.describe(f, s.valueOf(f)))
		if sweep {
			properties[f.JSON] = s.define(f, suffix, schema{"type": "array", "minItems": 1, "items": properties[f.JSON]})
		}
	}
	m := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(dotted) > 0 {
		m["patternProperties"] = schema{"^(" + strings.Join(dotted, "|") + ")$": value}
	}
	return m
}

// define adds the argument is, the schema of field f, to the definitions and returns a reference to it. If the name is
// taken by a different schema, or f has no name to refer to (see Field.Of), define returns the argument is.
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
	if doc := cmp.Or(f.Tag.Get("doc"), s.docs[f.Of+"."+f.Name]); doc != "" {
		is["description"] = doc
	}
	return is
}

// numberPattern matches numbers, also those that some YAML readers take for strings, such as 1e-7, which has no dot.
const numberPattern = `^[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$`

// valueOf returns the schema of the value of an option.
func (s *schemaMaker) valueOf(f optiontree.Field) schema {
	if values := f.Tag.Get("enum"); values != "" {
		return schema{"enum": strings.Split(values, ",")}
	}
	if own, ok := reflect.Zero(f.Type).Interface().(interface{ JSONSchema() map[string]any }); ok {
		return own.JSONSchema()
	}
	switch t := f.Type; t.Kind() {
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return schema{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return schema{"type": "integer", "minimum": 0}
	case reflect.Float32, reflect.Float64:
		return schema{"type": []string{"number", "string"}, "pattern": numberPattern}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Struct: // in a list
		properties := schema{}
		for _, f := range optiontree.Fields(t) {
			properties[f.JSON] = s.describe(f, s.valueOf(f))
		}
		return schema{"type": "object", "properties": properties, "additionalProperties": false}
	case reflect.Slice, reflect.Array:
		f.Type, f.Tag = t.Elem(), ""
		return schema{"type": "array", "items": s.valueOf(f)}
	}
	return schema{} // a type that decodes itself: any value
}

// pathsOf returns a regular expression that matches the path of any field of t, with dots for nested fields.
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
