package mushroom

import (
	"slices"
	"testing"
)

func TestSchema(t *testing.T) {
	if len(Schema()) != numAttributes {
		t.Fatalf("%d attributes, want %d", len(Schema()), numAttributes)
	}
	// The UCI description has 126 values, of which 117 occur in the file.
	legal, occurring := 0, 0
	for _, a := range Schema() {
		legal += len(a.Values)
		occurring += a.InUCI
		for i, v := range a.Values {
			if v.Name == "" || a.Index(v.Letter) != i {
				t.Errorf("%s: value %d, %q %q, is nameless or there twice", a.Name, i, v.Letter, v.Name)
			}
		}
		if a.Index('!') != -1 {
			t.Errorf("%s knows '!'", a.Name)
		}
	}
	if legal != 126 || occurring != 117 {
		t.Errorf("%d legal values and %d in the file, want 126 and 117", legal, occurring)
	}
	odor := Schema()[4]
	if v := odor.Values[odor.Index('p')]; odor.Name != "odor" || v.Name != "pungent" {
		t.Errorf("attribute 4 is %q with p %q, want odor with p pungent", odor.Name, v.Name)
	}
}

func TestSchemaIsThatOfTheUCIFile(t *testing.T) {
	table := uciTable(t)
	columns := table.columns()
	for a := range schema {
		for i, v := range schema[a].Values {
			if occurs := slices.Contains(columns[1+a].Values, string(v.Letter)); occurs != (i < schema[a].InUCI) {
				t.Errorf("%s=%s occurs: %v", schema[a].Name, v.Name, occurs)
			}
		}
	}
}
