package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
)

func wideTable() Table {
	return Table{
		Caption: []string{"a caption that is longer than some of the widths"},
		Columns: Columns[int]{
			{Header: "policy"}, {Header: "expected regret", Short: "expected"}, {Header: "% of uniform", Short: "% unif.", Leaves: 2}, {Header: "failed", Leaves: -1},
		},
		Rows:  [][]string{{"pSGLD temperature=0.1", "7,955 ± 240", "4.1 %", "0"}, {"pSGLD temperature=0.3", "8,050 ± 195", "4.1 %", "0"}},
		Notes: []string{"  a note, which is longer than some of the widths too"},
	}
}

func render(t *testing.T, w Screen, f Format) {
	t.Helper()
	r := Result{Tables: []Table{wideTable()}}
	must.OK(t, r.Render(w, f))
}

// TestFit checks that a narrow terminal first shortens headers, then leaves out columns in their order, then cuts names.
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
		must.That(t, strings.Contains(flat, c.with) && !strings.Contains(flat, c.lack),
			"%d: want %q and no %q in\n%s", c.width, c.with, c.lack, b.String())
		for line := range strings.Lines(b.String()) {
			n := utf8.RuneCountInString(strings.TrimRight(line, "\n"))
			must.That(t, n <= c.width, "%d: a line of %d: %s", c.width, n, line)
		}
		for _, f := range []Format{Wide, Markdown} {
			b.Reset()
			render(t, Screen{Writer: &b, Width: c.width}, f)
			must.That(t, strings.Contains(b.String(), "expected regret") && strings.Contains(b.String(), "failed"),
				"%s at %d leaves out columns:\n%s", f, c.width, b.String())
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
		must.Equal(t, fmt.Sprintf("%q", line), strings.Join(wrap([]string{line}, 10), "|"), want)
	}
}

// TestScreen checks that bars are proportional to the means and need room, that only the row of the lowest mean has color,
// and that nothing else changes.
func TestScreen(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"high": {800, 801, 799}, "low": {200, 201, 199}, "mid": {400, 401, 399}})
	text := func(s Screen) (lines []string) {
		var b bytes.Buffer
		s.Writer = &b
		must.OK(t, Summary(summaryOf(t, set)).Render(s, Text))
		for line := range strings.Lines(b.String()) {
			n := utf8.RuneCountInString(strings.NewReplacer(green, "", plain, "").Replace(line))
			must.That(t, n <= s.Width+1, "at %d columns: a line of %d: %s", s.Width, n, line)
			lines = append(lines, line)
		}
		return lines
	}
	row := func(lines []string, policy string) string {
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimPrefix(l, green), " "+policy) })
		must.Hold(t, i >= 0, "no row %s", policy)
		return lines[i]
	}
	wide := text(Screen{Width: 140, Unicode: true})
	for policy, want := range map[string]int{"high": maxBar, "mid": maxBar / 2, "low": maxBar / 4} {
		must.Equal(t, "the bar of "+policy+": blocks", strings.Count(row(wide, policy), "█"), want)
	}
	for name, s := range map[string]Screen{"narrow": {Width: 100, Unicode: true}, "ASCII": {Width: 140}} {
		must.That(t, !strings.Contains(strings.Join(text(s), ""), "█"), "%s: there are bars", name)
	}
	colored := text(Screen{Width: 140, Unicode: true, Color: true})
	for policy, want := range map[string]bool{"low": true, "mid": false, "high": false} {
		must.Equal(t, policy+" in color", strings.Contains(row(colored, policy), green), want)
	}
	must.That(t, strings.NewReplacer(green, "", plain, "").Replace(strings.Join(colored, "")) == strings.Join(wide, ""),
		"color changes the text")
}
