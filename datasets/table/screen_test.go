package table

import (
	"math"
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
