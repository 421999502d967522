package replica

import (
	"strings"
	"testing"
)

func TestTableIsCompact(t *testing.T) {
	if len(table) > 200_000 {
		t.Errorf("table.txt has %d bytes", len(table))
	}
}

func TestParseBadTables(t *testing.T) {
	good := "e 2" + strings.Repeat(" a1b1", numAttributes)
	if c, err := parse("# comment\n\n" + good + " # more\n"); err != nil || len(c) != 1 || c[0].rows != 2 {
		t.Fatalf("%v, error %v", c, err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"too few fields", good + "\ne 2 a2", "table.txt:2: 3 fields, want 24"},
		{"class", "x" + good[1:], `class "x"`},
		{"rows", "e -2" + good[3:], `"-2" rows`},
		{"sum", "e 3" + good[3:], `"a1b1" counts 2 rows of 3`},
		{"letter without a count", strings.Replace(good, "a1b1", "a1b", 1), `"a1b": want letters`},
		{"count of nothing", strings.Replace(good, "a1b1", "a2b0", 1), `"a2b0": want letters`},
		{"huge count", strings.Replace(good, "a1b1", "a99999999", 1), `"a99999999": want letters`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse(tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
