package builtin_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"os"
	"path"
	"reflect"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// golden compares got with a committed file, which -update renews.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		must.OK(t, os.WriteFile(path, got, 0o666))
	}
	want := must.Get(os.ReadFile(path))(t)
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date, want\n%s\nLook at what has changed, and renew it with\n\tgo test ./cmd/banditsim/builtin -run '%s' -update", path, got, t.Name())
	}
}

// TestFieldDocs checks that fielddocs.json has the comments of the option fields in the source. The schema is made from the
// embedded fielddocs.json, so -update has to run twice.
func TestFieldDocs(t *testing.T) {
	docs := map[string]string{}
	module := strings.TrimSuffix(reflect.TypeFor[experiment.Catalog]().PkgPath(), "bandit/experiment")
	eachFile(t, []string{"bandit", "cmd/banditsim/builtin", "datasets", "policy", "posterior"}, func(name string, file *ast.File) {
		for typ, s := range structs(file) {
			for _, field := range s.Fields.List {
				doc := strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
				if field.Tag == nil || !strings.Contains(field.Tag.Value, `json:"`) || doc == "" {
					continue
				}
				for _, id := range field.Names {
					docs[module+path.Dir(name)+"."+typ+"."+id.Name] = doc
				}
			}
		}
	})
	must.Hold(t, len(docs) >= 10, "only %d fields have a comment", len(docs))
	b := must.Get(json.MarshalIndent(docs, "", "  "))(t)
	golden(t, "fielddocs.json", append(b, '\n'))
}

func structs(f *ast.File) map[string]*ast.StructType {
	found := map[string]*ast.StructType{}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && (spec.Name.IsExported() || strings.HasSuffix(spec.Name.Name, "Options")) {
			if s, ok := spec.Type.(*ast.StructType); ok {
				found[spec.Name.Name] = s
			}
		}
		return true
	})
	return found
}

func TestSchemaIsUpToDate(t *testing.T) {
	b := must.Get(builtin.Default().Schema())(t)
	golden(t, "../../../docs/"+experiment.SchemaFile, b)
}
