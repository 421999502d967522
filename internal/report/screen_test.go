package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"banditsim/internal/resultstest"
)

// TestScreen: bars are as long as the means, and there only where a line has room; the row of the lowest mean alone is in
// color, and nothing else changes.
func TestScreen(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"high": {800, 801, 799}, "low": {200, 201, 199}, "mid": {400, 401, 399}})
	text := func(s Screen) (lines []string) {
		var b bytes.Buffer
		s.Writer = &b
		if err := Summary(summaryOf(t, set)).Render(s, Text); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.NewReplacer(green, "", plain, "").Replace(line)); n > s.Width+1 {
				t.Errorf("at %d columns: a line of %d: %s", s.Width, n, line)
			}
			lines = append(lines, line)
		}
		return lines
	}
	row := func(lines []string, policy string) string {
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimPrefix(l, green), " "+policy) })
		if i < 0 {
			t.Fatalf("no row %s", policy)
		}
		return lines[i]
	}
	wide := text(Screen{Width: 140, Unicode: true})
	for policy, want := range map[string]int{"high": maxBar, "mid": maxBar / 2, "low": maxBar / 4} {
		if got := strings.Count(row(wide, policy), "█"); got != want {
			t.Errorf("the bar of %s has %d blocks, want %d", policy, got, want)
		}
	}
	for name, s := range map[string]Screen{"narrow": {Width: 100, Unicode: true}, "ASCII": {Width: 140}} {
		if strings.Contains(strings.Join(text(s), ""), "█") {
			t.Errorf("%s: there are bars", name)
		}
	}
	colored := text(Screen{Width: 140, Unicode: true, Color: true})
	for policy, want := range map[string]bool{"low": true, "mid": false, "high": false} {
		if got := strings.Contains(row(colored, policy), green); got != want {
			t.Errorf("%s in color: %t, want %t", policy, got, want)
		}
	}
	if strings.NewReplacer(green, "", plain, "").Replace(strings.Join(colored, "")) != strings.Join(wide, "") {
		t.Error("color changes the text")
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{1, "██████"}, {0.5, "███"}, {0.25, "█▌"}, {1. / 48, "▏"}, {0, ""}, {47. / 48, "█████▉"}} {
		if got := bar(c.share, 6); got != c.want {
			t.Errorf("bar(%v, 6) = %s, want %s", c.share, got, c.want)
		}
	}
}
