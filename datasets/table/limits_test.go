package table

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestLimits checks that too many rows, columns or bytes are errors, also in a row that does not end.
func TestLimits(t *testing.T) {
	defer func(cells int) { maxCells = cells }(maxCells)
	maxCells = 5000
	repeat := func(line string, n int) string { return strings.Repeat(line, n) }
	columns := strings.TrimSuffix(repeat("1,", 1000), ",") + "\n"
	for _, c := range []struct{ file, text, change, want string }{
		{"f.csv", repeat(columns, 6), "", "f.csv has 6 rows of 1000 columns, want at most 5000 cells"},
		{"f.csv", repeat(columns, 6), `"drop":["1","2"]`, "6 rows of 998 columns"},
		{"f.arff", "@attribute a numeric\n@attribute b {x}\n@attribute c {u,v}\n@data\n" + repeat("1,x,u\n", 2000), "", "2000 rows of 3 columns"},
		{"f.libsvm", repeat("1 1:1 999:2\n", 6), "", "6 rows of 1000 columns"},
		{"f.csv", "a,b\n" + repeat("1,", 500_000), "", "f.csv:2:1: 500001 columns, want at most 10000"},
		{"f.csv", "a,b\n" + repeat("1,", 5_000_000), "", "f.csv:2:1: the row that begins here has more than 16 MiB, or 10000 columns"},
		{"f.csv", "a,b\n1,\"x\n" + repeat("2,y,,,,,,,,,,\n", 2_000_000), "", "f.csv:2:1: the row that begins here has more than 16 MiB, or 10000 columns: is a quote not closed"},
		{"f.csv", "a,b\n1,\"x\n" + repeat("2ydkrewlrkewlrewr\n", 2_000_000), "", "f.csv:2:1: the row that begins here has more than 16 MiB"},
		{"f.arff", repeat("@attribute a numeric\n", 10_001), "", "f.arff:10001:1: more than 10000 attributes"},
		{"f.arff", "@attribute a numeric\n@attribute b {u}\n@data\n" + repeat("1,", 100_000), "", "f.arff:4:5: 10001 cells, want 2"},
		{"f.arff", "@relation x\n@attribute " + repeat("a", 20_000_000), "", "f.arff:2:1: the line has more than 16 MiB"},
		{"f.libsvm", "1 1:1\n1 1:" + repeat("1", 20_000_000), "", "f.libsvm:2:1: the line has more than 16 MiB"},
	} {
		must.Refuse(parse(c.file, []byte(c.text), options(t, c.change)))(t, c.want)
	}
}

// TestFileSizes checks that a file is rejected, before it is read into memory, if its text is too large, compressed or not.
func TestFileSizes(t *testing.T) {
	large := must.File(t, "large.csv", "")
	if err := os.Truncate(large, 1<<30); err != nil { // sparse: it takes no space on disk
		t.Fatal(err)
	}
	member := compress(t, make([]byte, 64<<20))
	for _, path := range map[string]string{"plain": large, "compressed": must.File(t, "bomb.csv.gz", bytes.Repeat(member, 9))} {
		must.Refuse(Kind().Open(t.Context(), Kind().Defaults(), path))(t, "has more than 512 MiB of text")
	}
}
