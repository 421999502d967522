package words

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"banditsim/internal/must"
)

// TestNumbers checks the table of numbers that TestNumbers of internal/page/browser checks for the scripts of pages.
func TestNumbers(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/numbers.json"))(t)
	var rows []struct {
		Formatter string
		Values    []*float64
		Text      string
	}
	must.OK(t, json.Unmarshal(text, &rows))
	must.That(t, len(rows) >= 50, "%d rows", len(rows))
	for _, row := range rows {
		var v [2]float64
		for i, value := range row.Values {
			if v[i] = math.NaN(); value != nil {
				v[i] = *value
			}
		}
		formatter, ok := map[string]func() string{
			"amount": func() string { return Amount(v[0]) }, "amountTo": func() string { return AmountTo(v[0], int(v[1])) },
			"plusMinus": func() string { return PlusMinus(v[0], v[1]) }, "tick": func() string { return Tick(v[0], v[1]) },
			"pValue": func() string { return PValue(v[0]) }, "probability": func() string { return Share(v[0]) }, "percent": func() string { return Percent(v[0]) },
		}[row.Formatter]
		must.Hold(t, ok, "no formatter %q", row.Formatter)
		must.Equal(t, fmt.Sprintf("%s of %v", row.Formatter, v), formatter(), row.Text)
	}
}

func TestFormats(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct{ got, want string }{
		{Group("1"), "1"}, {Group("999"), "999"}, {Group("1000"), "1,000"}, {Group("-1234567.5"), "−1,234,567.5"},
		{Amount(5012.4), "5,012"}, {Amount(12.34), "12.3"}, {Amount(0.01234), "0.0123"}, {Amount(0), "0"},
		{Amount(-40), "−40.0"}, {Amount(nan), "–"}, {Amount(math.Inf(1)), "–"}, {Amount(math.Copysign(0, -1)), "0"},
		{Amount(2e-9), "0.000000002000"[:len("0.00000000200")]}, {Amount(2e-10), "2e-10"}, {Amount(-2e-10), "−2e-10"}, {Amount(1e15), "1e+15"},
		{Percent(75.64), "75.6 %"}, {Percent(nan), "–"},
		{PValue(0.0921), "0.092"}, {PValue(1e-9), "< 0.001"}, {PValue(1), "1"}, {PValue(nan), "–"},
		{Exact(0.1), "0.1"}, {Exact(2e-9), "2e-9"}, {Exact(nan), ""}, {Exact(1234567.25), "1234567.25"},
		{Plain("a\x1b[31m\nb|ü"), "a?[31m?b|ü"},
		{Ranges([]uint64{1, 2, 3, 7, 9, 10}), "1–3, 7, 9, 10"}, {Ranges(nil), ""},
		{Count(1, "pull"), "1 pull"}, {Count(1024, "pull"), "1,024 pulls"}, {Count(0, "seed"), "0 seeds"},
		{Shorten("abcdef", 6), "abcdef"}, {Shorten("abcdefg", 6), "abc…"}, {Shorten("äöü", 5), "ä…"},
	} {
		must.That(t, test.got == test.want, "%q, want %q", test.got, test.want)
	}
}

func TestDuration(t *testing.T) {
	for _, test := range []struct {
		seconds float64
		want    string
	}{
		{0, "0.0 s"}, {12.34, "12.3 s"}, {59.94, "59.9 s"}, {59.96, "1 min 0 s"}, {800.4, "13 min 20 s"},
		{3599.7, "1 h 0 min"}, {18130, "5 h 2 min"}, {3600 * 1234.5, "1,234 h 30 min"},
	} {
		must.Equal(t, fmt.Sprintf("%g s", test.seconds), Duration(test.seconds), test.want)
	}
}

func TestCommandLine(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"banditsim", "run", "quick"}, "banditsim run quick"},
		{[]string{"banditsim", "--out", "a b", "it's", ""}, `banditsim --out 'a b' 'it'\''s' ''`},
	} {
		must.Equal(t, fmt.Sprintf("%q", test.words), CommandLine(test.words), test.want)
	}
}
