package browser_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// numberRow is a row of numbers.json.
type numberRow struct {
	Formatter string
	Values    []*float64
	Text      string
}

// The page's scripts write numbers as the tables do: one table of values for both, which package words reads too.
func TestNumbers(t *testing.T) {
	text, err := os.ReadFile("../../../internal/words/testdata/numbers.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []numberRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../js/numbers.js")
	if err != nil {
		t.Fatal(err)
	}
	blank := filepath.Join(t.TempDir(), "blank.html") // a page has a policy against other scripts
	if err := os.WriteFile(blank, []byte("<!doctype html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t, blank, desktop)
	module, table := base64.StdEncoding.EncodeToString(script), string(text)
	answer := evalText(b, `import("data:text/javascript;charset=utf-8;base64,`+module+`").then((m) => {
		const plusMinus = (...v) => m.withInterval(...v).join(" ");
		return JSON.stringify(`+table+`.map(({ formatter, values }) => ({ ...m, plusMinus })[formatter]?.(...values) ?? null));
	})`)
	var got []*string
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	for _, formatter := range []string{"amount", "amountTo", "plusMinus", "tick", "pValue", "percent"} {
		if !slices.ContainsFunc(rows, func(r numberRow) bool { return r.Formatter == formatter }) {
			t.Errorf("no row of %s", formatter)
		}
	}
	for i, row := range rows {
		if row.Formatter == "probability" { // the page has its texts
			continue
		}
		if got[i] == nil || *got[i] != row.Text {
			t.Errorf("%s, row %d: %s, want %q", row.Formatter, i, orNone(got[i]), row.Text)
		}
	}
}

// orNone returns a text, or that the scripts have no such formatter.
func orNone(s *string) string {
	if s == nil {
		return "no such formatter"
	}
	return strconv.Quote(*s)
}
