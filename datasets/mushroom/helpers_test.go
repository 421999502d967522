package mushroom

import (
	"strings"
	"testing"
)

// Two rows as the file has them.
const (
	edibleRow    = "e,x,s,y,t,a,f,c,b,k,e,c,s,s,w,w,p,w,o,p,n,n,g"
	poisonousRow = "p,x,s,n,t,p,f,c,n,k,e,e,s,s,w,w,p,w,o,p,k,s,u"
)

// with returns a row with the letter of an attribute changed.
func with(row, attribute, letter string) string {
	fields := strings.Split(row, ",")
	for a := range schema {
		if schema[a].Name == attribute {
			fields[a+1] = letter
			return strings.Join(fields, ",")
		}
	}
	panic("no attribute " + attribute)
}

// table reads lines.
func table(t testing.TB, lines ...string) *Table {
	t.Helper()
	table, err := Read(t.Context(), strings.NewReader(strings.Join(lines, "\n")), "test")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func uciTable(t testing.TB) *Table {
	t.Helper()
	table, err := UCI()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// wantError checks that err is one and contains all the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one of %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}
