package browser_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
)

// numberRow is a row of numbers.json.
type numberRow struct {
	Formatter string
	Values    []*float64
	Text      string
}

// TestNumbers checks that the page's scripts format numbers as the tables do, with the test cases of package words.
func TestNumbers(t *testing.T) {
	text := must.Get(os.ReadFile("../../../internal/words/testdata/numbers.json"))(t)
	var rows []numberRow
	must.OK(t, json.Unmarshal(text, &rows))
	script := must.Get(os.ReadFile("../js/numbers.js"))(t)
	blank := filepath.Join(t.TempDir(), "blank.html") // because a page's content security policy forbids other scripts
	must.OK(t, os.WriteFile(blank, []byte("<!doctype html>"), 0o644))
	b := open(t, blank, desktop)
	module, table := base64.StdEncoding.EncodeToString(script), string(text)
	answer := evalText(b, `import("data:text/javascript;charset=utf-8;base64,`+module+`").then((m) => {
		const plusMinus = (...v) => m.withInterval(...v).join(" ");
		return JSON.stringify(`+table+`.map(({ formatter, values }) => ({ ...m, plusMinus })[formatter]?.(...values) ?? null));
	})`)
	var got []*string
	must.OK(t, json.Unmarshal([]byte(answer), &got))
	for _, formatter := range []string{"amount", "amountTo", "plusMinus", "tick", "pValue", "percent"} {
		must.That(t, slices.ContainsFunc(rows, func(r numberRow) bool { return r.Formatter == formatter }),
			"no row of %s", formatter)
	}
	for i, row := range rows {
		if row.Formatter == "probability" { // the page gets these as text
			continue
		}
		if got[i] == nil {
			t.Errorf("%s, row %d: no such formatter", row.Formatter, i)
		} else if *got[i] != row.Text {
			t.Errorf("%s, row %d: %q, want %q", row.Formatter, i, *got[i], row.Text)
		}
	}
}

// TestSmallNumbers checks that no number in the page or in saved figures has a comma after the decimal point, at any scale.
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
				must.That(t, len(text) >= 100, "scale %g, %q: the %s is %q", scale, hash, what, text)
				for line := range strings.Lines(text) {
					m := wrong.FindString(line)
					must.That(t, m == "", "scale %g, %q: %s: %q in %q", scale, hash, what, m, line)
				}
			}
		}
	}
}
