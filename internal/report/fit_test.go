package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func wideTable() Table {
	return Table{
		Caption: []string{"a caption that is longer than some of the widths"},
		Columns: []Head{
			{Header: "policy"}, {Header: "expected regret", Short: "expected"}, {Header: "% of uniform", Short: "% unif.", leaves: 2}, {Header: "failed", leaves: -1},
		},
		Rows:  [][]string{{"pSGLD temperature=0.1", "7,955 ± 240", "4.1 %", "0"}, {"pSGLD temperature=0.3", "8,050 ± 195", "4.1 %", "0"}},
		Notes: []string{"  a note, which is longer than some of the widths too"},
	}
}

func render(t *testing.T, w Screen, f Format) {
	t.Helper()
	r := Result{Tables: []Table{wideTable()}}
	if err := r.Render(w, f); err != nil {
		t.Fatal(err)
	}
}

// Headers become shorter first, then columns go in their order, then names are cut; nothing is lost where there is room.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		width      int
		with, lack string
	}{
		{100, "expected regret", "Hidden"},
		{60, "% unif.", "expected regret"},
		{50, "Hidden at this width: failed.", "% of uniform"},
		{42, "width: failed, % of uniform.", "0.1 …"},
		{30, "pSGL…rature=0.3", "pSGLD temperature"},
	} {
		var b bytes.Buffer
		render(t, Screen{Writer: &b, Width: c.width}, Text)
		flat := strings.Join(strings.Fields(b.String()), " ")
		if !strings.Contains(flat, c.with) || strings.Contains(flat, c.lack) {
			t.Errorf("%d: want %q and no %q in\n%s", c.width, c.with, c.lack, b.String())
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > c.width {
				t.Errorf("%d: a line of %d: %s", c.width, n, line)
			}
		}
		for _, f := range []Format{Wide, Markdown} {
			b.Reset()
			render(t, Screen{Writer: &b, Width: c.width}, f)
			if !strings.Contains(b.String(), "expected regret") || !strings.Contains(b.String(), "failed") {
				t.Errorf("%s at %d leaves out columns:\n%s", f, c.width, b.String())
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for line, want := range map[string]string{
		"short":                    "short",
		"":                         "",
		"0123456789":               "0123456789",
		"one two three":            "one two|  three",
		"  in one two":             "  in one|    two",
		"abcdefghijklmno":          "abcdefghij|  klmno",
		"                    deep": "|     deep",
	} {
		if got := strings.Join(wrap([]string{line}, 10), "|"); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
