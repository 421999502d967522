package table

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestDates compares dates with values by hand: 2024-02-29 is day 19,782 after 1970-01-01, a Thursday; 2024-03-01 is in month 3.
func TestDates(t *testing.T) {
	for name, c := range map[string]struct {
		values string
		days   []float64
		err    string
	}{
		"ISO":                   {"2024-02-29,2024-03-01", []float64{19782, 19783}, ""},
		"with a time":           {"2024-02-29 23:59:59,2024-03-01T00:00:00Z", []float64{19782, 19783}, ""},
		"day first":             {"29/02/2024,01/03/2024", []float64{19782, 19783}, ""},
		"month first":           {"02/29/2024,03/01/2024", []float64{19782, 19783}, ""},
		"with points":           {"29.2.2024,1.3.2024", []float64{19782, 19783}, ""},
		"either":                {"01/02/2024,03/04/2024", nil, "no value settles it"},
		"both":                  {"29/02/2024,02/29/2024", nil, "no order of day and month"},
		"no such day":           {"2024-02-30,2024-03-01", nil, "is no date"},
		"versions":              {"1.2.3,1.2.4", nil, "is no date"},
		"addresses":             {"10.0.0.1,10.0.0.2", nil, "is no date"},
		"text":                  {"2024-02-29,soon", nil, "is no date"},
		"numbers with a stroke": {"1/2,3/4", nil, "is no date"},
	} {
		values := strings.Split(c.values, ",")
		parts, err := (&column{name: "d", values: values, codes: []int32{0, 1, -1}, absent: 1}).dates()
		if c.err != "" {
			must.Fail(t, err, c.err)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		days, weekday, month := parts[0], parts[1], parts[2]
		if !slices.Equal(days.numbers[:2], c.days) || !math.IsNaN(days.numbers[2]) || weekday.values[weekday.codes[0]] != "Thursday" ||
			month.values[month.codes[1]] != "3" || weekday.codes[2] != -1 || month.name != "d month" {
			t.Errorf("%s: %+v", name, parts)
		}
	}
}

func TestDecimalCommas(t *testing.T) {
	for _, c := range []struct {
		values  string
		numbers []float64
		sure    bool
	}{
		{"1,5 -0,25 3", []float64{1.5, -0.25, 3}, true},
		{"1,500 2,250 7", []float64{1.5, 2.25, 7}, false},
		{"1,500 0,250 7", []float64{1.5, 0.25, 7}, true},
		{"1,5e2 2,5 3", []float64{150, 2.5, 3}, true},
		{"1 2 3", nil, false},
		{"1,5 2.5 3", nil, false},
		{"1,5,2 2 3", nil, false},
		{"1,5 nan 3", nil, false},
		{"1,5 large 3", nil, false},
		{"56.3% 0.5% -3%", []float64{56.3, 0.5, -3}, true},
		{"1,5% 2% 3%", []float64{1.5, 2, 3}, true},
		{"$1,200.50 -$950 $3", []float64{1200.5, -950, 3}, true},
		{"€1,50 €2 €3", []float64{1.5, 2, 3}, true},
		{"1,500€ 2,250€ 7€", []float64{1.5, 2.25, 7}, false},
		{"$5 €5 5", nil, false},
		{"5% 0.5 3", nil, false},
		{"A1 A2 A3", nil, false},
		{"1,200.5% 2% 3%", nil, false},
	} {
		from := column{values: strings.Fields(c.values), codes: []int32{0, 1, 2, -1}, absent: 1}
		got, sure, err := from.decimalCommas()
		must.That(t, (err == nil) == (c.numbers != nil) && sure == c.sure, "%s: sure %t, %v", c.values, sure, err)
		if err == nil {
			must.That(t, slices.Equal(got.numbers[:3], c.numbers) && math.IsNaN(got.numbers[3]) && got.absent == 1, "%s: %v", c.values, got.numbers)
		}
	}
}

func TestCounts(t *testing.T) {
	up, down, gaps, repeated, halves := make([]float64, 40), make([]float64, 40), make([]float64, 40), make([]float64, 40), make([]float64, 40)
	for i := range up {
		up[i], down[i], gaps[i], repeated[i], halves[i] = float64(i*i), float64(140-i), float64((i*7%40)*50), float64(i/2), float64(i)+0.5
	}
	for name, c := range map[string]struct {
		numbers []float64
		want    bool
	}{"rising": {up, true}, "falling by one": {down, true}, "far apart, in no order": {gaps, false}, "twice each": {repeated, false}, "not whole": {halves, false}, "few": {up[:20], false}} {
		must.Equal(t, name, counts(c.numbers), c.want)
	}
}

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
