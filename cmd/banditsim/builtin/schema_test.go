package builtin_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// golden compares with a committed file, which -update renews.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		must.OK(t, os.WriteFile(path, got, 0o666))
	}
	want := must.Get(os.ReadFile(path))(t)
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date: renew it with\n\tgo test ./cmd/banditsim/builtin -run 'FieldDocs|Schema' -update", path)
	}
}

// TestFieldDocs takes the descriptions of options from the comments in the source.
// It comes before the schema's test, which needs them: -update has to run twice.
func TestFieldDocs(t *testing.T) {
	docs := map[string]string{}
	module := strings.TrimSuffix(reflect.TypeFor[experiment.Catalog]().PkgPath(), "bandit/experiment")
	for _, root := range []string{"bandit", "cmd/banditsim/builtin", "datasets", "policy", "posterior"} {
		err := filepath.WalkDir("../../../"+root, func(file string, _ fs.DirEntry, err error) error {
			if filepath.Base(file) == "simulation" { // its options are not in the schema
				return fs.SkipDir
			}
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			path := module + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../../../")
			f := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments))(t)
			for typ, s := range structs(f) {
				for _, field := range s.Fields.List {
					doc := strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
					if field.Tag == nil || !strings.Contains(field.Tag.Value, `json:"`) || doc == "" {
						continue
					}
					for _, name := range field.Names {
						docs[path+"."+typ+"."+name.Name] = doc
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(docs) < 10 {
		t.Fatalf("only %d fields have a comment", len(docs))
	}
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
