package page

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

var update = flag.Bool("update", false, "write page.schema.json")

// schemaMaker makes a JSON schema from the types of contract.go.
type schemaMaker struct {
	docs        map[string]string // comments, by Type and Type.Field
	definitions map[string]any
}

type object = map[string]any

func (s schemaMaker) of(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[numbers](), t == reflect.TypeFor[rounded]():
		s.definitions[t.Name()] = object{"description": s.docs[t.Name()], "type": []string{"array", "null"}, "items": object{"type": []string{"number", "null"}}}
		return object{"$ref": "#/definitions/" + t.Name()}
	case t.Kind() == reflect.Pointer:
		return object{"anyOf": []any{s.of(t.Elem()), object{"type": "null"}}}
	case t.Kind() == reflect.Slice:
		return object{"type": []string{"array", "null"}, "items": s.of(t.Elem())}
	case t.Kind() == reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case t.Kind() == reflect.Struct:
		if s.definitions[t.Name()] == nil {
			s.definitions[t.Name()] = object{} // a type may contain itself
			s.definitions[t.Name()] = s.fields(t)
		}
		return object{"$ref": "#/definitions/" + t.Name()}
	}
	kinds := map[reflect.Kind]string{reflect.Int: "integer", reflect.Float64: "number", reflect.String: "string", reflect.Bool: "boolean"}
	return object{"type": kinds[t.Kind()]} // null for other kinds, which is not a valid schema
}

func (s schemaMaker) fields(t reflect.Type) object {
	properties, required := object{}, []string{}
	for f := range t.Fields() {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		property := s.of(f.Type)
		if property["$ref"] != nil {
			property = object{"allOf": []any{property}} // keywords beside $ref are ignored
		}
		property["description"] = s.docs[t.Name()+"."+f.Name]
		properties[name] = property
		if option == "" {
			required = append(required, name)
		}
	}
	return object{"type": "object", "description": s.docs[t.Name()], "properties": properties, "required": required, "additionalProperties": false}
}

// commentsOf returns the comments of the types and fields of a file, each on one line.
func commentsOf(t *testing.T, path string) map[string]string {
	file := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments))(t)
	docs := make(map[string]string)
	line := func(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		spec := g.Specs[0].(*ast.TypeSpec)
		docs[spec.Name.Name] = line(g.Doc)
		if fields, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				for _, name := range f.Names {
					docs[spec.Name.Name+"."+name.Name] = strings.TrimSpace(line(f.Doc) + " " + line(f.Comment))
				}
			}
		}
	}
	return docs
}

// TestSchema checks that page.schema.json agrees with contract.go, and that the data of pages conform to it. To update it:
//
//	go test ./internal/page -run Schema -update
func TestSchema(t *testing.T) {
	const path = "page.schema.json"
	s := schemaMaker{commentsOf(t, "contract.go"), make(map[string]any)}
	root := s.of(reflect.TypeFor[data]())
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	must.OK(t, e.Encode(object{"$schema": "http://json-schema.org/draft-07/schema#", "title": "data of a banditsim page", "$ref": root["$ref"], "definitions": s.definitions}))
	if *update {
		must.OK(t, os.WriteFile(path, b.Bytes(), 0o644))
	}
	must.That(t, bytes.Equal(resultstest.ReadFile(t, path), b.Bytes()),
		"%s is not what contract.go makes: go test ./internal/page -run Schema -update", path)
	schema := must.Get(jsonschema.NewCompiler().Compile(path))(t)
	for name, f := range map[string]resultstest.Folder{
		"whole":   {Policies: []string{"a", "b", "c"}, Kinds: []resultstest.Kind{resultstest.Contour, resultstest.Sampler}, Seeds: 3, Rounds: 120, BurnIn: 1024},
		"no seed": {Policies: []string{"a", "b"}, Seeds: 2, Rounds: 20, Fails: func(string, uint64) bool { return true }},
		"one":     {Policies: []string{"a"}, Seeds: 1, Rounds: 1, BurnIn: 20},
	} {
		v := must.Get(newView([]*results.Set{resultstest.Write(t, t.TempDir(), f)}, Options{}))(t)
		b := must.Get(json.Marshal(v.Data))(t)
		instance := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(b)))(t)
		must.Want(t, name, schema.Validate(instance), "")
		// A key that contract.go does not define is invalid.
		instance.(object)["environments"].([]any)[0].(object)["more"] = 1
		must.That(t, schema.Validate(instance) != nil, "%s: the schema allows any key", name)
	}
}
