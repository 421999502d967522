package browser_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"banditsim/results/internal/resultstest"
)

// The page's scripts write numbers as the tables do: one table of values for both, which package words reads too.
func TestNumbers(t *testing.T) {
	text, err := os.ReadFile("../../../internal/words/testdata/numbers.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Formatter string
		Values    []*float64
		Text      string
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	b := open(t, write(t, nil), desktop)
	script, err := os.ReadFile("../js/format.js")
	if err != nil {
		t.Fatal(err)
	}
	got := eval[[]string](b, `(() => {
		`+string(script)+`
		const plusMinus = (...v) => withInterval(...v).join(" ");
		return `+string(text)+`.map(({ formatter, values }) => ({ amount, amountTo, plusMinus, tick, pValue, probability, percent })[formatter](...values));
	})()`)
	for i, row := range rows {
		if got[i] != row.Text {
			t.Errorf("%s, row %d: %q, want %q", row.Formatter, i, got[i], row.Text)
		}
	}
}

// No number on the page has a comma behind the point, at any scale: axes, readouts, tables and saved figures.
func TestSmallNumbers(t *testing.T) {
	wrong := regexp.MustCompile(`>[^<]*\d\.\d*,\d[^<]*<|^[^<]*\d\.\d*,\d`)
	for _, scale := range []float64{1e-4, 1, 1e4} {
		file := write(t, func(f *resultstest.Folder) { f.Scale = scale })
		for _, hash := range []string{"", "#?form=window&log=y"} {
			b := openAt(t, file, hash, desktop)
			for what, text := range map[string]string{
				"text":  eval[string](b, `document.body.innerText`),
				"SVG":   b.saves(`[data-chart="regret"] .save button`),
				"SVG θ": b.saves(`[data-chart="theta"] .save button`),
			} {
				if len(text) < 100 {
					t.Errorf("scale %g, %q: the %s is %q", scale, hash, what, text)
				}
				for line := range strings.Lines(text) {
					if m := wrong.FindString(line); m != "" {
						t.Errorf("scale %g, %q: %s: %q in %q", scale, hash, what, m, line)
					}
				}
			}
		}
	}
}
